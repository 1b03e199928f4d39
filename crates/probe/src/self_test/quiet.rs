//! Nothing at all: what is late here is a false alarm, or the host's.

use blame::Cause;
use plan::Asked;
use units::Nanos;

use super::disturbance::Disturbance;

pub(super) struct Quiet;

/// Long enough to meet what a machine does now and then.
const LENGTH: Nanos = Nanos(5_000_000_000);

impl Disturbance for Quiet {
    fn name(&self) -> &'static str {
        "quiet"
    }

    fn what(&self) -> &'static str {
        "nothing is injected"
    }

    fn cause(&self) -> &'static str {
        ""
    }

    fn is_cause(&self, _: &Cause) -> bool {
        false
    }

    fn conditions(&self, usual: Asked) -> Asked {
        Asked {
            duration: LENGTH,
            ..usual
        }
    }
}
