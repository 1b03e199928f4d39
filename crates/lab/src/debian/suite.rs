//! One suite of Debian's archive, such as trixie or experimental.

use std::fmt;
use std::str::FromStr;

use crate::LabError;

/// The suites in which kernels are searched if the user names none.
pub const SUITES: [&str; 9] = [
    "bookworm",
    "bookworm-security",
    "bookworm-backports",
    "trixie",
    "trixie-security",
    "trixie-backports",
    "forky",
    "sid",
    "experimental",
];

/// A suite's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite(String);

impl FromStr for Suite {
    type Err = LabError;

    /// Reads a name of lower-case letters, digits and `-`.
    fn from_str(text: &str) -> Result<Self, LabError> {
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let begins_well = text.starts_with(|c: char| c.is_ascii_lowercase());
        let is_valid = begins_well && text.len() <= 64 && text.chars().all(is_allowed);
        if is_valid { Ok(Self(text.to_owned())) } else { Err(LabError::BadSuite(text.to_owned())) }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Suite {
    /// The suites in which kernels are searched if the user names none.
    pub fn usual() -> Vec<Self> {
        SUITES.iter().map(|name| Self((*name).to_owned())).collect()
    }

    /// The address of the archive that has the suite.
    pub(super) fn address(&self) -> &'static str {
        if self.0.ends_with("-security") {
            "http://deb.debian.org/debian-security"
        } else {
            "http://deb.debian.org/debian"
        }
    }
}
