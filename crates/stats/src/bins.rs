//! The filled bins of a histogram, packed: about two bytes each, whereas an array of all bins takes
//! 180 kB.

use hdrhistogram::Histogram;

/// Upper edges and counts of filled bins, from low to high.
///
/// For each bin, the packed bytes have its distance in places from the bin before, and its count, both as
/// [`pull`] reads them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bins {
    packed: Box<[u8]>,
    /// How many values all bins hold.
    pub(crate) total: u64,
}

/// How many significant digits the bins keep.
pub(crate) const SIGNIFICANT_DIGITS: u8 = 3;
/// Values below 2 to the power of this have one bin each; above, each power of two has half as many
/// bins. This is HdrHistogram's layout at three significant digits.
const BITS: u32 = 11;
const HALF: u64 = 1 << (BITS - 1);
/// Most groups of bits of a number.
const GROUPS: u32 = 9;

/// Returns the place of the bin of a value.
pub(crate) fn place(value: u64) -> u64 {
    let bucket = (u64::BITS - value.leading_zeros()).saturating_sub(BITS);
    u64::from(bucket) * HALF + (value >> bucket)
}

/// Returns the last place of a histogram that can hold this value.
pub(crate) fn last_place(value: u64) -> u64 {
    (place(value) | (HALF - 1)).max(2 * HALF - 1)
}

/// The largest value of the bin at a place.
pub(crate) fn edge(place: u64) -> u64 {
    let bucket = (place / HALF).saturating_sub(1);
    let sub_bucket = place - bucket * HALF;
    (sub_bucket << bucket) | ((1 << bucket) - 1)
}

impl Bins {
    /// The filled bins of a histogram of three significant digits.
    pub(crate) fn of(histogram: &Histogram<u64>) -> Self {
        let filled = histogram.iter_recorded();
        Self::packed(filled.map(|bin| (place(bin.value_iterated_to()), bin.count_at_value())))
    }

    pub(crate) fn packed(places: impl Iterator<Item = (u64, u64)>) -> Self {
        let (mut packed, mut total, mut before) = (Vec::new(), 0u64, 0);
        for (place, count) in places {
            push(&mut packed, place - before);
            push(&mut packed, count);
            before = place;
            // Counts of a stranger's file may be any.
            total = total.saturating_add(count);
        }
        Self { packed: packed.into(), total }
    }

    /// Upper edge and count of each filled bin, from low to high.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.places().map(|(place, count)| (edge(place), count))
    }

    /// The first and the last place with a value; `None` if there is no value.
    pub(crate) fn ends(&self) -> Option<[u64; 2]> {
        let mut places = self.places().map(|(place, _)| place);
        let first = places.next()?;
        Some([first, places.last().unwrap_or(first)])
    }

    /// How many values lie in the bin of this value or in one below.
    pub(crate) fn count_through(&self, value: u64) -> u64 {
        let last = place(value);
        let through = self.places().take_while(|(place, _)| *place <= last);
        through.fold(0, |sum, (_, count)| sum.saturating_add(count))
    }

    /// The values of both.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        let (mut one, mut other) = (self.places().peekable(), other.places().peekable());
        Self::packed(std::iter::from_fn(|| match (one.peek(), other.peek()) {
            (Some(first), Some(second)) if first.0 == second.0 => {
                let both = first.1.saturating_add(second.1);
                other.next();
                one.next().map(|(place, _)| (place, both))
            }
            (Some(first), Some(second)) if second.0 < first.0 => other.next(),
            (None, _) => other.next(),
            _ => one.next(),
        }))
    }

    /// Place and count of each filled bin, from low to high.
    pub(crate) fn places(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut bytes = self.packed.iter();
        let mut place = 0;
        std::iter::from_fn(move || {
            place += pull(&mut bytes)?;
            Some((place, pull(&mut bytes)?))
        })
    }
}

/// Appends a number as [`pull`] reads it.
pub(crate) fn push(packed: &mut Vec<u8>, mut number: u64) {
    for _ in 1..GROUPS {
        if number < 0x80 {
            break;
        }
        packed.push(number as u8 | 0x80);
        number >>= 7;
    }
    packed.push(number as u8);
}

/// Reads a number as HdrHistogram writes it: groups of seven bits, low ones first; the eighth bit is set if another
/// group follows. The last possible group has eight bits.
pub(crate) fn pull<'b>(bytes: &mut impl Iterator<Item = &'b u8>) -> Option<u64> {
    let mut number = 0;
    for group in 1..=GROUPS {
        let byte = *bytes.next()?;
        let bits = if group == GROUPS { byte } else { byte & 0x7f };
        number |= u64::from(bits) << (7 * (group - 1));
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn histogram(values: &[u64]) -> Histogram<u64> {
        let mut histogram = Histogram::new_with_bounds(1, 2, 3).unwrap();
        histogram.auto(true);
        for value in values {
            histogram.record(*value).unwrap();
        }
        histogram
    }

    proptest! {
        #[test]
        fn bins_are_those_of_the_histogram(
            ones in prop::collection::vec((0..=62u32, any::<u64>()), 0..200),
            others in prop::collection::vec(0..5_000u64, 0..200),
            bound in 0..10_000u64,
        ) {
            let ones: Vec<u64> = ones.iter().map(|(bits, value)| value & ((2 << bits) - 1)).collect();
            let (mut whole, part) = (histogram(&ones), histogram(&others));
            let merged = Bins::of(&whole).merged(&Bins::of(&part));
            whole.add(&part).unwrap();
            prop_assert_eq!(&merged, &Bins::of(&whole));
            let of_whole = whole.iter_recorded();
            let of_whole: Vec<_> = of_whole.map(|b| (b.value_iterated_to(), b.count_at_value())).collect();
            prop_assert_eq!(merged.iter().collect::<Vec<_>>(), of_whole);
            prop_assert_eq!(merged.total, whole.len());
            prop_assert_eq!(merged.count_through(bound), whole.count_between(0, bound));
        }
    }
}
