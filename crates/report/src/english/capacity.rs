//! The English text about sizes, edges, own models and solvers.

use analysis::capacity::{End, Ends};
use analysis::finding::{
    AboutCapacity as About, CHECK, Met, Phase, Point, Said, Schedulability, Size as TriedSize,
    Sizes, Standing, ThreadsAt,
};
use analysis::held::one_in;
use analysis::phrases::{hertz, joined, list, maybe, on_machine, some, threads};
use analysis::standards::SoftShare;
use analysis::step_time::Refusal as NotFitted;
use analysis::words::{
    bare, capital, counted, grouped, listed, on, percent, place as place_on, quantity, time,
};
use plan::Axis;
use units::{CpuSet, Observed};

use crate::answer::Remark;

use super::checked::checked;
use super::label::Label;

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::Sizes { of, best, shown, beyond, others } => {
            let others = joined(others.iter().map(other_size), "");
            "Results".says(sizes(of, best, *shown, beyond) + &others)
        }
        About::NoSize { of, smallest } => "Results".says({
            let smallest = maybe(smallest.as_ref(), |size| {
                format!(": {} on {}", tried(size), threads(size.threads))
            });
            let Sizes { noun, measurement, conditions, .. } = of;
            let rate = at_rate(of);
            format!("No measured {noun} of the {measurement} holds{rate} ({conditions}){smallest}.")
        }),
        About::FastestTire { updates_per_s, masses, threads: count, solver, takes_ns } => {
            let (masses, takes) = (grouped(*masses), time(*takes_ns));
            "Results".says(format!(
                "Fastest tire: {} mass updates per second ({masses} masses on {}, {solver} solver); \
                 60 s of it take {takes}.",
                quantity(*updates_per_s),
                threads(*count)
            ))
        }
        About::Edge { axis, rate_hz, limit, held, threads } => {
            edge(axis, *rate_hz, limit.as_deref(), *held, *threads)
        }
        About::EdgeEvidence {
            at,
            missed,
            due,
            runs,
            upper,
            upper_per_hour,
            shared_by,
            bad_runs,
            runs_differ,
        } => "Evidence".says({
            let shared = counted(*shared_by, at.axis.noun());
            let differ = "; runs differ by more than chance, so the misses of a run count as one";
            let dependence = match bad_runs {
                Some(_) => ", if independent",
                None if *runs_differ => differ,
                None => "",
            };
            // A bound from a few runs says nothing.
            let bad_runs = bad_runs.filter(|share| *share < 0.5);
            let bad_runs = maybe(bad_runs, |share| {
                format!("; fewer than {} of runs have a miss", percent(share))
            });
            let ([missed, due], per_hour) =
                ([*missed, *due].map(grouped), quantity(*upper_per_hour));
            format!(
                "{}: {missed} of {due} deadlines missed in {}; rate below {} (95 % confidence \
                 over {shared}{dependence}); below {per_hour} per hour{bad_runs}.",
                point(at),
                counted(*runs as usize, "run"),
                one_in(*upper),
            )
        }),
        About::NothingBeyond { axis, last } => "Beyond".says({
            let last = maybe(*last, |last| {
                format!(" than {}, the end of what was tried", bare(axis, last))
            });
            format!("no {} {} was tried{last}.", further(axis), axis.noun())
        }),
        About::HeldAbove { axis, threads, places } => "Beyond".says({
            let (places, unit) = (list(places.iter().map(|at| bare(axis, *at))), axis.unit(2));
            let places = match axis {
                Axis::Setting(_) => format!("{unit} = {places}"),
                _ => format!("{places} {unit}"),
            };
            let (noun, threads) = (axis.noun(), counted(*threads as usize, "thread"));
            format!(
                "{places} on {threads}: no miss, although an easier {noun} missed; a {noun} above \
                 the first that missed does not count."
            )
        }),
        About::Stalls { at, missed, due, steps, excused, held, first_missed, steal_ns } => {
            let edge = bracket(&at.axis, *held, *first_missed);
            let why = match excused {
                None => "; `--blame` shows the causes",
                Some(0) if matches!(steal_ns, Observed::Hidden(_)) => {
                    "; none is known to be the platform's, which reports no steal"
                }
                Some(0) => ", none because the platform stood still",
                Some(excused) => &format!(
                    "; {} of them because the platform stood still (platform gaps, steal), without \
                     which the edge is at {edge}",
                    grouped(*excused)
                ),
            };
            let steal = maybe(steal_ns.clone().seen().and_then(some), |steal| {
                format!("; the hypervisor reports {} of steal", time(steal as f64))
            });
            // The first part is short enough for a line of its own.
            "Stalls".says(format!(
                "{} missed {} of {} deadlines{why}{steal}; up to {} a step usually fits its period.",
                counted(*steps as usize, "step"),
                grouped(*missed),
                grouped(*due),
                point(at),
            ))
        }
        About::Headroom { at, steps, p99_ns, worst_ns, larger } => "Headroom".says({
            let axis = at.as_ref().map(|at| &at.axis);
            let larger = maybe(larger.zip(axis), |((end, longer_ns), axis)| {
                let (size, longer) = (place_on(axis, end.size), time(longer_ns));
                let so_far = if end.shown { "" } else { ", not yet shown" };
                format!("; {size} also hold{so_far}, with steps {longer} longer")
            });
            let at = maybe(at.as_ref(), |at| format!("{}: ", point(at)));
            let [worst, p99] = [*worst_ns, *p99_ns].map(headroom);
            let steps = counted(*steps as usize, "step");
            format!("{at}{worst} in the worst of {steps}; {p99} or more in 99 % of them{larger}.")
        }),
        About::SearchEffort { runs, measured_ns } => "Search".says({
            let runs = counted(*runs as usize, "run");
            format!("{runs}, {} of measuring.", time(*measured_ns as f64))
        }),
        About::FullGrid { axis, places, of_papers } => "Search".says({
            let of_papers = maybe(*of_papers, |places| {
                format!(
                    "; {} at the resolution of the papers, every {} (they measured 52 470 in all)",
                    grouped(places),
                    place_on(axis, axis.grain())
                )
            });
            let places = counted(*places as usize, axis.noun());
            format!("a full grid over the same range has {places} at this resolution{of_papers}.")
        }),
        About::Unfinished { rate_hz, threads: count, runs, time_ns } => "Search".says({
            let rate = maybe(*rate_hz, |rate| format!("{}, ", hertz(rate)));
            let (threads, time) = (threads(*count), time(*time_ns as f64));
            let runs = counted(*runs as usize, "more run");
            format!("{rate}{threads}: not finished; about {runs}, {time}, would show both ends.")
        }),
        About::Finished => "Search"
            .says("finished: both ends are shown everywhere, as close together as requested."),
        About::EndedByFewMisses { at, missed, due } => Remark::NEXT.says(format!(
            "add `--soft`, which allows {}: {} missed only {} of {} deadlines, as by a stall.",
            percent(SoftShare::default().share()),
            point(at),
            grouped(*missed),
            grouped(*due)
        )),
        About::ModelMisbehaved {
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
        } => "Model".says({
            let of_steps =
                |count: &u64| format!("{} of {} steps", grouped(*count), grouped(*steps));
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
            let switches = switches_ns.map(|ns| {
                format!("switches to its process and back take {} of each step", time(ns))
            });
            let own = own_step_ns.map(|ns| format!("it steps in multiples of {}", time(ns)));
            format!("{}.", joined(counts.chain(own).chain(switches), "; "))
        }),
        About::OutputsDiffer { different, runs, steps } => "Outputs".says(format!(
            "equal inputs gave different outputs: {different} hashes in {} of {} each.",
            counted(*runs, "run"),
            counted(*steps as usize, "step")
        )),
        About::Checked(found) => CHECK.judged(
            if found.first.is_some() { Standing::Bad } else { Standing::Open },
            checked(found),
        ),
        About::CallTooLong { call_ns, late_after_ns } => "Audit".says(format!(
            "the model's call alone takes {} on average, longer than the {} after which a step is \
             late; the causes that are named came on top. {AUDIT}.",
            time(*call_ns),
            time(*late_after_ns as f64)
        )),
        About::LateByOwnCode { steps } => "Audit".says(format!(
            "{} took longer than usual because of the model's own code. {AUDIT}.",
            counted(*steps as usize, "late step")
        )),
        About::StepPhases { shares, step_ns, first_step_ns } => "Step".says({
            let share = |(phase, share): &(Phase, f64)| {
                let phase = match phase {
                    Phase::Call => "the call",
                    Phase::Inputs => "inputs",
                    Phase::Outputs => "outputs",
                };
                format!("{phase} {:.0} %", share * 100.0)
            };
            let first = maybe(*first_step_ns, |ns| format!("; the first took {}", time(ns)));
            format!("{} of {}{first}.", list(shares.iter().map(share)), time(*step_ns))
        }),
        About::NoMiss { rates, due } => "Answer".good(format!(
            "No deadline missed: {}, {}.",
            counted(*rates, "rate"),
            counted(*due as usize, "deadline")
        )),
        About::BestEffortSteps { steps_per_s } => {
            "Work".says(format!("{} best-effort steps per second.", quantity(*steps_per_s)))
        }
        About::Schedulability { cases } => {
            "Analysis".says(format!("{}.", joined(cases.iter().map(schedulability), "; ")))
        }
        About::StaleInputs { cases } => "Inputs".says({
            let case = |(member, beyond, uses): &(String, u64, u64)| {
                format!("{} of {} in {member}", grouped(*beyond), grouped(*uses))
            };
            let cases = list(cases.iter().map(case));
            format!("older than the source's period plus delay: {cases}.")
        }),
        About::FreshInputs { oldest_in, age_ns, period_ns } => "Inputs".says({
            let [age, period] =
                [age_ns, period_ns].map(|ns| ns.map_or("–".to_owned(), |ns| time(ns as f64)));
            format!(
                "none older than its source's period and delay; oldest in {oldest_in}: {age}, of a \
                 period of {period}."
            )
        }),
        About::WorstRunOf { runs } => "Only".says({
            let runs = counted(*runs, "run");
            format!("this is the run of {runs} with the most misses. The report has all.")
        }),
        About::OneRunOfMix => "Confidence".says(
            "one run shows only what happened in it; an analysis with measured costs is not a \
             proof.",
        ),
        About::FastestSolver { machine, solvers } => "Answer".plain(format!(
            "Fastest solver{}: {}.",
            on_machine(machine.as_ref()),
            by_size(solvers)
        )),
        About::SolversDisturbed { rates, of, enough, least } => "Disturbed".says(format!(
            "{rates} of {of} rates are too low, since something else used the CPUs: the threads \
             had them for less than {} of the time, at worst for {}.",
            percent(*enough),
            percent(*least)
        )),
    }
}

