//! Findings of all runs together, beginning with the verdict: deadlines first, else times and
//! speeds.

mod mixes;
mod sizes;
#[cfg(test)]
mod tests;
mod times;

use record::{Outcome, Warning};

use crate::explanation::Explanation;
use crate::explanation::deadlines::{self, worst};
pub use crate::explanation::deadlines::{Case, Cases, telling};
use crate::finding::{AboutDeadlines, AboutMachine, AboutModel, Finding, OnMachine, Standing};
use crate::standards::Proof;
use crate::subject::{Named, named, sources};
use crate::survey::{self, Series};
use crate::{Analysis, benchmark, imported, invalid, own_model};
pub use mixes::of_mixes;
pub use sizes::of_missed_size;
pub use times::{Beside, Timed, beside_deadlines, without_deadlines};

/// Returns the verdict, which may be several findings, then everything else.
pub fn findings(analysis: &Analysis) -> Vec<Finding> {
    let machines = named(&analysis.systems);
    let outcomes = &analysis.outcomes;
    let cases = cases(analysis);
    let worst = worst(&cases.judged);
    let mut found = Vec::from_iter(ended_early(outcomes));
    let has_ended_early = !found.is_empty();
    match worst {
        Some(worst) => found.push(worst.verdict()),
        None => found.extend(timed(analysis)),
    }
    if outcomes.iter().any(|outcome| outcome.is_valid()) {
        found.extend(deadlines::unknown(&machines));
    }
    found.extend(not_permitted(outcomes));
    found.extend(analysis.verdict.errors.iter().cloned());
    found.extend(invalid::finding(outcomes));
    found.extend(deadlines::not_judged(&cases));
    found.extend(imported::findings(outcomes));
    found.extend(of_own_models(&machines));
    if let Some(worst) = worst {
        let cpu = worst.worst_cpu.iter().cloned().map(AboutDeadlines::WorstCpu);
        found.extend(cpu.map(Finding::Deadlines));
        if worst.cut_off > 0 {
            let cut_off = AboutDeadlines::CutOff { deadlines: worst.cut_off };
            found.push(Finding::Deadlines(cut_off));
        }
        let advice = analysis.setups.iter().map(|setup| &setup.advice);
        if let Some(explanation) = Explanation::new(&machines, advice, analysis.standards, worst) {
            found.extend(explanation.findings());
        }
        // More of the same ends early again.
        let proof = (!has_ended_early).then(|| analysis.standards.limits.proof());
        found.push(confidence(worst, cases.judged.len() > 1, proof));
    }
    found.extend(shared_cpus(outcomes));
    // A difference is the answer; the speed follows.
    if let Some(at) = found.iter().position(is_unequal) {
        found[..=at].rotate_right(1);
    }
    found
}

/// Whether outputs differ from their reference, or cannot be compared with it.
fn is_unequal(found: &Finding) -> bool {
    match found {
        Finding::Model(AboutModel::Checked(checked)) => !checked.is_equal(),
        Finding::OnMachine(of) => is_unequal(&of.finding),
        _ => false,
    }
}

pub fn cases<'a>(analysis: &Analysis<'a>) -> Cases<'a> {
    deadlines::cases(&analysis.systems, &analysis.frontiers, &analysis.standards.limits)
}

fn timed(analysis: &Analysis) -> Vec<Finding> {
    let fastest = benchmark::findings(&analysis.systems, &analysis.benchmarks);
    if !fastest.is_empty() {
        return fastest;
    }
    let valid = analysis.outcomes.iter().copied().filter(|outcome| outcome.is_valid());
    let valid: Vec<&Outcome> = valid.collect();
    let timed = without_deadlines(analysis);
    vec![match valid.as_slice() {
        [] => invalid::nothing(&analysis.outcomes),
        [only] => {
            let spec = &only.header.spec;
            let first = timed.into_iter().next();
            let run = match &first {
                Some(timed) if timed.is_own_model => {
                    format!("{}, {}", timed.name, spec.asked.policy)
                }
                _ => spec.title(),
            };
            let speed = first.map(|first| first.speed);
            Finding::Deadlines(AboutDeadlines::OnlyResult { run, speed })
        }
        several => Finding::Deadlines(AboutDeadlines::Measured {
            effort: sources(several),
            figures: timed.len(),
        }),
    }]
}

