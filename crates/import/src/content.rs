//! The content of a file, read once for all formats.

use serde_json::Value;

use crate::Flaw;
use crate::runs::several;

/// The unit of figures whose unit a file does not state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    #[default]
    Microseconds,
    Nanoseconds,
}

impl Unit {
    /// Returns its length as a power of ten of nanoseconds.
    pub(crate) fn exponent(self) -> i32 {
        match self {
            Self::Microseconds => 3,
            Self::Nanoseconds => 0,
        }
    }
}

pub(crate) enum Content<'b> {
    Json(Value),
    /// The lines of a text, without colours and other control sequences.
    Lines(Vec<&'b str>),
}

impl<'b> Content<'b> {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// Fails if they are not text, or JSON that ends too early or has more than one value.
    pub(crate) fn of(bytes: &'b [u8]) -> Result<Self, Flaw> {
        let text = str::from_utf8(bytes).map_err(|_| Flaw::new("it is not text"))?;
        if text.trim().is_empty() {
            return Err(Flaw::new("it is empty"));
        }
        if !text.trim_start().starts_with('{') {
            return Ok(Self::Lines(text.lines().map(str::trim_end).collect()));
        }
        let mut values = serde_json::Deserializer::from_str(text).into_iter();
        match (values.next(), values.next()) {
            (Some(Ok(value)), None) => Ok(Self::Json(value)),
            (Some(Ok(_)), Some(Ok(_))) => Err(several("more than one JSON value")),
            (Some(Err(error)), _) | (_, Some(Err(error))) => {
                Err(Flaw::new(format!("it is not valid JSON: {error}")))
            }
            (None, _) => Err(Flaw::new("it is empty")),
        }
    }

    pub(crate) fn json(&self) -> Option<&Value> {
        match self {
            Self::Json(value) => Some(value),
            Self::Lines(_) => None,
        }
    }

    pub(crate) fn lines(&self) -> Option<&[&'b str]> {
        match self {
            Self::Lines(lines) => Some(lines),
            Self::Json(_) => None,
        }
    }
}
