//! Figures of merit of each system: per test and load, and in general (TEL 2.2,
//! 2.3).

use base::CpuSet;
use record::{Family, RunSpec};
use serde::{Serialize, Serializer};
use stats::{Distribution, Merit};

use crate::share::Tolerance;
use crate::survey::{Series, System, loads, of_no_duration};

/// Its rows but the first repeat other measurements, under conditions equal to each other.
pub const DERIVED: &str = "context_switch";

const FAMILIES: [Family; 4] =
    [Family::Services, Family::Interrupts, Family::Wakeups, Family::Messages];

/// The measurements that time one service each; what is derived from others times none.
pub fn tests() -> impl Iterator<Item = &'static str> {
    FAMILIES.into_iter().flat_map(Family::measurements).copied().filter(|name| *name != DERIVED)
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FiguresOfMerit {
    /// How far above the mean a time still counts as predictable, as a share of the mean.
    pub tolerance: f64,
    /// Figures of each machine.
    pub systems: Vec<Merits>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Merits {
    /// Name of the machine.
    pub system: String,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    pub machine_id: String,
    /// Each test under each load.
    pub cases: Vec<Case>,
    /// Averages over the cases that count (`in_general`); null if none does.
    pub general: Option<General>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// Name of the measurement.
    #[serde(rename = "measurement", serialize_with = "name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    test: RunSpec,
    /// Policy and other conditions that distinguish the test from others, as text.
    pub conditions: String,
    /// Loads, as text; `no load` if there is none.
    pub load: String,
    #[serde(flatten, serialize_with = "in_short")]
    #[cfg_attr(feature = "schema", schemars(with = "InShort"))]
    pub latency: Distribution,
    #[serde(flatten)]
    pub merit: Merit,
    /// Whether the case counts in `general`.
    #[serde(rename = "in_general")]
    pub counts: bool,
}

fn name<S: Serializer>(test: &RunSpec, serializer: S) -> Result<S::Ok, S::Error> {
    test.measurement.serialize(serializer)
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct InShort {
    /// Number of samples.
    count: u64,
    /// Longest time, in nanoseconds.
    max_ns: i64,
}

fn in_short<S: Serializer>(latency: &Distribution, serializer: S) -> Result<S::Ok, S::Error> {
    InShort { count: latency.count(), max_ns: latency.max.value_ns }.serialize(serializer)
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct General {
    #[serde(flatten)]
    pub merit: Merit,
    /// Number of cases averaged, each of them a test under a load.
    pub cases: usize,
    /// The largest contributor to the efficiency, with its share.
    #[serde(skip)]
    pub most_of_efficiency: (String, f64),
    #[serde(skip)]
    pub most_of_variation: (String, f64),
}

pub fn system_merits(systems: &[System], tolerance: Tolerance) -> Vec<Merits> {
    let merits = |system: &System| Merits {
        system: system.name.clone(),
        machine_id: system.machine_id.clone(),
        cases: cases(system, tolerance),
        general: None,
    };
    let all = systems.iter().map(merits).filter(|merits| !merits.cases.is_empty());
    let mut all: Vec<Merits> = all.collect();
    choose_what_counts(&mut all);
    all.iter_mut().for_each(|merits| merits.general = general(&merits.cases));
    all
}

/// Returns the cases of a system. A test counts with its first row, and runs on several CPUs in
/// succession are one case, because systems have different CPUs.
fn cases(system: &System, tolerance: Tolerance) -> Vec<Case> {
    let mut found: Vec<(RunSpec, String, Distribution)> = Vec::new();
    for series in tests().flat_map(|test| system.of(test)) {
        let Some(latency) = series.latency.as_ref().filter(|_| series.headline()) else { continue };
        let (test, load) = (test(series.spec), loads(&series.spec.asked));
        match found.iter_mut().find(|(known, under, _)| *known == test && *under == load) {
            Some((_, _, all)) => all.merge(latency),
            None => found.push((test, load, latency.clone())),
        }
    }
    let conditions: Vec<String> = conditions(found.iter().map(|(test, ..)| test).collect());
    let case = |((test, load, latency), conditions): ((_, _, Distribution), _)| Case {
        test,
        conditions,
        load,
        merit: Merit::of(&latency, tolerance.share()),
        latency,
        counts: false,
    };
    found.into_iter().zip(conditions).map(case).collect()
}

pub fn test(spec: &RunSpec) -> RunSpec {
    let mut test = of_no_duration(spec);
    test.asked.cpus = CpuSet::default();
    test.asked.loads.clear();
    test.asked.beside = false;
    test.asked.tried.clear();
    test
}

/// Describes the conditions of each test as all other tables do.
pub fn conditions(tests: Vec<&RunSpec>) -> Vec<String> {
    let all: Vec<Series> = tests.into_iter().map(|spec| Series::bare(spec, "")).collect();
    let in_words = |series: &Series| {
        let same_test = |peer: &&Series| peer.spec.measurement == series.spec.measurement;
        series.conditions(&all.iter().filter(same_test).collect::<Vec<_>>())
    };
    all.iter().map(in_words).collect()
}

/// General figures compare only where they rest on the same cases: those that
/// every system measured. Runs under a real-time policy count, and others only
/// where no run had one.
fn choose_what_counts(all: &mut [Merits]) {
    let real_time = |case: &Case| case.test.asked.policy.is_real_time();
    let any_real_time = all.iter().flat_map(|merits| &merits.cases).any(real_time);
    let key = |case: &Case| (case.test.clone(), case.load.clone());
    let keys: Vec<Vec<(RunSpec, String)>> =
        all.iter().map(|merits| merits.cases.iter().map(key).collect()).collect();
    for case in all.iter_mut().flat_map(|merits| &mut merits.cases) {
        let shared = keys.iter().all(|known| known.contains(&key(case)));
        case.counts = shared && (real_time(case) || !any_real_time);
    }
}

fn general(cases: &[Case]) -> Option<General> {
    let counting: Vec<&Case> = cases.iter().filter(|case| case.counts).collect();
    let merits: Vec<Merit> = counting.iter().map(|case| case.merit).collect();
    Some(General {
        merit: Merit::average(&merits)?,
        cases: counting.len(),
        most_of_efficiency: largest(&counting, |merit| merit.efficiency_ns)?,
        most_of_variation: largest(&counting, |merit| merit.variation_ns)?,
    })
}

fn largest(cases: &[&Case], figure: fn(&Merit) -> f64) -> Option<(String, f64)> {
    let largest = cases.iter().max_by(|a, b| figure(&a.merit).total_cmp(&figure(&b.merit)))?;
    let sum: f64 = cases.iter().map(|case| figure(&case.merit).max(0.0)).sum();
    let share = figure(&largest.merit) / sum.max(f64::MIN_POSITIVE);
    Some((largest.name(), share))
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bubble {
    pub name: String,
    pub variation_ns: f64,
    pub efficiency_ns: f64,
    pub predictability: f64,
}

impl Merits {
    pub fn bubble(&self) -> Option<Bubble> {
        let merit = self.general.as_ref()?.merit;
        Some(Bubble {
            name: self.system.clone(),
            variation_ns: merit.variation_ns,
            efficiency_ns: merit.efficiency_ns,
            predictability: merit.predictability?,
        })
    }
}

impl Case {
    pub fn measurement(&self) -> &str {
        &self.test.measurement
    }

    pub fn test(&self) -> String {
        self.measurement().replace('_', " ")
    }

    pub fn name(&self) -> String {
        format!("{}, {}, {}", self.test(), self.conditions, self.load)
    }

    pub fn worst_ns(&self) -> f64 {
        self.latency.max.value_ns as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{outcome, two_machines};
    use crate::survey::systems;
    use base::Policy;
    use record::{Outcome, Row};
    use stats::Sample;

    const FIFO: Policy = Policy::Fifo(80);

    /// A run of a test with these three times, in nanoseconds.
    fn even(test: &str, policy: Policy, load: Option<&str>, times: [i64; 3]) -> Outcome {
        let mut run = outcome(test, policy, &[]);
        run.header.spec.asked.loads = load.into_iter().map(|name| name.parse().unwrap()).collect();
        let samples = times.map(|value_ns| Sample { value_ns, index: 0, at_ns: 0 });
        run.rows = vec![Row::of("headline", Distribution::of(samples))];
        run
    }

    fn on_other_kernel(mut run: Outcome) -> Outcome {
        run.header.machine.kernel_release = "7.0".into();
        run
    }

    /// Efficiency, variation, predictability, and over how many cases.
    type Figures = (f64, f64, Option<f64>, usize);

    fn general(runs: &[Outcome]) -> Vec<Option<Figures>> {
        let all = system_merits(&systems(runs), Tolerance::default());
        let figures = |general: &General| {
            let merit = general.merit;
            (merit.efficiency_ns, merit.variation_ns, merit.predictability, general.cases)
        };
        all.iter().map(|merits| merits.general.as_ref().map(figures)).collect()
    }

    #[test]
    fn general_figures_are_plain_averages_over_tests_and_loads() {
        let runs = [
            even("task_switch", FIFO, None, [10, 20, 30]),
            even("wakeup", FIFO, None, [1_000, 1_000, 1_000]),
            even("wakeup", FIFO, Some("cpu"), [3_000, 3_000, 9_000]),
        ];
        let predictability = (2.0 / 3.0 + 1.0 + 2.0 / 3.0) / 3.0;
        let expected = (6_020.0 / 3.0, 6_020.0 / 3.0, Some(predictability), 3);
        assert_eq!(general(&runs), [Some(expected)]);
        let all = system_merits(&systems(&runs), Tolerance::default());
        let most = &all[0].general.as_ref().unwrap().most_of_efficiency;
        assert_eq!(most.0, "wakeup, fifo:80, load cpu");
        assert!((most.1 - 5_000.0 / 6_020.0).abs() < 1e-9);
    }

    #[test]
    fn systems_compare_on_what_all_of_them_measured() {
        let runs = [
            even("task_switch", FIFO, None, [10, 20, 30]),
            even("wakeup", FIFO, None, [1_000, 1_000, 1_000]),
            on_other_kernel(even("wakeup", FIFO, None, [2_000, 2_000, 2_000])),
            on_other_kernel(even("wakeup", FIFO, Some("disk"), [9_000, 9_000, 9_000])),
        ];
        let of_shared = |average| Some((average, 0.0, Some(1.0), 1));
        assert_eq!(general(&runs), [of_shared(1_000.0), of_shared(2_000.0)]);
        let nothing_shared = [runs[0].clone(), runs[2].clone()];
        assert_eq!(general(&nothing_shared), [None, None]);
    }

    #[test]
    fn the_steadier_system_has_the_larger_bubble_nearer_the_origin() {
        let runs = [
            even("wakeup", FIFO, None, [1_000, 1_020, 1_040]),
            on_other_kernel(even("wakeup", FIFO, None, [3_000, 3_600, 5_400])),
        ];
        let all = system_merits(&systems(&runs), Tolerance::default());
        let bubbles: Vec<Bubble> = all.iter().filter_map(Merits::bubble).collect();
        let [steady, other] = &bubbles[..] else { panic!("one bubble a system: {bubbles:?}") };
        assert!(steady.variation_ns < other.variation_ns);
        assert!(steady.efficiency_ns < other.efficiency_ns);
        assert!(steady.predictability > other.predictability);
        assert!(other.name.contains("Linux 7.0"), "{}", other.name);
    }

    #[test]
    fn other_policies_count_only_where_no_run_is_real_time() {
        let other = even("wakeup", Policy::OTHER, None, [5_000, 5_000, 5_000]);
        let alone = general(std::slice::from_ref(&other));
        assert_eq!(alone, [Some((5_000.0, 0.0, Some(1.0), 1))]);
        let both = [other, even("wakeup", FIFO, None, [1_000, 1_000, 1_000])];
        assert_eq!(general(&both), [Some((1_000.0, 0.0, Some(1.0), 1))]);
    }

    #[test]
    fn what_ran_on_several_cpus_is_one_case() {
        let one = even("wakeup", FIFO, None, [1_000, 1_000, 1_000]);
        let mut other = even("wakeup", FIFO, None, [4_000, 4_000, 4_000]);
        other.header.spec.asked.cpus = CpuSet::one(7);
        let (figures, cases) = (general(&[one, other]), 1);
        assert_eq!(figures, [Some((2_500.0, 3_000.0, Some(0.5), cases))]);
    }

    #[test]
    fn what_times_no_service_is_no_test() {
        assert!(general(&[outcome("wakeup", FIFO, &[])]).is_empty());
        let tests: Vec<String> = system_merits(&systems(&two_machines()), Tolerance::default())
            .iter()
            .flat_map(|merits| merits.cases.iter().map(Case::test))
            .collect();
        assert!(tests.contains(&"wakeup".to_owned()));
        assert!(!tests.iter().any(|test| test == "tire" || test == "clock overhead"));
    }
}
