//! Causes of lateness, from each run's headline.

use std::cmp::Reverse;

use blame::{Cause, CauseTotal, Counted, Summary};
use record::{Row, fact};

use crate::lists::groups;
use crate::survey::{Probe, Series, distinct};

/// The causes for which the run of this row looked, if it did.
pub(crate) fn summary(row: &Row) -> Option<Summary> {
    serde_json::from_value(row.fact(&fact::BLAME)?.clone()).ok()
}

/// The latest samples of this row's run and what the kernel's counters say about them, if it
/// counted.
pub(crate) fn counted(row: &Row) -> Option<Vec<Counted>> {
    serde_json::from_value(row.fact(&fact::COUNTED)?.clone()).ok()
}

/// The causes of counted samples, each of which lost the deadlines that passed until it was done,
/// but together no more than `missed`.
pub(crate) fn of_counted(samples: &[Counted], period_ns: u64, missed: u64) -> Summary {
    let mut left = missed;
    let total = |sample: &Counted| {
        let passed = sample.took_ns.max(0).cast_unsigned() / period_ns.max(1);
        let lost = passed.min(left);
        left -= lost;
        let (cause, time_ns) = sample.shares.first()?.clone();
        Some(CauseTotal {
            words: cause.words(),
            cause,
            main_of: 1,
            missed: lost,
            part_of: 1,
            time_ns,
            longest_ns: time_ns,
        })
    };
    Summary { causes: samples.iter().filter_map(total).collect(), ..Summary::default() }
}

/// The causes of each run that looked for them, unless a search provoked its misses.
pub fn summaries(series: &Series) -> Vec<Summary> {
    if series.probe == Some(Probe::Beyond) {
        return Vec::new();
    }
    series.rows.iter().filter_map(|row| summary(row)).collect()
}

#[derive(Debug, Clone, PartialEq)]
pub struct Main {
    /// The cause; of several tasks alike, the one that was named first.
    pub cause: Cause,
    /// The number of different tasks alike; 1 for any other kind of cause.
    pub tasks: usize,
    /// Number of late events of which they are the main cause.
    pub late: u64,
    /// Number of deadlines that were missed because of these events.
    pub missed: u64,
    /// The time that it took of all events, in nanoseconds, and the most that it took of one.
    pub time_ns: i64,
    pub longest_ns: i64,
}

/// Returns the main causes of all late events; first the one that cost the most deadlines, of equal
/// ones the one that took most time. Tasks of the same name and policy count together: a program
/// that starts many short ones is one cause.
pub fn mains<'s>(summaries: impl IntoIterator<Item = &'s Summary>) -> Vec<Main> {
    let totals = summaries.into_iter().flat_map(|summary| &summary.causes);
    let totals = totals.filter(|total| total.main_of > 0);
    let main = |alike: Vec<&CauseTotal>| Main {
        cause: alike[0].cause.clone(),
        tasks: distinct(alike.iter().map(|total| &total.cause)),
        late: alike.iter().map(|total| total.main_of).sum(),
        missed: alike.iter().map(|total| total.missed).sum(),
        time_ns: alike.iter().map(|total| total.time_ns).sum(),
        longest_ns: alike.iter().map(|total| total.longest_ns).max().unwrap_or(0),
    };
    let groups = groups(totals, |a, b| a.cause.is_alike(&b.cause));
    let mut mains: Vec<Main> = groups.into_iter().map(main).collect();
    mains.sort_by_key(|main| Reverse((main.missed, main.time_ns)));
    mains
}

/// Most causes that a sentence names.
const LEADING: usize = 2;

/// Returns the first causes that together explain at least half of what was lost: of the missed
/// deadlines, or without any, of the time that events took in all. Empty if no few causes do.
pub(crate) fn leading(summaries: &[Summary], missed: u64, time_ns: i64) -> Vec<Main> {
    let lost = if missed > 0 { missed } else { time_ns.max(0).cast_unsigned() };
    let share =
        |main: &Main| if missed > 0 { main.missed } else { main.time_ns.max(0).cast_unsigned() };
    let mut mains = mains(summaries);
    let explained = mains.iter().scan(0, |sum, main| {
        *sum += share(main);
        Some(*sum * 2 >= lost)
    });
    let needed = explained.take(LEADING).position(|is_enough| is_enough);
    mains.truncate(needed.map_or(0, |last| last + 1));
    mains
}

