//! Places that can run the runner. They differ only in transport.

mod asked;
mod following;
mod hearing;
mod knobs;
mod live;
mod local;
mod program;
mod ssh;
mod vm;
mod waiting;

use knob::OnMachine;
use record::{Arrived, RunSpec};

pub use knobs::ROLE as KNOBS;
pub use live::show_live_with;
pub use local::Local;
pub use ssh::{Ssh, serve_remote};
pub use vm::{GUEST, Made, Vm, lacks_program, serve_guest};

/// Called several times per second; when it returns false, what is under way is ended.
pub type KeepGoing<'k> = &'k mut dyn FnMut() -> bool;

/// A place that can make a run.
pub trait Target {
    /// Waits until no other process measures on the CPUs of a run, if this place can find out.
    /// [`Target::run`] waits as well; then the waiting is part of the run.
    ///
    /// # Errors
    /// As [`Target::run`].
    fn wait(&self, _spec: &RunSpec, _keep_going: KeepGoing) -> Result<(), TargetError> {
        Ok(())
    }

    /// Makes one run and returns its recording, in an envelope with what this side knows about it.
    ///
    /// # Errors
    /// Why there is no recording.
    fn run(&self, spec: &RunSpec, keep_going: KeepGoing) -> Result<Arrived, TargetError>;

    /// # Errors
    /// Why the state is unknown.
    fn knobs(&self, keep_going: KeepGoing) -> Result<OnMachine, TargetError>;
}

/// Why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// `keep_going` returned false.
    #[error("interrupted")]
    Interrupted,
    /// The runner failed, with its own message.
    #[error("{0}")]
    Failed(String),
    /// The connection to the runner was lost; the run may be repeated.
    #[error("{0}")]
    Lost(String),
}
