//! Parameters of measurements: how each is typed, checked and stored.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use base::{Nanos, Number, ParseError, Rate};
use serde::{Deserialize, Serialize};

use crate::{Refused, settings_in};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Time,
    /// A whole number from the first to the second bound, both included.
    Count(u64, u64),
    /// A number of threads or processes from 1 to the bound, or a word for a number that depends on
    /// the machine: `cores`, `cpus-1`, `cpus`, `2xcpus`.
    Threads(u64),
    Rate,
    /// Whole percents from the first to the second bound, with their sign.
    Percent(u64, u64),
    /// A number in this unit, which may be typed after it.
    Number(&'static str),
    Choice(&'static [&'static str]),
    /// One of the given words, or another machine as `HOST:PORT`.
    Peer(&'static [&'static str]),
    /// Free text, such as a path; the word says what it is.
    Text(&'static str),
    /// The path of one of the user's files, which is copied to wherever the run is made, or `none`.
    /// The word says what the file contains.
    File(&'static str),
    /// Settings `NAME=VALUE` that belong together, of a repeated flag; a comma is part of a name.
    Settings,
    /// Names of variables, separated by commas.
    Names,
}

/// Words for numbers of threads that depend on the machine: one per core, one on every hardware
/// thread but one, one per hardware thread, two per hardware thread.
const THREAD_WORDS: [&str; 4] = ["cores", "cpus-1", "cpus", "2xcpus"];

/// A parameter that a measurement takes, as the command line shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name, which is also the flag (`--masses`).
    pub name: &'static str,
    pub kind: Kind,
    /// The default, in the form in which the user would type it.
    pub default: &'static str,
    pub help: &'static str,
}

/// Declares a table of parameters: name, kind, default and help of each.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$about:meta])*
        $vis:vis $table:ident;
        $($name:literal $kind:ident $(($($bound:expr),*))?, $default:expr, $help:literal;)*
    ) => {
        $(#[$about])*
        $vis const $table: &[$crate::Parameter] = &[$($crate::Parameter {
            name: $name,
            kind: $crate::Kind::$kind $(($($bound),*))?,
            default: $default,
            help: $help,
        }),*];
    };
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Time(Nanos),
    Count(u64),
    Percent(u64),
    Rate(Rate),
    Number(Number),
    Word(String),
}

impl Parameter {
    /// Reads a value that the user typed.
    ///
    /// # Errors
    /// If the value does not fit; the refusal says what is expected.
    pub fn parse(&self, text: &str) -> Result<Value, Refused> {
        let text = text.trim();
        let word = || Value::Word(text.to_owned());
        let number = |text: &str| text.parse::<u64>().ok();
        let named = |error: ParseError| Refused::option(self.name, error);
        let value = match self.kind {
            Kind::Time => Some(text.parse().map(Value::Time).map_err(named)?),
            Kind::Rate => Some(text.parse().map(Value::Rate).map_err(named)?),
            Kind::Number(unit) => {
                let number = text.strip_suffix(unit).unwrap_or(text);
                Some(number.parse().map(Value::Number).map_err(named)?)
            }
            Kind::Percent(..) if number(text).is_some() => {
                let why = format!("`{text}` has no unit; write {text}%");
                return Err(Refused::option(self.name, why));
            }
            Kind::Percent(..) => text.strip_suffix('%').and_then(number).map(Value::Percent),
            Kind::Count(..) => number(text).map(Value::Count),
            Kind::Threads(_) => Some(number(text).map_or_else(word, Value::Count)),
            Kind::Choice(_)
            | Kind::Peer(_)
            | Kind::Text(_)
            | Kind::File(_)
            | Kind::Settings
            | Kind::Names => Some(word()),
        };
        let refused = || self.refused(&format!("`{text}`"));
        let value = value.ok_or_else(refused)?;
        self.check(&value).map(|()| value)
    }

