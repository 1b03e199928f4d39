use std::cell::Cell;
use std::rc::Rc;

use base::{Nanos, Policy};
use record::{KnobBarrier, Outcome, Tried, Warning};
use stats::Contrast;
use testing::Odd;

use super::*;
use crate::effect::{POWER, Unit};
use crate::finding::{AboutEffects, Finding};
use crate::fixture::{self, distribution};

/// p99 and median of a run that tries this, in nanoseconds.
type Figures = Box<dyn FnMut(&[Tried]) -> [f64; 2]>;

/// Runs of an experiment whose figures are made up.
struct Made {
    runs: Vec<Outcome>,
    odd: Odd,
    figure: Figures,
    /// Power of a run that tries this.
    watts: fn(&[Tried]) -> Option<f64>,
}

const SAMPLES: i64 = 1_000;

impl Made {
    fn by(figure: impl FnMut(&[Tried]) -> [f64; 2] + 'static) -> Self {
        Self { runs: Vec::new(), odd: Odd::of(3, 0), figure: Box::new(figure), watts: |_| None }
    }

    fn run(&mut self, names: &[&str], point: &[bool]) {
        let tried = names.iter().zip(point).map(|(name, is_on)| Tried {
            knob: (*name).to_owned(),
            value: is_on.then(|| "1".to_owned()),
        });
        let tried: Vec<Tried> = tried.collect();
        let [p99, median] = (self.figure)(&tried);
        let mut run = fixture::outcome("wakeup", Policy::Fifo(80), &[]);
        run.header.spec.asked.duration = Nanos(Nanos::SECOND.0);
        run.found.system.power_w = (self.watts)(&tried);
        run.header.spec.asked.tried = tried;
        let tail = SAMPLES / 50;
        let value = |index: i64| match index % SAMPLES {
            rare if rare < tail => p99 * (1.0 + rare as f64 * 1e-3),
            usual => median * (0.9 + 0.2 * usual as f64 / SAMPLES as f64),
        };
        let values: Vec<i64> = (0..SAMPLES).map(|index| value(index * 7919) as i64).collect();
        run.rows = vec![record::Row::of("all CPUs", distribution(&values))];
        self.runs.push(run);
    }

    fn rounds(&mut self, stage: Stage, names: &[&str], rounds: usize) {
        for _ in 0..rounds {
            let mut points = round(stage, names.len());
            if stage == Stage::Screening {
                for last in (1..points.len()).rev() {
                    points.swap(last, self.odd.below(last + 1));
                }
            }
            points.iter().for_each(|point| self.run(names, point));
        }
    }

    /// A whole experiment, as its plan would make it.
    fn experiment(mut self, knobs: &[&str]) -> (Picked, Experiment) {
        let all = [knobs, &[SHAM]].concat();
        self.rounds(Stage::Screening, &all, 2);
        let picked = picked(&self.runs, Margin::default()).unwrap();
        for name in [SHAM, KNOWN].into_iter().chain(picked.knobs.iter().map(String::as_str)) {
            self.rounds(Stage::Turns, &[name], 3);
        }
        for pair in &picked.pairs {
            self.rounds(Stage::Turns, &[&pair[0], &pair[1]], 3);
        }
        let experiment = Experiment::of(&self.runs, Margin::default()).unwrap();
        let helpful: Vec<String> = experiment.helpful().into_iter().map(str::to_owned).collect();
        let helpful: Vec<&str> = helpful.iter().map(String::as_str).collect();
        if helpful.len() > 1 {
            self.rounds(Stage::Together, &helpful, 3);
        }
        (picked, Experiment::of(&self.runs, Margin::default()).unwrap())
    }
}

fn is_on(tried: &[Tried], name: &str) -> bool {
    tried.iter().any(|setting| setting.knob == name && setting.value.is_some())
}

fn when(tried: &[Tried], name: &str, times: f64) -> f64 {
    if is_on(tried, name) { times } else { 1.0 }
}

