//! What is to be tried of a knob, by what stands there.

use std::path::Path;

use rt::read;

/// The word for "off the measured CPUs", which depends on the run.
pub(crate) const AWAY: &str = "away";

/// What is to be tried.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// The value that is advised for latency, else the other one.
    Between(&'static str, &'static str),
    /// The same, where what stands is not this: another setting is in force then.
    Unless(&'static str, &'static str, &'static str),
    /// The first value, else the second; nothing where neither stands: it is not supported.
    Supported(&'static str, &'static str),
    /// The value that is advised; nothing where it stands, since not every machine takes another.
    Only(&'static str),
    /// The first of these that a file beside it offers and that does not stand.
    Offered(&'static str, &'static [&'static str]),
    /// A word for what stands in a file beside it: the advised one, else the other one.
    Beside((&'static str, &'static str), (&'static str, &'static str)),
    /// CPUs without those that are measured.
    Away,
    /// What stands.
    Same,
}

impl Values {
    /// What to try where `now` stands in the file `path`, if anything.
    pub(crate) fn tried(self, now: &str, path: &Path) -> Option<String> {
        let other_than = |advised: &'static str, other: &'static str| {
            Some(if now == advised { other } else { advised })
        };
        let value = match self {
            Self::Between(advised, other) => other_than(advised, other),
            Self::Unless(never, ..) if now == never => None,
            Self::Unless(_, advised, other) => other_than(advised, other),
            Self::Supported(advised, other) if now == advised || now == other => {
                other_than(advised, other)
            }
            Self::Supported(..) => None,
            Self::Only(advised) => (now != advised).then_some(advised),
            Self::Offered(list, order) => {
                let offered = read::text(path.with_file_name(list))?;
                let is_offered = |one: &&str| offered.split_whitespace().any(|o| o == *one);
                let mut order = order.iter().copied();
                order.find(|one| is_offered(one) && *one != now)
            }
            Self::Beside((advised, file), (other, _)) => {
                let stands = read::text(path.with_file_name(file))?;
                Some(if now == stands.trim() { other } else { advised })
            }
            Self::Away => Some(AWAY),
            Self::Same => return Some(now.to_owned()),
        };
        value.map(str::to_owned)
    }

    /// What a tried value comes to in the file `path`, where it is a word for something else.
    pub(crate) fn given(&self, value: &str, path: &Path) -> Option<String> {
        let file = match *self {
            Self::Beside((advised, file), _) if value == advised => file,
            Self::Beside(_, (other, file)) if value == other => file,
            _ => return Some(value.to_owned()),
        };
        Some(read::text(path.with_file_name(file))?.trim().to_owned())
    }
}
