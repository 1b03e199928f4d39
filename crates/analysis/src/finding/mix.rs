//! Statements about mixes of models.

use serde::Serialize;

use super::said::statements;
use crate::phrases::{joined, list, maybe};
use crate::words::{counted, grouped, listed, quantity, time};

statements! { AboutMix {
    /// Every member of a mix with a rate met all of its deadlines.
    NoMiss { rates: usize, due: u64 }
        "Answer", Good: "No deadline missed: {}, {}.", counted(*rates, "rate"), counted(*due as usize, "deadline");

    BestEffortSteps { steps_per_s: f64 }
        "Work": "{} best-effort steps per second.", quantity(*steps_per_s);

    /// Response-time analysis of a mix compared with what was observed, contradictions first.
    Schedulability { cases: Vec<Schedulability> }
        "Analysis": "{}.", joined(cases.iter().map(Schedulability::words), "; ");

    /// Inputs, of all uses, older than the period of their source plus its longest delay.
    StaleInputs { cases: Vec<(String, u64, u64)> }
        "Inputs": "older than the source's period plus delay: {}.", list(cases.iter().map(|(member, beyond, uses)| {
            format!("{} of {} in {member}", grouped(*beyond), grouped(*uses))
        }));

    /// No input was older than that. The member's inputs were oldest, compared with the period of their source.
    FreshInputs { oldest_in: String, age_ns: Option<i64>, period_ns: Option<i64> }
        "Inputs" = {
            let [age, period] = [age_ns, period_ns].map(|ns| ns.map_or("–".to_owned(), |ns| time(ns as f64)));
            format!(
                "none older than its source's period and delay; oldest in {oldest_in}: {age}, of a period of {period}."
            )
        };

    /// The findings are about the run of a mix with the most misses.
    WorstRunOf { runs: usize }
        "Only": "this is the run of {} with the most misses. The report has all.", counted(*runs, "run");

    /// How far the findings on a single run of a mix can be trusted.
    OneRunOfMix
        "Confidence": "one run shows only what happened in it; an analysis with measured costs is not a proof.";
}}

/// Members of a mix for which response-time analysis and observation agree in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Schedulability {
    pub members: Vec<String>,
    pub schedulable: bool,
    /// The longest delay of a start, if only that makes the first of them miss by analysis.
    pub delay_ns: Option<u64>,
    pub missed: bool,
    /// The main cause of the misses of a member that is schedulable by analysis, if traced.
    pub cause: Option<String>,
}

impl Schedulability {
    fn words(&self) -> String {
        let but = maybe(self.delay_ns, |ns| format!(" but for a delay of {}", time(ns as f64)));
        let verdict = match (self.schedulable, self.missed, &self.cause) {
            (true, true, Some(cause)) => {
                format!("schedulable{but}, but misses seen (main cause: {cause})")
            }
            (true, true, None) => {
                format!("schedulable{but}, but misses seen (`--blame` shows the cause)")
            }
            (true, false, _) => format!("schedulable{but}, no misses"),
            (false, true, _) => "not schedulable, misses seen".to_owned(),
            (false, false, _) => {
                "not schedulable, no misses (the worst case did not occur)".to_owned()
            }
        };
        format!("{}: {verdict}", listed(&self.members))
    }
}
