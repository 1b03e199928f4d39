//! Why samples were late: from the records of the kernel and of the threads themselves to causes
//! with their times. The crate is pure: it uses no clock and no kernel.
//!
//! ```text
//! raw pages ──► events ──► evidence ──► segments ──► shares ──► summary
//!  (trace)      (event)    (tracks of   (timeline)   (judge)    (counts, worst)
//!                           a recording)
//! ```
//!
//! There are two grades of evidence. The thread's own counters work everywhere and show what kind
//! of thing happened; the kernel's trace shows what had the CPU when.

mod case;
mod cause;
mod counted;
mod event;
mod evidence;
mod judge;
mod late;
mod summary;
mod timeline;
pub mod trace;

pub use case::{Case, Cases};
pub use cause::{Cause, SomeTask};
pub use counted::Counted;
pub use event::{Event, Interruption, What};
pub use evidence::{
    Evidence, Names, TRACE, Window, cost_track, group_track, is_evidence, steal_track, trace_track,
};
pub use judge::Finding;
pub use late::{Counts, FIRST_ORDINARY, Late, USED, Wait};
pub use summary::{CauseTotal, Cost, LateTold, Summary, summary};
pub use timeline::Segment;
