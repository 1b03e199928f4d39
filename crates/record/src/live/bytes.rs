//! Reads and writes numbers and texts of a datagram.

/// Version of the datagrams; a viewer refuses any other.
pub const VERSION: u8 = 2;

/// Why a datagram was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("not from a watched tire")]
    Stranger,
    #[error("the tire sends version {0}, but this viewer reads only version {VERSION}")]
    Version(u8),
    /// Cut off, changed on its way, or wrongly made.
    #[error("damaged")]
    Damaged,
}

const CHECKSUM: usize = size_of::<u32>();

/// Writes over the content of a vector.
pub struct Writer<'a>(&'a mut Vec<u8>);

/// Declares one method per type of number, which writes or reads it.
macro_rules! numbers {
    ($($number:ident)*) => {
        impl Writer<'_> {
            $(pub fn $number(&mut self, number: $number) {
                self.bytes(&number.to_le_bytes());
            })*
        }
        impl Reader<'_> {
            $(pub fn $number(&mut self) -> Result<$number, Refused> {
                self.take().map($number::from_le_bytes)
            })*
        }
    };
}
numbers!(u8 u16 i16 u32 u64);

impl<'a> Writer<'a> {
    pub fn new(to: &'a mut Vec<u8>) -> Self {
        to.clear();
        Self(to)
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn positive(&mut self, number: u64) {
        self.u64(number);
    }

    pub fn f32(&mut self, number: f32) {
        self.bytes(&number.to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        let text = &text[..text.floor_char_boundary(u8::MAX.into())];
        self.u8(text.len() as u8);
        self.bytes(text.as_bytes());
    }

    /// Ends the datagram with its checksum.
    pub fn checksum(&mut self) {
        let sum = crc32fast::hash(self.0);
        self.u32(sum);
    }
}

/// Reads the rest of a datagram.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Checks a datagram's checksum and returns the rest for reading.
    pub fn checked(datagram: &'a [u8]) -> Result<Self, Refused> {
        let split = datagram.len().checked_sub(CHECKSUM);
        let (content, sum) = datagram.split_at(split.ok_or(Refused::Damaged)?);
        if crc32fast::hash(content).to_le_bytes() != sum {
            return Err(Refused::Damaged);
        }
        Ok(Self(content))
    }

    pub fn skip(&mut self, bytes: usize) -> Result<(), Refused> {
        self.slice(bytes).map(|_| ())
    }

    /// Reads a number other than 0.
    pub fn positive(&mut self) -> Result<u64, Refused> {
        match self.u64()? {
            0 => Err(Refused::Damaged),
            number => Ok(number),
        }
    }

    /// Reads a unit: above 0 and finite.
    pub fn f32(&mut self) -> Result<f32, Refused> {
        let number = f32::from_le_bytes(self.take()?);
        let is_unit = number.is_normal() && number > 0.0 && number < 1e6;
        is_unit.then_some(number).ok_or(Refused::Damaged)
    }

    pub fn text(&mut self) -> Result<String, Refused> {
        let length = self.u8()?;
        let text = self.slice(length.into())?;
        let text = std::str::from_utf8(text).map_err(|_| Refused::Damaged)?;
        Ok(text.to_owned())
    }

    /// Checks that nothing is left.
    pub fn end(self) -> Result<(), Refused> {
        self.0.is_empty().then_some(()).ok_or(Refused::Damaged)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Refused> {
        let (head, rest) = self.0.split_first_chunk().ok_or(Refused::Damaged)?;
        self.0 = rest;
        Ok(*head)
    }

    fn slice(&mut self, bytes: usize) -> Result<&'a [u8], Refused> {
        let (head, rest) = self.0.split_at_checked(bytes).ok_or(Refused::Damaged)?;
        self.0 = rest;
        Ok(head)
    }
}
