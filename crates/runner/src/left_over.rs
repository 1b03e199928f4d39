//! What killed runs have left behind.

use crate::knobs::{self, KnobsBack};
use crate::others;

/// What a killed run has left behind, and is now given back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GivenBack {
    /// Tasks that have their CPUs again.
    pub tasks: u64,
    /// Settings that stand as before again, and those that do not.
    pub knobs: KnobsBack,
    /// Trace instances that were removed.
    pub traces: usize,
    /// Temporary folders that were removed.
    pub folders: usize,
}

/// Gives back what killed runs could not.
pub fn give_back_left_over() -> GivenBack {
    GivenBack {
        tasks: others::give_back_left_over(),
        knobs: knobs::give_back_left_over(),
        traces: rt::tracefs::remove_all_left_over(),
        folders: rt::owned::remove_folders_left_over(),
    }
}
