//! Why the worst run of a mix missed deadlines, and what to fix first.

use base::Nanos;
use record::{Outcome, Row, fact};

use crate::Analysis;
use crate::explanation::Explanation;
use crate::explanation::deadlines::Case;
use crate::explanation::worst_run::WorstRun;
use crate::finding::{Finding, Job, Periodic, Standing};
use crate::held::Held;
use crate::mix::MEASUREMENT;
use crate::real_time;
use crate::spacing::Spacing;
use crate::standards::{Limits, Strictness};
use crate::subject::{Named, named};

/// Returns the reason and the first fixes of the mix that missed most; nothing if none missed.
pub fn of_mixes(analysis: &Analysis) -> Vec<Finding> {
    let machines = named(&analysis.systems);
    let limits = &analysis.standards.limits;
    let cases = machines.iter().filter_map(|machine| worst_case(machine, limits));
    let Some(case) = cases.max_by_key(|case| case.held.tries.missed) else { return Vec::new() };
    let advice = analysis.setups.iter().map(|setup| &setup.advice);
    let explanation = Explanation::new(&machines, advice, analysis.standards, &case);
    explanation.map_or_else(Vec::new, |explanation| explanation.findings())
}

fn worst_case<'a>(machine: &Named<'_, 'a>, limits: &Limits) -> Option<Case<'a>> {
    let runs = machine.system.valid().filter(|run| run.header.spec.measurement == MEASUREMENT);
    let rows = |run: &'a Outcome| {
        let tries = real_time::of_run(run).unwrap_or_default();
        (run, real_time::judged(run), tries.missed)
    };
    let worst = WorstRun::among(runs.map(rows)).filter(|worst| worst.missed > 0)?;
    let spec = &worst.run.header.spec;
    let at = worst.run.rows.iter().position(|row| std::ptr::eq(row, worst.row))?;
    let member = spec.members.get(at)?;
    let period = period(worst.row)?;
    let demand = limits.demand(Strictness::Hard, Spacing::from(period));
    Some(Case {
        of: Periodic {
            machine: machine.name.clone(),
            period_ns: period.0,
            job: Job::Model { name: member.name.clone() },
            loads: None,
            is_searched: false,
            stop_at_ns: None,
        },
        policy: member.run.asked.policy,
        standing: Standing::Bad,
        held: Held::of(real_time::of_run(worst.run)?, demand, 1),
        typical_ns: None,
        latest_ns: None,
        late_ns: worst.late_ns(),
        at_once: 1,
        cut_off: 0,
        family: None,
        worst_run: Some(worst),
        worst_cpu: None,
    })
}

fn period(row: &Row) -> Option<Nanos> {
    let period = row.fact(&fact::MEMBER_PERIOD_NS)?;
    period.as_u64().or_else(|| Some(period.as_f64()? as u64)).map(Nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{AboutMachine, Fix};
    use crate::fixture::blamed;
    use crate::standards::DEFAULT_STANDARDS;
    use testing::mixes::{Paced, RATES, mix};

    fn found(run: Outcome) -> Vec<Finding> {
        of_mixes(&Analysis::of(&[run], &DEFAULT_STANDARDS))
    }

    #[test]
    fn the_cause_of_a_mix_is_named_with_what_helps_against_it() {
        let [fast, medium, slow] = RATES;
        assert!(found(mix(&RATES, None)).is_empty(), "nothing was missed");
        let missed = mix(&[Paced { missed: 7, ..fast }, medium, slow], None);
        let mut searched = missed.clone();
        let fact = blamed("hog").rows[0].facts[fact::BLAME.name].clone();
        searched.rows[0].facts.insert(fact::BLAME.name.to_owned(), fact);
        searched.header.spec.blame_beyond = Some(Nanos(200_000));
        let [why, first] = &found(searched)[..] else { panic!("a reason and its fixes") };
        let is_hog = |why: &Finding| matches!(why, Finding::Machine(AboutMachine::Late { causes, .. }) if causes[0].cause.contains("hog"));
        assert!(is_hog(why), "{why:?}");
        let Finding::Machine(AboutMachine::FixFirst { fixes, .. }) = first else {
            panic!("{first:?}")
        };
        assert!(matches!(&fixes[0], Fix::MoveTask { task, .. } if task == "hog"), "{fixes:?}");
        let [why, _] = &found(missed)[..] else { panic!("unknown, and the search for it") };
        let is_unknown = |why: &Finding| {
            matches!(why, Finding::Machine(AboutMachine::NoKnownCause { is_searched: false, .. }))
        };
        assert!(is_unknown(why), "{why:?}");
    }
}
