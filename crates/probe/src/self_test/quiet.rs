//! Nothing at all: what is late here is the machine's own, or the host's.

use plan::Asked;
use units::Nanos;

use super::disturbance::Disturbance;

/// Long enough to meet what a machine does now and then.
const LENGTH: Nanos = Nanos(5_000_000_000);

pub(super) const QUIET: Disturbance = Disturbance {
    name: "quiet",
    what: "nothing is injected",
    conditions: |usual| Asked { duration: LENGTH, ..usual },
    ..Disturbance::NONE
};
