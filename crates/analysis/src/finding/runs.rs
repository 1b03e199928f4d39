//! Statements about single rows and runs: warnings, grades, rare times, and what was late.

use blame::CauseTotal;
use record::{Elsewhere, Warning};
use serde::Serialize;
use stats::{Level, OutOfReach, Refusal};

use super::periodic::Met;
use super::said::statements;
use crate::claims;
use crate::phrases::{joined, maybe, ns, some, warned};
use crate::spacing::Spacing;
use crate::words::{counted, grouped, label, quantity, time};

statements! { AboutRuns {
    /// A warning, and the number of others of its kind.
    Warnings { warning: Warning, more: usize }
        "Warning" = {
            let mark = if warning.invalidates() { "INVALID: " } else { "" };
            let more = maybe(some(*more), |more| format!(" (and {more} more of this kind)"));
            mark.to_owned() + &warned(&(warning.cause() + &more), &warning.remedy())
        };

    /// A row that the machine cannot measure, and what it needs.
    NotAvailable { measurement: String, row: String, needs: String }
        "Not available": "{measurement}, {row}: {needs}.";

    /// The general figures of a machine, over cases of a test and a load.
    Merits { machine: String, efficiency_ns: f64, variation_ns: f64, cases: usize }
        "Figures of merit": "{machine}: efficiency {}, variation {}; averages over {}.",
            time(*efficiency_ns), time(*variation_ns),
            counted(*cases, "test and load").replace("test and loads", "tests and loads");

    /// A time that is exceeded rarely, or why the data do not show one.
    RareTime { measurement: String, row: String, conditions: String, rare: Rare }
        "Beyond what was seen": "`{measurement}`, {} ({conditions}): {}.", label(row), rare.words();

    /// Whether the cases of a measurement meet their deadlines.
    Grades { measurement: String, cases: Vec<GradedCases> }
        "Real time": "`{measurement}` {}.", joined(cases.iter().map(GradedCases::words), "; ");

    /// What a run was late with, and why.
    LateRun { run: String, thing: &'static str, late: u64, limit_ns: u64, causes: LateCauses }
        "Late": "{run}: {}, more than {} after the due time{}.",
            counted(*late as usize, &format!("late {thing}")), ns(*limit_ns),
            maybe(some(*late), |_| format!(": {}", causes.words()));

    /// The median of wake-ups without and with tracing.
    TracingCost { off_ns: f64, on_ns: f64, ratio: f64 }
        "Tracing": "Tracing lengthens the median wake-up from {} to {} ({} times).",
            time(*off_ns), time(*on_ns), quantity(*ratio);

    NotTraced { why: String }
        "Tracing": "Nothing was traced ({why}): causes are from counters, which name no task.";

    EventsLost { events: u64 }
        "Tracing": "The kernel lost {} for lack of room.", counted(*events as usize, "trace event");

    /// Late samples without a trace, and how many parts of it had no room.
    NotInTrace { untraced: u64, late: u64, no_room: u64 }
        "Tracing": "{} of {} are not in the trace{}; their causes are from counters.", grouped(*untraced), grouped(*late),
            maybe(some(*no_room), |count| format!(" ({} for lack of room)", grouped(count)));

    /// The causes to which late events of a disturbance were attributed.
    Attributed { disturbance: String, late: Vec<Elsewhere> }
        "Self-test": "`{disturbance}`: {}.", joined(late.iter().map(|late| {
            format!("{} by {} (at most {})", late.count, late.cause, time(late.longest_ns as f64))
        }), "; ");
}}

/// What the data show about times that are exceeded once per hour or more rarely.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rare {
    Exceeded(Level),
    OutOfReach(OutOfReach),
    Refused(Refusal),
}

impl Rare {
    fn words(&self) -> String {
        match self {
            Self::Exceeded(level) => {
                let (lower, upper) = (Some(level.lower_ns), Some(level.upper_ns));
                let value = claims::with_interval(level.value_ns, lower, upper);
                format!("{} {value}, at 95 % confidence", claims::once(level.once))
            }
            Self::OutOfReach(level) => {
                let why = claims::out_of_reach(level);
                format!("no claim, {} is {why}", claims::once(level.once))
            }
            Self::Refused(refusal) => format!("no claim, {}", claims::refusal(refusal)),
        }
    }
}

/// Cases of a measurement with the same grade, and what they missed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GradedCases {
    /// The grade if it is shown, else what was counted so far.
    pub verdict: String,
    pub which: Cases,
    /// Of several cases, the weakest.
    pub met: Met,
    pub due: Spacing,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cases {
    /// This number of all cases, none of which missed.
    Clean {
        cases: usize,
        all: usize,
    },
    One {
        row: String,
        conditions: String,
    },
}

impl GradedCases {
    fn words(&self) -> String {
        let claim = self.met.claim(self.due);
        let which = match &self.which {
            Cases::Clean { all: 1, .. } => String::new(),
            Cases::Clean { cases, all } => {
                format!(" in {} of {}", grouped(*cases as u64), counted(*all, "case"))
            }
            Cases::One { row, conditions } => format!(" with {} ({conditions})", label(row)),
        };
        format!("{}{which}: {claim}", self.verdict)
    }
}

/// The main causes of late samples, and how many samples have none that is named.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LateCauses {
    pub named: Vec<CauseTotal>,
    /// Samples whose main cause is one of those that are not named.
    pub by_others: u64,
    pub by_several: u64,
    pub no_longer_than_usual: u64,
}

impl LateCauses {
    /// ``10 by task `hog` (fifo:90), 4.8 ms in all, 7 missed; 2 by platform gaps, 0.9 ms in all``.
    fn words(&self) -> String {
        let named = self.named.iter().map(|total| {
            let time = time(total.time_ns as f64);
            // The time is of every event that it is part of.
            let others = Some(total.part_of).filter(|part_of| *part_of != total.main_of);
            let time = match others {
                Some(part_of) => format!(" (part of {}, {time} in all)", grouped(part_of)),
                None => format!(", {time} in all"),
            };
            let missed =
                maybe(some(total.missed), |missed| format!(", {} missed", grouped(missed)));
            format!("{} by {}{time}{missed}", grouped(total.main_of), total.words)
        });
        let rest = [
            (self.by_others, "by others"),
            (self.by_several, "by several causes, none of which explains half"),
            (self.no_longer_than_usual, "took no longer than usual"),
        ];
        let rest = rest.into_iter().filter(|(count, _)| *count > 0);
        joined(named.chain(rest.map(|(count, what)| format!("{} {what}", grouped(count)))), "; ")
    }
}
