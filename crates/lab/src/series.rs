//! Series of Debian's kernels, and how users name them.

use std::fmt;
use std::str::FromStr;

use crate::{Architecture, LabError};

/// A series of Debian's kernels, such as 6.1, stock or with PREEMPT_RT.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Series {
    major: u32,
    minor: u32,
    realtime: bool,
}

/// The series that the atlas of kernels shows.
pub const ATLAS: [Series; 8] = [
    Series { major: 6, minor: 1, realtime: false },
    Series { major: 6, minor: 1, realtime: true },
    Series { major: 6, minor: 12, realtime: false },
    Series { major: 6, minor: 12, realtime: true },
    Series { major: 7, minor: 2, realtime: false },
    Series { major: 7, minor: 2, realtime: true },
    Series { major: 7, minor: 3, realtime: false },
    Series { major: 7, minor: 3, realtime: true },
];

/// The kernel that a user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The newest of all series, stock or with PREEMPT_RT.
    Newest {
        realtime: bool,
    },
    Of(Series),
}

impl FromStr for Wanted {
    type Err = LabError;

    /// Reads `debian:6.1`, `debian:6.1-rt`, `debian:newest` or `debian:newest-rt`.
    fn from_str(text: &str) -> Result<Self, LabError> {
        let wanted = || {
            let series = text.strip_prefix("debian:")?;
            match without_rt(series) {
                ("newest", realtime) => Some(Self::Newest { realtime }),
                (numbers, realtime) => Series::read(numbers, realtime).map(Self::Of),
            }
        };
        wanted().ok_or_else(|| LabError::BadSeries(text.to_owned()))
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest { realtime } => write!(f, "debian:newest{}", rt(*realtime)),
            Self::Of(series) => series.fmt(f),
        }
    }
}

impl Wanted {
    pub(crate) fn includes(&self, series: &Series) -> bool {
        match self {
            Self::Newest { realtime } => series.realtime == *realtime,
            Self::Of(wanted) => wanted == series,
        }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "debian:{}.{}{}", self.major, self.minor, rt(self.realtime))
    }
}

const PREFIX: &str = "linux-image-";

impl Series {
    /// The lab's name for a kernel of this series: `debian-6.1-rt`, `debian-6.1-rt-arm64`.
    pub fn kernel_name(&self, architecture: &Architecture) -> String {
        self.to_string().replace(':', "-") + architecture.suffix
    }

    /// Returns the series of a package with a signed kernel for this architecture, or of one that
    /// only depends on such a package, from its name; `None` for debug symbols, unsigned and cloud
    /// kernels, those with other pages, and packages of no series.
    pub(crate) fn of_package(name: &str, architecture: &Architecture) -> Option<Self> {
        let release = name.strip_prefix(PREFIX)?;
        let release = release.strip_suffix(architecture.debian)?.strip_suffix('-')?;
        let (release, realtime) = without_rt(release);
        let mut numbers = release.splitn(3, '.');
        let series =
            Self { major: number(numbers.next()?)?, minor: number(numbers.next()?)?, realtime };
        let is_flavour = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        // A kernel before its release has no patch level: `7.3`.
        let mut words = numbers.next().unwrap_or_default().split('-');
        (!words.any(is_flavour)).then_some(series)
    }

    fn read(numbers: &str, realtime: bool) -> Option<Self> {
        let (major, minor) = numbers.split_once('.')?;
        Some(Self { major: number(major)?, minor: number(minor)?, realtime })
    }
}

fn rt(realtime: bool) -> &'static str {
    if realtime { "-rt" } else { "" }
}

fn without_rt(text: &str) -> (&str, bool) {
    text.strip_suffix("-rt").map_or((text, false), |stock| (stock, true))
}

/// Reads a number of digits only, without a sign.
fn number(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ARCHITECTURES, Suite};

    #[test]
    fn odd_names_are_read_or_refused() {
        let seeds = ["debian:6.1-rt", "debian:newest", "linux-image-7.3-rt-amd64", "sid"];
        testing::try_corpus(&seeds, 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            if let Ok(wanted) = text.parse::<Wanted>() {
                assert_eq!(wanted.to_string().parse::<Wanted>().unwrap(), wanted);
            }
            if let Ok(suite) = text.parse::<Suite>() {
                assert_eq!(suite.to_string(), text);
            }
            let _ = Series::of_package(&text, Architecture::here());
        });
    }

    #[test]
    fn a_series_is_read_and_named() {
        let named = |text: &str| match text.parse::<Wanted>().unwrap() {
            Wanted::Of(series) => series.kernel_name(&ARCHITECTURES[0]),
            newest => newest.to_string(),
        };
        assert_eq!(named("debian:6.1"), "debian-6.1");
        assert_eq!(named("debian:6.12-rt"), "debian-6.12-rt");
        assert_eq!(named("debian:newest"), "debian:newest");
        assert_eq!(named("debian:newest-rt"), "debian:newest-rt");
        let refused = |bad: &str| {
            let error = bad.parse::<Wanted>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{bad}` is not a series")), "{error}");
        };
        ["", "6.1", "ubuntu:6.1"].into_iter().for_each(refused);
        let numbers =
            ["", "6", "6.", "6.1.2", "6.1-cloud", "+6.1", "6.1-rt-rt", "6.99999999999", "old"];
        numbers.iter().for_each(|bad| refused(&format!("debian:{bad}")));
    }

    #[test]
    fn only_signed_kernels_for_ordinary_machines_have_a_series() {
        for (name, series) in [
            ("linux-image-6.1.0-47-amd64-dbg", None),
            ("linux-image-6.1.0-56-amd64", Some("debian:6.1")),
            ("linux-image-6.1.0-56-amd64-unsigned", None),
            ("linux-image-6.1.0-56-cloud-amd64", None),
            ("linux-image-6.1.0-56-rt-amd64", Some("debian:6.1-rt")),
            ("linux-image-6.12.117+deb12-rt-amd64", Some("debian:6.12-rt")),
            ("linux-image-6.12.117+deb12-cloud-amd64", None),
            ("linux-image-6.5.0-0.deb12.4-amd64", Some("debian:6.5")),
            ("linux-image-7.3-amd64", Some("debian:7.3")),
            ("linux-image-7.3-rt-amd64", Some("debian:7.3-rt")),
            ("linux-image-7.3-cloud-amd64", None),
            ("linux-image-7.2.13+deb14-amd64-16k", None),
            ("linux-image-amd64", None),
            ("linux-image-rt-amd64", None),
            ("linux-image-6.1.0-56-686-pae", None),
        ] {
            let found = |name: &str, architecture: &str| {
                let architecture = architecture.parse().unwrap();
                Series::of_package(name, architecture).map(|series| series.to_string())
            };
            assert_eq!(found(name, "amd64").as_deref(), series, "{name}");
            let (arm, none) = (name.replace("amd64", "arm64"), None);
            assert_eq!(found(&arm, "arm64").as_deref(), series, "{arm}");
            assert_eq!(found(&arm, "amd64"), none, "{arm}");
        }
    }
}
