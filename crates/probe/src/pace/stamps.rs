//! The stamps that a paced loop keeps of each step.

use crate::columns::{Columns, Kinds};
use crate::shape::Holds;

/// Stamps of when each step was due, started and ended.
pub(crate) type Stamps = Columns<3>;

pub(crate) const STAMPS: Kinds<3> =
    [("due_ns", Holds::Stamps), ("start_ns", Holds::Stamps), ("end_ns", Holds::Stamps)];

/// Memory of [`Stamps`] per step, in bytes.
pub(crate) const BYTES_A_STEP: u64 = 24;
