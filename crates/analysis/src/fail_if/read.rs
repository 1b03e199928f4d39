//! Parses a limit, and points at the position of any error.

use std::fmt::Display;
use std::str::FromStr;

use base::{Nanos, Number};

use super::limit::{Bound, Condition, FailIf, OPERATORS, Operator, Rows};

/// Figures of every row, without their unit: times, and counts.
const TIMES: [&str; 8] = ["average", "min", "max", "p50", "p90", "p99", "p999", "p9999"];
const COUNTS: [&str; 5] = ["due", "executed", "skipped", "count", "early"];

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let typed = Typed(text);
        let (what, operator, value) = typed.comparison()?;
        let name_ends = what.find(['[', '.']).unwrap_or(what.len());
        let (measurement, rest) = what.split_at(name_ends);
        if measurement.trim().is_empty() {
            return Err(typed.wrong(what, "expected a measurement, as in wakeup.max > 150us"));
        }
        let (conditions, rest) = typed.conditions(rest)?;
        let (rows, figure) = typed.figure(rest)?;
        let bound = typed.bound(value)?;
        typed.check_unit(figure, bound, value)?;
        Ok(Self {
            typed: text.to_owned(),
            measurement: measurement.trim().to_owned(),
            conditions,
            rows,
            figure: figure.to_owned(),
            operator,
            bound,
        })
    }
}

/// The whole text; its parts are slices of it.
struct Typed<'a>(&'a str);

impl<'a> Typed<'a> {
    /// Names the character of the text at which a part begins, counted from 1.
    fn wrong(&self, part: &str, why: impl Display) -> String {
        let offset = part.as_ptr() as usize - self.0.as_ptr() as usize;
        format!("`{}`, character {}: {why}", self.0, self.0[..offset].chars().count() + 1)
    }

    /// Splits at the last comparison, because a row's label may contain any character: the text
    /// before it, the operator, the text after it.
    fn comparison(&self) -> Result<(&'a str, &'static Operator, &'a str), String> {
        let is_mark = |letter: char| "<>=!".contains(letter);
        let names = OPERATORS.map(|operator| operator.name).join(" ");
        let end = self.0.rfind(is_mark).map(|last| last + 1);
        let closes = self.0.rfind(']').unwrap_or(0);
        let Some(end) = end.filter(|end| *end > closes) else {
            let rest = &self.0[self.0.len()..];
            return Err(self.wrong(rest, format!("expected a comparison: {names}")));
        };
        let (before, value) = self.0.split_at(end);
        let what = before.trim_end_matches(is_mark);
        let name = &before[what.len()..];
        let operator = OPERATORS.iter().find(|operator| operator.name == name);
        let operator = operator.ok_or_else(|| {
            self.wrong(name, format!("`{name}` is not a comparison; expected one of {names}"))
        })?;
        Ok((what.trim_end(), operator, value.trim_start()))
    }

    fn conditions(&self, rest: &'a str) -> Result<(Vec<Condition>, &'a str), String> {
        let Some(inside) = rest.strip_prefix('[') else { return Ok((vec![], rest)) };
        let Some((inside, rest)) = inside.split_once(']') else {
            return Err(self.wrong(rest, "this bracket is never closed"));
        };
        let mut conditions: Vec<Condition> = Vec::new();
        for part in inside.split(',') {
            match (part.split_once('='), conditions.last_mut()) {
                (Some((name, value)), _) => {
                    let [name, value] = [name, value].map(|text| text.trim().to_owned());
                    conditions.push(Condition { name, value });
                }
                // A list of CPUs contains commas itself.
                (None, Some(list)) => list.value += &format!(",{}", part.trim()),
                (None, None) => {
                    return Err(self.wrong(part, "expected a condition, such as load=cpu"));
                }
            }
        }
        Ok((conditions, rest))
    }

    fn figure(&self, rest: &'a str) -> Result<(Rows, &'a str), String> {
        let expected = "expected a point and a figure, such as .max or .skipped";
        let names = rest.strip_prefix('.').ok_or_else(|| self.wrong(rest, expected))?;
        let (rows, figure) = match names.rsplit_once('.') {
            None => (Rows::First, names),
            Some(("*", figure)) => (Rows::Every, figure),
            Some((label, figure)) => (Rows::Named(label.trim().to_owned()), figure),
        };
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if figure.is_empty() || !figure.chars().all(is_letter) {
            let why = format!("`{figure}` is not a figure; expected one such as max or skipped");
            return Err(self.wrong(figure, why));
        }
        Ok((rows, figure))
    }

    fn bound(&self, value: &str) -> Result<Bound, String> {
        let number = |text: &str| text.parse::<Number>().map(Number::get);
        let bound = match value.strip_suffix('%') {
            Some(percent) => number(percent).map(Bound::Percent),
            None if value.ends_with(char::is_alphabetic) => value.parse::<Nanos>().map(Bound::Time),
            None => number(value).map(Bound::Number),
        };
        bound.map_err(|error| self.wrong(value, error))
    }

    /// Checks what is known before anything is measured.
    fn check_unit(&self, figure: &str, bound: Bound, value: &str) -> Result<(), String> {
        let why = match bound {
            Bound::Number(_) | Bound::Percent(_) if TIMES.contains(&figure) => {
                format!("`{figure}` is a time; expected one such as 150us")
            }
            Bound::Time(_) if COUNTS.contains(&figure) => {
                format!("`{figure}` is a count; expected a number, or a share of what was due: 1%")
            }
            _ => return Ok(()),
        };
        Err(self.wrong(value, why))
    }
}
