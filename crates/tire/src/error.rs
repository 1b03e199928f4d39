//! Errors of a tire.

/// Why a tire cannot be prepared, or what is wrong with its state.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The number of masses is not a positive multiple of 4: the ring has four quadrants of equal
    /// size.
    #[error("{0} masses: expected a multiple of 4, such as 4, 8, 12")]
    Masses(usize),
    /// A parameter is outside its range.
    #[error("{name} {value}: expected {expected}")]
    Range {
        /// Name of the parameter.
        name: &'static str,
        /// The requested value, with its unit.
        value: String,
        /// The range that is allowed.
        expected: &'static str,
    },
    /// Explicit Euler would be unstable.
    #[error(
        "{name} {value} is not stable with steps of {step} s; \
         the largest stable value is {largest:.6}; more sub-steps allow more"
    )]
    Unstable {
        /// Name of the parameter.
        name: &'static str,
        /// The requested value, with its unit.
        value: String,
        /// Length of a step or sub-step in seconds.
        step: f64,
        /// The largest stable value, in the same unit.
        largest: f64,
    },
    /// The number of threads is 0, or so large that a thread would have no work.
    #[error("{threads} threads: the {solver} solver uses at most {most} for {masses} masses")]
    Threads {
        /// Number of threads requested.
        threads: usize,
        /// Name of the solver.
        solver: &'static str,
        /// The most threads that the solver can use.
        most: usize,
        /// Number of masses of the ring.
        masses: usize,
    },
    /// The solver's name is unknown.
    #[error("`{name}` is not a solver; expected {known}")]
    Solver {
        /// Name that was requested.
        name: String,
        /// Names of all solvers.
        known: String,
    },
    /// The solver does not support the model.
    #[error(
        "the {solver} solver supports the balanced model only; use barrier for the central one"
    )]
    Model {
        /// Name of the solver.
        solver: &'static str,
    },
    /// The kernel has no room for one semaphore per mass.
    #[error("{masses} masses with one semaphore each: {needs}; or use another solver")]
    Semaphores {
        /// Number of masses of the ring.
        masses: usize,
        /// What the machine needs to allow it.
        needs: String,
    },
    /// The processor lacks an instruction set.
    #[error("this processor has no {0}; use one that it has")]
    InstructionSet(rt::simd::InstructionSet),
    /// A number of the state is not finite, or subnormal.
    #[error("mass {mass} at step {step}: {quantity} is {value}")]
    State {
        /// Number of the mass.
        mass: usize,
        /// Steps done so far.
        step: u64,
        /// Which quantity of the mass is wrong.
        quantity: &'static str,
        /// The wrong value.
        value: f64,
    },
}
