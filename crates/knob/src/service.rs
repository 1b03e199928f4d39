//! A systemd unit that the user names: a service can be a knob.

use std::time::Duration;

use crate::knob::{Knob, Risk, Way};
use crate::place::Place;

pub(crate) const SERVICE: Knob = Knob {
    name: "service",
    summary: "a service or timer of systemd is stopped; only as service:NAME",
    way: Way::Unit,
    risk: Risk::Medium,
    why: "the service does not work during the run",
    settle: Duration::from_secs(2),
    source: "man systemctl",
    ..Knob::PLAIN
};

/// Returns the unit in a name such as `service:cron.service`.
///
/// # Errors
/// If the text cannot be the name of a unit.
pub(crate) fn place(typed: &str) -> Result<Place, String> {
    let unit = typed.split_once(':').map_or("", |(_, unit)| unit);
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || ":-_.\\@".contains(sign);
    match !unit.is_empty() && unit.chars().all(is_sign) {
        true => Ok(Place::Unit { unit: unit.to_owned() }),
        false => Err(format!("`{unit}` is not a valid unit name")),
    }
}
