//! Writer for NumPy files of one array, version 1.0:
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::io::{self, Write};

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// The length of the header is a multiple of this.
const ALIGNED: usize = 64;

/// Writes whole numbers as an array of 64-bit integers.
pub(super) fn write(values: &[i64], to: &mut dyn Write) -> io::Result<()> {
    let shape =
        format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    // The length field, and a line break at the end.
    let before = MAGIC.len() + size_of::<u16>() + shape.len() + 1;
    let length = shape.len() + before.next_multiple_of(ALIGNED) - before;
    to.write_all(MAGIC)?;
    to.write_all(&(length as u16 + 1).to_le_bytes())?;
    writeln!(to, "{shape:length$}")?;
    values.iter().try_for_each(|value| to.write_all(&value.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_an_aligned_head() {
        for values in [vec![], vec![1, -2, i64::MAX]] {
            let mut bytes = Vec::new();
            write(&values, &mut bytes).unwrap();
            let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            let (head, numbers) = bytes.split_at(10 + length);
            assert_eq!((head.len() % ALIGNED, head[head.len() - 1]), (0, b'\n'));
            assert!(String::from_utf8_lossy(head).contains(&format!("({},)", values.len())));
            let numbers = numbers.chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()));
            assert_eq!(numbers.collect::<Vec<i64>>(), values);
        }
    }
}
