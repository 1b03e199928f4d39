//! The question that a comparison answers.

use std::fmt;
use std::str::FromStr;

use super::matching::fields;
use crate::effect::{FIGURES, Figure};
use crate::survey::{System, distinct};
use crate::tolerance::share_in_percent;
use crate::words;

/// What matched rows may differ in, and which differences count.
#[derive(Debug, Clone)]
pub struct Question {
    /// Names of conditions and parameters in which matched rows may differ: what is compared.
    /// Empty: the loads, if each side has exactly one and they differ.
    pub across: Vec<String>,
    /// Differences up to this margin do not count.
    pub margin: Margin,
    /// Whether a single system is split by the named fields, else by the first that varies in its
    /// runs.
    pub within: bool,
    /// The figures compared in each row.
    pub figures: &'static [Figure],
}

impl Default for Question {
    fn default() -> Self {
        Self { across: Vec::new(), margin: Margin::default(), within: false, figures: FIGURES }
    }
}

/// A question that no runs answer: one line that says what they could answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswerable {
    /// It names what no run has.
    #[error("no run has a condition or parameter `{name}`; there are {known}")]
    Unknown {
        name: String,
        /// Conditions and parameters that runs have.
        known: String,
    },
    /// It names what is the same in all runs of one system, or varies only together with something
    /// else.
    #[error(
        "--across: no two runs differ in {names} and in nothing else; name what varies with it \
         too, or what varies alone: {}", none_or(.known)
    )]
    NotVaried {
        names: String,
        /// What varies independently.
        known: String,
    },
}

fn none_or(known: &str) -> &str {
    match known {
        "" => "nothing here does",
        known => known,
    }
}

impl Question {
    pub(in crate::comparison) fn check(&self, systems: &[System]) -> Result<(), Unanswerable> {
        let series = systems.iter().flat_map(|system| &system.series);
        let mut known: Vec<String> = series.flat_map(|one| fields(one.spec).into_keys()).collect();
        known.sort_unstable();
        known.dedup();
        let unknown = |name: &&String| distinct(&known) > 0 && !known.contains(name);
        match self.across.iter().find(unknown) {
            None => Ok(()),
            Some(name) => {
                Err(Unanswerable::Unknown { name: name.clone(), known: words::listed(&known) })
            }
        }
    }
}

/// How far from 1 a ratio may be and still count as no difference; a share from 0 up to 1, typed
/// and printed in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin(f64);

/// The default is the variation that the placement of code and data in memory alone causes from
/// build to build and from run to run (Mytkowicz, Diwan, Hauswirth, Sweeney, Producing wrong data
/// without doing anything obviously wrong, ASPLOS 2009).
impl Default for Margin {
    fn default() -> Self {
        Self(0.05)
    }
}

impl Margin {
    /// The share, 0 to 1.
    pub fn share(self) -> f64 {
        self.0
    }
}

/// A margin that cannot be used: one line that says what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a difference; expected a share from 0% to 100%, such as 5%")]
pub struct NotAMargin(String);

impl FromStr for Margin {
    type Err = NotAMargin;

    fn from_str(text: &str) -> Result<Self, NotAMargin> {
        let share = share_in_percent(text).map(Self);
        share.ok_or_else(|| NotAMargin(text.to_owned()))
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::percent(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_typed_in_percent() {
        let share = |text: &str| text.parse::<Margin>().map(Margin::share);
        assert_eq!((share("0%"), share(" 7.5 %")), (Ok(0.0), Ok(0.075)));
        assert_eq!(Margin::default().to_string(), "5 %");
        for text in ["", "5", "-1%", "nan%", "101%"] {
            assert!(share(text).unwrap_err().to_string().contains(text), "{text}");
        }
    }
}
