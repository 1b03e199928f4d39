//! Why the worst run of a case was late. A reason explains at least half of what that run lost, and
//! its evidence is of the same run and CPU.

use base::Nanos;
use blame::Cause;
use record::{Warning, fact};

use super::deadlines::Case;
use super::worst_run::WorstRun;
use crate::advice;
use crate::causes::{self, Main};
use crate::real_time;
use crate::survey::System;
use crate::words;

pub(super) enum Reason {
    /// The main causes of late events, the first one first.
    Causes {
        mains: Vec<Main>,
        late: u64,
        /// Whether a search for causes found them, so that tasks have names.
        is_searched: bool,
    },
    /// The model did not make its steps as requested; `remedy` if its description says why.
    NotMade { found: String, remedy: Option<String> },
    /// A check of the doctor, with what runs showed about it.
    Shown { check: &'static str, found: String },
    /// A search for causes found no two that explain half, and the largest, or nothing looked for one.
    Unknown { is_searched: bool, largest: Option<Main> },
}

impl Reason {
    /// Returns the reason of missed deadlines, or of all that came later than `latest`.
    pub(super) fn of(system: &System, case: &Case, latest: Option<Nanos>) -> Self {
        let unknown = Self::Unknown { is_searched: false, largest: None };
        let Some(worst) = &case.worst_run else { return unknown };
        let too_late = latest.map_or(0, |latest| real_time::too_late(worst.run, latest));
        Self::not_made(worst)
            .or_else(|| Self::searched(worst))
            .or_else(|| Self::counted(worst, case))
            .or_else(|| Self::stolen(worst))
            .or_else(|| Self::loaded(system, case))
            .unwrap_or(unknown)
            .or_unknown_if_little_of(too_late)
    }

    /// Causes of less than half of what came too late explain nothing.
    fn or_unknown_if_little_of(self, too_late: u64) -> Self {
        let Self::Causes { mains, is_searched, .. } = &self else { return self };
        let explained: u64 = mains.iter().map(|main| main.late.max(main.missed)).sum();
        if explained * 2 >= too_late {
            return self;
        }
        let largest = mains.first().filter(|_| *is_searched).cloned();
        Self::Unknown { is_searched: *is_searched, largest }
    }

    fn not_made(worst: &WorstRun) -> Option<Self> {
        let steps = worst.row.fact(&fact::NOT_MADE)?.as_u64()?;
        let unfit = |warning: &&Warning| matches!(warning, Warning::StepSizeUnfit { .. });
        let unfit = worst.run.warnings.iter().find(unfit);
        let why = unfit.map_or_else(String::new, |unfit| format!(": {}", unfit.cause()));
        (steps > 0 && steps * 2 >= worst.missed).then(|| Self::NotMade {
            found: format!(
                "the model did not make {} as requested{why}",
                words::counted(steps as usize, "step")
            ),
            remedy: unfit.map(Warning::remedy),
        })
    }

    fn searched(worst: &WorstRun) -> Option<Self> {
        let summary = worst.blamed()?;
        // A run of an older version does not say what its events cost.
        let missed = if summary.missed > 0 { worst.missed } else { 0 };
        let time_ns = summary.causes.iter().map(|total| total.time_ns).sum();
        let late = summary.late;
        let summaries = [summary];
        let mains = causes::leading(&summaries, missed, time_ns);
        let is_unknown = |main: &Main| matches!(main.cause, Cause::Unknown { .. });
        Some(match mains.first() {
            Some(first) if !is_unknown(first) => Self::Causes { mains, late, is_searched: true },
            _ => Self::Unknown { is_searched: true, largest: causes::largest(&summaries) },
        })
    }

    /// From the counters of the latest samples, each of which lost the deadlines that passed until
    /// it was done.
    fn counted(worst: &WorstRun, case: &Case) -> Option<Self> {
        let counted = worst.counted()?;
        let summary = causes::of_counted(&counted, case.of.period_ns, worst.missed);
        let time_ns = counted.iter().map(|sample| sample.took_ns).sum();
        let mains = causes::leading(&[summary], worst.missed, time_ns);
        let late = mains.iter().map(|main| main.late).sum();
        (!mains.is_empty()).then_some(Self::Causes { mains, late, is_searched: false })
    }

    /// From the steal time of the whole run, if its latest samples were not counted one by one.
    fn stolen(worst: &WorstRun) -> Option<Self> {
        let found = match worst.counted() {
            Some(_) => None,
            None => advice::stolen_from(worst.run, worst.row, worst.late_ns()),
        };
        Some(Self::Shown { check: advice::HYPERVISOR, found: found? })
    }

    fn loaded(system: &System, case: &Case) -> Option<Self> {
        let lengthened = advice::most_lengthened(system)?;
        let is_of_case = lengthened.is_of(case.policy, case.of.loads.as_deref());
        let late_ns = case.late_ns.max(0) as f64;
        (is_of_case && lengthened.repeatedly_ns * 2.0 >= late_ns)
            .then(|| Self::Shown { check: advice::LOAD_SENSITIVITY, found: lengthened.in_words() })
    }
}
