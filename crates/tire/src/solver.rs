//! The solvers that there are, and what each can do.

use std::fmt;

use crate::Error;

/// A way to move the tire.
pub struct Solver {
    /// Its name, as typed.
    pub(crate) name: &'static str,
    /// Whether several threads give the same bits as one.
    is_exact: bool,
    /// Masses that a thread has at least.
    least_masses: usize,
    /// Whether it computes with vectors.
    has_vectors: bool,
    /// Whether it does several steps at a time.
    fuses: bool,
    /// Whether it does the central model.
    pub(crate) does_central: bool,
}

/// Most steps that are fused: beyond, the data is used often enough that memory does not
/// count.
const MOST_FUSED: usize = 32;
/// Steps fused are at most this share of a lane, since halos are computed twice.
const SHARE_OF_LANE: usize = 16;

/// The papers' algorithm: a semaphore a mass and nothing else; not deterministic with several
/// threads.
const SEMAPHORE: Solver = Solver {
    name: "semaphore",
    // A thread may read a neighbour before or after that one's step.
    is_exact: false,
    least_masses: 1,
    has_vectors: false,
    fuses: false,
    does_central: true,
};

/// The papers' algorithm with a barrier between reading and writing.
const SEMAPHORE_EXACT: Solver = Solver { name: "semaphore-exact", is_exact: true, ..SEMAPHORE };

/// Two copies of the state and one barrier a step, one mass at a time.
const BARRIER: Solver = Solver { name: "barrier", ..SEMAPHORE_EXACT };

/// Vectors, every spring once, one message a neighbour and step.
const SIMD: Solver = Solver {
    name: "simd",
    is_exact: true,
    // A cell: a mass and the one half the ring away. The central model has none.
    least_masses: 2,
    has_vectors: true,
    fuses: false,
    does_central: false,
};

/// As simd, but up to 32 steps at a time while the data is in the cache.
const FUSED: Solver = Solver { name: "fused", fuses: true, ..SIMD };

/// Every solver, the papers' own first.
pub static SOLVERS: [&Solver; 5] = [&SEMAPHORE, &SEMAPHORE_EXACT, &BARRIER, &SIMD, &FUSED];

impl Solver {
    /// Its name, as typed.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the same setup gives the same bits with this many threads, every time
    /// and for every number of threads for which this holds.
    #[must_use]
    pub fn is_exact(&self, threads: usize) -> bool {
        self.is_exact || threads == 1
    }

    /// The most threads that can share a ring of this many masses.
    #[must_use]
    pub fn most_threads(&self, masses: usize) -> usize {
        masses / self.least_masses
    }

    /// Whether [`crate::Setup::instructions`] matters: whether it computes with vectors.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.has_vectors
    }

    /// Steps that a thread does in one pass over its state, wherever nothing goes in or out
    /// between them.
    #[must_use]
    pub fn steps_a_pass(&self, masses: usize, threads: usize) -> usize {
        let cells_of_a_lane = masses / 2 / threads / 16;
        match self.fuses {
            true => (cells_of_a_lane / SHARE_OF_LANE).clamp(1, MOST_FUSED),
            false => 1,
        }
    }
}

/// Looks a solver up by name.
///
/// # Errors
/// Says which names there are.
pub fn solver(name: &str) -> Result<&'static Solver, Error> {
    let name = name.trim();
    let found = SOLVERS.into_iter().find(|solver| solver.name == name);
    found.ok_or_else(|| unknown(name))
}

/// There is no solver of that name.
pub(crate) fn unknown(name: &str) -> Error {
    Error::Solver { name: name.to_owned(), known: SOLVERS.map(Solver::name).join(", ") }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