const AUDIT: &str = "`steadfast audit FILE` shows what it does, such as allocations and denormals";

fn edge(
    axis: &Axis,
    rate_hz: Option<f64>,
    limit: Option<&str>,
    held: Option<End>,
    threads: Option<u64>,
) -> Said {
    let (thing, largest) = match axis {
        Axis::Masses | Axis::Instances => ("model", "largest"),
        Axis::Rate => ("rate", "highest"),
        Axis::Setting(_) => ("setting", "hardest"),
    };
    let rate = maybe(rate_hz, |rate| format!(" {}", hertz(rate)));
    let limit = maybe(limit, |limit| format!(" as {limit}"));
    let Some(End { size, shown }) = held else {
        return "Answer".bad(format!("No {thing} that was tried holds{rate}{limit}."));
    };
    let held = match threads {
        Some(threads) => on(axis, size, threads),
        None => format!("{} on every number of threads tried", place_on(axis, size)),
    };
    if shown {
        let words = format!("{} {thing} shown to hold{rate}{limit}: {held}.", capital(largest));
        return "Answer".good(words);
    }
    "Answer".says(format!(
        "No {thing} is shown to hold{rate}{limit}; the {largest} that seems to: {held}."
    ))
}

fn further(axis: &Axis) -> &'static str {
    match axis {
        Axis::Masses | Axis::Instances => "larger",
        Axis::Rate => "higher",
        Axis::Setting(_) => "harder",
    }
}

