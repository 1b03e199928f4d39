use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use base::{Nanos, Policy};
use record::{Machine, Outcome, fact};
use serde_json::json;
use stats::Order;
use testing::Odd;

use super::finding::TABLE;
use super::*;
use crate::fixture;

type Region = RangeInclusive<f64>;

#[test]
fn every_finding_has_a_study_a_source_and_a_relation_or_a_reason() {
    let all = findings();
    assert!(all.len() >= 90);
    let ids: BTreeSet<&str> = all.iter().map(|finding| finding.id.as_str()).collect();
    assert_eq!(ids.len(), all.len());
    for finding in &all {
        assert!(STUDIES.iter().any(|(name, _)| *name == finding.study()), "{}", finding.id);
        assert!(!finding.place.is_empty() && !finding.statement.is_empty(), "{}", finding.id);
        let is_decidable = !finding.conditions.is_empty();
        assert_eq!(is_decidable, finding.missing.is_empty(), "{}", finding.id);
        assert_eq!(is_decidable, !finding.plan.is_empty(), "{}", finding.id);
        for condition in &finding.conditions {
            let sides = condition.sides.len();
            let is_of_one = matches!(condition.relation, Relation::Value | Relation::Share);
            assert!(sides >= if is_of_one { 1 } else { 2 }, "{}", finding.id);
            let is_in_pairs = condition.relation != Relation::Overall || sides % 2 == 0;
            assert!(is_in_pairs && condition.low.or(condition.high).is_some(), "{}", finding.id);
        }
        let other = &finding.contradicts;
        assert!(other.is_empty() || ids.contains(other.as_str()), "{}", finding.id);
    }
}

/// Why a condition has no published figures that decide it.
const WITHOUT_FIGURES: [&str; 3] =
    ["picture", "prose", "10 ms are a time slice of the paper; the bound is half a slice of Linux"];

/// Returns every condition with its finding's name and what the table has as its published figures.
fn with_published_figures() -> Vec<(String, Condition, String)> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(TABLE.as_bytes());
    let head = reader.headers().unwrap().clone();
    let column = |name: &str| head.iter().position(|known| known == name).unwrap();
    let (relation, values) = (column("relation"), column("values"));
    let lines = reader.records().map(Result::unwrap).filter(|line| !line[relation].is_empty());
    let conditions = findings().into_iter().flat_map(|finding| {
        finding.conditions.into_iter().map(move |condition| (finding.id.clone(), condition))
    });
    let pairs = lines.zip(conditions);
    pairs.map(|(line, (id, condition))| (id, condition, line[values].to_owned())).collect()
}

/// Returns what one published figure gives for a side: `?` nothing, else a number or a share.
fn published_side<'s, 'a>(system: &'s System<'a>, figure: &str) -> Option<MeasuredSide<'s, 'a>> {
    let mut side = MeasuredSide {
        system,
        figures: Figures { each: Vec::new(), grain: 1.0 },
        counts: Vec::new(),
        starts: Vec::new(),
    };
    match figure.split_once('/') {
        _ if figure == "?" => return None,
        Some((counted, all)) => {
            side.counts.push(Tries::one(all.parse().unwrap(), counted.parse().unwrap()));
        }
        None => side.figures.each.push(figure.parse().unwrap()),
    }
    Some(side)
}

#[test]
fn every_published_figure_is_in_the_region_of_its_finding() {
    let runs = [wakeup("other", "cpu", 400)];
    let system = &systems(&runs)[0];
    let all = with_published_figures();
    let figures = all.iter().filter(|(_, _, values)| !WITHOUT_FIGURES.contains(&values.as_str()));
    let mut conditions = 0;
    for (id, condition, values) in figures {
        for test in values.split('|') {
            let sides: Vec<Option<MeasuredSide>> =
                test.split(';').map(|figure| published_side(system, figure)).collect();
            assert_eq!(sides.len(), condition.sides.len(), "{id}: {test}");
            let sides: Vec<MeasuredSide> = sides.into_iter().flatten().collect();
            for quantity in quantities(condition, &sides).unwrap() {
                let estimate = quantity.estimate;
                // A figure on the bound, such as "over 1 ms", is in the region but for rounding.
                let nearly = [1.0 - 1e-9, 1.0 + 1e-9].map(|part| part * estimate);
                let is_in = nearly.iter().any(|near| condition.region().contains(near));
                assert!(is_in, "{id}: {test} gives {estimate}");
            }
        }
        conditions += 1;
    }
    assert!(conditions >= 45, "{conditions}");
}

