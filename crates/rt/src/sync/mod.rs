//! What threads that compute one model together share: values protected by semaphores, slots that
//! they exchange, barriers, padding against false sharing, and waits that always end.

pub(crate) mod atomic;
mod barrier;
pub(crate) mod futex;
mod guarded;
mod kind;
mod meeting;
mod padded;
mod pages;
mod pthread;
mod stop;
mod three_slots;
mod two_slots;

pub use barrier::Barrier;
#[cfg(loom)]
pub use barrier::Rounds;
pub use guarded::Guarded;
pub use kind::BarrierKind;
pub use meeting::Meeting;
pub use padded::Padded;
pub use pages::advise_huge_pages;
pub use stop::{Stop, Stopped};
pub use three_slots::{SlotReader, SlotWriter, three_slots};
pub use two_slots::TwoSlots;