fn point(at: &Point) -> String {
    on(&at.axis, at.place, at.threads)
}

/// Both ends of an edge: `17 920 .. 18 400`; an end that is not shown is `?`.
pub(crate) fn bracket(axis: &Axis, held: Option<End>, missed: Option<End>) -> String {
    let end = |end: Option<End>, none: &str| {
        let words = |End { size, shown }| bare(axis, size) + if shown { "" } else { "?" };
        end.map_or_else(|| none.to_owned(), words)
    };
    format!("{} .. {}", end(held, "none"), end(missed, "?"))
}

/// The largest size that holds, the smallest that misses, and the largest that a step usually fits.
pub(crate) fn edge_figures(
    axis: &Axis,
    held: Option<End>,
    missed: Option<End>,
    steps: &Ends,
) -> Vec<String> {
    let at = |end: End, shown: &str, seems: &str| {
        format!("{} {}", if end.shown { shown } else { seems }, bare(axis, end.size))
    };
    let figures = [
        Some(held.map_or("no size holds".to_owned(), |end| at(end, "holds", "seems to hold"))),
        missed.map(|end| at(end, "misses at", "seems to miss at")),
        steps.held().map(|end| usually_fits(axis, end.size, missed.is_some(), steps)),
    ];
    figures.into_iter().flatten().collect()
}

