//! Where a task runs relative to the measured CPUs.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, expected, serde_as_text};

/// Where a task runs relative to the measured CPUs, from near to far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vicinity {
    /// On the measured CPUs themselves, under the default policy.
    SameCpu,
    /// On the other hardware threads of their cores.
    Sibling,
    /// On other cores that share their last-level cache.
    SharedCache,
    /// On cores of the same socket with a different last-level cache.
    OtherCache,
    /// In a different socket.
    OtherSocket,
}

/// The name of each, as typed.
const NAMES: [(Vicinity, &str); 5] = [
    (Vicinity::SameCpu, "same-cpu"),
    (Vicinity::Sibling, "sibling"),
    (Vicinity::SharedCache, "shared-cache"),
    (Vicinity::OtherCache, "other-cache"),
    (Vicinity::OtherSocket, "other-socket"),
];

impl Vicinity {
    /// Iterates over all values, from near to far.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(one, _)| one)
    }
}

impl fmt::Display for Vicinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = NAMES.iter().find(|(one, _)| one == self);
        own.map_or("", |(_, name)| name).fmt(f)
    }
}

impl FromStr for Vicinity {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut all = NAMES.iter();
        let found = all.find(|(_, name)| *name == text.trim());
        found.map(|(one, _)| *one).ok_or_else(|| {
            let names = expected(text, NAMES.map(|(_, name)| name));
            ParseError::new(format!("`{text}` is not a place; {names}"))
        })
    }
}

serde_as_text!(Vicinity);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vicinity_is_read_back_as_printed() {
        for one in Vicinity::all() {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        let why = "sibblin".parse::<Vicinity>().unwrap_err().to_string();
        assert!(why.contains("did you mean `sibling`?"), "{why}");
    }
}
