//! The fingerprint of this machine.

use doctor::{Tree, Unfiled};
use plan::Machine;

/// Returns the fingerprint of this machine.
pub fn fingerprint() -> Machine {
    doctor::fingerprint(&Tree::at("/"), &Unfiled::here())
}
