use record::Value;

use super::*;
use crate::capacity::grids;
use crate::fixture::tire;
use crate::survey::systems;

/// What a made-up machine costs: a mass, a step, a semaphore operation, a mass beyond the
/// cache, a switch.
const COSTS: [f64; 5] = [17.0, 700.0, 16.0, 9.0, 4e5];

/// A run whose mean step is what the costs make of it, times `noise`.
fn made(mode: &str, masses: u64, threads: u64, switches: u64, noise: f64) -> Outcome {
    const STEPS: u64 = 100;
    let mut outcome = tire(mode, masses, threads, STEPS, 0);
    let cpus = format!("0-{}", threads - 1);
    outcome.header.spec.asked.cpus = cpus.parse().unwrap();
    set(&mut outcome, "precision", "f64");
    outcome.found.threads[0].counters.involuntary_switches = switches;
    let cache_bytes = work::last_cache_bytes(&outcome.header.machine);
    let run = run(&outcome, cache_bytes).unwrap();
    let [mass, step, semaphore, beyond, switch] = COSTS;
    let step_ns = mass * run.work.masses
        + step
        + semaphore * run.work.semaphores
        + beyond * run.work.beyond_cache
        + switch * run.switches;
    outcome.rows[0] = outcome.rows[0].clone().with(&fact::STEP_RUN_NS, step_ns * noise);
    outcome
}

fn set(outcome: &mut Outcome, name: &str, word: &str) {
    let parameters = &mut outcome.header.spec.parameters;
    parameters.set(name, Value::Word(word.to_owned()));
}

/// Sizes within and beyond the cache, on one and on two threads.
fn runs(mode: &str) -> Vec<Outcome> {
    let sizes = [400, 2000, 5900, 24_000, 57_000, 400_000, 800_000];
    let one = sizes.into_iter().map(|masses| (masses, 1));
    let two = sizes.into_iter().map(|masses| (masses, 2));
    let run = |(index, (masses, threads)): (usize, (u64, u64))| {
        made(mode, masses, threads, index as u64 % 4, 1.0)
    };
    one.chain(two).enumerate().map(run).collect()
}

fn models_of<'a>(system: &System<'a>) -> Vec<Model<'a>> {
    let grids: Vec<Rc<Grid>> = grids(system).into_iter().map(Rc::new).collect();
    models(system, &grids)
}

fn only<'a>(system: &System<'a>) -> Model<'a> {
    let mut models = models_of(system);
    assert_eq!(models.len(), 1);
    models.remove(0)
}

fn refusal(runs: &[Outcome]) -> Refusal {
    let systems = systems(runs);
    only(&systems[0]).fit.unwrap_err()
}

#[test]
fn costs_that_made_the_steps_are_found_again() {
    let runs = runs("real-time");
    let systems = systems(&runs);
    let fit = only(&systems[0]).fit.unwrap();
    for (term, cost) in COSTS.into_iter().enumerate() {
        let found = fit.coefficient(term).unwrap();
        assert!((found.ns / cost - 1.0).abs() < 1e-6, "{term}: {found:?}");
        assert!(found.is_shown());
    }
    assert!(fit.worst_error < 1e-9, "{fit:?}");
}

#[test]
fn the_largest_part_of_a_step_is_its_limit() {
    let runs = runs("real-time");
    let systems = systems(&runs);
    let fit = only(&systems[0]).fit.unwrap();
    let limit = |masses, semaphores, beyond_cache, switches| {
        let work = Work { masses, semaphores, beyond_cache };
        fit.of(&work, switches).limit
    };
    assert_eq!(limit(1e4, 1e2, 0.0, 0.0), Some("compute"));
    assert_eq!(limit(1e4, 2e4, 0.0, 0.0), Some("locks"));
    assert_eq!(limit(1e4, 0.0, 1e5, 0.0), Some("memory"));
    assert_eq!(limit(1e4, 1e4, 0.0, 1.0), Some("switches"));
    assert_eq!(limit(4.0, 4.0, 0.0, 0.0), Some("fixed part"));
}

#[test]
fn runs_that_do_not_tell_costs_apart_are_refused() {
    let of = |sizes: &[u64], threads: &[u64]| -> Vec<Outcome> {
        let threads = threads.iter();
        threads.flat_map(|t| sizes.iter().map(|m| made("real-time", *m, *t, 0, 1.0))).collect()
    };
    let few = refusal(&of(&[400, 2000, 5900], &[1]));
    assert_eq!(few, Refusal::TooFew { runs: 3, least: 4 });
    let on_one = refusal(&of(&[400, 2000, 5900, 24_000, 57_000], &[1]));
    assert_eq!(on_one, Refusal::Inseparable { term: "locks" });
    let one_size = refusal(&of(&[5900; 5], &[1]));
    assert_eq!(one_size, Refusal::Inseparable { term: "fixed part" });
}

#[test]
fn a_cost_that_hardly_any_run_had_is_not_fitted() {
    let mut runs: Vec<Outcome> = [400, 2000, 5900, 24_000]
        .into_iter()
        .flat_map(|masses| [1, 2].map(|threads| made("real-time", masses, threads, 0, 1.0)))
        .collect();
    runs.push(made("real-time", 5900, 1, 2, 1.0));
    let systems = systems(&runs);
    let fit = only(&systems[0]).fit.unwrap();
    let is_fitted = |term: usize| fit.coefficient(term).is_some();
    assert_eq!([0, 1, 2, 3, 4].map(is_fitted), [true, true, true, false, false]);
}

#[test]
fn every_solver_precision_and_mode_has_its_own_model() {
    let mut runs = runs("real-time");
    runs.push(made("real-fast", 400, 1, 0, 1.0));
    for (name, word) in [("solver", "barrier"), ("precision", "f32")] {
        let mut other = made("real-time", 400, 1, 0, 1.0);
        set(&mut other, name, word);
        runs.push(other);
    }
    let systems = systems(&runs);
    let sizes: Vec<usize> = models_of(&systems[0]).iter().map(|m| m.runs.len()).collect();
    assert_eq!(sizes, [14, 1, 1, 1]);
}

#[test]
fn the_predicted_size_fills_the_period_and_stands_beside_the_measured_edge() {
    let mut runs = runs("real-time");
    // On one thread 2 x 16 + 17 + at most 9 ns a mass: the period of 10 ms ends below 300 000.
    for (index, run) in runs.iter_mut().enumerate() {
        let wobble = if index % 2 == 0 { 1.01 } else { 0.99 };
        let step = run.rows[0].facts["step_run_ns"].as_f64().unwrap();
        let missed = u64::from(step > 10e6);
        run.rows[0] =
            run.rows[0].clone().with(&fact::STEP_RUN_NS, step * wobble).with(&fact::MISSED, missed);
    }
    let systems = systems(&runs);
    let model = only(&systems[0]);
    let capacities = &model.capacities;
    assert_eq!(capacities.len(), 2);
    for capacity in capacities {
        let masses = capacity.size.unwrap();
        let step = |masses| {
            let (work, switches) = model.undisturbed(masses, capacity.threads);
            model.fit.as_ref().unwrap().of(&work, switches).ns
        };
        assert!(step(masses) <= 10e6 && step(masses + 4) > 10e6);
        assert!(capacity.lower.unwrap() < masses && masses < capacity.upper.unwrap());
        let measured = &capacity.measured;
        let (clean, missed) = (measured.held.unwrap(), measured.missed.unwrap());
        assert!(clean < masses && masses < missed, "{clean} {masses} {missed}");
    }
    assert!(capacities[0].size < capacities[1].size);
}
