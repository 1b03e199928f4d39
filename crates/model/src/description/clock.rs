//! The ticks of a variable of type clock (FMI 3).

use roxmltree::Node;
use serde::Serialize;

use super::experiment::seconds;
use super::xml::{flag, number};
use crate::Refused;

/// How a clock's interval is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Interval {
    /// It never changes.
    Constant,
    /// Known after initialisation.
    Fixed,
    /// It may change when a parameter is changed.
    Tunable,
    /// The importer requests it at each tick.
    Changing,
    /// The importer requests it when the model starts a countdown.
    Countdown,
    /// Ticks come from outside or from the model itself.
    Triggered,
}

impl Interval {
    /// The name in the description.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Fixed => "fixed",
            Self::Tunable => "tunable",
            Self::Changing => "changing",
            Self::Countdown => "countdown",
            Self::Triggered => "triggered",
        }
    }

    fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Constant,
            Self::Fixed,
            Self::Tunable,
            Self::Changing,
            Self::Countdown,
            Self::Triggered,
        ];
        all.into_iter().find(|one| one.name() == name)
    }
}

/// The ticks of a clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clock {
    pub interval: Interval,
    /// Seconds between two ticks, from a decimal number or from a count of the clock's resolution;
    /// `None` if the description does not give it.
    pub period: Option<f64>,
    /// Seconds before the first tick.
    pub shift: f64,
    /// Priority of the clock: smaller is more urgent.
    pub priority: Option<u32>,
    /// Whether it can be switched off.
    pub can_be_deactivated: bool,
    /// Whether its interval can be requested as a fraction of whole numbers.
    pub supports_fraction: bool,
}

pub(super) fn clock(node: Node) -> Result<Clock, Refused> {
    let interval = node.attribute("intervalVariability").map(str::trim);
    let resolution: Option<f64> = number(node, "resolution")?.filter(|count| *count > 0.0);
    let counted = |attribute| -> Result<Option<f64>, Refused> {
        let count: Option<f64> = number(node, attribute)?;
        Ok(count.zip(resolution).map(|(count, ticks)| count / ticks))
    };
    let shift = seconds(node, "shiftDecimal")?.or(counted("shiftCounter")?);
    Ok(Clock {
        interval: interval.and_then(Interval::named).unwrap_or(Interval::Triggered),
        period: seconds(node, "intervalDecimal")?.or(counted("intervalCounter")?),
        shift: shift.unwrap_or(0.0),
        priority: number(node, "priority")?,
        can_be_deactivated: flag(node, "canBeDeactivated"),
        supports_fraction: flag(node, "supportsFraction"),
    })
}
