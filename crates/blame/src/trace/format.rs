//! The layout of events, from the kernel's `format` files (Documentation/trace/events.rst, "Event
//! formats").

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) is_signed: bool,
    /// True if the field has the position of a text elsewhere in the event.
    is_far: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Format {
    /// The kernel's number for this kind of event.
    pub(crate) id: u16,
    fields: Vec<(String, Field)>,
}

impl Format {
    /// Parses a `format` file, or `header_page`, which has no number.
    pub(crate) fn parse(text: &str) -> Self {
        let id = text.lines().find_map(|line| line.strip_prefix("ID: "));
        Self {
            id: id.and_then(|id| id.trim().parse().ok()).unwrap_or(0),
            fields: text.lines().filter_map(field).collect(),
        }
    }

    pub(crate) fn field(&self, name: &str) -> Option<Field> {
        let named = |(known, _): &&(String, Field)| known == name;
        self.fields.iter().find(named).map(|(_, field)| *field)
    }
}

/// Parses a line such as `field:pid_t prev_pid; offset:24; size:4; signed:1;`.
fn field(line: &str) -> Option<(String, Field)> {
    let mut parts = line.trim().split(';').map(str::trim);
    let declared = parts.next()?.strip_prefix("field:")?.trim();
    // The sum of two such numbers is a valid position.
    let mut number =
        |name: &str| Some(parts.next()?.strip_prefix(name)?.parse::<u32>().ok()? as usize);
    let field = Field {
        offset: number("offset:")?,
        size: number("size:")?,
        is_signed: number("signed:")? != 0,
        is_far: declared.starts_with("__data_loc"),
    };
    let name = declared.rsplit(' ').next()?.split('[').next()?;
    Some((name.to_owned(), field))
}

impl Field {
    pub(crate) fn number(self, event: &[u8]) -> Option<i64> {
        let bytes = event.get(self.offset..self.offset + self.size)?;
        Some(match (bytes, self.is_signed) {
            ([one], _) => i64::from(*one),
            ([a, b], _) => i64::from(u16::from_ne_bytes([*a, *b])),
            ([a, b, c, d], true) => i64::from(i32::from_ne_bytes([*a, *b, *c, *d])),
            ([a, b, c, d], false) => i64::from(u32::from_ne_bytes([*a, *b, *c, *d])),
            (eight, _) => i64::from_ne_bytes(eight.try_into().ok()?),
        })
    }

    /// Reads the text from an event's bytes, up to its end or a zero.
    pub(crate) fn text(self, event: &[u8]) -> Option<&[u8]> {
        let bytes = if self.is_far {
            // The upper half is the length, the lower half the position.
            let place = self.number(event)? as usize;
            event.get(place & 0xffff..(place & 0xffff) + (place >> 16))?
        } else if self.size == 0 {
            event.get(self.offset..)?
        } else {
            event.get(self.offset..self.offset + self.size)?
        };
        bytes.split(|byte| *byte == 0).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IRQ: &str = "name: irq_handler_entry\nID: 225\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\
        \tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n\
        \tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"";

    #[test]
    fn fields_are_found_and_read() {
        let format = Format::parse(IRQ);
        assert_eq!(format.id, 225);
        let mut event = vec![0; 16];
        event[8..12].copy_from_slice(&(-3i32).to_ne_bytes());
        event[12..16].copy_from_slice(&(5u32 << 16 | 16).to_ne_bytes());
        event.extend(b"eth0\0");
        assert_eq!(format.field("irq").unwrap().number(&event), Some(-3));
        assert_eq!(format.field("name").unwrap().text(&event), Some(&b"eth0"[..]));
        assert_eq!(format.field("nothing"), None);
    }

    #[test]
    fn truncated_events_have_no_fields() {
        let format = Format::parse(IRQ);
        assert_eq!(format.field("irq").unwrap().number(&[0; 10]), None);
        assert_eq!(format.field("name").unwrap().text(&[0xff; 16]), None);
        assert_eq!(Format::parse("nonsense\nfield:;offset:x"), Format::default());
        let beyond = IRQ.replace("offset:8", "offset:18446744073709551615");
        assert_eq!(Format::parse(&beyond).field("irq"), None);
    }
}
