//! The table of solvers, and what each can do.

use std::fmt;

use crate::Error;

/// An algorithm that moves the tire.
pub struct Solver {
    /// Name, as typed.
    pub(crate) name: &'static str,
    /// True if several threads give the same bits as one.
    is_exact: bool,
    /// Smallest number of masses per thread.
    least_masses: usize,
    /// True if it computes with vectors.
    has_vectors: bool,
    /// True if it does several steps at a time.
    fuses: bool,
    /// True if it supports the central model.
    pub(crate) does_central: bool,
}

/// Most steps that are fused. Beyond this the data is reused often enough that memory does not
/// matter.
const MOST_FUSED: usize = 32;
/// At most this share of a lane is fused, since halos are computed twice.
const SHARE_OF_LANE: usize = 16;

/// The papers' algorithm: one semaphore per mass and nothing else. Not deterministic with several
/// threads.
const SEMAPHORE: Solver = Solver {
    name: "semaphore",
    // A thread may read a neighbour before or after the neighbour's step.
    is_exact: false,
    least_masses: 1,
    has_vectors: false,
    fuses: false,
    does_central: true,
};

/// The papers' algorithm with a barrier between reading and writing.
const SEMAPHORE_EXACT: Solver = Solver { name: "semaphore-exact", is_exact: true, ..SEMAPHORE };

/// SAE's first attempt: forces of springs, a barrier, integration, a barrier.
const TWO_PHASE: Solver = Solver { name: "two-phase", ..SEMAPHORE_EXACT };

/// Two copies of the state and one barrier per step, one mass at a time.
const BARRIER: Solver = Solver { name: "barrier", ..SEMAPHORE_EXACT };

/// Vectors, every spring computed once, one message per neighbour and step.
const SIMD: Solver = Solver {
    name: "simd",
    is_exact: true,
    // A cell is a mass and the one half the ring away. The central model has no cells.
    least_masses: 2,
    has_vectors: true,
    fuses: false,
    does_central: false,
};

/// As `simd`, but up to 32 steps at a time while the data is in the cache.
const FUSED: Solver = Solver { name: "fused", fuses: true, ..SIMD };

/// All solvers, the papers' own first.
pub static SOLVERS: [&Solver; 6] =
    [&SEMAPHORE, &SEMAPHORE_EXACT, &TWO_PHASE, &BARRIER, &SIMD, &FUSED];

impl Solver {
    /// Returns the solver's name, as typed.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns true if the same setup always gives the same bits with this many threads. The bits
    /// are also equal between all numbers of threads for which this is true.
    pub fn is_exact(&self, threads: usize) -> bool {
        self.is_exact || threads == 1
    }

    /// Returns the most threads that can share a ring of this many masses.
    pub fn most_threads(&self, masses: usize) -> usize {
        masses / self.least_masses
    }

    /// Returns true if the solver computes with vectors, so that [`crate::Setup::instructions`]
    /// matters.
    pub fn has_vectors(&self) -> bool {
        self.has_vectors
    }

    /// Returns the steps that a thread does in one pass over its state, as long as nothing is read
    /// or written between them.
    pub fn steps_a_pass(&self, masses: usize, threads: usize) -> usize {
        let cells_of_a_lane = masses / 2 / threads / 16;
        if self.fuses { (cells_of_a_lane / SHARE_OF_LANE).clamp(1, MOST_FUSED) } else { 1 }
    }
}

/// Looks a solver up by name.
///
/// # Errors
/// Lists the solvers that exist.
pub fn solver(name: &str) -> Result<&'static Solver, Error> {
    let name = name.trim();
    let found = SOLVERS.into_iter().find(|solver| solver.name == name);
    found.ok_or_else(|| unknown(name))
}

/// The error for an unknown solver.
pub(crate) fn unknown(name: &str) -> Error {
    Error::Solver { name: name.to_owned(), known: SOLVERS.map(Solver::name).join(", ") }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
