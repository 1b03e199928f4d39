//! JSON that is readable and small: one line per field of the document and of the entries of its
//! lists. Deeper values are on the line of their field.

use std::io::{self, Write};

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// The document, a list in it, an entry of that.
const DEEPEST: usize = 3;

/// Breaks lines down to a depth.
#[derive(Default)]
pub(super) struct Lines {
    broken: PrettyFormatter<'static>,
    depth: usize,
}

macro_rules! by_depth {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self.depth {
            ..=DEEPEST => $self.broken.$method($($argument),*),
            _ => CompactFormatter.$method($($argument),*),
        }
    };
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth += 1;
        by_depth!(self.begin_array(to))
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        let ended = by_depth!(self.end_array(to));
        self.depth -= 1;
        ended
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        by_depth!(self.begin_array_value(to, first))
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        by_depth!(self.end_array_value(to))
    }

    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth += 1;
        by_depth!(self.begin_object(to))
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        let ended = by_depth!(self.end_object(to));
        self.depth -= 1;
        ended
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        by_depth!(self.begin_object_key(to, first))
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        by_depth!(self.begin_object_value(to))
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        by_depth!(self.end_object_value(to))
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_lists_hold_has_a_line_a_field() {
        let told = json!({
            "none": [],
            "runs": [{ "id": 1, "rows": [{ "a": [1, 2], "b": {} }] }, { "id": 2, "rows": [] }],
        });
        let mut text = Vec::new();
        let mut to = serde_json::Serializer::with_formatter(&mut text, Lines::default());
        told.serialize(&mut to).unwrap();
        let lines = r#"{
  "none": [],
  "runs": [
    {
      "id": 1,
      "rows": [{"a":[1,2],"b":{}}]
    },
    {
      "id": 2,
      "rows": []
    }
  ]
}"#;
        assert_eq!(String::from_utf8(text).unwrap(), lines);
    }
}