/// Figures with noise of a few percent; p99 is this many times as long, and twice as long with the
/// known disturbance.
fn noisy(times: impl Fn(&[Tried]) -> f64 + 'static) -> Made {
    let mut odd = Odd::of(7, 0);
    let mut noise = move || 1.0 + 0.04 * ((0..3).map(|_| odd.uniform()).sum::<f64>() - 1.5);
    Made::by(move |tried| {
        [100e3 * noise() * times(tried) * when(tried, KNOWN, 2.0), 20e3 * noise()]
    })
}

const KNOBS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

#[test]
fn what_helps_is_reported_with_its_size_and_what_does_not_with_its_bound() {
    let made = noisy(|tried| when(tried, "b", 0.7) * when(tried, "e", 0.8));
    let (picked, experiment) = made.experiment(&KNOBS);
    assert_eq!(experiment.trust, Trust::Believed);
    assert!(["b", "e"].iter().all(|name| picked.knobs.iter().any(|knob| knob == name)));
    assert_eq!(experiment.helpful(), ["b", "e"]);
    let (_, effect) = experiment.shown(true).next().unwrap();
    assert_eq!(effect.figure.name, "p99");
    let [lower, _, upper] = effect.times;
    assert!(lower < 0.7 && 0.7 < upper && upper < 0.8, "{effect:?}");
    let [_, together, _] = decisive(&experiment.together).unwrap().times;
    assert!((together / 0.56 - 1.0).abs() < 0.06, "{together}");
    let unchanged = experiment.knobs.iter().find(|knob| knob.name == "c").unwrap();
    assert_eq!(decisive(&unchanged.effects), None);
    assert_eq!(foremost(&unchanged.effects).unwrap().figure.name, "p99");
    assert_eq!(decisive(&experiment.knobs[1].effects).unwrap().figure.name, "p99");
}

#[test]
fn power_is_reported_next_to_what_helps_and_is_no_help_itself() {
    let mut made = noisy(|tried| when(tried, "b", 0.7));
    made.watts = |tried| {
        let helps = if is_on(tried, "b") { 1.9 } else { 0.0 };
        let saves = if is_on(tried, "c") { 4.0 } else { 0.0 };
        Some(20.0 + helps - saves)
    };
    let (picked, experiment) = made.experiment(&KNOBS);
    assert!(!picked.knobs.contains(&"c".to_owned()), "{picked:?}");
    assert_eq!(experiment.helpful(), ["b"]);
    let effects = &experiment.knobs[1].effects;
    assert_eq!(decisive(effects).unwrap().figure.name, "p99");
    let power = effects.iter().find(|effect| effect.figure.unit == Unit::Power).unwrap();
    let [_, watts, _] = power.difference();
    assert!(power.is_shown && (watts - 1.9).abs() < 0.05, "{watts}");
}

#[test]
fn knobs_that_act_together_alone_are_reported_as_a_pair() {
    let made = noisy(|tried| if is_on(tried, "a") { when(tried, "d", 0.5) } else { 1.0 });
    let (picked, experiment) = made.experiment(&KNOBS);
    assert_eq!(picked.pairs, [["a".to_owned(), "d".to_owned()]]);
    assert_eq!(experiment.shown(true).count(), 0, "neither does anything alone");
    let (pair, effect) = experiment.pairs_shown().next().unwrap();
    assert_eq!(pair.names, ["a", "d"]);
    assert!((effect.times[1] / 0.5 - 1.0).abs() < 0.1, "{effect:?}");
    assert_eq!(experiment.helpful(), ["a", "d"]);
}

#[test]
fn an_experiment_that_finds_the_sham_or_misses_the_known_claims_nothing() {
    // The known disturbance doubles p99, and half of that is nothing.
    for (of, times, trust) in [(SHAM, 2.0, Trust::ShamFound), (KNOWN, 0.5, Trust::KnownMissed)] {
        let made = noisy(move |tried| when(tried, "b", 0.5) * when(tried, of, times));
        let (_, experiment) = made.experiment(&KNOBS);
        assert_eq!(experiment.trust, trust);
        assert_eq!(experiment.shown(true).count() + experiment.shown(false).count(), 0);
        assert!(experiment.helpful().is_empty());
        let claimed = experiment.knobs.iter().flat_map(|knob| &knob.effects);
        assert!(!claimed.chain(&experiment.together).any(|effect| effect.is_shown));
    }
}

