//! Places on an axis in results.

use plan::Axis;
use serde_json::{Map, Value, json as value};

/// A place under the name of its axis: `masses` of a tire, else `value`.
pub(crate) fn told(axis: &Axis, place: u64) -> Map<String, Value> {
    let name = match axis {
        Axis::Masses => "masses",
        _ => "value",
    };
    Map::from_iter([(name.to_owned(), number(axis, place))])
}

/// Returns the place as a number; whole if its unit is.
pub(crate) fn number(axis: &Axis, place: u64) -> Value {
    match axis {
        Axis::Setting(_) => value!(axis.number(place)),
        _ => value!(place),
    }
}
