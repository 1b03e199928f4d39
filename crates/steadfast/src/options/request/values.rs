//! Values of a plan file, as the texts that a user would type, and mistakes in it, with positions.

use std::fmt::Display;
use std::path::Path;

use anyhow::Error;
use measure::Measurement;
use record::{Kind, NOWHERE, Parameter, Refused};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::options::MOST_RUNS;

/// What is wrong, or what was expected, at a byte of the text.
#[derive(Debug)]
pub(crate) struct Mistake {
    at: usize,
    what: String,
}

impl Mistake {
    pub(crate) fn at(at: usize, what: impl Display) -> Self {
        let what = what.to_string();
        Self { at, what: what.lines().collect::<Vec<_>>().join(", ") }
    }

    /// Returns a mistake at the start of a key or a value.
    pub(crate) fn on<T>(wrong: &Spanned<T>, what: impl Display) -> Self {
        Self::at(wrong.span().start, what)
    }

    pub(crate) fn of_syntax(error: &toml::de::Error) -> Self {
        let at = error.span().map_or(0, |span| span.start);
        Self::at(at, format!("this is not TOML: {}", error.message()))
    }

    /// Returns `FILE:LINE:COLUMN: what`, as compilers print; columns count characters from 1.
    pub(crate) fn message(&self, file: &str, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[start..].chars().count() + 1;
        format!("{file}:{line}:{column}: {}", self.what)
    }
}

/// Returns a mistake for the first key that is unknown but similar to a known one.
pub(crate) fn misspelt(table: &DeTable, known: &[&str]) -> Option<Mistake> {
    table.keys().find_map(|key| {
        let typed = key.get_ref().as_ref();
        let meant = base::nearest(typed, known.iter().copied());
        let meant = meant.filter(|meant| *meant != typed)?;
        let what = format!("`{typed}` is not a key here; did you mean `{meant}`?");
        Some(Mistake::on(key, what))
    })
}

/// Returns a mistake at the key that is refused, or else at the table.
pub(crate) fn refused(why: &Error, at: usize, table: &DeTable) -> Mistake {
    let text = format!("{why:#}");
    let option = why.downcast_ref().and_then(|why: &Refused| why.option.as_deref());
    let option = option.or_else(|| text.strip_prefix("--")?.split([':', ' ']).next());
    let value = option.and_then(|option| table.get(option));
    Mistake::at(value.map_or(at, |value| value.span().start), text)
}

pub(crate) type Value<'t> = Spanned<DeValue<'t>>;

#[derive(Debug, Clone)]
pub(crate) struct Typed {
    pub(crate) text: String,
    pub(crate) at: usize,
}

/// Reads one value, a list of values, or a range of whole numbers.
pub(crate) fn all(value: &Value) -> Result<Vec<Typed>, Mistake> {
    match value.get_ref() {
        DeValue::Array(values) if values.is_empty() => {
            Err(Mistake::on(value, "the list is empty; expected at least one value"))
        }
        DeValue::Array(values) => values.iter().map(one).collect(),
        DeValue::Table(range) => in_range(value.span().start, range),
        _ => Ok(vec![one(value)?]),
    }
}

pub(crate) fn one(value: &Value) -> Result<Typed, Mistake> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Integer(_) => return Err(Mistake::on(value, "expected a decimal number")),
        other => {
            let found = format!("expected a text or a number, found {}", kind(other));
            return Err(Mistake::on(value, found));
        }
    };
    Ok(Typed { text, at: value.span().start })
}

/// Returns a value of a key of a run. The path of a file that is not absolute counts from the
/// directory.
pub(crate) fn from(
    directory: Option<&Path>,
    measurement: &dyn Measurement,
    key: &str,
    typed: Typed,
) -> Typed {
    let is_it = |parameter: &&Parameter| parameter.name == key;
    let kind = measurement.parameters().iter().find(is_it).map(|parameter| parameter.kind);
    match (kind, directory) {
        (Some(Kind::File(_)), Some(directory)) if typed.text != NOWHERE => {
            Typed { text: directory.join(&typed.text).display().to_string(), ..typed }
        }
        _ => typed,
    }
}

pub(crate) fn number<T: std::str::FromStr>(value: &Value, expected: &str) -> Result<T, Mistake> {
    let number = match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| Mistake::on(value, format!("expected {expected}")))
}

fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        _ => "a table",
    }
}

/// Reads a range, such as `{ from = 4, to = 5900, step = 4 }`; both ends are included.
fn in_range(at: usize, range: &DeTable) -> Result<Vec<Typed>, Mistake> {
    const EXPECTED: &str = "expected { from = N, to = N, step = N } with whole numbers";
    let known = ["from", "to", "step"];
    if let Some(key) = range.keys().find(|key| !known.contains(&&**key.get_ref())) {
        return Err(Mistake::on(key, EXPECTED));
    }
    let end = |name: &str| match range.get(name) {
        Some(value) => number::<usize>(value, "a whole number"),
        None => Err(Mistake::at(at, EXPECTED)),
    };
    let (from, to, step) = (end("from")?, end("to")?, end("step")?);
    if step == 0 || to < from || (to - from) / step >= MOST_RUNS {
        let what = "expected `from` not above `to`, a step of at least 1, and at most";
        return Err(Mistake::at(at, format!("{what} {MOST_RUNS} values")));
    }
    let typed = |number: usize| Typed { text: number.to_string(), at };
    Ok((from..=to).step_by(step).map(typed).collect())
}
