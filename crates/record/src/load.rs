//! A background load, as the user types it.

use std::fmt;
use std::str::FromStr;

use base::CpuSet;
use serde::{Deserialize, Serialize};

/// A background load and what it works on, typed and printed as `NAME%INTENSITY@CPUS:ARGUMENT`.
/// Everything except the name may be left out: `cpu%50@0-1`, `disk:/var/tmp`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
#[serde(try_from = "String", into = "String")]
pub struct LoadSpec {
    /// Name in the table of loads.
    pub name: String,
    /// Share of the time in which it works, 1 to 100 percent.
    pub intensity_percent: u8,
    /// CPUs that it works on; `None`: all CPUs that the run may use.
    pub cpus: Option<CpuSet>,
    /// What it works on, in the load's own syntax; `None`: the default.
    pub argument: Option<String>,
}

impl LoadSpec {
    /// The intensity of a load that works all the time.
    pub const FULL: u8 = 100;
}

impl FromStr for LoadSpec {
    /// One line with the error and what was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (head, argument) = cut_off(text, ':');
        let (head, cpus) = cut_off(head, '@');
        let (name, intensity) = cut_off(head, '%');
        if name.is_empty() {
            return Err(format!("`{}` names no load", text.trim()));
        }
        let refused = |why: String| format!("`{}`: {why}", text.trim());
        Ok(Self {
            name: name.to_owned(),
            intensity_percent: intensity.map_or(Ok(Self::FULL), percent).map_err(refused)?,
            cpus: cpus
                .map(|cpus| cpus.parse().map_err(|error| refused(format!("{error}"))))
                .transpose()?,
            argument: argument.map(plain).transpose().map_err(refused)?,
        })
    }
}

/// Splits a text at the first occurrence of a mark; the second part is `None` without a mark.
fn cut_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before.trim(), Some(after.trim())),
        None => (text.trim(), None),
    }
}

fn percent(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(percent) if (1..=LoadSpec::FULL).contains(&percent) => Ok(percent),
        _ => Err(format!("`{text}` is not an intensity; expected 1 to {} percent", LoadSpec::FULL)),
    }
}

fn plain(argument: &str) -> Result<String, String> {
    if argument.is_empty() {
        return Err("expected an argument after `:`".to_owned());
    }
    if argument.contains(char::is_control) {
        return Err("the argument after `:` must not contain control characters".to_owned());
    }
    Ok(argument.to_owned())
}

impl fmt::Display for LoadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        if self.intensity_percent != Self::FULL {
            write!(f, "%{}", self.intensity_percent)?;
        }
        if let Some(cpus) = &self.cpus {
            write!(f, "@{cpus}")?;
        }
        if let Some(argument) = &self.argument {
            write!(f, ":{argument}")?;
        }
        Ok(())
    }
}

impl TryFrom<String> for LoadSpec {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<LoadSpec> for String {
    fn from(load: LoadSpec) -> Self {
        load.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_read() {
        let load: LoadSpec = " disk%5@0,2-3:/mnt/a@b:c%d, e ".parse().unwrap();
        assert_eq!(load.name, "disk");
        assert_eq!(load.intensity_percent, 5);
        assert_eq!(load.cpus, Some("0,2-3".parse().unwrap()));
        assert_eq!(load.argument.as_deref(), Some("/mnt/a@b:c%d, e"));
        let plain: LoadSpec = "cpu".parse().unwrap();
        assert_eq!((plain.intensity_percent, plain.cpus), (100, None));
    }

    #[test]
    fn a_name_alone_is_read_from_older_stores() {
        let load: LoadSpec = serde_json::from_str(r#""cpu""#).unwrap();
        assert_eq!(load, "cpu".parse().unwrap());
        assert_eq!(serde_json::to_string(&load).unwrap(), r#""cpu""#);
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (text, reason) in [
            ("", "`` names no load"),
            ("%5", "names no load"),
            ("cpu%0", "`0` is not an intensity"),
            ("cpu%101", "expected 1 to 100 percent"),
            ("cpu%", "`` is not an intensity"),
            ("cpu@", "`` is not a CPU number"),
            ("cpu@3-1", "runs backwards"),
            ("disk:", "expected an argument after"),
            ("disk:/a\nb", "control character"),
        ] {
            let error = text.parse::<LoadSpec>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(
            name in "[a-z][a-z-]{0,8}",
            intensity_percent in 1..=100u8,
            cpus in prop::option::of(prop::collection::btree_set(0..64usize, 1..5)),
            argument in prop::option::of("[!-~]([ -~]{0,20}[!-~])?"),
        ) {
            let cpus = cpus.map(|cpus| cpus.into_iter().collect());
            let load = LoadSpec { name, intensity_percent, cpus, argument };
            prop_assert_eq!(&load.to_string().parse::<LoadSpec>().unwrap(), &load);
            let json = serde_json::to_string(&load).unwrap();
            prop_assert_eq!(serde_json::from_str::<LoadSpec>(&json).unwrap(), load);
        }

        #[test]
        fn nothing_typed_panics(text in ".{0,30}") {
            if let Ok(load) = text.parse::<LoadSpec>() {
                prop_assert_eq!(load.to_string().parse::<LoadSpec>().unwrap(), load);
            }
        }
    }
}
