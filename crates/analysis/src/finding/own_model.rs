//! Statements about the user's own model.

use base::CpuSet;
use serde::{Deserialize, Serialize};

use super::checked::Checked;
use super::said::{CHECK, Said, Standing, statements};
use crate::phrases::{joined, list, maybe, some};
use crate::words::{counted, grouped, time};

statements! { AboutModel {
    /// What a model did that a real-time step should not.
    ModelMisbehaved(model: Misbehaved)
        "Model": "{}.", model.words();

    /// Equal runs of a model had different outputs.
    OutputsDiffer { different: usize, runs: usize, steps: u64 }
        "Outputs": "equal inputs gave different outputs: {different} hashes in {} of {} each.",
            counted(*runs, "run"), counted(*steps as usize, "step");

    /// How the recorded outputs of a model compare with a reference.
    Checked(found: Checked)
        => Said::new(CHECK, found.words()).judged(if found.first.is_some() { Standing::Bad } else { Standing::Open });

    /// The model's call takes longer than what counts as late.
    CallTooLong { call_ns: f64, late_after_ns: i64 }
        "Audit": "the model's call alone takes {} on average, longer than the {} after which a step is late; the \
            causes that are named came on top. {AUDIT}.", time(*call_ns), time(*late_after_ns as f64);

    /// Late steps whose main cause is the model's own code.
    LateByOwnCode { steps: u64 }
        "Audit": "{} took longer than usual because of the model's own code. {AUDIT}.",
            counted(*steps as usize, "late step");

    /// Time of each phase of a step.
    StepPhases { shares: Vec<(Phase, f64)>, step_ns: f64, first_step_ns: Option<f64> }
        "Step": "{} of {}{}.",
            list(shares.iter().map(|(phase, share)| format!("{} {:.0} %", phase.words(), share * 100.0))),
            time(*step_ns), maybe(*first_step_ns, |ns| format!("; the first took {}", time(ns)));
}}

const AUDIT: &str = "`steadfast audit FILE` shows what it does, such as allocations and denormals";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Call,
    Inputs,
    Outputs,
}

impl Phase {
    fn words(self) -> &'static str {
        match self {
            Self::Call => "the call",
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
        }
    }
}

/// Threads that a model started itself, by where they could run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadsAt {
    /// Their policy.
    pub policy: String,
    /// The CPUs on which they may run.
    pub cpus: String,
    /// How many threads these are.
    pub threads: u64,
    /// Whether a thread that steps the model has each of these CPUs, too.
    pub only_beside_steps: bool,
}

/// Counts of what a model did; 0 is fine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Misbehaved {
    pub steps: u64,
    /// Steps that were not made as requested, for any of the next three reasons.
    pub not_made: u64,
    pub discarded: u64,
    /// Steps that returned before their time was simulated.
    pub early_returns: u64,
    /// Steps that ended at another simulated time than requested.
    pub other_times: u64,
    /// The model's own step, of which the requested one is no multiple.
    pub own_step_ns: Option<f64>,
    pub log_lines: u64,
    /// Calls that returned a warning.
    pub warnings: u64,
    /// Output texts that were too long to be recorded.
    pub texts_cut: u64,
    /// Threads that it started itself.
    pub threads: u64,
    /// Where they could run; empty in earlier recordings.
    pub threads_at: Vec<ThreadsAt>,
    /// What the switches to the model's process and back cost per step.
    pub switches_ns: Option<f64>,
}

