//! The conditions of runs, where they are executed, and whether causes are looked for: what the table
//! of conditions sets.

use std::num::NonZero;
use std::str::FromStr;
use std::sync::Once;

use base::{CpuSet, Nanos, ParseError, Policy};
use clap::{Args, ValueEnum};
use measure::Measurement;
use record::{LoadSpec, Parameters, RunSpec};

use crate::startup::output::tell;

/// The largest number of runs in one plan, so that a typing mistake does not fill the memory.
pub(crate) const MOST_RUNS: usize = 100_000;

/// Parses a number of runs that one plan may have.
pub(crate) fn runs(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_RUNS);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_RUNS}"))
}

/// How often runs are repeated.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RepeatArgs {
    /// Run everything this many times, in rounds, so that the report can show what differs from run
    /// to run; default: as the plan says, otherwise 1
    #[arg(long, value_name = "COUNT", value_parser = runs)]
    pub(crate) repeat: Option<NonZero<usize>>,
}

impl RepeatArgs {
    /// Returns how often to repeat each run of a plan that says `planned`.
    pub(crate) fn or(&self, planned: usize) -> usize {
        self.repeat.map_or(planned, NonZero::get)
    }
}

/// Whether to look for the causes of late events, and how long after its due time one is late.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlameArgs {
    pub(crate) blame: bool,
    pub(crate) threshold: Option<Nanos>,
}

impl BlameArgs {
    /// Returns how long after its due time an event of a run that ends at `stop_at` is late; `None` without causes or
    /// due times.
    pub(crate) fn beyond(
        &self,
        measurement: &dyn Measurement,
        parameters: &Parameters,
        stop_at: Option<Nanos>,
    ) -> Option<Nanos> {
        let usual = measurement.usual_limit(parameters).filter(|_| self.blame)?;
        Some(self.threshold.or(stop_at).unwrap_or(usual))
    }

    /// Requests causes for a run, if it can be late, in addition to what its plan requests.
    pub(crate) fn ask(&self, spec: &mut RunSpec) {
        let measurement = measure::find(&spec.measurement);
        let beyond = measurement.and_then(|it| self.beyond(it, &spec.parameters, spec.stop_at));
        spec.blame_beyond = beyond.or(spec.blame_beyond);
    }
}

/// Whether runs are shown while they measure, and the lateness that ends one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FollowArgs {
    pub(crate) live: bool,
    pub(crate) stop_at: Option<Nanos>,
}

/// The conditions of a run, as far as they were requested.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConditionArgs {
    /// Each typed value is a list of loads; all run at the same time.
    pub(crate) load: Vec<Vec<LoadSpec>>,
    pub(crate) policy: Option<Policy>,
    pub(crate) cpus: Option<Cpus>,
    pub(crate) seconds: Option<Nanos>,
    pub(crate) memory: Option<MemoryArg>,
    pub(crate) idle_states: Option<IdleArg>,
    /// Whether to measure while another process measures on one of the CPUs.
    pub(crate) beside: bool,
}

/// Parses loads that run at the same time. The old separator, a comma, still works, with a note.
pub(crate) fn loads(text: &str) -> Result<Vec<LoadSpec>, String> {
    static NOTED: Once = Once::new();
    let loads = load::read(text)?;
    if load::has_commas(text) {
        NOTED.call_once(|| {
            tell("note: join loads with `+`, such as cpu+network; a comma still works");
        });
    }
    Ok(loads)
}

/// CPUs by number, or all or most of those that this process may use.
#[derive(Debug, Clone)]
pub(crate) enum Cpus {
    All,
    Most,
    These(CpuSet),
}

impl FromStr for Cpus {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "all" => Ok(Self::All),
            "most" => Ok(Self::Most),
            _ => text.parse().map(Self::These),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MemoryArg {
    Locked,
    Unlocked,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdleArg {
    #[default]
    Hold,
    Leave,
}
