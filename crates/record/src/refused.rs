//! Why a request is refused.

use std::fmt;

/// Why a request is refused. As text it is one line that starts with the option as a flag; a plan
/// file shows it at the key of the option instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused {
    /// The option, by the name of its flag without dashes, which is also its key in plan files.
    pub option: Option<String>,
    /// The part of the option's value that is refused, such as one source of several.
    pub value: Option<String>,
    pub what: String,
    /// What to do instead; empty if `what` says it.
    pub remedy: String,
}

impl Refused {
    pub fn option(option: &str, what: impl fmt::Display) -> Self {
        Self { option: Some(option.to_owned()), what: what.to_string(), ..Self::default() }
    }

    /// Returns the same refusal, of only this part of the option's value.
    pub fn value(self, value: impl fmt::Display) -> Self {
        Self { value: Some(value.to_string()), ..self }
    }

    pub fn remedy(self, remedy: impl fmt::Display) -> Self {
        Self { remedy: remedy.to_string(), ..self }
    }

    /// Returns what is refused and what to do instead, without the option.
    pub fn reason(&self) -> String {
        let Self { what, remedy, .. } = self;
        let value = self.value.iter().map(|value| format!("{value}: "));
        let remedy = if remedy.is_empty() { String::new() } else { format!("; {remedy}") };
        value.collect::<String>() + what + &remedy
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.option, &self.value) {
            (Some(option), Some(_)) => write!(f, "--{option} {}", self.reason()),
            (Some(option), None) => write!(f, "--{option}: {}", self.reason()),
            (None, _) => f.write_str(&self.reason()),
        }
    }
}

impl std::error::Error for Refused {}

impl From<String> for Refused {
    fn from(what: String) -> Self {
        Self { what, ..Self::default() }
    }
}

impl From<&str> for Refused {
    fn from(what: &str) -> Self {
        what.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_starts_with_what_is_refused() {
        let refused = Refused::option("source", "it takes no device").remedy("omit it");
        assert_eq!(refused.to_string(), "--source: it takes no device; omit it");
        let refused = refused.value("timer");
        assert_eq!(refused.to_string(), "--source timer: it takes no device; omit it");
        assert_eq!(refused.reason(), "timer: it takes no device; omit it");
        assert_eq!(Refused::from("no time left").to_string(), "no time left");
    }
}