impl Misbehaved {
    pub(super) fn words(&self) -> String {
        let Self {
            steps,
            not_made,
            discarded,
            early_returns,
            other_times,
            own_step_ns,
            log_lines,
            warnings,
            texts_cut,
            threads,
            threads_at,
            switches_ns,
        } = self;
        let of_steps = |count: &u64| format!("{} of {} steps", grouped(*count), grouped(*steps));
        let number_of = |count: &u64, thing| counted(*count as usize, thing);
        let texts = number_of(texts_cut, "output text");
        let kinds = [
            (discarded, "discarded"),
            (early_returns, "returned early"),
            (other_times, "ended at another time"),
        ];
        let reasons = kinds.into_iter().filter(|(count, _)| **count > 0);
        let reasons = reasons.map(|(count, what)| format!("{} {what}", grouped(*count)));
        let reasons = maybe(some(list(reasons)), |reasons| format!(" ({reasons})"));
        let counts = [
            (
                not_made,
                format!(
                    "did not make {} as requested{reasons}, which count as missed",
                    of_steps(not_made)
                ),
            ),
            // In earlier recordings, only the reasons were counted.
            (
                if *not_made > 0 { &0 } else { discarded.max(early_returns).max(other_times) },
                format!("did not make all steps as requested{reasons}"),
            ),
            (log_lines, format!("logged {} in its steps", number_of(log_lines, "line"))),
            (warnings, format!("returned {}", number_of(warnings, "warning"))),
            (texts_cut, format!("wrote {texts} longer than what is recorded")),
            (
                threads,
                format!(
                    "started {}{}",
                    number_of(threads, "thread"),
                    places_of_threads(threads_at)
                ),
            ),
        ];
        let counts = counts.into_iter().filter(|(count, _)| **count > 0).map(|(_, text)| text);
        let switches = switches_ns
            .map(|ns| format!("switches to its process and back take {} of each step", time(ns)));
        let multiples = own_step_ns.map(|ns| format!("it steps in multiples of {}", time(ns)));
        joined(counts.chain(multiples).chain(switches), "; ")
    }
}

/// Says where the threads that a model started could run, and what to do if the steps run there.
fn places_of_threads(all: &[ThreadsAt]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let number = |at: &ThreadsAt| maybe(some(all.len() - 1), |_| format!("{} ", at.threads));
    let place = |at: &ThreadsAt| format!("{}{} on {}", number(at), at.policy, cpus(&at.cpus));
    let advice = match all.iter().any(|at| at.only_beside_steps) {
        true => " (where steps run: name more --cpus, and start threads before the second step)",
        false => "",
    };
    format!(": {}{advice}", list(all.iter().map(place)))
}

/// Returns a list of CPUs in words.
fn cpus(list: &str) -> String {
    list.parse().map_or_else(|_| list.to_owned(), |cpus: CpuSet| cpus.in_words())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_did_is_counted_once_and_its_threads_have_a_place() {
        let at = |policy: &str, cpus: &str, threads, only_beside_steps| ThreadsAt {
            policy: policy.to_owned(),
            cpus: cpus.to_owned(),
            threads,
            only_beside_steps,
        };
        let words = |not_made, threads_at: Vec<ThreadsAt>| {
            let threads = threads_at.iter().map(|at| at.threads).sum();
            Misbehaved {
                steps: 2_000,
                not_made,
                discarded: 3,
                early_returns: 0,
                other_times: 1,
                own_step_ns: None,
                log_lines: 0,
                warnings: 0,
                texts_cut: 0,
                threads,
                threads_at,
                switches_ns: None,
            }
            .words()
        };
        let counted = "did not make 4 of 2 000 steps as requested (3 discarded and 1 ended at another time), \
                       which count as missed";
        assert_eq!(words(4, vec![]), counted);
        let apart = vec![at("other", "1", 2, false)];
        assert_eq!(
            words(4, apart.clone()),
            format!("{counted}; started 2 threads: other on CPU 1")
        );
        let both = [vec![at("other", "0", 1, true)], apart].concat();
        let advice = "where steps run: name more --cpus, and start threads before the second step";
        assert_eq!(
            words(0, both),
            format!(
                "did not make all steps as requested (3 discarded and 1 ended at another time); started \
                 3 threads: 1 other on CPU 0 and 2 other on CPU 1 ({advice})"
            )
        );
    }
}
