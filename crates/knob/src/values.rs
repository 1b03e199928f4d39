//! The values to try for a knob, depending on its present value.

use std::path::Path;

use rt::read;

use crate::place::Place;

/// The word for "off the measured CPUs", whose meaning depends on the run.
pub(crate) const AWAY: &str = "away";

#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// The advised value for low latency, or the other one if that is already set.
    Between(&'static str, &'static str),
    /// As `Between`, unless the present value is the first one: then another setting is active.
    Unless(&'static str, &'static str, &'static str),
    /// The first value, or the second one if the first is set; none if neither is set, because the
    /// setting is not supported.
    Supported(&'static str, &'static str),
    /// The advised value; none if it is already set, because not every machine accepts another one.
    Only(&'static str),
    /// The first of these values that a file in the same folder offers and that is not set.
    Offered(&'static str, &'static [&'static str]),
    /// A word for the content of a file in the same folder: the advised one, or the other one.
    Beside((&'static str, &'static str), (&'static str, &'static str)),
    /// The CPUs without the measured ones.
    Away,
    /// The present value.
    Same,
}

impl Values {
    /// Returns the value to try if the places have these values, which are `now` in words; `None` if
    /// there is none.
    pub(crate) fn tried(self, now: &str, read: &[(&Place, String)]) -> Option<String> {
        let all_are = |value: &str| read.iter().all(|(_, now)| now == value);
        let beside = |place: &Place, file| read::text(place.file()?.with_file_name(file));
        let other_than = |advised: &'static str, other: &'static str| {
            Some(if all_are(advised) { other } else { advised })
        };
        let value = match self {
            Self::Between(advised, other) => other_than(advised, other),
            Self::Unless(never, ..) if all_are(never) => None,
            Self::Unless(_, advised, other) => other_than(advised, other),
            Self::Supported(advised, other) if all_are(advised) || all_are(other) => {
                other_than(advised, other)
            }
            Self::Supported(..) => None,
            Self::Only(advised) => (!all_are(advised)).then_some(advised),
            Self::Offered(list, order) => {
                let offered = beside(read.first()?.0, list)?;
                let is_offered = |one: &&str| offered.split_whitespace().any(|o| o == *one);
                let mut order = order.iter().copied();
                order.find(|one| is_offered(one) && !all_are(one))
            }
            Self::Beside((advised, file), (other, _)) => {
                let is_it =
                    |(place, now): &(&Place, String)| Some(beside(place, file)?.trim() == now);
                let are_it: Vec<bool> = read.iter().map(is_it).collect::<Option<_>>()?;
                Some(if are_it.into_iter().all(|is_it| is_it) { other } else { advised })
            }
            Self::Away => Some(AWAY),
            Self::Same => return Some(now.to_owned()),
        };
        value.map(str::to_owned)
    }

    /// Returns what a tried value means in the file `path`, if it is a word for something else.
    pub(crate) fn given(&self, value: &str, path: &Path) -> Option<String> {
        let file = match *self {
            Self::Beside((advised, file), _) if value == advised => file,
            Self::Beside(_, (other, file)) if value == other => file,
            _ => return Some(value.to_owned()),
        };
        Some(read::text(path.with_file_name(file))?.trim().to_owned())
    }
}