/// Figures of six runs around a true one.
fn six_runs(odd: &mut Odd, of: f64) -> Vec<f64> {
    spread_runs(odd, of, 0.2, 6)
}

/// Log-normal by the sum of twelve uniform numbers, with this standard deviation of the logarithms.
pub(super) fn spread_runs(odd: &mut Odd, of: f64, deviation: f64, count: usize) -> Vec<f64> {
    let mut normal = || (0..12).map(|_| odd.uniform()).sum::<f64>() - 6.0;
    (0..count).map(|_| of * (deviation * normal()).exp()).collect()
}

/// Judges 2000 draws whose truth varies around the bounds of each region, and checks that at most
/// 5 % of the decided verdicts are wrong, and that some are decided.
fn at_most_one_in_twenty_is_wrong(
    regions: &[Region],
    sides: usize,
    of: impl Fn(&[f64], &mut Odd, Region) -> Vec<Option<Quantity>>,
    truth: impl Fn(&[f64]) -> Vec<f64>,
) {
    for region in regions {
        let mut odd = Odd::of(33, 0);
        let (mut decided, mut wrong) = (0, 0);
        for _ in 0..2000 {
            let true_figures: Vec<f64> = (0..sides).map(|_| 0.5 + 2.0 * odd.uniform()).collect();
            let holds = truth(&true_figures).iter().all(|quantity| region.contains(quantity));
            let quantities = of(&true_figures, &mut odd, region.clone());
            let quantities: Vec<Quantity> = quantities.into_iter().map(Option::unwrap).collect();
            let chances = together(&quantities).unwrap();
            let level = level_of_discovery(&[chances.holds.min(chances.reversed)], 0.05);
            if chances.holds.min(chances.reversed) <= level {
                decided += 1;
                wrong += usize::from((chances.holds <= level) != holds);
            }
        }
        assert!(decided > 400, "{region:?}: {decided}");
        assert!(wrong * 20 <= decided, "{region:?}: {wrong} of {decided}");
    }
}

const ABOVE_1: Region = 1.0..=f64::INFINITY;

#[test]
fn ratios_of_generated_runs_are_judged_rightly() {
    let of = |of: &[f64], odd: &mut Odd, region| {
        let pair = [six_runs(odd, of[0]), six_runs(odd, of[1])];
        vec![Quantity::ratio(&pair, Order::InTurns, region)]
    };
    let regions = [ABOVE_1, 0.0..=1.5, 0.6..=1.6];
    at_most_one_in_twenty_is_wrong(&regions, 2, of, |of| vec![of[1] / of[0]]);
}

#[test]
fn orders_of_generated_runs_are_judged_rightly() {
    let of = |of: &[f64], odd: &mut Odd, region: Region| {
        let [one, two, three] = [0, 1, 2].map(|side| six_runs(odd, of[side]));
        let pairs = [[one, two.clone()], [two, three]];
        pairs.map(|pair| Quantity::ratio(&pair, Order::InTurns, region.clone())).into()
    };
    let truth = |of: &[f64]| vec![of[1] / of[0], of[2] / of[1]];
    at_most_one_in_twenty_is_wrong(&[ABOVE_1], 3, of, truth);
}

#[test]
fn values_of_generated_runs_are_judged_rightly() {
    let of = |of: &[f64], odd: &mut Odd, region| {
        vec![Quantity::value(&spread_runs(odd, of[0], 0.2, 5), region)]
    };
    let regions = [1.2..=f64::INFINITY, 0.0..=1.2, 0.9..=1.9];
    at_most_one_in_twenty_is_wrong(&regions, 1, of, |of| vec![of[0]]);
}

