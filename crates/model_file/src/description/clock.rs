//! The ticks of a variable of type clock (FMI 3).

use roxmltree::Node;
use serde::Serialize;

use super::xml::{flag, number, seconds};
use crate::Refused;

base::named! {
    /// How a clock's interval is determined.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Interval {
        Constant = "constant",
        /// Known after initialisation.
        Fixed = "fixed",
        /// It may change when a parameter is changed.
        Tunable = "tunable",
        /// The importer requests it at each tick.
        Changing = "changing",
        /// The importer requests it when the model starts a countdown.
        Countdown = "countdown",
        /// Ticks come from outside or from the model itself.
        Triggered = "triggered",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// How the clock's interval is determined.
    pub interval: Interval,
    /// Seconds between two ticks; null if not stated.
    pub period: Option<f64>,
    /// Seconds before the first tick.
    pub shift: f64,
    /// Priority of the clock (smaller is more urgent); null if not stated.
    pub priority: Option<u32>,
    /// Whether the clock can be deactivated.
    pub can_be_deactivated: bool,
    /// Whether its interval can be requested as a fraction.
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
