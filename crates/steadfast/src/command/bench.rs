//! `steadfast bench tire`: the ready plan that compares the tire's solvers.

use std::process::ExitCode;

use analysis::standards::Standards;
use anyhow::Result;
use plan::RunSpec;

use crate::args::{BenchArgs, BenchSubject};
use crate::place::Place;
use crate::ready;

/// Every solver on every size takes its turn this many times, so that a slow minute of the
/// machine meets all of them.
const ROUNDS: usize = 5;

/// One round, each line as one would type it after `steadfast run`. Steps are as many as
/// take a few tenths of a second.
const ROUND: &[&str] = &[
    "ceiling --threads 1,cores --precision f64,f32",
    "tire --masses 5900 --threads 1 --precision f64,f32 \
     --solver semaphore,semaphore-exact,barrier --steps 2000",
    "tire --masses 5900 --threads 1 --precision f64,f32 --solver simd,fused --steps 60000",
    "tire --masses 57000 --threads 1,cores --precision f64,f32 \
     --solver semaphore,semaphore-exact,barrier --steps 200",
    "tire --masses 57000 --threads 1,cores --precision f64,f32 --solver simd,fused --steps 9600",
    "tire --masses 1000000 --threads cores --precision f64,f32 \
     --solver semaphore,semaphore-exact,barrier --steps 10",
    "tire --masses 1000000 --threads cores --precision f64,f32 --solver simd,fused --steps 320",
    "tire --masses 10000000 --threads cores --precision f64,f32 \
     --solver semaphore,semaphore-exact,barrier --steps 2",
    "tire --masses 10000000 --threads cores --precision f64,f32 --solver simd,fused --steps 64",
];

/// Compares, and says what the ratios are.
pub(crate) fn bench(args: &BenchArgs) -> Result<ExitCode> {
    let BenchSubject::Tire = args.subject;
    let plan = tire(&args.target)?;
    let standards = Standards::default();
    let ended = ready::carry_through("bench tire", &plan, &args.target, &args.out, &standards)?;
    ended.exit_code(&[])
}

fn tire(place: &Place) -> Result<Vec<RunSpec>> {
    let round = ready::read(ROUND.iter().copied(), |typed| typed.target = place.clone())?;
    Ok(vec![round; ROUNDS].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::Kind;
    use std::collections::BTreeSet;
    use units::Nanos;

    #[test]
    fn every_solver_takes_its_turn_in_every_round() {
        let plan = tire(&Place::Local).unwrap();
        let round = plan.len() / ROUNDS;
        let (first, later) = plan.split_at(round);
        assert!(later.chunks(round).all(|other| other == first));
        let solvers: BTreeSet<&str> = first
            .iter()
            .filter(|spec| spec.measurement == "tire")
            .map(|spec| spec.parameters.word("solver"))
            .collect();
        let declared = probe::find("tire").unwrap().parameters();
        let solver = declared.iter().find(|p| p.name == "solver").unwrap();
        let Kind::Choice(all) = solver.kind else {
            panic!("solvers have names")
        };
        assert_eq!(solvers, all.iter().copied().collect());
        assert!(first.iter().all(|spec| !spec.asked.policy.is_real_time()));
    }

    #[test]
    fn the_plan_is_a_few_minutes() {
        let planned: u64 = tire(&Place::Local)
            .unwrap()
            .iter()
            .map(|s| s.asked.duration.0)
            .sum();
        let minute = 60 * Nanos::SECOND.0;
        assert!(
            (minute..5 * minute).contains(&planned),
            "{}",
            Nanos(planned)
        );
    }
}