#[test]
fn shares_of_generated_runs_are_judged_rightly() {
    let of = |of: &[f64], odd: &mut Odd, region| {
        let mut run = || (0..300).filter(|_| odd.uniform() < of[0] / 10.0).count() as u64;
        let runs: Vec<Tries> = (0..5).map(|_| Tries::one(300, run())).collect();
        vec![Quantity::share(&runs, region)]
    };
    let regions = [0.1..=1.0, 0.0..=0.1, 0.05..=0.2];
    at_most_one_in_twenty_is_wrong(&regions, 1, of, |of| vec![of[0] / 10.0]);
}

#[test]
fn a_mean_of_ratios_of_generated_runs_is_judged_rightly() {
    let of = |of: &[f64], odd: &mut Odd, region: Region| {
        let ratios = [0, 2].map(|side| {
            let pair = [six_runs(odd, of[side]), six_runs(odd, of[side + 1])];
            Quantity::ratio(&pair, Order::InTurns, region.clone()).unwrap()
        });
        vec![Quantity::overall(&ratios, region)]
    };
    let truth = |of: &[f64]| vec![(of[1] / of[0] * of[3] / of[2]).sqrt()];
    at_most_one_in_twenty_is_wrong(&[ABOVE_1], 4, of, truth);
}

#[test]
fn spreads_of_generated_runs_are_judged_rightly() {
    let of = |of: &[f64], odd: &mut Odd, region| {
        let runs = [of[0], of[1]].map(|of| spread_runs(odd, 1e6, 0.05 * of * of, 12));
        vec![Quantity::spread(&runs.each_ref().map(Vec::as_slice), region)]
    };
    at_most_one_in_twenty_is_wrong(&[ABOVE_1], 2, of, |of| vec![(of[1] / of[0]).powi(2)]);
    let two_runs = Quantity::spread(&[&[1.0, 2.0], &[1.0, 3.0, 2.0]], ABOVE_1).unwrap();
    assert_eq!(two_runs.chances(), None);
}

/// First missed sizes are known up to the next size of the plan.
#[test]
fn first_missed_sizes_of_generated_runs_are_judged_rightly() {
    let sizes: Vec<f64> = (0..30).map(|step| 0.1 * 1.2_f64.powi(step)).collect();
    let next = |at: f64| sizes.iter().copied().find(|size| *size >= at).unwrap_or(at);
    let of = |of: &[f64], odd: &mut Odd, region| {
        let pair = [0, 1].map(|side| six_runs(odd, of[side]).into_iter().map(next).collect());
        vec![Quantity::ratio(&pair, Order::InTurns, region)]
    };
    at_most_one_in_twenty_is_wrong(&[ABOVE_1], 2, of, |of| vec![of[1] / of[0]]);
}

/// Returns a run of a tire's model with this many threads on every CPU.
fn tire_on_all(model: &str, policy: &str, each: u64, size: u64, missed: u64) -> Outcome {
    let mut run = fixture::tire("real-time", size, 1, 200, missed);
    let cpus = run.header.machine.cpus.len() as u64;
    run.header.spec.parameters.set_threads(each * cpus);
    run.header.spec.parameters.set("model", record::Value::Word(model.to_owned()));
    run.header.spec.asked.policy = policy.parse().unwrap();
    run
}

/// Returns rounds of tires on every CPU. Each policy misses from these sizes on, FIFO many at
/// once, CFS many from the largest size on.
fn sizes(model: &str, fifo: [u64; 5], other: [u64; 5]) -> Vec<Outcome> {
    const LARGEST: u64 = 880_000;
    const SIZES: [u64; 9] =
        [2900, 5900, 12_000, 24_000, 57_000, 110_000, 220_000, 440_000, LARGEST];
    let mut runs = Vec::new();
    for (fifo, other) in fifo.into_iter().zip(other) {
        for size in SIZES {
            let of_fifo = if size >= fifo { 100 } else { 0 };
            let of_other = if size == LARGEST { 100 } else { u64::from(size >= other) };
            runs.push(tire_on_all(model, "fifo:80", 1, size, of_fifo));
            runs.push(tire_on_all(model, "other", 1, size, of_other));
        }
    }
    runs
}

/// Returns tires of 200 steps on this many threads: sizes, each with the deadlines that it missed.
fn tires<const N: usize>(threads: u64, sizes: [(u64, u64); N]) -> [Outcome; N] {
    sizes.map(|(size, missed)| fixture::tire("real-time", size, threads, 200, missed))
}

