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
use crate::standards::Limits;
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
    let mut found = match worst {
        Some(worst) => vec![worst.verdict()],
        None => timed(analysis),
    };
    if outcomes.iter().any(|outcome| outcome.is_valid()) {
        found.extend(deadlines::unknown(&machines));
    }
    found.extend(not_permitted(outcomes));
    found.extend(ended_early(outcomes));
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
        found.push(confidence(worst, cases.judged.len() > 1, &analysis.standards.limits));
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

/// Reports how many runs a late sample ended, and what it was in the first.
fn ended_early(outcomes: &[&Outcome]) -> Option<Finding> {
    let warnings = outcomes.iter().flat_map(|outcome| &outcome.warnings);
    let ended = warnings.filter(|warning| matches!(warning, Warning::StoppedAt { .. }));
    let causes: Vec<String> = ended.map(Warning::cause).collect();
    let cause = causes.first()?.clone();
    let (runs, ended) = (outcomes.len(), causes.len());
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
fn confidence(case: &Case, is_of_several: bool, limits: &Limits) -> Finding {
    let of = is_of_several.then(|| case.of.clone());
    match case.standing {
        Standing::Good | Standing::Open => Finding::Deadlines(AboutDeadlines::MissRate {
            of,
            upper: case.held.bound.upper,
            runs: case.held.tries.runs,
            limit_ns: None,
            to_show: (case.standing == Standing::Open).then(|| limits.proof()),
        }),
        _ => {
            let seen_ns = case.held.tries.due.saturating_mul(case.of.period_ns) / case.at_once;
            Finding::Deadlines(AboutDeadlines::RareEvents { of, every_ns: seen_ns as f64 / 3.0 })
        }
    }
}
