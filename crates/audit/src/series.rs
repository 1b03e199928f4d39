//! What happened in which steps, in short form: successive steps that did the same are one entry.

use std::collections::BTreeMap;

use record::{CodePlace, Deed, Occurrence, StepRun};

/// How often each kind of event happened, by step.
pub(crate) struct Series<K>(BTreeMap<K, Tally>);

#[derive(Default)]
struct Tally {
    bytes: u64,
    /// Number of events outside of steps.
    beside: u64,
    runs: Vec<StepRun>,
    /// The latest step, and its count so far.
    open: Option<(u64, u64)>,
}

impl<K: Ord> Series<K> {
    pub(crate) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds events of one kind, in a step or outside of all steps.
    pub(crate) fn add(&mut self, kind: K, step: Option<u64>, times: u64, bytes: u64) {
        let tally = self.0.entry(kind).or_default();
        tally.bytes += bytes;
        match (step, tally.open) {
            (None, _) => tally.beside += times,
            (Some(step), Some((open, count))) if step == open => {
                tally.open = Some((step, count + times));
            }
            (Some(step), _) => {
                tally.close();
                tally.open = Some((step, times));
            }
        }
    }

    /// `describe` returns the deed, name and place of a kind, and whether the stepping thread did it.
    pub(crate) fn into_occurrences(
        self,
        mut describe: impl FnMut(K) -> (Deed, String, Option<CodePlace>, bool),
    ) -> Vec<Occurrence> {
        let occurrence = |(kind, mut tally): (K, Tally)| {
            tally.close();
            let (deed, name, place, by_step) = describe(kind);
            let Tally { bytes, beside, runs, .. } = tally;
            Occurrence { deed, name, place, by_step, bytes, beside, runs }
        };
        self.0.into_iter().map(occurrence).collect()
    }
}

impl Tally {
    fn close(&mut self) {
        let Some((step, count)) = self.open.take() else { return };
        match self.runs.last_mut() {
            Some(run) if run.last + 1 == step && run.each == count => run.last = step,
            _ => self.runs.push(StepRun { first: step, last: step, each: count }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_in_a_row_are_one_entry() {
        let mut series = Series::new();
        series.add("a", None, 3, 0);
        for step in [2, 3, 4, 4, 5, 9] {
            series.add("a", Some(step), 1, 10);
        }
        let all = series.into_occurrences(|name| (Deed::Lock, name.to_owned(), None, true));
        let run = |first, last, each| StepRun { first, last, each };
        assert_eq!(all[0].runs, [run(2, 3, 1), run(4, 4, 2), run(5, 5, 1), run(9, 9, 1)]);
        assert_eq!((all[0].beside, all[0].bytes), (3, 60));
    }
}
