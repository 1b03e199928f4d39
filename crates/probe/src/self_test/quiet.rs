//! No disturbance: anything late in this run is due to the machine or its host.

use plan::Asked;
use units::Nanos;

use super::disturbance::Disturbance;

/// Long enough to include rare disturbances of the machine.
const LENGTH: Nanos = Nanos(5_000_000_000);

pub(super) const QUIET: Disturbance = Disturbance {
    name: "quiet",
    what: "nothing is injected",
    conditions: |usual| Asked { duration: LENGTH, ..usual },
    ..Disturbance::NONE
};
