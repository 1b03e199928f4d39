//! HdrHistogram's V2 format. Its library fills an array of all bins first, which takes most of the time of reading and
//! of reporting a large store.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::bins::{Bins, SIGNIFICANT_DIGITS, edge, last_place, pull, push};

const DEFLATED: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();
const PLAIN: [u8; 4] = 0x1c84_9313_u32.to_be_bytes();

/// Most bytes of an unpacked histogram: 57,344 bins, each of at most 9 bytes.
const MOST_UNPACKED: u64 = 1 << 20;
/// The smallest value above 0 that has a separate bin.
const LOWEST: u64 = 1;

/// Returns these bins, deflated, byte for byte as the library writes a histogram that could hold `highest` when it was
/// made, and has grown for larger values.
///
/// # Panics
/// Never: writing to memory does not fail.
pub(crate) fn bytes(bins: &Bins, highest: u64) -> Vec<u8> {
    let largest = bins.ends().map_or(0, |[_, last]| last);
    let highest =
        if largest <= last_place(highest) { highest } else { edge(last_place(edge(largest))) };
    let counts = counts(bins);
    let length = counts.len() as u32;
    let plain = [
        &PLAIN[..],
        &length.to_be_bytes(),
        &0u32.to_be_bytes(),
        &u32::from(SIGNIFICANT_DIGITS).to_be_bytes(),
        &LOWEST.to_be_bytes(),
        &highest.to_be_bytes(),
        &1f64.to_be_bytes(),
        &counts,
    ]
    .concat();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(&plain).and_then(|()| encoder.finish());
    let packed = packed.expect("a vector takes every byte");
    [&DEFLATED[..], &(packed.len() as u32).to_be_bytes(), &packed].concat()
}

/// The counts of all places up to the last filled one, as [`places`] reads them.
fn counts(bins: &Bins) -> Vec<u8> {
    let (mut counts, mut next) = (Vec::new(), 0);
    for (place, count) in bins.places() {
        match place - next {
            0 => {}
            // A single empty place is a count of 0.
            1 => push(&mut counts, 0),
            empty => push(&mut counts, 2 * empty - 1),
        }
        push(&mut counts, 2 * count.min(i64::MAX as u64));
        next = place + 1;
    }
    if next == 0 {
        push(&mut counts, 0);
    }
    counts
}

/// Returns the bins of a deflated histogram of whole numbers from 0 and three significant digits; `None` for other
/// bytes.
pub(crate) fn bins(bytes: &[u8]) -> Option<Bins> {
    let (length, packed) = bytes.strip_prefix(&DEFLATED)?.split_first_chunk()?;
    let packed = packed.get(..u32::from_be_bytes(*length) as usize)?;
    let mut plain = Vec::new();
    ZlibDecoder::new(packed).take(MOST_UNPACKED).read_to_end(&mut plain).ok()?;
    let (length, rest) = plain.strip_prefix(&PLAIN)?.split_first_chunk()?;
    let (offset, rest) = rest.split_first_chunk()?;
    let (digits, rest) = rest.split_first_chunk()?;
    let (lowest, rest) = rest.split_first_chunk()?;
    let (highest, rest) = rest.split_first_chunk()?;
    let (ratio, counts) = rest.split_first_chunk()?;
    let [offset, digits] = [offset, digits].map(|number| u32::from_be_bytes(*number));
    let is_ours =
        (offset, digits, u64::from_be_bytes(*lowest)) == (0, u32::from(SIGNIFICANT_DIGITS), LOWEST);
    let highest = u64::from_be_bytes(*highest);
    if !is_ours || highest < 2 || *ratio != 1f64.to_be_bytes() {
        return None;
    }
    let counts = counts.get(..u32::from_be_bytes(*length) as usize)?;
    Some(Bins::packed(places(counts, last_place(highest))?.into_iter()))
}