/// Returns the cause of these that explains most, however little that is; `None` if that is unknown.
pub(crate) fn largest(summaries: &[Summary]) -> Option<Main> {
    let first = mains(summaries).into_iter().next();
    first.filter(|main| !matches!(main.cause, Cause::Unknown { .. }))
}

#[cfg(test)]
mod tests {
    use blame::SomeTask;

    use super::*;

    fn of_policy(name: &str, pid: i64, policy: &str) -> Cause {
        Cause::Task(SomeTask { name: name.to_owned(), pid, policy: policy.to_owned() })
    }

    fn task(name: &str, pid: i64) -> Cause {
        of_policy(name, pid, "fifo:90")
    }

    /// A cause with its late samples, missed deadlines and time.
    fn total(cause: &Cause, main_of: u64, missed: u64, time_ns: i64) -> CauseTotal {
        let (cause, words) = (cause.clone(), cause.words());
        CauseTotal { cause, words, main_of, missed, part_of: main_of, time_ns, longest_ns: time_ns }
    }

    fn summary(causes: &[(Cause, u64)]) -> Summary {
        let total = |(cause, main_of): &(Cause, u64)| total(cause, *main_of, 0, *main_of as i64);
        Summary { late: 9, causes: causes.iter().map(total).collect(), ..Summary::default() }
    }

    #[test]
    fn tasks_alike_count_together_over_all_runs() {
        let runs = [
            summary(&[(Cause::PlatformGap, 3), (task("sh", 7), 2), (task("hog", 1), 0)]),
            summary(&[(task("sh", 8), 2), (task("sh", 7), 1), (task("hog", 1), 1)]),
        ];
        let words: Vec<(String, u64)> =
            mains(&runs).iter().map(|main| (main.cause.words_for(main.tasks), main.late)).collect();
        let expected = [
            ("2 tasks `sh` (fifo:90)", 5),
            ("platform gaps (hypervisor or firmware)", 3),
            ("task `hog` (fifo:90, number 1)", 1),
        ];
        assert_eq!(words, expected.map(|(words, count)| (words.to_owned(), count)));
    }

    /// Steps of two members that one standstill delayed share its deadlines.
    #[test]
    fn samples_lose_no_more_than_was_missed() {
        let sample = |thread: &str| Counted {
            thread: thread.to_owned(),
            cpu: Some(1),
            due_ns: 0,
            took_ns: 470_000_000,
            shares: vec![(Cause::PlatformGap, 465_000_000)],
        };
        let summary = of_counted(&["odd", "even", "odd"].map(sample), 10_000_000, 78);
        let lost: Vec<u64> = summary.causes.iter().map(|total| total.missed).collect();
        assert_eq!(lost, [47, 31, 0]);
    }

    #[test]
    fn one_event_with_every_missed_deadline_comes_before_many_that_cost_none() {
        let harmless = of_policy("python3", 27_253, "other");
        let before_it_was_raised = of_policy("python3", 27_299, "other");
        let hog = of_policy("python3", 27_299, "real-time:90");
        let causes = [
            total(&harmless, 102, 0, 38_400_000),
            total(&before_it_was_raised, 3, 0, 900_000),
            total(&hog, 1, 1_200, 1_070_000_000),
        ];
        let run = Summary { late: 144, missed: 1_200, causes: causes.into(), ..Summary::default() };
        let named: Vec<_> = mains([&run])
            .into_iter()
            .map(|main| (main.cause.words_for(main.tasks), main.late, main.missed))
            .collect();
        let expected = [
            ("task `python3` (real-time:90, number 27299)", 1, 1_200),
            ("2 tasks `python3` (other)", 105, 0),
        ];
        assert_eq!(named, expected.map(|(words, late, missed)| (words.to_owned(), late, missed)));
    }
}