fn not_permitted(outcomes: &[&Outcome]) -> Option<Finding> {
    let mut warnings = outcomes.iter().flat_map(|outcome| &outcome.warnings);
    let warning = warnings.find(|warning| matches!(warning, Warning::NotPermitted { .. }))?;
    let (cause, remedy) = (warning.cause(), warning.remedy());
    Some(Finding::Machine(AboutMachine::NotPermitted { cause, remedy }))
}

/// Reports how many runs a late sample ended, and the latest of these samples.
fn ended_early(outcomes: &[&Outcome]) -> Option<Finding> {
    let early = outcomes.iter().filter_map(|outcome| outcome.end_by_limit());
    let early: Vec<&Warning> = early.collect();
    let late_ns = |warning: &&&Warning| match warning {
        Warning::StoppedAt { late_ns, .. } => *late_ns,
        _ => 0,
    };
    let cause = early.iter().max_by_key(late_ns)?.cause();
    let (runs, ended) = (outcomes.len(), early.len());
    Some(Finding::Deadlines(AboutDeadlines::EndedEarly { runs, ended, cause }))
}

/// Findings on the only model of a user, or on the first whose figures depend on them.
fn of_own_models(machines: &[Named]) -> Vec<Finding> {
    let systems = machines.iter().map(|machine| machine.system);
    let models: Vec<&Series> =
        systems.flat_map(|system| system.of(own_model::MEASUREMENT)).collect();
    if let [only] = models.as_slice() {
        return own_model::findings(only);
    }
    let is_odd = |found: &Finding| {
        use AboutModel::{Checked, ModelMisbehaved, OutputsDiffer};
        matches!(found, Finding::Model(ModelMisbehaved { .. } | OutputsDiffer { .. } | Checked(_)))
    };
    let first = |is_it: fn(&Finding) -> bool| {
        models.iter().find_map(|series| {
            let finding = own_model::findings(series).into_iter().find(is_it)?;
            Some(Finding::OnMachine(OnMachine {
                machine: own_model::name(series),
                finding: Box::new(finding),
            }))
        })
    };
    first(is_unequal).or_else(|| first(is_odd)).into_iter().collect()
}

/// Reports how many measured runs used every CPU, which left none for Steadfast.
fn shared_cpus(outcomes: &[&Outcome]) -> Option<Finding> {
    let shares = |outcome: &&&Outcome| {
        survey::warnings(outcome).any(|warning| *warning == Warning::NoHousekeepingCpu)
    };
    let measured = outcomes.iter().filter(|outcome| outcome.header.spec.imported.is_none());
    let runs = measured.count();
    let shared = outcomes.iter().filter(shares).count();
    (shared > 0).then_some(Finding::Machine(AboutMachine::SharedCpus { shared, runs }))
}

/// What the verdict's case can claim, by name if there are several, and what shows more.
/// Returns what a case without a miss shows, and the proof that it needs if it shows too little; else what it may not
/// have seen.
fn confidence(case: &Case, is_of_several: bool, proof: Option<Proof>) -> Finding {
    let of = is_of_several.then(|| case.of.clone());
    match case.standing {
        Standing::Good | Standing::Open => Finding::Deadlines(AboutDeadlines::MissRate {
            of,
            upper: case.held.bound.upper,
            runs: case.held.tries.runs,
            limit_ns: None,
            to_show: proof.filter(|_| case.standing == Standing::Open),
        }),
        _ => {
            let seen_ns = case.held.tries.due.saturating_mul(case.of.period_ns) / case.at_once;
            Finding::Deadlines(AboutDeadlines::RareEvents { of, every_ns: seen_ns as f64 / 3.0 })
        }
    }
}
