//! Statements about the sizes and rates that a machine holds.

use base::Observed;
use record::Axis;
use serde::Serialize;

use super::edge::{bracket, edge, further, headroom};
use super::periodic::Met;
use super::said::statements;
use crate::capacity::End;
use crate::held::one_in;
use crate::phrases::{hertz, joined, list, maybe, on_machine, some, threads};
use crate::standards::SoftShare;
use crate::words::{bare, counted, grouped, on, percent, place, quantity, time};

statements! { AboutCapacity {
    /// The sizes (or rates) of a model that hold on each number of threads, the best first.
    Sizes { of: Sizes, best: Size, shown: bool, beyond: Vec<Size>, others: Vec<Size> }
        "Results" = sizes(of, best, *shown, beyond) + &joined(others.iter().map(other_size), "");

    /// No size holds that was measured; the smallest.
    NoSize { of: Sizes, smallest: Option<Size> }
        "Results": "No measured {} of the {} holds{} ({}){}.", of.noun, of.measurement, of.at_rate(), of.conditions,
            maybe(smallest.as_ref(), |size| format!(": {} on {}", size.tried(), threads(size.threads)));

    /// How fast a tire was computed, and how long 60 s of it take.
    FastestTire { updates_per_s: f64, masses: u64, threads: u64, solver: String, takes_ns: f64 }
        "Results": "Fastest tire: {} mass updates per second ({} masses on {}, {solver} solver); 60 s of it take {}.",
            quantity(*updates_per_s), grouped(*masses), counted(*threads as usize, "thread"), time(*takes_ns);

    /// The farthest place on an axis that holds: the largest model, the highest rate.
    Edge {
        axis: Axis,
        /// The rate of the deadlines, where the axis is another one.
        rate_hz: Option<f64>,
        /// The allowed misses, in words; `None` if none are allowed.
        limit: Option<String>,
        /// `None` if nothing that was tried holds.
        held: Option<End>,
        /// `None` if it is the same on every number of threads.
        threads: Option<u64>
    }
        => edge(axis, *rate_hz, limit.as_deref(), *held, *threads);

    /// Evidence that a place holds.
    EdgeEvidence {
        at: Point,
        missed: u64,
        due: u64,
        runs: u64,
        /// The upper end of the 95 % interval of the share of missed deadlines.
        upper: f64,
        /// That share as misses per hour.
        upper_per_hour: f64,
        /// How many places share the confidence.
        shared_by: usize,
        /// The upper end of the share of runs with a miss; `None` where one had a miss.
        bad_runs: Option<f64>,
        /// Whether runs differ by more than chance, so that the misses of a run count as one.
        runs_differ: bool
    }
        "Evidence" = {
            let dependence = match bad_runs {
                Some(_) => ", if independent",
                None if *runs_differ => "; runs differ by more than chance, so the misses of a run count as one",
                None => "",
            };
            // A bound from a few runs says nothing.
            let bad_runs = bad_runs.filter(|share| *share < 0.5);
            let bad_runs = maybe(bad_runs, |share| format!("; fewer than {} of runs have a miss", percent(share)));
            let ([missed, due], per_hour) = ([*missed, *due].map(grouped), quantity(*upper_per_hour));
            let (runs, rate) = (counted(*runs as usize, "run"), one_in(*upper));
            let (at, shared) = (at.words(), counted(*shared_by, at.axis.noun()));
            format!(
                "{at}: {missed} of {due} deadlines missed in {runs}; rate below {rate} (95 % confidence over \
                 {shared}{dependence}); below {per_hour} per hour{bad_runs}."
            )
        };

    /// Nothing was tried farther on than what holds.
    NothingBeyond { axis: Axis, last: Option<u64> }
        "Beyond": "no {} {} was tried{}.", further(axis), axis.noun(),
            maybe(*last, |last| format!(" than {}, the end of what was tried", bare(axis, last)));

    /// Places that hold although an easier one missed.
    HeldAbove { axis: Axis, threads: u64, places: Vec<u64> }
        "Beyond" = {
            let (places, unit) = (list(places.iter().map(|at| bare(axis, *at))), axis.unit(2));
            let places = match axis {
                Axis::Setting(_) => format!("{unit} = {places}"),
                _ => format!("{places} {unit}"),
            };
            let (noun, threads) = (axis.noun(), counted(*threads as usize, "thread"));
            format!(
                "{places} on {threads}: no miss, although an easier {noun} missed; a {noun} above the first that \
                 missed does not count."
            )
        };

    /// Misses at places at which a step typically fits into its period.
    Stalls {
        /// The farthest such place.
        at: Point,
        missed: u64,
        due: u64,
        steps: u64,
        /// Misses during stalls of the platform; `None` if no run looked for causes.
        excused: Option<u64>,
        /// The edge without those misses.
        held: Option<End>,
        first_missed: Option<End>,
        /// CPU time that the hypervisor reports as taken (steal).
        steal_ns: Observed<u64>
    }
        // The first part is short enough for a line of its own.
        "Stalls": "{} missed {} of {} deadlines{}{}; up to {} a step usually fits its period.",
            counted(*steps as usize, "step"), grouped(*missed), grouped(*due),
            excuse(*excused, steal_ns, &bracket(&at.axis, *held, *first_missed)),
            maybe(steal_ns.clone().seen().and_then(some), |steal| {
                format!("; the hypervisor reports {} of steal", time(steal as f64))
            }),
            at.words();

    /// How much longer steps can take.
    Headroom {
        /// `None` of a model of a single size.
        at: Option<Point>,
        steps: u64,
        /// How long before their deadline 99 of 100 steps ended; below zero after it.
        p99_ns: i64,
        /// How long before its deadline the worst step ended; below zero after it.
        worst_ns: i64,
        /// A larger size that was tried, and the ratio of its step time.
        larger: Option<(End, f64)>
    }
        "Headroom": "{}{} in the worst of {}; {} or more in 99 % of them{}.",
            maybe(at.as_ref(), |at| format!("{}: ", at.words())),
            headroom(*worst_ns), counted(*steps as usize, "step"), headroom(*p99_ns),
            maybe(larger.zip(at.as_ref()), |((end, longer_ns), at)| {
                let (size, longer) = (place(&at.axis, end.size), time(longer_ns));
                let so_far = if end.shown { "" } else { ", not yet shown" };
                format!("; {size} also hold{so_far}, with steps {longer} longer")
            });

    SearchEffort { runs: u64, measured_ns: u64 }
        "Search": "{}, {} of measuring.", counted(*runs as usize, "run"), time(*measured_ns as f64);

    /// The cost of a grid over the range of a search; `of_papers` at the resolution of the papers, if the model is
    /// theirs.
    FullGrid { axis: Axis, places: u64, of_papers: Option<u64> }
        "Search": "a full grid over the same range has {} at this resolution{}.",
            counted(*places as usize, axis.noun()),
            maybe(*of_papers, |places| {
                let (places, every) = (grouped(places), place(axis, axis.grain()));
                format!("; {places} at the resolution of the papers, every {every} (they measured 52 470 in all)")
            });

    /// A part of a search that is not finished, with the number of runs left.
    Unfinished { rate_hz: Option<f64>, threads: u64, runs: u64, time_ns: u64 }
        "Search": "{}{}: not finished; about {}, {}, would show both ends.",
            maybe(*rate_hz, |rate| format!("{}, ", hertz(rate))), counted(*threads as usize, "thread"),
            counted(*runs as usize, "more run"), time(*time_ns as f64);

    Finished
        "Search": "finished: both ends are shown everywhere, as close together as requested.";

    /// The easiest place that was tried missed few deadlines, which ends a search for no miss.
    EndedByFewMisses { at: Point, missed: u64, due: u64 }
        "Next": "add `--soft`, which allows {}: {} missed only {} of {} deadlines, as by a stall.",
            percent(SoftShare::default().share()), at.words(), grouped(*missed), grouped(*due);

    /// The fastest solvers of the tire on a machine (`None` for a single one), each with the smallest size at which it
    /// is the fastest, rising.
    FastestSolver { machine: Option<String>, solvers: Vec<(String, u64)> }
        "Answer", Plain: "Fastest solver{}: {}.", on_machine(machine.as_ref()), by_size(solvers);

    /// Something else used the CPUs, so that rates of solvers are too low. `least` is the least share of the time for
    /// which threads had their CPUs, `enough` the share that counts as undisturbed.
    SolversDisturbed { rates: usize, of: usize, enough: f64, least: f64 }
        "Disturbed": "{rates} of {of} rates are too low, since something else used the CPUs: the threads had them for \
            less than {} of the time, at worst for {}.", percent(*enough), percent(*least);
}}

