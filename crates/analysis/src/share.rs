//! Shares from 0 to 1 that a user types in percent.

use std::fmt;
use std::str::FromStr;

use stats::Tries;

use crate::words;

/// Parses a share that is typed in percent; `None` for anything else.
pub fn share_in_percent(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

/// Says in one line which shares a user may type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAShare {
    #[error(
        "`{0}` is not a tolerance; expected a share of the average from 0% to 100%, such as 5%"
    )]
    Tolerance(String),
    #[error("`{0}` is not a difference; expected a share from 0% to 100%, such as 5%")]
    Margin(String),
    #[error("`{0}` is not a share of periods; expected 0% to 100%, such as 1%")]
    SoftShare(String),
    #[error("`{0}` is not a share of deadlines; expected 0% to 100%, such as 10%")]
    ManyMisses(String),
}

/// Implements a kind of share: its default, and how it is read and shown.
macro_rules! share {
    ($name:ident, $default:literal, $shown:literal) => {
        impl $name {
            pub fn share(self) -> f64 {
                self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self($default)
            }
        }

        impl FromStr for $name {
            type Err = NotAShare;

            fn from_str(text: &str) -> Result<Self, NotAShare> {
                let share = share_in_percent(text).map(Self);
                share.ok_or_else(|| NotAShare::$name(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, $shown, words::percent(self.0))
            }
        }
    };
}

/// How far above the average a time still counts as predictable, as a share of the average.
///
/// The default allows for the resolution of the clock and the width of a histogram's bin, and
/// is far below the typical distance of the worst case from the average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance(f64);
share!(Tolerance, 0.05, "{}");

/// How far from 1 a ratio may be and still count as no difference.
///
/// The default is the variation that the placement of code and data in memory alone causes from
/// build to build and from run to run (Mytkowicz, Diwan, Hauswirth, Sweeney, Producing wrong
/// data without doing anything obviously wrong, ASPLOS 2009).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin(f64);
share!(Margin, 0.05, "{}");

/// The largest share of missed periods of soft real time.
///
/// The default is one miss per second at 100 Hz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftShare(f64);
share!(SoftShare, 0.01, "{} of periods");

/// The share of deadlines above which misses are many.
///
/// The default is one in ten: the publications colour by count and do not say at which count a
/// dot is red.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManyMisses(f64);
share!(ManyMisses, 0.1, "more than {} of deadlines");

impl ManyMisses {
    pub fn is_in(self, tries: Tries) -> bool {
        tries.share() > self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_typed_in_percent() {
        for (text, share) in
            [("5%", 0.05), (" 12.5 % ", 0.125), ("7.5 %", 0.075), ("0%", 0.0), ("100%", 1.0)]
        {
            assert_eq!(text.parse(), Ok(Margin(share)), "{text}");
        }
        for text in ["", "5", "0.05", "-1%", "101%", "nan%", "%", "five%"] {
            let wrong = text.parse::<ManyMisses>().unwrap_err().to_string();
            assert!(wrong.starts_with(&format!("`{text}` is not a share of deadlines")), "{wrong}");
        }
    }

    #[test]
    fn each_share_has_its_own_words() {
        assert_eq!(Tolerance::default().to_string(), "5 %");
        assert_eq!(Margin::default().to_string(), "5 %");
        let many: ManyMisses = "2.5%".parse().unwrap();
        assert_eq!((many.share(), &*many.to_string()), (0.025, "more than 2.5 % of deadlines"));
        assert_eq!("2.5%".parse(), Ok(SoftShare(0.025)));
        let wrong = "1".parse::<SoftShare>().unwrap_err().to_string();
        assert_eq!(wrong, "`1` is not a share of periods; expected 0% to 100%, such as 1%");
        let wrong = "1".parse::<Margin>().unwrap_err().to_string();
        assert!(wrong.starts_with("`1` is not a difference"), "{wrong}");
        let wrong = "1".parse::<Tolerance>().unwrap_err().to_string();
        assert!(wrong.starts_with("`1` is not a tolerance"), "{wrong}");
    }
}
