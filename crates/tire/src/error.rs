//! What can be wrong with a tire.

/// Why a tire cannot be prepared, or what is wrong with its state.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The ring has four quadrants of equal size.
    #[error("{0} masses: expected a multiple of 4, such as 4, 8, 12")]
    Masses(usize),
    /// A parameter outside its range.
    #[error("{name} {value}: expected {expected}")]
    Range {
        /// Which parameter.
        name: &'static str,
        /// What was given, with its unit.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// Explicit Euler would blow up.
    #[error(
        "{name} {value} is not stable with steps of {step} s; \
         the largest stable value is {largest:.6}, more with more sub-steps"
    )]
    Unstable {
        /// Which parameter.
        name: &'static str,
        /// What was given, with its unit.
        value: String,
        /// Length of a step or sub-step in seconds.
        step: f64,
        /// The largest stable value, in the same unit.
        largest: f64,
    },
    /// A thread without work.
    #[error("{threads} threads: the {solver} solver uses at most {most} for {masses} masses")]
    Threads {
        /// What was asked.
        threads: usize,
        /// Who was asked.
        solver: &'static str,
        /// The most it can use.
        most: usize,
        /// Masses of the ring.
        masses: usize,
    },
    /// No solver has this name.
    #[error("`{name}` is not a solver; expected {known}")]
    Solver {
        /// What was asked.
        name: String,
        /// The solvers that there are.
        known: String,
    },
    /// A solver that cannot do this model.
    #[error("the {solver} solver does the balanced model only; use barrier for the central one")]
    Model {
        /// Who was asked.
        solver: &'static str,
    },
    /// The kernel has no room for a semaphore a mass.
    #[error("{masses} masses with a semaphore each: {needs}; or use another solver")]
    Semaphores {
        /// Masses of the ring.
        masses: usize,
        /// What the machine needs.
        needs: String,
    },
    /// This processor lacks an instruction set.
    #[error("this processor has no {0}; use one of those it has")]
    InstructionSet(rt::simd::InstructionSet),
    /// A state that is no result.
    #[error("mass {mass} at step {step}: {quantity} is {value}")]
    State {
        /// Which mass.
        mass: usize,
        /// Steps done.
        step: u64,
        /// What of it.
        quantity: &'static str,
        /// The value.
        value: f64,
    },
}