fn figures(figure: &str, threads: &str, runs: &[Outcome]) -> Vec<f64> {
    let side = format!("{figure} tire over=masses {threads} mode=real-time policy=fifo");
    Side::read(&side).figures(&systems(runs)[0]).each
}

#[test]
fn a_round_of_sizes_gives_its_first_miss_its_first_many_and_the_band_between() {
    let runs = tires(1, [(57_000, 60), (24_000, 30), (18_000, 3), (12_000, 1), (5900, 0)]);
    for (figure, value) in [
        ("sizes_with_many", 2.0),
        ("first_missed", 12_000.0),
        ("first_not_soft", 18_000.0),
        ("first_many", 24_000.0),
        ("band_width", 2.0),
    ] {
        assert_eq!(figures(figure, "threads=1", &runs), [value], "{figure}");
    }
    let at_once = tires(1, [(5900, 1), (12_000, 9)]);
    let none = figures("first_missed", "threads=1", &at_once);
    assert!(none.is_empty(), "a round that misses at its smallest size says nothing");
}

#[test]
fn the_least_size_over_all_numbers_of_threads_counts() {
    let mut runs = tires(1, [(57_000, 60), (24_000, 30), (12_000, 0)]).to_vec();
    runs.extend(tires(2, [(57_000, 60), (24_000, 0), (12_000, 0)]));
    assert_eq!(figures("first_many", "threads=2", &runs), [57_000.0]);
    let least = |runs: &[Outcome]| figures("first_many", "least=threads", runs);
    assert_eq!(least(&runs), [24_000.0]);
    runs.extend(tires(4, [(57_000, 60)]));
    assert_eq!(least(&runs), [24_000.0], "one size is no line");
    runs.extend(tires(8, [(57_000, 0), (24_000, 0), (12_000, 0)]));
    assert_eq!(least(&runs), [24_000.0], "on 8 threads it is larger");
    runs.extend(tires(16, [(57_000, 60), (24_000, 60), (12_000, 60)]));
    assert_eq!(least(&runs), [] as [f64; 0], "on 16 threads it is smaller");
}

#[test]
fn deadlines_of_the_first_process_and_of_the_others_are_counted_apart() {
    let mut run = fixture::frames("timer", 0);
    run.header.spec.asked.loads = vec!["disk@0".parse().unwrap()];
    let rows: Vec<_> = run.rows.iter().map(|row| row.fact(&fact::MISSED).cloned()).collect();
    assert!(rows.len() > 1, "{rows:?}");
    for (place, row) in run.rows.iter_mut().enumerate() {
        row.due = 100;
        row.facts.insert(fact::MISSED.name.to_owned(), json!(place));
    }
    let runs = [run];
    let counted = |words: &str| -> Vec<[u64; 2]> {
        let side = Side::read(&format!("missed frame {words}"));
        side.counts(&systems(&runs)[0]).iter().map(|tries| [tries.missed, tries.due]).collect()
    };
    let (others, all) = (rows.len() as u64 - 1, rows.len() as u64);
    let sum: u64 = (0..all).sum();
    assert_eq!(counted("load=disk row=first"), [[0, 100]]);
    assert_eq!(counted("load=disk@0 row=others"), [[sum, 100 * others]]);
    assert_eq!(counted("load=disk@0"), [[sum, 100 * all]]);
    assert!(counted("load=disk@1").is_empty() && counted("load=disk@0 row=last").is_empty());
}

#[test]
fn words_of_a_side_are_systems_or_have_a_value() {
    for finding in findings() {
        for side in finding.sides() {
            let words = side.text.split(' ').skip(2).filter(|word| !word.contains('='));
            let systems: Result<Vec<Wanted>, _> = words.map(str::parse).collect();
            let is_one = systems.is_ok_and(|systems| systems.len() < 2);
            assert!(is_one, "{}: {}", finding.id, side.text);
        }
    }
}

