//! Values of a plan file, as the texts that a user would type.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::mistake::Mistake;
use crate::args::MOST_RUNS;

/// A value of the file, with its position in bytes.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// A text as a user would type it, with its position in the file.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub(super) text: String,
    pub(super) at: usize,
}

/// Reads one value, a list of values, or a range of whole numbers.
pub(super) fn all(value: &Value) -> Result<Vec<Typed>, Mistake> {
    match value.get_ref() {
        DeValue::Array(values) if values.is_empty() => {
            Err(Mistake::at(value.span().start, "the list is empty; expected at least one value"))
        }
        DeValue::Array(values) => values.iter().map(one).collect(),
        DeValue::Table(range) => in_range(value.span().start, range),
        _ => Ok(vec![one(value)?]),
    }
}

pub(super) fn one(value: &Value) -> Result<Typed, Mistake> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Integer(_) => {
            let expected = "expected a decimal number";
            return Err(Mistake::at(value.span().start, expected));
        }
        other => {
            let found = format!("expected a text or a number, found {}", kind(other));
            return Err(Mistake::at(value.span().start, found));
        }
    };
    Ok(Typed { text, at: value.span().start })
}

pub(super) fn number<T: std::str::FromStr>(value: &Value, expected: &str) -> Result<T, Mistake> {
    let wrong = || Mistake::at(value.span().start, format!("expected {expected}"));
    match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => {
            number.as_str().parse().map_err(|_| wrong())
        }
        _ => Err(wrong()),
    }
}

fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list within a list",
        _ => "a table",
    }
}

/// Reads a range, such as `{ from = 4, to = 5900, step = 4 }`; both ends are included.
fn in_range(at: usize, range: &DeTable) -> Result<Vec<Typed>, Mistake> {
    const EXPECTED: &str = "expected { from = N, to = N, step = N } with whole numbers";
    let strange =
        range.keys().find(|key| !["from", "to", "step"].contains(&key.get_ref().as_ref()));
    if let Some(key) = strange {
        return Err(Mistake::at(key.span().start, EXPECTED));
    }
    let end = |name: &str| match range.get(name) {
        Some(value) => number::<usize>(value, "a whole number"),
        None => Err(Mistake::at(at, EXPECTED)),
    };
    let (from, to, step) = (end("from")?, end("to")?, end("step")?);
    if step == 0 || to < from || (to - from) / step >= MOST_RUNS {
        let expected = format!(
            "expected `from` not above `to`, a step of at least 1, and at most \
             {MOST_RUNS} values"
        );
        return Err(Mistake::at(at, expected));
    }
    let typed = |number: usize| Typed { text: number.to_string(), at };
    Ok((from..=to).step_by(step).map(typed).collect())
}
