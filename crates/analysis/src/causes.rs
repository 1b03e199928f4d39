//! Causes of lateness, from each run's headline.

use std::cmp::Reverse;

use blame::{Cause, CauseTotal, Summary};
use plan::{Row, fact};

use crate::lists::groups;
use crate::survey::{Probe, Series, distinct};

/// The causes for which the run of this row looked, if it did.
pub(crate) fn summary(row: &Row) -> Option<Summary> {
    serde_json::from_value(row.fact(&fact::BLAME)?.clone()).ok()
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
}

/// Returns the main causes of all late events, the most frequent first. Tasks of the same name and
/// policy count together: a program that starts many short ones is one cause.
pub fn mains<'s>(summaries: impl IntoIterator<Item = &'s Summary>) -> Vec<Main> {
    let totals = summaries.into_iter().flat_map(|summary| &summary.causes);
    let totals = totals.filter(|total| total.main_of > 0);
    let main = |alike: Vec<&CauseTotal>| Main {
        cause: alike[0].cause.clone(),
        tasks: distinct(alike.iter().map(|total| &total.cause)),
        late: alike.iter().map(|total| total.main_of).sum(),
    };
    let groups = groups(totals, |one, other| one.cause.is_alike(&other.cause));
    let mut mains: Vec<Main> = groups.into_iter().map(main).collect();
    mains.sort_by_key(|main| Reverse(main.late));
    mains
}

#[cfg(test)]
mod tests {
    use blame::SomeTask;

    use super::*;

    fn task(name: &str, pid: i64) -> Cause {
        Cause::Task(SomeTask { name: name.to_owned(), pid, policy: "fifo:90".to_owned() })
    }

    fn summary(causes: &[(Cause, u64)]) -> Summary {
        let total = |(cause, main_of): &(Cause, u64)| CauseTotal {
            cause: cause.clone(),
            words: cause.words(),
            main_of: *main_of,
            part_of: *main_of,
            time_ns: 1,
            longest_ns: 1,
        };
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
}