/// Reads places, up to `last`, and counts: each number is the count of the next place, or below zero how many places
/// are empty.
fn places(counts: &[u8], last: u64) -> Option<Vec<(u64, u64)>> {
    let (mut places, mut place) = (Vec::new(), 0u64);
    let mut counts = counts.iter();
    while !counts.as_slice().is_empty() {
        let zig_zag = pull(&mut counts)?;
        let number = (zig_zag >> 1) as i64 ^ -((zig_zag & 1) as i64);
        if number > 0 {
            places.push((place, number as u64));
        }
        place = place.checked_add(if number < 0 { number.unsigned_abs() } else { 1 })?;
        if place > last + 1 {
            return None;
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::tests::of;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::{
        Deserializer, Serializer, V2DeflateSerializer, V2Serializer,
    };
    use proptest::prelude::*;

    fn deflated(plain: &[u8]) -> Vec<u8> {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(plain).unwrap();
        let packed = packed.finish().unwrap();
        [&DEFLATED[..], &(packed.len() as u32).to_be_bytes(), &packed].concat()
    }

    proptest! {
        #[test]
        fn what_the_library_writes_is_read_as_the_library_reads_it(
            values in prop::collection::vec((0..=62u32, any::<i64>(), 1..1u64 << 50), 1..100)
        ) {
            let mut histogram = Histogram::<u64>::new_with_bounds(1, 2, 3).unwrap();
            histogram.auto(true);
            for (bits, value, count) in values {
                histogram.saturating_record_n(value as u64 & ((2 << bits) - 1), count >> (bits % 50));
            }
            let mut bytes = Vec::new();
            V2DeflateSerializer::new().serialize(&histogram, &mut bytes).unwrap();
            let read: Histogram<u64> = Deserializer::new().deserialize(&mut &*bytes).unwrap();
            prop_assert_eq!(bins(&bytes), Some(Bins::of(&read)));
        }

        #[test]
        fn bins_are_written_as_the_library_writes_them(
            values in prop::collection::vec((0..=62u32, any::<i64>(), 1..1u64 << 50), 0..100)
        ) {
            let mut histogram = Histogram::<u64>::new_with_bounds(1, 1_000_000_000, 3).unwrap();
            histogram.auto(true);
            for (bits, value, count) in values {
                let count = (count >> (bits % 50)).max(1);
                histogram.saturating_record_n(value as u64 & ((2 << bits) - 1), count);
            }
            let mut expected = Vec::new();
            V2DeflateSerializer::new().serialize(&histogram, &mut expected).unwrap();
            prop_assert_eq!(bytes(&Bins::of(&histogram), 1_000_000_000), expected);
        }

        #[test]
        fn damaged_bytes_are_refused_or_read_as_the_library_does(
            at in 4..200usize, byte in any::<u8>()
        ) {
            let mut histogram = Histogram::<u64>::new_with_bounds(1, 1 << 30, 3).unwrap();
            for value in [0, 2, 3, 900, 2_049, 70_000, 1 << 29] {
                histogram.record_n(value, value + 1).unwrap();
            }
            let mut plain = Vec::new();
            V2Serializer::new().serialize(&histogram, &mut plain).unwrap();
            let at = at % plain.len();
            plain[at] = byte;
            let bytes = deflated(&plain);
            if let Some(found) = bins(&bytes) {
                let read: Histogram<u64> = Deserializer::new().deserialize(&mut &*bytes).unwrap();
                prop_assert_eq!(found, Bins::of(&read));
            }
        }
    }

    #[test]
    fn a_histogram_that_claims_more_than_it_has_is_refused() {
        let claim = [&PLAIN[..], &u32::MAX.to_be_bytes(), &[0; 32]].concat();
        assert_eq!(bins(&deflated(&claim)), None);
        let whole = of(&[17, 65_000]).histogram_v2();
        assert!((0..whole.len()).all(|end| bins(&whole[..end]).is_none()));
    }
}
