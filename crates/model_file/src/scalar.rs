//! Types of single numbers, as a library's variables have them.

use std::str::FromStr;

use base::named;

named! {
    /// The type of a number in memory, in the byte order of this machine.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Scalar {
        Double = "double",
        Float = "float",
        Int8 = "int8",
        UInt8 = "uint8",
        Int16 = "int16",
        UInt16 = "uint16",
        Int32 = "int32",
        UInt32 = "uint32",
        Int64 = "int64",
        UInt64 = "uint64",
        Bool = "bool",
    }
}

/// Parses a number of a type and returns its bytes, if the type can hold it.
macro_rules! bytes {
    ($text:expr, $number:ty) => {
        whole::<$number>($text).map(|number| number.to_ne_bytes().to_vec())
    };
    ($text:expr, $number:ty, $is_held:expr) => {
        $text
            .parse()
            .ok()
            .filter(|number: &$number| $is_held(*number))
            .map(|number| number.to_ne_bytes().to_vec())
    };
}

/// Parses a whole number, also in the form `1.18e9`, in which large numbers are printed.
fn whole<T: FromStr + TryFrom<i128>>(text: &str) -> Option<T> {
    /// Above this, a double cannot represent every whole number.
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let digits = text.parse().ok();
    digits.or_else(|| {
        let number: f64 = text.parse().ok()?;
        let is_whole = number.fract() == 0.0 && number.abs() <= EXACT;
        is_whole.then(|| T::try_from(number as i128).ok())?
    })
}

impl Scalar {
    /// Returns the size in bytes.
    pub fn size(self) -> u64 {
        match self {
            Self::Int8 | Self::UInt8 | Self::Bool => 1,
            Self::Int16 | Self::UInt16 => 2,
            Self::Float | Self::Int32 | Self::UInt32 => 4,
            Self::Double | Self::Int64 | Self::UInt64 => 8,
        }
    }

    /// Returns the integer type of that size in bytes.
    pub(crate) fn integer(size: u64, is_signed: bool) -> Option<Self> {
        Some(match (size, is_signed) {
            (1, true) => Self::Int8,
            (1, false) => Self::UInt8,
            (2, true) => Self::Int16,
            (2, false) => Self::UInt16,
            (4, true) => Self::Int32,
            (4, false) => Self::UInt32,
            (8, true) => Self::Int64,
            (8, false) => Self::UInt64,
            _ => return None,
        })
    }

    /// Returns the bytes of a number of this type; `None` if the text is not one, or the type cannot
    /// hold it.
    pub(crate) fn bytes(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Self::Double => bytes!(text, f64, f64::is_finite),
            Self::Float => bytes!(text, f32, f32::is_finite),
            Self::Int8 => bytes!(text, i8),
            Self::UInt8 => bytes!(text, u8),
            Self::Int16 => bytes!(text, i16),
            Self::UInt16 => bytes!(text, u16),
            Self::Int32 => bytes!(text, i32),
            Self::UInt32 => bytes!(text, u32),
            Self::Int64 => bytes!(text, i64),
            Self::UInt64 => bytes!(text, u64),
            Self::Bool => match text {
                "true" | "1" => Some(vec![1]),
                "false" | "0" => Some(vec![0]),
                _ => None,
            },
        }
    }

    /// What a value of this type is, for a message.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Double | Self::Float => "a number",
            Self::Bool => "true or false",
            _ => "a whole number that fits",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_bytes_of_its_type() {
        for kind in Scalar::ALL {
            let zero = kind.bytes("0").unwrap();
            assert_eq!((zero.len() as u64, zero.iter().max()), (kind.size(), Some(&0)), "{kind:?}");
            assert_eq!(kind.bytes("soft"), None);
        }
        assert_eq!(Scalar::Double.bytes("2"), Some(2.0_f64.to_ne_bytes().to_vec()));
        assert_eq!(Scalar::Float.bytes("0.5"), Some(0.5_f32.to_ne_bytes().to_vec()));
        assert_eq!(Scalar::Int16.bytes("-2"), Some((-2_i16).to_ne_bytes().to_vec()));
        assert_eq!(Scalar::Bool.bytes("true"), Some(vec![1]));
    }

    #[test]
    fn whole_numbers_are_read_as_they_are_printed() {
        for number in [0, 1, 9_999_999, 10_000_000, 1_180_000_000, i32::MAX] {
            let printed = f64::from(number).to_string().parse::<base::Number>().unwrap();
            let bytes = Scalar::Int32.bytes(&printed.to_string());
            assert_eq!(bytes, Some(number.to_ne_bytes().to_vec()), "{printed}");
        }
        assert_eq!(Scalar::Int64.bytes("5.8e9"), Some(5_800_000_000_i64.to_ne_bytes().to_vec()));
        for (kind, text) in [
            (Scalar::Int32, "5.8e9"),
            (Scalar::UInt8, "-1e0"),
            (Scalar::Int64, "1e300"),
            (Scalar::Int64, "1e17"),
            (Scalar::Int64, "15e-1"),
            (Scalar::UInt64, "nan"),
        ] {
            assert_eq!(kind.bytes(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_that_a_type_cannot_hold_is_none() {
        for (kind, text) in [
            (Scalar::Double, "inf"),
            (Scalar::Double, "1e999"),
            (Scalar::Float, "1e300"),
            (Scalar::Int8, "128"),
            (Scalar::UInt64, "-1"),
            (Scalar::Int32, "2.5"),
            (Scalar::Bool, "2"),
        ] {
            assert_eq!(kind.bytes(text), None, "{kind:?} {text}");
        }
    }
}
