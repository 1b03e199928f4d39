//! Places that can run the runner. They differ in transport alone.

mod local;
mod vm;

use plan::{Recording, RunSpec};

pub use local::Local;
pub use vm::{GUEST, Made, Vm, serve_guest};

/// A place that can make a run.
pub trait Target {
    /// Makes one run and brings its recording back.
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
    ) -> Result<Recording, TargetError>;
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
}
