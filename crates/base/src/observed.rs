//! A fact, as a program can see it.

use serde::{Deserialize, Serialize};

/// A fact that was looked for. Only what was seen may be reported as a fact: what is absent or
/// hidden has no value, and never that of a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Observed<T> {
    /// It was read.
    Seen(T),
    /// This kernel does not have it.
    Absent,
    /// It cannot be seen from here, with the reason in words.
    Hidden(String),
}

impl<T> Observed<T> {
    /// Returns the value, if it was seen.
    pub fn seen(self) -> Option<T> {
        match self {
            Self::Seen(value) => Some(value),
            Self::Absent | Self::Hidden(_) => None,
        }
    }

    /// Reads the value further; what makes no sense counts as hidden, for the reason `senseless`.
    pub fn read_as<U>(self, senseless: &str, read: impl FnOnce(T) -> Option<U>) -> Observed<U> {
        match self {
            Self::Seen(value) => {
                read(value).map_or_else(|| Observed::Hidden(senseless.to_owned()), Observed::Seen)
            }
            Self::Absent => Observed::Absent,
            Self::Hidden(why) => Observed::Hidden(why),
        }
    }
}

/// Several facts together: seen if each was seen; else hidden if one is, else absent.
impl<T> FromIterator<Observed<T>> for Observed<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = Observed<T>>>(facts: I) -> Self {
        let mut seen = Vec::new();
        let mut is_absent = false;
        for fact in facts {
            match fact {
                Observed::Seen(value) => seen.push(value),
                Observed::Absent => is_absent = true,
                Observed::Hidden(why) => return Self::Hidden(why),
            }
        }
        if is_absent { Self::Absent } else { Self::Seen(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_hidden_and_several_facts_are_seen_together_or_not() {
        let read = |text: &str| {
            Observed::Seen(text).read_as("it is not a number", |text| text.parse::<u32>().ok())
        };
        let hidden = || Observed::Hidden("it is not a number".to_owned());
        assert_eq!(read("7"), Observed::Seen(7));
        assert_eq!(read("x"), hidden());
        let all = |facts: Vec<Observed<u32>>| facts.into_iter().collect::<Observed<Vec<u32>>>();
        assert_eq!(all(vec![read("1"), read("2")]), Observed::Seen(vec![1, 2]));
        assert_eq!(all(vec![read("1"), Observed::Absent]), Observed::Absent);
        let why = Observed::Hidden("it is not a number".to_owned());
        assert_eq!(all(vec![Observed::Absent, read("x")]), why);
    }
}