    /// Checks that the parameter may have a value.
    ///
    /// # Errors
    /// Says what is expected.
    pub fn check(&self, value: &Value) -> Result<(), Refused> {
        let is_allowed = match (self.kind, value) {
            (Kind::Time, Value::Time(_))
            | (Kind::Rate, Value::Rate(_))
            | (Kind::Number(_), Value::Number(_)) => true,
            (Kind::Count(least, most), Value::Count(number))
            | (Kind::Percent(least, most), Value::Percent(number)) => {
                (least..=most).contains(number)
            }
            (Kind::Threads(most), Value::Count(number)) => (1..=most).contains(number),
            (Kind::Threads(_), Value::Word(word)) => THREAD_WORDS.contains(&&**word),
            (Kind::Choice(words), Value::Word(word)) => words.contains(&&**word),
            (Kind::Peer(words), Value::Word(word)) => words.contains(&&**word) || is_address(word),
            (Kind::Settings, Value::Word(word)) => {
                return settings_in(word).map(drop).map_err(|why| Refused::option(self.name, why));
            }
            (Kind::Names, Value::Word(word)) => {
                !word.trim().is_empty() && !word.contains(char::is_control)
            }
            (Kind::Text(what) | Kind::File(what), Value::Word(word)) => {
                return match &**word {
                    "" => Err(Refused::option(self.name, format!("expected a {what}"))),
                    word if word.contains(char::is_control) => Err(Refused::option(
                        self.name,
                        format!("{word:?} is not a {what}: it contains control characters"),
                    )),
                    _ => Ok(()),
                };
            }
            _ => false,
        };
        if is_allowed { Ok(()) } else { Err(self.refused(&format!("`{value}`"))) }
    }

    fn refused(&self, value: &str) -> Refused {
        let is_not = match self.kind {
            Kind::Percent(least, most) => format!("a share from {least}% to {most}%"),
            Kind::Count(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Threads(most) => format!(
                "a number of {}; expected 1 to {most}, {}",
                self.name,
                THREAD_WORDS.join(", ")
            ),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Peer(words) => format!("{} and not HOST:PORT", words.join(", ")),
            _ => "of the kind that is expected here".to_owned(),
        };
        Refused::option(self.name, format!("{value} is not {is_not}"))
    }
}

fn is_address(text: &str) -> bool {
    let port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    text.rsplit_once(':').is_some_and(|(host, number)| !host.is_empty() && port(number))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => time.fmt(f),
            Self::Count(count) => count.fmt(f),
            Self::Percent(percent) => write!(f, "{percent}%"),
            Self::Rate(rate) => rate.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}

/// The parameters of one run, complete: every parameter that the measurement declares. Copies share
/// the values until one is changed, because a plan has many runs, each in several lists.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Value>", into = "BTreeMap<String, Value>")]
pub struct Parameters(Arc<BTreeMap<String, Value>>);

impl From<BTreeMap<String, Value>> for Parameters {
    fn from(values: BTreeMap<String, Value>) -> Self {
        Self(Arc::new(values))
    }
}

impl From<Parameters> for BTreeMap<String, Value> {
    fn from(parameters: Parameters) -> Self {
        Arc::unwrap_or_clone(parameters.0)
    }
}

impl Parameters {
    /// Returns the declared defaults.
    ///
    /// # Panics
    /// If a default in the table of measurements does not parse; a test reads every one.
    pub fn defaults(declared: &[Parameter]) -> Self {
        let value = |p: &Parameter| p.parse(p.default).expect("a default parses");
        let values = declared.iter().map(|p| (p.name.to_owned(), value(p)));
        values.collect::<BTreeMap<_, _>>().into()
    }