/// An experiment whose p99 is multiplied by these factors if `a`, `d`, or both are on.
fn of_pair(a: f64, b: f64, both: f64) -> Experiment {
    let made = noisy(move |tried| match (is_on(tried, "a"), is_on(tried, "d")) {
        (false, false) => 1.0,
        (true, false) => a,
        (false, true) => b,
        (true, true) => both,
    });
    made.experiment(&KNOBS).1
}

#[test]
fn two_that_harm_no_more_together_than_each_alone_help_nobody() {
    let experiment = of_pair(2.0, 2.0, 2.0);
    let (pair, extra) = experiment.pairs_shown().next().unwrap();
    assert!((extra.times[1] / 0.5 - 1.0).abs() < 0.1, "{extra:?}");
    let both = decisive(&pair.both).unwrap();
    assert!((both.times[1] / 2.0 - 1.0).abs() < 0.1, "{both:?}");
    assert!(experiment.helpful().is_empty());
}

#[test]
fn what_helps_alone_and_harms_together_is_not_kept_together() {
    let experiment = of_pair(0.8, 0.8, 1.3);
    if let [a, b] = experiment.helpful().as_slice() {
        assert_eq!([*a, *b], ["a", "d"]);
        assert_eq!(experiment.to_keep(), None);
        let Finding::Effects(AboutEffects::NotTogether { together, .. }) = experiment.verdict()
        else {
            panic!("{:?}", experiment.verdict())
        };
        assert!(decisive(&together).is_some_and(|effect| effect.times[1] > 1.0));
    }
}

#[test]
fn the_newest_of_several_experiments_is_reported() {
    let mut made = noisy(|tried| when(tried, "b", 0.5));
    made.rounds(Stage::Turns, &["b"], 3);
    for run in &mut made.runs {
        run.header.spec.experiment = Some("earlier".to_owned());
    }
    made.rounds(Stage::Turns, &[SHAM], 3);
    let groups = Group::all(&made.runs);
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].names(), [SHAM]);
}

#[test]
fn runs_that_are_copies_of_each_other_are_not_counted_as_many() {
    let made = Made::by(|tried| {
        // Less than a bin of a quantile, again and again.
        let sham = when(tried, SHAM, 1.0003);
        [100e3 * when(tried, "b", 0.7) * sham * when(tried, KNOWN, 2.0), 20e3]
    });
    let (_, experiment) = made.experiment(&KNOBS);
    assert_eq!((experiment.trust, experiment.helpful()), (Trust::Believed, vec!["b"]));
    let [lower, times, upper] = decisive(&experiment.knobs[1].effects).unwrap().times;
    assert!((times / 0.7 - 1.0).abs() < 0.005 && upper - lower < 0.02, "{times}");
}

#[test]
fn an_experiment_says_the_same_whatever_the_order_of_its_points() {
    let mut made = noisy(|tried| when(tried, "b", 0.7));
    let all = [KNOBS.as_slice(), &[SHAM]].concat();
    made.rounds(Stage::Screening, &all, 3);
    let effects = |runs: &[Outcome]| {
        let experiment = Experiment::of(runs, Margin::default()).unwrap();
        let of = |knob: &KnobResult| knob.effects.iter().map(|e| (e.times, e.chance)).collect();
        experiment.knobs.iter().map(of).collect::<Vec<Vec<_>>>()
    };
    let before = effects(&made.runs);
    assert!(before.iter().all(|effects| !effects.is_empty()));
    // The order of a store's report: runs of one specification are adjacent.
    made.runs.sort_by_key(|run| point(&run.header.spec));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    for (a, b) in before.iter().flatten().zip(effects(&made.runs).iter().flatten()) {
        assert!(near(a.0[1], b.0[1]) && near(a.1.unwrap(), b.1.unwrap()));
    }
}

