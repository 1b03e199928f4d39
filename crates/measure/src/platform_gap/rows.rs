//! The rows of gaps by cause.

use bench::strip::strip;
use blame::Steal;
use record::{Row, Track, fact};
use serde_json::json;
use stats::{Distribution, Sample};

use super::cause::{Cause, Custom, stretches};

/// Label, name in the JSON, and causes of each row. Verdicts are about the first row.
const ROWS: &[(&str, &str, &[Cause])] = &[
    ("platform and steal", "platform_and_steal", &[Cause::Platform, Cause::Steal]),
    ("platform", "platform", &[Cause::Platform]),
    ("steal", "steal", &[Cause::Steal]),
    ("interrupts", "interrupts", &[Cause::Interrupt]),
    ("other task", "other_task", &[Cause::OtherTask]),
    ("unclear", "unclear", &[Cause::Unclear]),
];

struct Gap<'a> {
    cause: Cause,
    sample: Sample,
    place: &'a str,
}

/// Without a count of stolen time, none was seen, which is not the same as none.
const NEEDS_STEAL: &str =
    "needs a hypervisor that reports steal; stolen time is in the row `platform`";

pub(super) fn rows(tracks: &[Track], steal: Steal) -> Vec<Row> {
    let first = tracks.iter().flat_map(|track| track.values("start_ns").first());
    let start = first.min().copied().unwrap_or(0);
    let mut gaps = Vec::new();
    let (mut observed, mut passed) = (0, 0);
    for track in tracks {
        let stretches = stretches(track);
        let custom = Custom::of(&stretches, track.number("step_ns"));
        observed += stretches.iter().map(|s| s.end - s.start).sum::<i64>();
        passed += stretches.last().map_or(0, |last| last.end - start);
        for (index, s) in stretches.iter().enumerate().filter(|(_, s)| s.gap > 0) {
            let at_ns = (s.end - s.gap - start) as u64;
            let sample = Sample { value_ns: s.gap, index: index as u64, at_ns };
            gaps.push(Gap { cause: custom.cause(s), sample, place: &track.name });
        }
    }
    let row = |(label, name, causes): &(&str, &str, &[Cause])| {
        let of_row = gaps.iter().filter(|gap| causes.contains(&gap.cause));
        let of_row: Vec<&Gap> = of_row.collect();
        let is_hidden = *causes == [Cause::Steal] && steal == Steal::Uncounted && of_row.is_empty();
        let row = match is_hidden {
            true => Row::unavailable(*label, NEEDS_STEAL),
            false => row(label, &of_row, observed),
        };
        row.with(&fact::CAUSE, *name)
            .with(&fact::OBSERVED_NS, observed)
            .with(&fact::OBSERVED_PERCENT, share(observed, passed))
    };
    let mut rows: Vec<Row> = ROWS.iter().map(row).collect();
    let (_, _, platform) = ROWS[0];
    let of_platform = gaps.iter().filter(|gap| platform.contains(&gap.cause));
    rows[0].tell(&fact::STRIP, json!(strip(of_platform.map(|gap| gap.sample))));
    rows
}

fn row(label: &str, gaps: &[&Gap], observed: i64) -> Row {
    const MINUTE: f64 = 60e9;
    let total = gaps.iter().map(|gap| gap.sample.value_ns).sum();
    let worst = gaps.iter().max_by_key(|gap| gap.sample.value_ns);
    let row = Row::of(label, Distribution::of(gaps.iter().map(|gap| gap.sample)))
        .with(&fact::TOTAL_NS, total)
        .with(&fact::SHARE_PERCENT, share(total, observed))
        .with(&fact::GAPS_PER_MINUTE, gaps.len() as f64 * MINUTE / observed.max(1) as f64);
    match worst {
        Some(worst) => row.with(&fact::MAX_ON, worst.place),
        None => row,
    }
}

fn share(part: i64, whole: i64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform_gap::cause::COLUMNS;

    const MS: i64 = 1_000_000;

    /// Stretches of 1 ms, each with its gap, interrupts other than ticks, and switches.
    fn track(name: &str, stretches: &[(i64, i64, i64)]) -> Track {
        let numbers = || 0..stretches.len() as i64;
        let of = |values: fn(&(i64, i64, i64)) -> i64| stretches.iter().map(values).collect();
        let none = || vec![0; stretches.len()];
        let columns = [
            numbers().map(|k| k * 2 * MS).collect(),
            numbers().map(|k| k * 2 * MS + MS).collect(),
            of(|s| s.0),
            none(),
            of(|s| s.2),
            none(),
            of(|s| s.1),
            none(),
        ];
        let track = Track::new(name).with("step_ns", 10 * MS);
        let columns = COLUMNS.into_iter().zip(columns);
        columns.fold(track, |track, ((name, _), values)| track.column(name, values))
    }

    #[test]
    fn every_gap_is_in_one_row_and_the_first_row_is_the_platforms() {
        let first = track("CPU 0", &[(0, 0, 0), (20_000, 0, 0), (30_000, 1, 0)]);
        let second = track("CPU 1", &[(90_000, 0, 0), (50_000, 0, 1), (0, 3, 0)]);
        let rows = rows(&[first, second], Steal::Counted);
        let counts: Vec<u64> = rows.iter().map(|row| row.executed).collect();
        assert_eq!(counts, [2, 2, 0, 1, 1, 0]);
        assert_eq!(counts[1..].iter().sum::<u64>(), 4);
        let headline = &rows[0];
        assert_eq!(headline.max_ns(), Some(90_000));
        assert_eq!(headline.facts["max_on"], "CPU 1");
        assert_eq!(headline.facts["total_ns"], 110_000);
        assert_eq!(headline.facts["observed_ns"], 6 * MS);
        assert_eq!(headline.facts["observed_percent"], 60.0);
        assert_eq!(headline.facts["gaps_per_minute"], 20_000.0);
    }

    #[test]
    fn where_the_hypervisor_reports_no_steal_it_is_not_said_to_be_0() {
        let steal = |steal| rows(&[track("CPU 0", &[(20_000, 0, 0)])], steal).remove(2);
        let hidden = steal(Steal::Uncounted);
        assert_eq!(
            (hidden.label.as_str(), hidden.unavailable.as_deref()),
            ("steal", Some(NEEDS_STEAL))
        );
        assert_eq!(hidden.fact(&fact::TOTAL_NS), None);
        for counted in [Steal::Counted, Steal::Impossible] {
            let row = steal(counted);
            assert_eq!(
                (row.unavailable.as_deref(), row.fact(&fact::TOTAL_NS)),
                (None, Some(&0.into()))
            );
        }
    }

    #[test]
    fn a_gap_knows_when_it_began() {
        let track = track("CPU 0", &[(0, 0, 0), (20_000, 0, 0)]);
        let row = &rows(&[track], Steal::Impossible)[0];
        let worst = row.latency.as_ref().unwrap().max;
        assert_eq!((worst.index, worst.at_ns), (1, 3_000_000 - 20_000));
    }
}
