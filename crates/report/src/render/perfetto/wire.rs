//! Protobuf messages, as far as a trace needs them: numbers, texts and messages.

const VARINT: u64 = 0;
const LENGTH_DELIMITED: u64 = 2;

/// The bytes of a message. Fields are in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    /// Adds an integer. As protobuf requires, a negative one is written as 64 bits.
    pub(super) fn number(mut self, field: u64, value: i64) -> Self {
        self.varint(field << 3 | VARINT);
        self.varint(value as u64);
        self
    }

    pub(super) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    pub(super) fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | LENGTH_DELIMITED);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// Adds seven bits per byte, the lowest first; the top bit says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