fn excuse(excused: Option<u64>, steal_ns: &Observed<u64>, edge: &str) -> String {
    match excused {
        None => "; `--blame` shows the causes".to_owned(),
        Some(0) if matches!(steal_ns, Observed::Hidden(_)) => {
            "; none is known to be the platform's, which reports no steal".to_owned()
        }
        Some(0) => ", none because the platform stood still".to_owned(),
        Some(excused) => format!(
            "; {} of them because the platform stood still (platform gaps, steal), without which \
             the edge is at {edge}",
            grouped(excused)
        ),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    pub axis: Axis,
    pub place: u64,
    pub threads: u64,
}

impl Point {
    fn words(&self) -> String {
        on(&self.axis, self.place, self.threads)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sizes {
    pub measurement: String,
    /// What is varied: `size`, `rate`.
    pub noun: &'static str,
    /// The rate of all sizes, unless the rate is what is varied.
    pub rate: Option<String>,
    pub conditions: String,
}

impl Sizes {
    fn at_rate(&self) -> String {
        maybe(self.rate.as_ref(), |rate| format!(" at {rate}"))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Size {
    pub threads: u64,
    /// `None` if no size holds on this number of threads.
    pub size: Option<String>,
    pub shown: bool,
    pub met: Option<Met>,
}

impl Size {
    /// `57 000 masses missed none of 200 steps (fewer than 1 in 67)`.
    fn tried(&self) -> String {
        let name = self.size.as_deref().unwrap_or_default();
        format!("{name} {}", maybe(self.met.as_ref(), Met::of_steps))
    }
}

/// Returns what holds on the best number of threads, and what was tried beyond it.
fn sizes(of: &Sizes, best: &Size, shown: bool, beyond: &[Size]) -> String {
    let place = format!("{} on {} ({})", of.at_rate(), threads(best.threads), of.conditions);
    let beyond = match beyond {
        [] => "nothing beyond was measured",
        beyond => &joined(beyond.iter().map(Size::tried), "; "),
    };
    if shown {
        let name = best.size.as_deref().unwrap_or_default();
        let runs = maybe(best.met, |met| counted(met.runs as usize, "run"));
        let met = maybe(best.met.as_ref(), Met::of_steps);
        return format!("Holds {name}{place}: {met} in {runs}; {beyond}.");
    }
    let (Sizes { noun, measurement, .. }, best) = (of, best.tried());
    format!("No {noun} of the {measurement} is shown to hold{place}: {best}; {beyond}.")
}

fn other_size(size: &Size) -> String {
    let held = match &size.size {
        Some(name) if size.shown => &format!("{name} hold"),
        Some(_) => &size.tried(),
        None => "nothing measured holds",
    };
    format!(" On {}: {held}.", threads(size.threads))
}

/// `simd below 57 000 masses, fused above`.
fn by_size(solvers: &[(String, u64)]) -> String {
    match solvers {
        [(solver, _)] => solver.clone(),
        [(first, _), (second, from)] => {
            format!("{first} below {} masses, {second} above", grouped(*from))
        }
        several => {
            let from = |(solver, from): &(String, u64)| format!("{solver} from {}", grouped(*from));
            joined(several.iter().map(from), ", ") + " masses"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fastest_solvers_are_named_by_size() {
        let solvers = |names: &[(&str, u64)]| {
            let solvers = names.iter().map(|(name, from)| ((*name).to_owned(), *from)).collect();
            AboutCapacity::FastestSolver { machine: None, solvers }.said().words
        };
        let two = [("simd", 5_900), ("fused", 57_000)];
        assert_eq!(solvers(&two[..1]), "Fastest solver: simd.");
        assert_eq!(solvers(&two), "Fastest solver: simd below 57 000 masses, fused above.");
        let three = [two[0], two[1], ("simd", 1_000_000)];
        let words =
            "Fastest solver: simd from 5 900, fused from 57 000, simd from 1 000 000 masses.";
        assert_eq!(solvers(&three), words);
    }
}
