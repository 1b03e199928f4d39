//! A unit of systemd, which a person names: a service can be the knob.

use std::time::Duration;

use crate::knob::{Knob, Risk, Way};
use crate::place::Place;

pub(crate) const SERVICE: Knob = Knob {
    name: "service",
    summary: "a service or timer of systemd, stopped; only as service:NAME",
    way: Way::Unit,
    risk: Risk::Medium,
    why: "what the service is for is not done meanwhile",
    settle: Duration::from_secs(2),
    source: "man systemctl",
    ..Knob::PLAIN
};

/// The unit that a name such as `service:cron.service` names.
///
/// # Errors
/// Where it names none that systemd could have.
pub(crate) fn place(typed: &str) -> Result<Place, String> {
    let unit = typed.split_once(':').map_or("", |(_, unit)| unit);
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || ":-_.\\@".contains(sign);
    match !unit.is_empty() && unit.chars().all(is_sign) {
        true => Ok(Place::Unit { unit: unit.to_owned() }),
        false => Err(format!("`{unit}` is no name of a unit")),
    }
}
