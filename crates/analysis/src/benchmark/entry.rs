//! Solvers and what the machine allows them.

use record::fact;
use serde::Serialize;
use serde_json::Value;

use crate::survey::Series;
use crate::words;

/// What the machine allows one instruction set in one precision on one number of threads.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ceiling {
    /// Instruction set; null if it was not recorded.
    pub instructions: Option<String>,
    /// Floating-point precision: `f64` or `f32`.
    pub precision: String,
    /// Number of threads.
    pub threads: u64,
    /// Mass updates per second that the arithmetic units allow; null if this ceiling was not
    /// measured.
    pub arithmetic_per_s: Option<f64>,
    /// Multiplications and fused multiply-adds per mass and step; null if the arithmetic ceiling
    /// was not measured.
    pub multiplications_a_mass: Option<f64>,
    /// Mass updates per second that the memory allows with one pass per step; null if this ceiling
    /// was not measured.
    pub memory_per_s: Option<f64>,
    /// Bytes read and written per second; null if the memory ceiling was not measured.
    pub bytes_per_s: Option<f64>,
    /// Bytes read and written per mass and pass; null if the memory ceiling was not measured.
    pub bytes_a_mass: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// Name of the solver.
    pub solver: String,
    /// Instruction set of the solver's vectors; null if it uses no vectors or this was not
    /// recorded.
    pub instructions: Option<String>,
    /// Floating-point precision: `f64` or `f32`.
    pub precision: String,
    /// Number of threads.
    pub threads: u64,
    /// Number of masses in the ring.
    pub masses: u64,
    /// Number of valid runs of which `rate_per_s` is the median.
    pub rounds: usize,
    /// Mass updates per second.
    pub rate_per_s: f64,
    /// Share of the time for which the threads had their CPUs, 0 to 1; null if unknown.
    pub cpu_share: Option<f64>,
    /// Steps per pass over memory.
    pub steps_a_pass: f64,
    /// Rate relative to the semaphore solver at the same size, number of threads and precision;
    /// null if that was not measured.
    pub times_semaphore: Option<f64>,
    /// Rate as a share of the arithmetic ceiling; null if that ceiling was not measured.
    pub of_arithmetic: Option<f64>,
    /// Rate as a share of the memory ceiling for this number of steps per pass; above 1 if caches
    /// hold the ring; null if that ceiling was not measured.
    pub of_memory: Option<f64>,
}

impl Entry {
    pub(super) fn against(self, ceilings: &[Ceiling]) -> Self {
        let ceiling = self.ceiling(ceilings);
        let share = |of: fn(&Ceiling) -> Option<f64>| {
            let most = ceiling.and_then(of).filter(|most| *most > 0.0)?;
            Some(self.rate_per_s / most)
        };
        Self {
            of_arithmetic: share(|ceiling| ceiling.arithmetic_per_s),
            of_memory: share(|ceiling| ceiling.memory_per_s).map(|s| s / self.steps_a_pass),
            ..self
        }
    }

    pub(super) fn has_vectors(&self) -> bool {
        ["simd", "fused"].contains(&&*self.solver)
    }

    /// What the machine allows its instruction set; without vectors, what its fastest set allows.
    pub fn ceiling<'c>(&self, ceilings: &'c [Ceiling]) -> Option<&'c Ceiling> {
        let is_own =
            |set: &Option<String>| self.instructions.is_none() || self.instructions == *set;
        let same = ceilings.iter().filter(|ceiling| {
            ceiling.precision == self.precision
                && ceiling.threads == self.threads
                && is_own(&ceiling.instructions)
        });
        let most = |ceiling: &&Ceiling| ceiling.arithmetic_per_s.unwrap_or(0.0);
        same.max_by(|a, b| most(a).total_cmp(&most(b)))
    }

    pub fn title(&self) -> String {
        let threads = words::counted(self.threads as usize, "thread");
        let size = words::size(record::Size::MASSES, self.masses);
        let set = self.instructions.as_ref();
        let set = set.map_or(String::new(), |set| format!("{set}, "));
        format!("{}, {set}{}, {threads}, {size}", self.solver, self.precision)
    }
}

pub(super) fn instructions_of(series: &Series) -> Option<String> {
    series.facts(&fact::INSTRUCTIONS).filter_map(Value::as_str).map(str::to_owned).next()
}
