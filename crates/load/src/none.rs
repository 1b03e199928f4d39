//! No load: the machine as it is.

use crate::{Load, Processes};

pub(crate) const LOAD: Load = Load {
    name: "none",
    summary: "nothing",
    unit: |_| "nothing",
    processes: Processes::None,
    ..Load::PLAIN
};
