//! Places that can run the runner. They differ in transport alone.

mod asked;
mod following;
mod hearing;
mod knobs;
mod local;
mod ssh;
mod vm;
mod waiting;

use std::sync::Arc;

use knob::OnMachine;
use plan::{Arrived, RunSpec};

pub use knobs::ROLE as KNOBS;
pub use local::Local;
pub use ssh::{Ssh, serve_remote};
pub use vm::{GUEST, Made, Vm, serve_guest};

/// A place that can make a run.
pub trait Target {
    /// Waits until nobody else measures on the CPUs of a run, where this place can tell;
    /// [`Target::run`] does so too, and counts as part of the run.
    ///
    /// # Errors
    /// As there.
    fn wait(
        &self,
        _spec: &RunSpec,
        _keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), TargetError> {
        Ok(())
    }

    /// Makes one run and brings its recording back, in an envelope of what is known of it on this
    /// side.
    ///
    /// `keep_going` is asked several times a second; when it says no, the run
    /// is ended.
    ///
    /// # Errors
    /// When there is no recording; says why.
    fn run(
        &self,
        spec: &RunSpec,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Arrived, TargetError>;

    /// How the knobs stand there.
    ///
    /// # Errors
    /// Why they are not told.
    fn knobs(&self, keep_going: &mut dyn FnMut() -> bool) -> Result<OnMachine, TargetError>;
}

impl<T: Target + ?Sized> Target for Arc<T> {
    fn wait(
        &self,
        spec: &RunSpec,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), TargetError> {
        (**self).wait(spec, keep_going)
    }

    fn run(
        &self,
        spec: &RunSpec,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Arrived, TargetError> {
        (**self).run(spec, keep_going)
    }

    fn knobs(&self, keep_going: &mut dyn FnMut() -> bool) -> Result<OnMachine, TargetError> {
        (**self).knobs(keep_going)
    }
}

/// Why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// `keep_going` said no.
    #[error("interrupted")]
    Interrupted,
    /// The runner could not do it, in its own words.
    #[error("{0}")]
    Failed(String),
    /// The way to the runner broke off; the run may be made again.
    #[error("{0}")]
    Lost(String),
}
