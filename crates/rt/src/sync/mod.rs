//! What threads that compute one model together share: values protected by semaphores, barriers,
//! padding against false sharing, and waits that always end.

mod barrier;
mod guarded;
mod kind;
mod meeting;
mod padded;
mod pages;
mod pthread;
mod stop;

pub use barrier::Barrier;
pub use guarded::Guarded;
pub use kind::BarrierKind;
pub use meeting::Meeting;
pub use padded::Padded;
pub use pages::advise_huge_pages;
pub use stop::{Stop, Stopped};
