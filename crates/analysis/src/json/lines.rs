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

/// Methods of a formatter: each has one of both write, by the depth, which it may change before and
/// after.
macro_rules! by_depth {
    ($($method:ident($($name:ident: $kind:ty),*), $deeper:literal, $back:literal;)*) => {
        $(fn $method<W: ?Sized + Write>(&mut self, to: &mut W, $($name: $kind),*) -> io::Result<()> {
            self.depth += $deeper;
            let written = match self.depth {
                ..=DEEPEST => self.broken.$method(to, $($name),*),
                _ => CompactFormatter.$method(to, $($name),*),
            };
            self.depth -= $back;
            written
        })*
    };
}

impl Formatter for Lines {
    by_depth! {
        begin_array(), 1, 0;
        end_array(), 0, 1;
        begin_array_value(first: bool), 0, 0;
        end_array_value(), 0, 0;
        begin_object(), 1, 0;
        end_object(), 0, 1;
        begin_object_key(first: bool), 0, 0;
        begin_object_value(), 0, 0;
        end_object_value(), 0, 0;
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_lists_hold_has_a_line_a_field() {
        let document = json!({
            "none": [],
            "runs": [{ "id": 1, "rows": [{ "a": [1, 2], "b": {} }] }, { "id": 2, "rows": [] }],
        });
        let mut text = Vec::new();
        let mut to = serde_json::Serializer::with_formatter(&mut text, Lines::default());
        document.serialize(&mut to).unwrap();
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
