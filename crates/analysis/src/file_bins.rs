//! Quantiles of imported rows, from the bins as the file states them.

use record::{Row, fact};
use serde_json::Value;
use stats::Distribution;

use crate::quantiles::needed;
use crate::survey::Series;

/// Where a quantile of imported rows lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the bin with this value, in nanoseconds.
    Bin(i64),
    /// Among samples above the histogram, of which only an upper bound is known.
    Beyond,
}

/// Returns a quantile of rows whose samples are together in `latency`, in nanoseconds: the value of its bin if an
/// imported file states bins. A quantile above the histogram is the largest value.
pub fn quantile_ns(rows: &[&Row], latency: &Distribution, share: f64) -> i64 {
    match place(rows, share) {
        Some(Place::Bin(ns)) => ns,
        Some(Place::Beyond) => latency.max.value_ns,
        None => latency.quantile_ns(share),
    }
}

/// Returns the same, where at least one sample lies beyond it.
pub fn supported(rows: &[&Row], latency: &Distribution, share: f64) -> Option<f64> {
    (latency.count() >= needed(share)).then(|| quantile_ns(rows, latency, share) as f64)
}

/// Whether a quantile of a row lies among samples above the histogram of a file, so that it is only an upper bound.
pub(crate) fn is_beyond(row: &Row, share: f64) -> bool {
    place(&[row], share) == Some(Place::Beyond)
}

/// Returns the end of the shortest histogram of a file, in nanoseconds, of those with samples above them: the times of
/// these samples are unknown.
pub(crate) fn end_ns(sides: [&Series; 2]) -> Option<i64> {
    sides.into_iter().flat_map(|series| &series.rows).filter_map(|row| end_of(row)).min()
}

fn end_of(row: &Row) -> Option<i64> {
    match places(row)?.as_slice() {
        [.., (Place::Bin(end), _), (Place::Beyond, _)] => Some(*end),
        [(Place::Beyond, _)] => Some(i64::MIN),
        _ => None,
    }
}

fn place(rows: &[&Row], share: f64) -> Option<Place> {
    let mut all: Vec<(Place, u64)> = Vec::new();
    for row in rows {
        all.extend(places(row)?);
    }
    all.sort_by_key(|(place, _)| match place {
        Place::Bin(ns) => (false, *ns),
        Place::Beyond => (true, 0),
    });
    let samples = all.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
    let rank = ((share.clamp(0.0, 1.0) * samples as f64).ceil() as u64).max(1);
    let mut through = 0u64;
    let found = all.into_iter().find(|(_, count)| {
        through = through.saturating_add(*count);
        through >= rank
    });
    found.map(|(place, _)| place)
}

/// Returns the filled bins of a row and the samples above them, each with its count; `None` for a row without bins of a
/// file.
fn places(row: &Row) -> Option<Vec<(Place, u64)>> {
    let bins = row.file_bins()?;
    let number = |fact| row.fact(fact).and_then(Value::as_f64);
    let mut all: Vec<(Place, u64)> = bins.into_iter().map(|(ns, n)| (Place::Bin(ns), n)).collect();
    all.retain(|(_, count)| *count > 0);
    match (row.fact(&fact::BEYOND_BINS).and_then(Value::as_u64), all.last_mut()) {
        (Some(beyond), _) => all.extend((beyond > 0).then_some((Place::Beyond, beyond))),
        // The number above is unknown: they are in the last bin, or not in the file.
        (None, Some((place, _))) => {
            let (Place::Bin(last), width) = (*place, number(&fact::BIN_WIDTH_NS)) else {
                return None;
            };
            let end = last as f64 + width.unwrap_or(0.0);
            if number(&fact::FILE_MAX_NS).is_some_and(|max| max > end) {
                *place = Place::Beyond;
            }
        }
        (None, None) => {}
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(bins: &[(i64, u64)], beyond: Option<u64>, max_ns: i64) -> Row {
        let mut counts = bins.to_vec();
        counts.push((max_ns, beyond.unwrap_or(0)));
        Row::of("thread 0", Distribution::of_counts(&counts, 0))
            .with(&fact::FILE_BINS, json!(bins))
            .with(&fact::BIN_WIDTH_NS, 1_000.0)
            .with(&fact::BEYOND_BINS, beyond)
            .with(&fact::FILE_MAX_NS, max_ns as f64)
    }

    fn quantile(row: &Row, share: f64) -> i64 {
        quantile_ns(&[row], row.latency.as_ref().unwrap(), share)
    }

    #[test]
    fn a_quantile_reads_as_its_bin_and_above_all_bins_as_the_largest() {
        let row = row(&[(9_000, 90), (20_000, 5)], Some(5), 277_000);
        assert_eq!([0.0, 0.5, 0.9, 0.95].map(|q| quantile(&row, q)), [9_000, 9_000, 9_000, 20_000]);
        assert_eq!((quantile(&row, 0.99), is_beyond(&row, 0.99)), (277_000, true));
        assert_eq!((is_beyond(&row, 0.95), end_of(&row)), (false, Some(20_000)));
        let of_both = quantile_ns(&[&row, &row], row.latency.as_ref().unwrap(), 0.5);
        assert_eq!(of_both, 9_000);
    }

    #[test]
    fn an_open_last_bin_is_above_the_histogram() {
        let open = row(&[(9_000, 90), (20_000, 10)], None, 277_000);
        assert!(is_beyond(&open, 0.95) && !is_beyond(&open, 0.5));
        let closed = row(&[(9_000, 90), (20_000, 10)], None, 20_000);
        assert_eq!((is_beyond(&closed, 0.95), end_of(&closed)), (false, None));
    }

    #[test]
    fn a_row_without_bins_has_the_quantiles_of_its_samples() {
        let row = Row::of("row", Distribution::of_counts(&[(9_000, 9), (20_000, 1)], 0));
        assert_eq!((quantile(&row, 0.5), is_beyond(&row, 1.0)), (9_007, false));
    }
}
