//! What to solve, and how.

use std::fmt;

use rt::simd::InstructionSet;
use rt::sync::BarrierKind;

use crate::{Error, Model, Parameters, SOLVERS, Solver};

base::named! {
    /// The floating-point type of a solver.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Precision {
        /// 64 bits.
        #[default]
        F64 = "f64",
        /// 32 bits.
        F32 = "f32",
    }
}

/// A tire, its solver and its threads.
#[derive(Clone)]
pub struct Setup {
    /// How the ring is braced.
    pub model: Model,
    /// Masses of the ring: 4, 8, 12, ...
    pub masses: usize,
    /// Physical parameters.
    pub parameters: Parameters,
    /// Sub-steps of equal length that make up a step; the papers' runs have 1.
    pub substeps: u32,
    /// Floating-point type.
    pub precision: Precision,
    /// The solver; see [`crate::solver`].
    pub solver: &'static Solver,
    /// Number of threads.
    pub threads: usize,
    /// How threads wait for each other, where the solver has a barrier.
    pub barrier: BarrierKind,
    /// The vectors that vector solvers use.
    pub instructions: InstructionSet,
}

impl Default for Setup {
    /// The balanced model of 5900 masses, the papers' solver, one thread, `f64`.
    fn default() -> Self {
        Self {
            model: Model::default(),
            masses: 5900,
            parameters: Parameters::default(),
            substeps: 1,
            precision: Precision::default(),
            solver: SOLVERS[0],
            threads: 1,
            barrier: BarrierKind::default(),
            instructions: InstructionSet::best(),
        }
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, masses, precision, solver, threads, substeps, .. } = self;
        let (model, precision, solver) = (model.name(), precision.name(), solver.name());
        write!(f, "{model} {masses} {precision} {solver} x{threads}, {substeps} sub-steps")
    }
}

impl Setup {
    /// Checks everything that [`crate::prepare`] needs.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn check(&self) -> Result<(), Error> {
        if self.masses == 0 || !self.masses.is_multiple_of(4) {
            return Err(Error::Masses(self.masses));
        }
        if self.substeps == 0 {
            return Err(Error::Range {
                name: "substeps",
                value: "0".to_owned(),
                expected: "1 or more",
            });
        }
        self.parameters.check(self.model, self.substeps)?;
        let (threads, most) = (self.threads, self.solver.most_threads(self.masses));
        if !(1..=most).contains(&threads) {
            let (solver, masses) = (self.solver.name(), self.masses);
            return Err(Error::Threads { threads, solver, most, masses });
        }
        if !InstructionSet::available().any(|set| set == self.instructions) {
            return Err(Error::InstructionSet(self.instructions));
        }
        match self.model {
            Model::Central if !self.solver.does_central => {
                Err(Error::Model { solver: self.solver.name })
            }
            _ => Ok(()),
        }
    }
}

impl Precision {
    /// Returns the smallest positive normal number of the precision.
    pub(crate) fn least_normal(self) -> f64 {
        match self {
            Self::F64 => f64::MIN_POSITIVE,
            Self::F32 => f64::from(f32::MIN_POSITIVE),
        }
    }
}