/// Parameters of Murray's frames of one process.
fn one_process(others: &str) -> [(&'static str, record::Value); 5] {
    let word = |text: &str| record::Value::Word(text.to_owned());
    [
        ("processes", record::Value::Count(1)),
        ("affinity", word("locked")),
        ("start", word("spin")),
        ("others", word(others)),
        ("fill", record::Value::Percent(85)),
    ]
}

#[test]
fn two_boots_of_one_computer_are_needed_and_compared() {
    let boot = |cpus: &str, jitter: u64| {
        let mut run = fixture::frames("spin", 0);
        let mut machine = Machine::clone(&run.header.machine);
        machine.cpus = cpus.parse().unwrap();
        run.header.machine = machine.into();
        for (name, value) in one_process(if cpus == "0" { "stay" } else { "moved" }) {
            run.header.spec.parameters.set(name, value);
        }
        let first = &mut run.rows[0];
        first.facts.insert(fact::START_JITTER_NS.name.to_owned(), json!(jitter));
        first.facts.insert(fact::MISSED.name.to_owned(), json!(0));
        run
    };
    let jitter = |one: u64, two: u64| -> Vec<Outcome> {
        (0..4).flat_map(|n: u64| [boot("0", one + n), boot("0-1", two + n)]).collect()
    };
    let ratio = |runs: &[Outcome]| {
        let all = judged(vec![finding("MUR-4")], runs);
        Some(all[0].measured.first()?.quantities[0].value)
    };
    assert!((ratio(&jitter(800_000, 100_000)).unwrap() - 8.0).abs() < 0.01);
    let mut only_one = jitter(800_000, 100_000);
    only_one.retain(|run| run.header.machine.cpus.len() == 1);
    assert_eq!(ratio(&only_one), None);
    let here = &only_one[0].header.machine;
    let there = Machine { cpus: "0-1".parse().unwrap(), ..Machine::clone(here) };
    let specs = [only_one[0].header.spec.clone()];
    assert_eq!(finding("MUR-4").runs_on(here, &[], &specs), None);
    assert_eq!(finding("MUR-4").runs_on(here, &[&there], &specs), Some(vec![&specs[0]]));
}

#[test]
fn steps_that_another_task_interrupts_are_counted_over_all_threads() {
    let interrupted = |policy: &str, switches: u64| {
        let mut run = tire_on_all("central", policy, 2, 128_000, 0);
        run.found.threads[0].counters.involuntary_switches = switches;
        run
    };
    let runs = |other: u64, fifo: u64| -> Vec<Outcome> {
        (0..30).flat_map(|_| [interrupted("other", other), interrupted("fifo:80", fifo)]).collect()
    };
    assert_eq!(verdict_of("SAE-18", &runs(20, 0)), Verdict::Holds);
    assert_eq!(verdict_of("SAE-18", &runs(20, 20)), Verdict::Reversed);
    assert!(matches!(verdict_of("SAE-18", &runs(0, 0)), Verdict::Reversed | Verdict::Undecided(_)));
}

#[test]
fn frames_near_the_median_are_counted() {
    let frames = |far: i64| -> Vec<Outcome> {
        let run = |round: i64| {
            let usual = (0..1000 - far).map(|frame| 8_700_000 + 10 * (frame + round));
            let values: Vec<i64> = usual.chain((0..far).map(|_| 9_050_000)).collect();
            let mut run = fixture::outcome("frame", Policy::Fifo(80), &one_process("stay"));
            run.rows = vec![record::Row::of("1 of 1", fixture::distribution(&values))];
            run
        };
        (0..3).map(run).collect()
    };
    assert_eq!(verdict_of("MUR-5", &frames(5)), Verdict::Holds);
    assert_eq!(verdict_of("MUR-5", &frames(400)), Verdict::Reversed);
}

#[test]
fn what_a_grid_cannot_tell_apart_is_not_decided() {
    let ratio = |of: f64, region: RangeInclusive<f64>, grain: f64| {
        let runs = [vec![10.0, 10.1, 10.2, 10.1], vec![10.0 * of, 10.1 * of, 10.2 * of, 10.1 * of]];
        let ratio = Quantity::ratio(&runs, Order::InTurns, region).unwrap().within(grain);
        let chances = ratio.chances().unwrap();
        (chances.holds < 0.01, chances.reversed < 0.01)
    };
    assert_eq!(ratio(1.0, 0.8..=1.25, 1.0), (true, false));
    assert_eq!(ratio(1.0, 0.8..=1.25, 2.0), (false, false));
    assert_eq!(ratio(1.0, 1.5..=f64::INFINITY, 1.4), (false, true));
    assert_eq!(ratio(1.0, 1.5..=f64::INFINITY, 2.0), (false, false));
    assert_eq!(ratio(4.0, 1.5..=f64::INFINITY, 2.0), (true, false));
}

#[test]
fn two_papers_that_contradict_each_other_do_not_both_hold() {
    let later = [57_000, 110_000, 110_000, 57_000, 110_000];
    let sooner = [5900, 5900, 12_000, 5900, 5900];
    let of_both = |fifo, other| [sizes("central", fifo, other), sizes("balanced", fifo, other)];
    let runs = of_both(later, sooner).concat();
    assert_eq!(verdict_of("SAE-15", &runs), Verdict::Holds);
    assert_eq!(verdict_of("MPE-18", &runs), Verdict::Reversed);
    let runs = of_both(sooner, later).concat();
    assert_eq!(verdict_of("SAE-15", &runs), Verdict::Reversed);
    assert_eq!(verdict_of("MPE-18", &runs), Verdict::Holds);
    assert!(matches!(verdict_of("MPE-16", &runs), Verdict::NotTestable(_)), "there is no Xenomai");
    let never = sizes("central", [24_000, 57_000, 24_000, 57_000, u64::MAX], sooner);
    let no_figure = |verdict| matches!(verdict, Verdict::Undecided(Undecided::NoFigure(_)));
    assert!(no_figure(verdict_of("SAE-15", &never)));
}

/// A run of `wakeup` with Franke's period and this worst case, in microseconds.
fn wakeup(policy: &str, loads: &str, us: i64) -> Outcome {
    let mut run =
        fixture::wakeup(policy.parse().unwrap(), Some(loads), 5_000.0, us as f64 * 1000.0);
    run.header.spec.parameters.set("period", record::Value::Time(Nanos(10_000_000)));
    run
}

/// Runs under Franke's loads and both policies.
fn wakeups(other_us: &[i64], fifo_us: &[i64]) -> Vec<Outcome> {
    let other = other_us.iter().map(|us| wakeup("other", "cpu+disk+network", *us));
    let fifo = fifo_us.iter().map(|us| wakeup("fifo:80", "cpu+disk+network", *us));
    other.chain(fifo).collect()
}

fn verdict_of(id: &str, outcomes: &[Outcome]) -> Verdict {
    let all = judged(findings(), outcomes);
    all.into_iter().find(|judged| judged.finding.id == id).unwrap().verdict
}

#[test]
fn the_five_verdicts_follow_from_the_runs() {
    let (high, low) = ([400, 420, 410, 430], [40, 43, 41, 42]);
    assert_eq!(verdict_of("FRA-6", &wakeups(&high, &low)), Verdict::Holds);
    assert_eq!(verdict_of("FRA-6", &wakeups(&low, &high)), Verdict::Reversed);
    assert!(matches!(verdict_of("FRA-6", &wakeups(&[400], &[40])), Verdict::Undecided(_)));
    let noisy = wakeups(&[40, 400, 60], &[50, 300, 70]);
    assert!(matches!(verdict_of("FRA-6", &noisy), Verdict::Undecided(_)));
    let one_side = wakeups(&high, &[]);
    assert!(matches!(verdict_of("FRA-6", &one_side), Verdict::NotMeasured(Unmeasured::Side(_))));
    let no_core = verdict_of("SAE-1", &wakeups(&high, &low));
    assert_eq!(no_core, Verdict::NotTestable(Missing::System("worst task_switch Xenomai".into())));
    assert_eq!(verdict_of("FRA-6", &[]), Verdict::NotMeasured(Unmeasured::NoRuns));
}

/// Sets when runs started, in the order of their places.
fn started(mut runs: Vec<Outcome>, at: impl Fn(u64) -> u64) -> Vec<Outcome> {
    let places = 0..;
    places.zip(&mut runs).for_each(|(place, run)| run.header.started_unix_ns = at(place));
    runs
}

#[test]
fn two_sittings_of_one_machine_are_not_runs_in_turns() {
    // The first four runs are of one side, the others of the other.
    let in_turns = |place: u64| 1 + place % 4 * 2 + place / 4;
    let in_sittings = |place: u64| 1 + place;
    let near =
        |at: fn(u64) -> u64| started(wakeups(&[1000, 1010, 1000, 1010], &[985, 995, 985, 995]), at);
    assert_eq!(verdict_of("FRA-6", &near(in_turns)), Verdict::Holds);
    let open = verdict_of("FRA-6", &near(in_sittings));
    assert_eq!(open, Verdict::Undecided(Undecided::Sittings));
    let far = started(wakeups(&[400, 420, 410, 430], &[40, 43, 41, 42]), in_sittings);
    assert_eq!(verdict_of("FRA-6", &far), Verdict::Holds);
}

#[test]
fn exact_runs_of_the_lab_are_decided_without_an_interval_unless_they_are_equal() {
    let in_lab = |runs: Vec<Outcome>| -> Vec<Outcome> {
        runs.into_iter().map(|run| fixture::in_lab("debian-6.1", "voluntary", run)).collect()
    };
    assert_eq!(verdict_of("FRA-6", &in_lab(wakeups(&[400], &[40]))), Verdict::Holds);
    assert_eq!(verdict_of("FRA-6", &in_lab(wakeups(&[40], &[400]))), Verdict::Reversed);
    let equal = verdict_of("FRA-6", &in_lab(wakeups(&[40], &[40])));
    assert!(matches!(equal, Verdict::Undecided(_)));
}

#[test]
fn times_of_the_lab_and_of_hardware_are_not_compared() {
    let rt = |policy, us| fixture::in_lab("debian-rt", "rt", wakeup(policy, "cpu", us));
    let stock = |policy, us| fixture::in_lab("debian", "voluntary", wakeup(policy, "cpu", us));
    let mut runs =
        vec![rt("other", 400), rt("fifo:80", 40), stock("other", 900), stock("fifo:80", 90)];
    assert_eq!(verdict_of("FRA-8", &runs), Verdict::Holds);
    let here = [("other", 400), ("other", 420), ("fifo:80", 40), ("fifo:80", 44)];
    runs.extend(here.map(|(policy, us)| wakeup(policy, "cpu", us)));
    assert_eq!(verdict_of("FRA-8", &runs), Verdict::Holds, "both sides are of the lab");
    let sides = ["Linux", "PREEMPT_RT"]
        .map(|system| format!("worst wakeup {system} policy=other load=cpu"));
    let of_both = with_sides("FRA-8", sides.each_ref().map(String::as_str));
    runs.retain(|run| run.header.machine.preemption == "rt" || run.header.machine.lab.is_none());
    let judged = judged(vec![of_both], &runs).remove(0);
    let missing = Missing::Incomparable("Linux".parse().unwrap());
    assert_eq!(judged.verdict, Verdict::NotTestable(missing));
}

fn finding(id: &str) -> Finding {
    findings().into_iter().find(|finding| finding.id == id).unwrap()
}

/// Returns a finding whose only condition has other sides.
fn with_sides(id: &str, sides: [&str; 2]) -> Finding {
    let mut finding = finding(id);
    finding.conditions.truncate(1);
    finding.conditions[0].sides = sides.map(Side::read).into();
    finding
}

#[test]
fn runs_are_needed_for_the_sides_of_this_machine_alone() {
    let local = wakeup("fifo:80", "cpu", 40);
    let here = &local.header.machine;
    let specs = [local.header.spec.clone()];
    assert_eq!(finding("FRA-6").runs_on(here, &[], &specs), None, "there is no run with `other`");
    assert_eq!(finding("SAE-9").runs_on(here, &[], &specs), None, "nothing decides it yet");
    let of_one = |system: &str| {
        let there = format!("worst wakeup {system} load=cpu");
        with_sides("FRA-8", [&there, "worst wakeup load=cpu policy=fifo"])
    };
    let other = Machine { preemption: "rt".to_owned(), ..Machine::clone(here) };
    let needs_rt = of_one("PREEMPT_RT");
    assert_eq!(needs_rt.runs_on(here, &[], &specs), None);
    assert_eq!(needs_rt.runs_on(here, &[&other], &specs), Some(vec![&specs[0]]));
    let elsewhere = Machine { cpu_model: "another CPU".to_owned(), ..other };
    assert_eq!(needs_rt.runs_on(here, &[&elsewhere], &specs), None);
}