/// Says where a step usually fits; at least there, if it fits everywhere that was tried.
fn usually_fits(axis: &Axis, place: u64, is_missed: bool, steps: &Ends) -> String {
    let at = bare(axis, place);
    match (steps.missed(), axis.end() == Some(place)) {
        (Some(_), _) => format!("usually fits {at}"),
        (None, true) if !is_missed => format!("usually fits at least {at}, the end of the range"),
        (None, _) => format!("usually fits at least {at}"),
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

fn headroom(ns: i64) -> String {
    let sign = if ns < 0 { "−" } else { "" };
    format!("{sign}{}", time(ns.unsigned_abs() as f64))
}

fn schedulability(case: &Schedulability) -> String {
    let but = maybe(case.delay_ns, |ns| format!(" but for a delay of {}", time(ns as f64)));
    let verdict = match (case.schedulable, case.missed, &case.cause) {
        (true, true, Some(cause)) => {
            format!("schedulable{but}, but misses seen (main cause: {cause})")
        }
        (true, true, None) => {
            format!("schedulable{but}, but misses seen (`--blame` shows the cause)")
        }
        (true, false, _) => format!("schedulable{but}, no misses"),
        (false, true, _) => "not schedulable, misses seen".to_owned(),
        (false, false, _) => "not schedulable, no misses (the worst case did not occur)".to_owned(),
    };
    format!("{}: {verdict}", listed(&case.members))
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

pub(crate) fn not_fitted(refusal: NotFitted) -> String {
    match refusal {
        NotFitted::TooFew { runs, least } => {
            format!("{} are too few; it takes {least} or more", counted(runs, "run"))
        }
        NotFitted::Inseparable { term } => format!(
            "the cost of {term} cannot be separated from the rest; runs with {} would help",
            match term {
                "locks" => "one thread and several threads",
                "memory" => "sizes within and beyond the last cache",
                "switches" => "more sizes",
                _ => "several sizes",
            }
        ),
    }
}

fn at_rate(of: &Sizes) -> String {
    maybe(of.rate.as_ref(), |rate| format!(" at {rate}"))
}

/// `57 000 masses missed none of 200 steps (fewer than 1 in 67)`.
fn tried(size: &TriedSize) -> String {
    let name = size.size.as_deref().unwrap_or_default();
    format!("{name} {}", maybe(size.met.as_ref(), Met::of_steps))
}

/// Returns what holds on the best number of threads, and what was tried beyond it.
fn sizes(of: &Sizes, best: &TriedSize, shown: bool, beyond: &[TriedSize]) -> String {
    let place = format!("{} on {} ({})", at_rate(of), threads(best.threads), of.conditions);
    let beyond = match beyond {
        [] => "nothing beyond was measured",
        beyond => &joined(beyond.iter().map(tried), "; "),
    };
    if shown {
        let name = best.size.as_deref().unwrap_or_default();
        let runs = maybe(best.met, |met| counted(met.runs as usize, "run"));
        let met = maybe(best.met.as_ref(), Met::of_steps);
        return format!("Holds {name}{place}: {met} in {runs}; {beyond}.");
    }
    let (Sizes { noun, measurement, .. }, best) = (of, tried(best));
    format!("No {noun} of the {measurement} is shown to hold{place}: {best}; {beyond}.")
}

fn other_size(size: &TriedSize) -> String {
    let held = match &size.size {
        Some(name) if size.shown => &format!("{name} hold"),
        Some(_) => &tried(size),
        None => "nothing measured holds",
    };
    format!(" On {}: {held}.", threads(size.threads))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::frontier::Edge;

    #[test]
    fn edges_name_what_holds_first() {
        let words = |axis: &Axis, held: Option<(u64, bool)>, rate_hz| {
            let held = held.map(|(size, shown)| End { size, shown });
            edge(axis, rate_hz, None, held, Some(2)).words
        };
        let rate = Some(1e3);
        let found = [
            words(&Axis::Masses, Some((17_920, true)), rate),
            words(&Axis::Masses, Some((400, false)), rate),
            words(&Axis::Masses, None, rate),
            words(&Axis::Rate, Some((2_400, true)), None),
        ];
        let expected = [
            "Largest model shown to hold 1 kHz: 17 920 masses on 2 threads.",
            "No model is shown to hold 1 kHz; the largest that seems to: 400 masses on 2 threads.",
            "No model that was tried holds 1 kHz.",
            "Highest rate shown to hold: 2 400 Hz on 2 threads.",
        ];
        assert_eq!(found, expected);
    }

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
            said(&About::ModelMisbehaved {
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
            })
            .words
        };
        let counted = "did not make 4 of 2 000 steps as requested (3 discarded and 1 ended at another time), \
                       which count as missed";
        assert_eq!(words(4, vec![]), format!("{counted}."));
        let apart = vec![at("other", "1", 2, false)];
        assert_eq!(
            words(4, apart.clone()),
            format!("{counted}; started 2 threads: other on CPU 1.")
        );
        let both = [vec![at("other", "0", 1, true)], apart].concat();
        let advice = "where steps run: name more --cpus, and start threads before the second step";
        assert_eq!(
            words(0, both),
            format!(
                "did not make all steps as requested (3 discarded and 1 ended at another time); started \
                 3 threads: 1 other on CPU 0 and 2 other on CPU 1 ({advice})."
            )
        );
    }

    #[test]
    fn where_every_size_fits_it_is_at_least_the_largest() {
        let ends = |missed| {
            let edge = || Edge { held: Some(2_000), missed, ..Edge::default() };
            Ends { shown: edge(), so_far: edge() }
        };
        let setting: Axis = "cells=1..2000".parse().unwrap();
        let end = setting.end().unwrap();
        let at = |axis: &Axis, place, is_missed, missed| {
            usually_fits(axis, place, is_missed, &ends(missed))
        };
        assert_eq!(at(&Axis::Masses, 2_000, false, Some(2_400)), "usually fits 2 000");
        assert_eq!(at(&Axis::Masses, 2_000, false, None), "usually fits at least 2 000");
        assert_eq!(
            at(&setting, end, false, None),
            "usually fits at least 2000, the end of the range"
        );
    }

    #[test]
    fn fastest_solvers_are_named_by_size() {
        let solvers = |names: &[(&str, u64)]| {
            let solvers = names.iter().map(|(name, from)| ((*name).to_owned(), *from)).collect();
            said(&About::FastestSolver { machine: None, solvers }).words
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
