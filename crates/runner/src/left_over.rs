//! What killed runs have left behind.

use record::GivenBack;

use crate::{knobs, others};

pub fn give_back_left_over() -> GivenBack {
    GivenBack {
        tasks: others::give_back_left_over(),
        knobs: knobs::give_back_left_over(),
        traces: rt::tracefs::remove_all_left_over(),
        folders: rt::owned::remove_folders_left_over(),
    }
}
