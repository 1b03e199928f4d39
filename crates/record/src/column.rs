//! Packs columns: takes differences, groups bytes of equal weight, compresses with zstd.

use std::mem;

use crate::RecordingError;

/// Fastest level: stamps shrink to a few bytes each at any level.
const ZSTD_LEVEL: i32 = 1;

/// Packs whole numbers; stamps that rise steadily take one to three bytes each.
///
/// # Panics
/// Never: compressing memory does not fail.
pub fn pack(values: &[i64]) -> Vec<u8> {
    let mut previous = 0i64;
    let difference = |value: &i64| value.wrapping_sub(mem::replace(&mut previous, *value));
    let differences: Vec<u64> = values.iter().map(difference).map(zigzag).collect();
    let mut shuffled = Vec::with_capacity(values.len() * 8);
    for byte in 0..8 {
        shuffled.extend(differences.iter().map(|d| (d >> (8 * byte)) as u8));
    }
    zstd::bulk::compress(&shuffled, ZSTD_LEVEL).expect("compressing memory does not fail")
}

/// Unpacks exactly `count` numbers.
///
/// # Errors
/// When the bytes do not hold that many packed numbers.
pub fn unpack(packed: &[u8], count: usize) -> Result<Vec<i64>, RecordingError> {
    let size = count.checked_mul(8).ok_or(RecordingError::Damaged)?;
    let shuffled =
        zstd::bulk::decompress(packed, size.max(1)).map_err(|_| RecordingError::Damaged)?;
    if shuffled.len() != size {
        return Err(RecordingError::Damaged);
    }
    let mut previous = 0i64;
    Ok((0..count)
        .map(|index| {
            let zigzagged = (0..8).fold(0u64, |number, byte| {
                number | u64::from(shuffled[byte * count + index]) << (8 * byte)
            });
            previous = previous.wrapping_add(unzigzag(zigzagged));
            previous
        })
        .collect())
}

/// Maps small numbers of either sign to small unsigned numbers.
fn zigzag(number: i64) -> u64 {
    (number.wrapping_shl(1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_survives() {
        for values in [vec![], vec![0], vec![i64::MIN, i64::MAX, -1, 0, 1], (0..1000).collect()] {
            assert_eq!(unpack(&pack(&values), values.len()).unwrap(), values);
        }
    }

    #[test]
    fn steady_stamps_become_small() {
        let stamps: Vec<i64> = (0..10_000).map(|k| k * 1_000_000 + (k * 7919) % 4000).collect();
        assert!(pack(&stamps).len() < 3 * stamps.len());
    }

    #[test]
    fn damage_is_an_error() {
        assert!(unpack(b"not zstd", 3).is_err());
        assert!(unpack(&pack(&[1, 2, 3]), 2).is_err());
        assert!(unpack(&pack(&[1, 2, 3]), 4).is_err());
    }
}
