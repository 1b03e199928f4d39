//! Where something works, seen from the CPUs that are measured.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, expected, serde_as_text};

/// Where something works, seen from the CPUs that are measured: from near to far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vicinity {
    /// On the measured CPUs themselves, under the default policy.
    SameCpu,
    /// On the other hardware threads of their cores.
    Sibling,
    /// On other cores that share their last cache before memory.
    SharedCache,
    /// On cores of their socket with another last cache.
    OtherCache,
    /// In another socket.
    OtherSocket,
}

/// Each with what is typed, and how a sentence names it.
const NAMES: [(Vicinity, &str, &str); 5] = [
    (Vicinity::SameCpu, "same-cpu", "on the same CPU"),
    (Vicinity::Sibling, "sibling", "on an SMT sibling"),
    (Vicinity::SharedCache, "shared-cache", "on a neighbour of the same cache"),
    (Vicinity::OtherCache, "other-cache", "on a neighbour of another cache"),
    (Vicinity::OtherSocket, "other-socket", "in another socket"),
];

impl Vicinity {
    /// Every one, from near to far.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(one, ..)| one)
    }

    /// How a sentence names it: `on an SMT sibling`.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        let own = NAMES.iter().find(|(one, ..)| *one == self);
        own.map_or("", |(_, _, words)| words)
    }
}

impl fmt::Display for Vicinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = NAMES.iter().find(|(one, ..)| one == self);
        own.map_or("", |(_, name, _)| name).fmt(f)
    }
}

impl FromStr for Vicinity {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut all = NAMES.iter();
        let found = all.find(|(_, name, _)| *name == text.trim());
        found.map(|(one, ..)| *one).ok_or_else(|| {
            let names = expected(text, NAMES.map(|(_, name, _)| name));
            ParseError::new(format!("there is no place `{text}`; {names}"))
        })
    }
}

serde_as_text!(Vicinity);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_is_read_as_it_is_printed() {
        for one in Vicinity::all() {
            assert_eq!(one.to_string().parse(), Ok(one));
            assert!(!one.in_words().is_empty());
        }
        let why = "sibblin".parse::<Vicinity>().unwrap_err().to_string();
        assert!(why.contains("did you mean `sibling`?"), "{why}");
    }
}
