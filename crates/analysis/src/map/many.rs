//! The share above which misses are many.

use std::fmt;
use std::str::FromStr;

use stats::Tries;

use crate::tolerance::share_in_percent;
use crate::words;

/// The share of deadlines above which misses are many, 0 to 1, typed in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManyMisses(f64);

/// A text that is not a valid share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a share of deadlines; expected 0% to 100%, such as 10%")]
pub struct NotAShare(String);

/// The default is one in ten: the publications colour by count and do not say at which count a dot
/// is red.
impl Default for ManyMisses {
    fn default() -> Self {
        Self(0.1)
    }
}

impl ManyMisses {
    pub fn share(self) -> f64 {
        self.0
    }

    /// Whether a size misses more than this share.
    pub fn is_in(self, tries: Tries) -> bool {
        tries.share() > self.0
    }
}

impl FromStr for ManyMisses {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        let share = share_in_percent(text).map(Self);
        share.ok_or_else(|| NotAShare(text.to_owned()))
    }
}

impl fmt::Display for ManyMisses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} of deadlines", words::percent(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_is_typed_in_percent_and_told() {
        let many: ManyMisses = "2.5%".parse().unwrap();
        assert_eq!(
            (many.share(), many.to_string().as_str()),
            (0.025, "more than 2.5 % of deadlines")
        );
        for text in ["", "10", "101%", "-1%", "many"] {
            assert!(text.parse::<ManyMisses>().is_err(), "{text}");
        }
    }
}
