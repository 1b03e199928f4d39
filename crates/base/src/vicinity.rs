//! Where a task runs relative to the measured CPUs.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, expected, serde_as_text};

crate::named! {
    /// Where a task runs relative to the measured CPUs, from near to far.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Vicinity {
        /// On the measured CPUs themselves, under the default policy.
        SameCpu = "same-cpu",
        /// On the other hardware threads of their cores.
        Sibling = "sibling",
        /// On other cores that share their last-level cache.
        SharedCache = "shared-cache",
        /// On cores of the same socket with a different last-level cache.
        OtherCache = "other-cache",
        /// In a different socket.
        OtherSocket = "other-socket",
    }
}

impl fmt::Display for Vicinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Vicinity {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::named(text.trim()).ok_or_else(|| {
            let names = expected(text, Self::NAMES.iter().copied());
            ParseError::new(format!("`{text}` is not a place; {names}"))
        })
    }
}

serde_as_text!(Vicinity);
crate::schema_by_name!(Vicinity);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vicinity_is_read_back_as_printed() {
        for one in Vicinity::ALL {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        let why = "sibblin".parse::<Vicinity>().unwrap_err().to_string();
        assert!(why.contains("did you mean `sibling`?"), "{why}");
    }
}