    pub fn set(&mut self, name: &str, value: Value) {
        Arc::make_mut(&mut self.0).insert(name.to_owned(), value);
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Iterates over names and values, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the rate; `None` if the measurement does not declare one.
    pub fn rate(&self) -> Option<Rate> {
        match self.get("rate") {
            Some(Value::Rate(rate)) => Some(*rate),
            _ => None,
        }
    }

    /// Returns a time, or the period of a rate to the nearest nanosecond.
    pub(crate) fn time(&self, name: &str) -> Nanos {
        match self.get(name) {
            Some(Value::Time(time)) => *time,
            Some(Value::Rate(rate)) => rate.period(),
            _ => Nanos(0),
        }
    }
}

/// Declares the readers of a kind of value, with what each returns if the measurement does not declare
/// the parameter.
macro_rules! readers {
    ($($(#[$about:meta])* $vis:vis $name:ident $kind:ident($value:ident) -> $type:ty = $read:expr, $other:expr;)*) => {
        impl Parameters {
            $($(#[$about])*
            $vis fn $name(&self, name: &str) -> $type {
                match self.get(name) {
                    Some(Value::$kind($value)) => $read,
                    _ => $other,
                }
            })*
        }
    };
}

readers! {
    pub count Count(count) -> u64 = *count, 0;
    pub(crate) number Number(number) -> f64 = number.get(), 0.0;
    /// Returns a share as a fraction of 1.
    pub(crate) share Percent(percent) -> f64 = *percent as f64 / 100.0, 0.0;
    pub word Word(word) -> &str = word, "";
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASSES: Parameter =
        Parameter { name: "masses", kind: Kind::Count(4, 100), default: "8", help: "" };

    fn parse(kind: Kind, text: &str) -> Result<Value, String> {
        let parameter = Parameter { name: "asked", kind, ..MASSES };
        parameter.parse(text).map_err(|error| error.to_string())
    }

    #[test]
    fn errors_name_the_flag_and_what_is_expected() {
        for (kind, text, error) in [
            (MASSES.kind, "0", "`0` is not a whole number from 4 to 100"),
            (Kind::Choice(&["semaphore"]), "magic", "`magic` is not one of semaphore"),
        ] {
            assert_eq!(parse(kind, text), Err(format!("--asked: {error}")));
        }
        assert!(MASSES.parse("0").unwrap_err().to_string().starts_with("--masses: `0`"));
    }

    #[test]
    fn a_number_may_bring_its_unit() {
        let stiffness = |text| parse(Kind::Number("N/m"), text);
        let typed = ["1.5", "1.5N/m", " 1.5 N/m"].map(stiffness);
        assert!(typed.iter().all(|value| *value == typed[0] && value.is_ok()));
        let error = stiffness("1.5 kg").unwrap_err();
        assert!(error.starts_with("--asked: `1.5 kg`"), "{error}");
    }

    #[test]
    fn a_peer_is_a_word_or_an_address() {
        let peer = |text| parse(Kind::Peer(&["local", "none"]), text);
        for text in ["none", "10.0.0.2:7", "rack-2:65535", "[::1]:9"] {
            assert_eq!(peer(text), Ok(Value::Word(text.to_owned())));
        }
        for text in ["nobody", "host:", "host:0", "host:65536", ":9", ""] {
            let error = peer(text).unwrap_err();
            assert!(error.starts_with("--asked: `"), "{error}");
        }
    }

    #[test]
    fn text_is_accepted_unless_it_is_empty_or_has_control_characters() {
        let device = |text| parse(Kind::Text("DEVICE"), text);
        assert_eq!(device(" /dev/uio0:0x60 "), Ok(Value::Word("/dev/uio0:0x60".into())));
        for typed in ["", "  ", "/dev/\nuio0"] {
            let error = device(typed).unwrap_err();
            assert!(error.starts_with("--asked: ") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn percents_have_their_sign() {
        let fill = |text| parse(Kind::Percent(1, 99), text);
        assert_eq!(fill("90%"), Ok(Value::Percent(90)));
        assert_eq!(Value::Percent(90).to_string(), "90%");
        for text in ["90", "0%", "100%", "%", "9.5%", "9%%"] {
            assert!(fill(text).unwrap_err().starts_with("--asked: `"), "{text}");
        }
    }

    #[test]
    fn defaults_hold_until_set() {
        let mut parameters = Parameters::defaults(&[MASSES]);
        assert_eq!(parameters.count("masses"), 8);
        parameters.set("masses", Value::Count(12));
        assert_eq!(parameters.count("masses"), 12);
    }
}
