//! Why samples were late: from the records of the kernel and of the threads themselves to causes
//! with their times. The crate is pure: it uses no clock and no kernel.
//!
//! ```text
//! raw pages ──► events ──► evidence ──► segments ──► shares ──► summary
//!  (trace)      (event)    (tracks of   (timeline)   (judge)    (counts, worst)
//!                           a recording)
//! ```
//!
//! There are three grades of evidence. What the kernel counts anyway is read in every run, and
//! explains long delays ([`counted`]). The thread's own counters, read once per period, show what
//! kind of thing happened to each sample; the kernel's trace shows what had the CPU when.

mod case;
mod cause;
mod columns;
mod counted;
mod enclosed;
mod event;
mod evidence;
mod judge;
mod late;
mod readings;
mod summary;
mod timeline;
pub mod trace;

pub use case::{Case, Cases};
pub use cause::{Cause, CauseKind, SomeTask};
pub use counted::{Counted, counted};
pub use event::{Event, Interruption, What};
pub use evidence::{
    Evidence, Names, TRACE, Window, cost_track, group_track, is_counted, is_evidence, trace_track,
    with_idle_exit,
};
pub use judge::Finding;
pub use late::{Counts, FIRST_ORDINARY, Late, Stamped, Steal, Timed, USED, Wait};
pub use readings::{MOST_READ, cpu_times_track, thread_counts_track};
pub use summary::{CauseTotal, Cost, HeldCpu, LateTold, Summary, summary};
pub use timeline::Segment;