#[test]
fn what_could_not_be_set_is_left_out_and_named() {
    let mut made = Made::by(|_| [100e3, 20e3]);
    made.run(&["a"], &[true]);
    let refused = &mut made.runs[0];
    refused.header.spec.asked.duration = REHEARSAL;
    refused.warnings = vec![Warning::KnobRefused {
        knob: "a".to_owned(),
        asked: "1".to_owned(),
        place: String::new(),
        reason: "made up".to_owned(),
        barrier: KnobBarrier::Other,
    }];
    let experiment = Experiment::of(&made.runs, Margin::default()).unwrap();
    assert_eq!((experiment.trust, experiment.left_out.len()), (Trust::Open, 1));
    assert!(experiment.left_out[0].name == "a" && !experiment.left_out[0].why.is_empty());
    assert!(
        Experiment::of(&[fixture::outcome("wakeup", Policy::OTHER, &[])], Margin::default())
            .is_none()
    );
}

/// Median and p99 in nanoseconds of wake-ups, 1000 a run, one run after the other, recorded on a
/// shared virtual machine while programs were compiled on it: what drifts, and what a host does.
const RECORDED: &str = include_str!("recorded.csv");

fn recorded() -> Vec<[f64; 2]> {
    let lines = RECORDED.lines().skip(1);
    let pair = |line: &str| {
        let (median, p99) = line.split_once(',')?;
        Some([p99.parse().ok()?, median.parse().ok()?])
    };
    lines.map(|line| pair(line).unwrap()).collect()
}

/// An experiment on recorded noise from an offset on, where knob `c` multiplies p99 by `times`.
fn on_recorded(noise: &Rc<Vec<[f64; 2]>>, start: usize, times: f64) -> Experiment {
    let noise = Rc::clone(noise);
    let place = Cell::new(start);
    let mut made = Made::by(move |tried| {
        place.set((place.get() + 1) % noise.len());
        let [p99, median] = noise[place.get()];
        let known = when(tried, KNOWN, 100.0);
        [p99 * known * when(tried, "c", times), median * known]
    });
    made.odd = Odd::of(start as u64, 0);
    made.experiment(&KNOBS).1
}

#[test]
fn experiments_with_shams_alone_find_something_in_one_of_twenty_at_most() {
    let noise = Rc::new(recorded());
    let experiment: Vec<Experiment> =
        (0..200).map(|trial| on_recorded(&noise, trial * 97, 1.0)).collect();
    let finds = |experiment: &&Experiment| {
        let claims = experiment.shown(true).chain(experiment.shown(false)).count();
        let pairs = experiment.pairs_shown().count();
        claims + pairs > 0 || experiment.trust == Trust::ShamFound
    };
    let wrong = experiment.iter().filter(finds).count();
    assert!(wrong <= 10, "{wrong} of 200 find what is not there");
}

#[test]
fn an_effect_of_the_detectable_size_is_found_as_often_as_is_stated() {
    let noise = Rc::new(recorded());
    let logs: Vec<f64> = noise.iter().map(|[p99, _]| p99.ln()).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / logs.len() as f64;
    // Six runs on either side, in turns; the level is that of the hardest of the comparisons.
    let turns = Contrast { log_ratio: 0.0, error: (variance / 3.0).sqrt(), freedom: 8.0 };
    let effect =
        turns.detectable(FALSE_DISCOVERIES / 12.0, POWER).exp() * (1.0 + Margin::default().share());
    let found = (0..100).filter(|trial| {
        let experiment = on_recorded(&noise, trial * 97, effect);
        experiment.shown(false).any(|(knob, _)| knob.name == "c")
    });
    let found = found.count();
    assert!(found >= 75, "{found} of 100 are found where 80 are stated");
}
