//! Distributions in HdrHistogram's log format, which its plotters and libraries read.

use std::time::{Duration, UNIX_EPOCH};

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use crate::Distribution;

/// Plotters show the largest value of a line in milliseconds.
const MAX_VALUE_DIVISOR: f64 = 1e6;

/// A line of the log.
#[derive(Debug)]
pub struct Interval<'d> {
    /// What was measured; without commas, blanks and line breaks.
    pub tag: String,
    /// When it began, after 1970 began in UTC.
    pub start: Duration,
    /// How long it took.
    pub length: Duration,
    /// In nanoseconds.
    pub values: &'d Distribution,
}

/// Returns the intervals, the earliest first, as a log of version 1.3 whose times count from the first
/// interval. Values below zero have no place in the format: a comment before the line says how many
/// are left out.
///
/// # Panics
///
/// If a tag has a comma, a blank or a line break.
#[must_use]
pub fn interval_log(intervals: &[Interval]) -> String {
    let in_memory = "a vector takes every byte";
    let (mut log, mut serializer) = (Vec::new(), V2DeflateSerializer::new());
    let begin = intervals.first().map_or(Duration::ZERO, |first| first.start);
    let mut lines = IntervalLogWriterBuilder::new()
        .add_comment("[Histogram log format version 1.3]")
        .with_start_time(UNIX_EPOCH + begin)
        .with_base_time(UNIX_EPOCH + begin)
        .with_max_value_divisor(MAX_VALUE_DIVISOR)
        .begin_log_with(&mut log, &mut serializer)
        .expect(in_memory);
    for Interval { tag, start, length, values } in intervals {
        if values.early > 0 {
            let left_out = format!("[{tag}: {} values below zero are left out]", values.early);
            lines.write_comment(&left_out).expect(in_memory);
        }
        let tag = Some(Tag::new(tag).expect("the tag has no comma, blank or line break"));
        let start = start.saturating_sub(begin);
        lines.write_histogram(&values.histogram(), start, *length, tag).expect(in_memory);
    }
    String::from_utf8(log).expect("the format is text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::tests::of;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::Deserializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    #[test]
    fn what_a_reader_finds_is_what_was_measured() {
        let values: Vec<i64> = (-3..5_000).map(|value| value * 977).collect();
        let values = of(&values);
        let line = |seconds: u64| Interval {
            tag: format!("wakeup/{seconds}"),
            start: Duration::from_secs(1_700_000_000 + seconds),
            length: Duration::from_secs(2),
            values: &values,
        };
        let log = interval_log(&[line(0), line(7)]);
        assert!(
            log.starts_with("#[Histogram log format version 1.3]\n#[StartTime: 1700000000.000")
        );
        assert!(log.contains("#[wakeup/7: 3 values below zero are left out]\n"), "{log}");
        let entries = IntervalLogIterator::new(log.as_bytes()).map(Result::unwrap);
        let read: Vec<_> = entries
            .filter_map(|entry| match entry {
                LogEntry::Interval(read) => Some(read),
                _ => None,
            })
            .collect();
        let seconds = |read: &Duration| read.as_secs();
        assert_eq!(
            read.iter().map(|line| seconds(&line.start_timestamp())).collect::<Vec<_>>(),
            [0, 7]
        );
        assert!(read.iter().all(|line| seconds(&line.duration()) == 2 && line.max() > 4.8));
        let bytes = STANDARD.decode(read[1].encoded_histogram()).unwrap();
        let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut &*bytes).unwrap();
        assert_eq!(histogram.len() + values.early, values.count());
        let bins =
            histogram.iter_recorded().map(|bin| (bin.value_iterated_to(), bin.count_at_value()));
        assert!(bins.eq(values.bins()));
    }
}
