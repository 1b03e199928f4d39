//! The worst late samples of a run, each with its part of the kernel's trace.

use std::cmp::Reverse;

use crate::late::Late;
use crate::summary::{described, worst_first};
use crate::{Evidence, LateTold, Names, Summary, Window};

#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub told: LateTold,
    /// When its thread started its own work; `None` without the samples of the run.
    pub start_ns: Option<i64>,
    /// The kernel's events around it; `None` if none are kept.
    pub window: Option<Window>,
}

/// Late samples of a run, the worst first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cases {
    pub cases: Vec<Case>,
    pub names: Names,
}

impl Cases {
    /// Judges late samples, and keeps at most this number.
    pub fn worst(late: &[Late], evidence: &Evidence, most: usize) -> Self {
        let case = |(late, finding): &(&Late, _)| Case {
            told: described(late, finding, true),
            start_ns: Some(late.start),
            window: evidence.window(late.number, late.due, late.end).cloned(),
        };
        let cases = worst_first(late, evidence).iter().take(most).map(case).collect();
        Self { cases, names: evidence.names.clone() }
    }
}

/// What a summary keeps of them: no start and no events.
impl From<Summary> for Cases {
    fn from(summary: Summary) -> Self {
        let Summary { mut late_samples, worst, .. } = summary;
        let place = |late: &LateTold| (late.thread.clone(), late.due_ns);
        let drawn: Vec<(String, i64)> = worst.iter().map(place).collect();
        late_samples.retain(|late| !drawn.contains(&place(late)));
        late_samples.sort_by_key(|late| Reverse(late.took_ns));
        let case = |told| Case { told, start_ns: None, window: None };
        let cases = worst.into_iter().chain(late_samples).map(case).collect();
        Self { cases, names: Names::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::tests::{hogged, late, on};
    use crate::summary;

    #[test]
    fn the_worst_come_first_and_with_their_events() {
        let (evidence, hogged) = on(1000, 5000, &hogged());
        let all: Vec<Late> =
            (0..20).map(|n| late(10_000 * n, 10_000 * n + 2_000 + n)).chain([hogged]).collect();
        let kept = Cases::worst(&all, &evidence, 2);
        let took = |cases: &Cases| cases.cases.iter().map(|c| c.told.took_ns).collect::<Vec<_>>();
        assert_eq!(took(&kept), [4000, 2019]);
        assert_eq!(kept.cases[0].window.as_ref().unwrap().events.len(), 6);
        assert_eq!((kept.cases[1].start_ns, &kept.cases[1].window), (Some(190_000), &None));

        let told = Cases::from(summary(500, &all, &evidence));
        assert_eq!(took(&told), took(&Cases::worst(&all, &evidence, 100)));
        assert!(told.cases.iter().all(|case| case.window.is_none() && case.start_ns.is_none()));
        assert!(!told.cases[0].told.segments.is_empty());
    }
}
