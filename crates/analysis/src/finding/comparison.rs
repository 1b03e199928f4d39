//! Statements about differences between systems.

use base::Policy;
use serde::Serialize;

use super::compared::{Across, MeasurementCompared, QualityCompared, pair_compared, repeated};
use super::said::{Said, Standing, statements};
use super::worst::{LateWakeup, WorstCase, late_wakeups, worst_cases};
use crate::effect::{FALSE_DISCOVERIES, Quality};
use crate::phrases::{joined, list, maybe, some};
use crate::published::HARDWARE;
use crate::words::{counted, grouped, label as row_label, listed, percent, quantity, time, times};

/// The systems of one instruction set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstructionSet {
    /// Its name, as `uname -m` prints it.
    pub architecture: String,
    pub systems: Vec<String>,
}

impl InstructionSet {
    fn words(&self) -> String {
        format!("{} on {}", self.architecture, listed(&self.systems))
    }
}

statements! { AboutComparison {
    /// How a system differs from the one that it is compared with.
    PairCompared {
        /// The reference and the other.
        names: [String; 2],
        rows: usize,
        /// Whether no row has several runs on both sides.
        is_single: bool,
        /// Whether a side is of imported files, which cannot be measured again here.
        is_imported: bool,
        speed: QualityCompared,
        steadiness: QualityCompared
    }
        "Compared", Plain = pair_compared(names, *rows, is_single.then(|| repeated(*is_imported)), [speed, steadiness]);

    /// The two have no rows with equal conditions. Some match if rows may differ in these fields; empty where none
    /// helps.
    NoEqualRows { names: [String; 2], fields: Vec<String> }
        "Compared": "{} and {} have no row of equal specification. {}", names[1], names[0], match fields.as_slice() {
            [] => "`--across FIELD` compares rows that differ in FIELD, such as policy or load.".to_owned(),
            _ => format!("They differ in {}: `--across {}` compares them.", listed(fields), fields.join(",")),
        };

    /// The clocks of the two differ.
    NotComparable { names: [String; 2] }
        "Compared": "{} and {} are not compared: one counts time in instructions, the other measures it.",
            names[1], names[0];

    /// The instruction sets of the two differ.
    OtherInstructionSet { names: [String; 2] }
        "Compared": "{} and {} are not compared: their instruction sets differ, so their times count different \
            instructions.", names[1], names[0];

    /// The rows that are compared, and those that only one side has.
    Matched { names: [String; 2], rows: usize, across: Vec<Across>, alone: [usize; 2] }
        "Rows" = {
            let [reference, other] = names;
            let field = |Across { field, values: [a, b] }: &Across| {
                format!("{field} ({a} on {reference}, {b} on {other})")
            };
            let fields = some(list(across.iter().map(field)));
            let fields = maybe(fields, |fields| format!(" except for {fields}"));
            let alone = names.iter().zip(alone).filter(|(_, count)| **count > 0);
            let alone = alone.map(|(name, count)| format!("{count} only on {name}"));
            let alone = maybe(some(list(alone)), |alone| format!("; left out: {alone}"));
            let rows = grouped(*rows as u64);
            format!("{rows} of equal specification on {reference} and {other}{fields}{alone}.")
        };

    /// The variants that none is shown to be better than, each having been compared with each.
    Best { quality: Quality, unbeaten: Vec<String>, variants: usize }
        => {
            let (label, best, worse) = match quality {
                Quality::Speed => ("Speed", "fastest", "slower"),
                Quality::Steadiness => ("Steady", "steadiest", "less steady"),
            };
            let names = listed(unbeaten);
            let words = match unbeaten.len() {
                0 => format!("No variant is the {best}: each is shown to be {worse} than another."),
                1 => format!("{names} is the {best} of {variants} variants."),
                _ => format!(
                    "The {best} of {variants} variants is not decided between {names}: none of them is shown to be \
                     {worse} than another."
                ),
            };
            Said::new(label, words).judged(Standing::Plain)
        };

    /// One system is compared by what varies in its runs.
    Variants { by: Vec<String>, names: Vec<String>, also: Vec<String>, left_out: usize }
        "Compared": "runs of one system by {}: {}{}{}.", listed(by), listed(names),
            maybe(also.first(), |first| {
                format!("; {} also varies, and `--across {first}` compares by it", listed(also))
            }),
            maybe(some(*left_out), |runs| format!("; {} without {} left out", counted(runs, "run"), listed(by)));

    /// The measurements in which two systems differ.
    ByMeasurement { names: [String; 2], measurements: Vec<MeasurementCompared> }
        "Where": "{} differs in {}.", names[1], joined(measurements.iter().map(MeasurementCompared::words), ", ");

    /// Rows with one run on a side; `from_parts` if the variation comes from parts of runs, since no row has several
    /// runs.
    SingleRuns { names: [String; 2], rows: usize, from_parts: bool, is_imported: bool }
        "Runs": "{} and {} have {} with one run per side. {}; {}.",
            names[1], names[0], counted(*rows, "row"),
            match from_parts {
                true => "Variation comes from parts of runs and from the other rows, a weak claim: only rows that \
                    stand out can show a difference, not a shift of all rows, and p99 and late samples are not decided",
                false => "Run-to-run variation comes from the other rows, a weaker claim",
            }, repeated(*is_imported);

    /// The error rate that a test of several figures controls.
    Tested { comparisons: usize, margin: f64 }
        "Evidence": "{}, false-discovery rate {}; unit of analysis: the run. Ratios within {} of 1 count as equal. \
            \u{201c}No difference shown\u{201d} is not proof of equality.",
            counted(*comparisons, "comparison"), percent(FALSE_DISCOVERIES), percent(*margin);

    /// Figures that need no test, since equal runs are equal.
    Exact { figures: usize, margin: f64 }
        "Evidence": "{} compared exactly: equal runs in the lab give equal figures, so no test is needed. Ratios within \
            {} of 1 count as equal. Another list of runs may give other figures.",
            counted(*figures, "figure"), percent(*margin);

    /// Systems that were measured one after the other, not interleaved.
    NotInTurns { pairs: Vec<[String; 2]> }
        "Order": "{} were not measured in turns: whatever else changed in between looks like a difference, so \
            intervals are wider. A campaign with `repeat = 3` alternates them.",
            joined(pairs.iter().map(|[a, b]| format!("{b} and {a}")), "; ");

    /// Published systems are shown too.
    PublishedFigures { systems: Vec<String> }
        "Note", Plain: "Published figures are in the tables, but not tested or ranked: they come from another machine \
            ({HARDWARE}), without runs. Systems: {}.", systems.join("; ");

    /// None of the requested publications has a figure of what was measured.
    NoPublishedFigures
        "Note", Plain: "No published figure is about these measurements: the publications have `task_switch`, \
            `preemption`, `semaphore_shuffle` without load, and sizes of the tire at 100 Hz.";

    /// Loads that the lab cannot run, each with the reason.
    LoadsNotCarried { loads: Vec<(&'static str, &'static str)> }
        "Loads": "the lab cannot run {}, which are in none of these figures.",
            list(loads.iter().map(|(load, why)| format!("`{load}` ({why})")));

    /// Loads under which a system has no deciding wake-up.
    WakeupsMissing { system: String, loads: Vec<String> }
        "Incomplete": "{system} has no valid wake-up at 1 ms under load {}; its worst case may be longer.",
            listed(loads);

    /// The worst wake-up of each system, the shortest first.
    WorstWakeups { policy: Policy, loads: usize, without_load: bool, worst: Vec<WorstCase> }
        "Wake-ups" = {
            let without = without_load.then(|| "without load".to_owned());
            let under = (*loads > 0).then(|| format!("under {}", counted(*loads, "load")));
            let (under, worst) = (list(without.into_iter().chain(under)), worst_cases(worst));
            format!("worst of a `{policy}` thread with a period of 1 ms, {under}: {worst}.")
        };

    /// The longest interrupt latency to a thread on each system, the shortest first.
    WorstInterrupts { worst: Vec<WorstCase> }
        "Interrupts": "longest way of an interrupt to its real-time thread: {}.", worst_cases(worst);

    /// Systems with real-time wake-ups that took longer than the limit, and those without.
    LateWakeups { limit_ns: f64, late: Vec<(String, Vec<LateWakeup>)>, never: Vec<String> }
        "Late" = late_wakeups(&time(*limit_ns), late, never);

    /// How many machines that differ only in chance were measured of each system of the lab.
    Draws { draws: usize }
        "Chance" = match draws {
            1 => "each worst case and tail is one draw: another machine that differs only in chance may have several \
                times as much. So they are not ranked or compared; `--draws 5` measures ranges. Medians seldom depend \
                on chance.".to_owned(),
            _ => format!(
                "worst cases and tails are ranges over {draws} draws: machines that differ only in the moment at which \
                 their runs begin. The draw is the unit of analysis, and what differs by less than draws do counts as \
                 \"no difference shown\". Medians are exact where all draws agree."
            ),
        };

    /// The system whose worst case is the shortest in every draw; `ratio` is the least worst case of the next, divided
    /// by its own longest. The least steady of three or more systems is `last`, with its ratio.
    Steadiest { system: String, next: String, ratio: f64, last: Option<(String, f64)> }
        "Steady", Plain = match ratio {
            ..1.005 => format!("No system is the steadiest: {system} and {next} have equal worst cases."),
            _ => format!(
                "{system} is the steadiest system in every draw: the worst case of the next, {next}, is at least {}x \
                 as long{}.",
                quantity(*ratio),
                maybe(last.as_ref(), |(name, ratio)| {
                    format!(", that of {name}, the least steady, at least {}x", quantity(*ratio))
                })
            ),
        };

    /// Figures without load: those of a stock kernel, then those of the steadiest system.
    PriceOfSteadiness {
        steadiest: String,
        stock: String,
        prices: Vec<(Price, [f64; 2])>,
        /// The geometric mean of the ratios of messages, and the number of tests.
        messages: Option<(f64, usize)>
    }
        "Cost": "without load, {steadiest} compared with {stock}: {}.", {
            let messages = messages.map(|(ratio, tests)| {
                let tests = counted(tests, "test");
                format!("messages take {}x as long (geometric mean of {tests})", quantity(ratio))
            });
            list(prices.iter().map(|(price, ends)| price.words(*ends)).chain(messages))
        };

    /// Some systems count instructions, others measure time.
    ClocksDiffer { counting: Vec<String>, measuring: Vec<String> }
        "Error": "Clocks differ: time is counted in instructions on {}, and measured on {}. Figures of the one are \
            neither longer nor shorter than those of the other.", listed(counting), listed(measuring);

    /// Systems of the lab have different instruction sets.
    InstructionSetsDiffer { sets: Vec<InstructionSet> }
        "Error": "Instruction sets differ: {}. Compare the order of kernels and their ratios within each set, never \
            times of one set with times of another.",
            listed(&sets.iter().map(InstructionSet::words).collect::<Vec<_>>());

    /// How the lab counts time on these systems (empty where on all): in nanoseconds per instruction, where they are
    /// known and the same.
    InstructionClock { systems: Vec<String>, ns: Option<u64> }
        "Clock": "{} is counted in instructions: one processor, {}.",
            if systems.is_empty() { "Time".to_owned() } else { format!("On {} time", listed(systems)) },
            ns.map_or("the same time per instruction of a machine".to_owned(), |ns| {
                format!("{ns} ns per instruction")
            });

    /// A row that is worse than in the reference.
    WorseRow {
        names: [String; 2],
        measurement: String,
        label: String,
        conditions: String,
        /// Names of figures with their ratios.
        figures: Vec<(&'static str, f64)>
    }
        "Worse": "{} is worse than {}: {measurement} {}, {} ({conditions})", names[1], names[0], row_label(label),
            joined(figures.iter().map(|(name, ratio)| format!("{name} {}x", times(*ratio))), ", ");
}}

/// A figure that steadiness may worsen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Price {
    /// The average wake-up under the default policy, in nanoseconds.
    Wakeup,
    /// From a timer interrupt to its thread, in nanoseconds.
    TimerInterrupt,
    MassUpdates,
}

impl Price {
    fn words(self, [from, to]: [f64; 2]) -> String {
        let updates = |number: f64| grouped(number.round() as u64);
        let (what, figure): (&str, fn(f64) -> String) = match self {
            Self::Wakeup => ("an average wake-up under the default policy takes", time),
            Self::TimerInterrupt => ("a timer interrupt reaches its thread in", time),
            Self::MassUpdates => ("mass updates per second of the tire are", updates),
        };
        let [before, now] = [from, to].map(figure);
        format!("{what} {now} instead of {before} ({})", factor(from, to))
    }
}

/// `+23 %`.
fn factor(from: f64, to: f64) -> String {
    let share = to / from - 1.0;
    let sign = if share < 0.0 { "−" } else { "+" };
    format!("{sign}{}", percent(share.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Extent;

    fn names() -> [String; 2] {
        ["idle".to_owned(), "busy".to_owned()]
    }

    fn undecided(rows: usize) -> QualityCompared {
        QualityCompared { worse: None, better: None, no_difference: 0, not_decided: rows }
    }

    #[test]
    fn a_comparison_reads_as_sentences() {
        let extent = |rows, figures: &[&'static str], ratios| {
            Some(Extent { rows, figures: figures.to_vec(), ratios })
        };
        let compared = AboutComparison::PairCompared {
            names: names(),
            rows: 9,
            is_single: false,
            is_imported: false,
            speed: QualityCompared { worse: extent(3, &["mean"], [1.2, 3.1]), ..undecided(0) },
            steadiness: QualityCompared {
                better: extent(1, &["p99"], [0.5, 0.5]),
                no_difference: 6,
                ..undecided(2)
            },
        };
        let [speed, steadiness] = [undecided(9), undecided(9)];
        let single = AboutComparison::PairCompared {
            names: names(),
            rows: 9,
            is_single: true,
            is_imported: false,
            speed,
            steadiness,
        };
        let across =
            vec![Across { field: "load".to_owned(), values: ["none", "cpu"].map(str::to_owned) }];
        let best = |unbeaten: &[&str]| AboutComparison::Best {
            quality: Quality::Speed,
            unbeaten: unbeaten.iter().map(|name| (*name).to_owned()).collect(),
            variants: 3,
        };
        let [system, next] = ["rt", "stock"].map(str::to_owned);
        let steadiest = |ratio| {
            let (system, next) = (system.clone(), next.clone());
            AboutComparison::Steadiest { system, next, ratio, last: None }
        };
        for (finding, words) in [
            (
                compared,
                "busy is slower than idle in 3 of 9 rows (mean 1.2x to 3.1x) and steadier in 1 (p99 \
                 0.5x). No difference shown: steadiness in 6 of 9 rows. Not decided: steadiness in 2 \
                 of 9 rows.",
            ),
            (
                single,
                "Inconclusive for busy and idle: one run per side says nothing about run-to-run \
                 variation; use `--repeat 3`.",
            ),
            (
                AboutComparison::NoEqualRows { names: names(), fields: vec!["policy".to_owned()] },
                "busy and idle have no row of equal specification. They differ in policy: \
                 `--across policy` compares them.",
            ),
            (
                AboutComparison::Matched { names: names(), rows: 9, across, alone: [2, 0] },
                "9 of equal specification on idle and busy except for load (none on idle, cpu on \
                 busy); left out: 2 only on idle.",
            ),
            (best(&["a"]), "a is the fastest of 3 variants."),
            (
                best(&["a", "b"]),
                "The fastest of 3 variants is not decided between a and b: none of them is shown to be \
                 slower than another.",
            ),
            (
                steadiest(97.4),
                "rt is the steadiest system in every draw: the worst case of the next, stock, is at \
                 least 97.4x as long.",
            ),
            (steadiest(1.0), "No system is the steadiest: rt and stock have equal worst cases."),
            (
                AboutComparison::SingleRuns {
                    names: names(),
                    rows: 1,
                    from_parts: false,
                    is_imported: false,
                },
                "busy and idle have 1 row with one run per side. Run-to-run variation comes from the \
                 other rows, a weaker claim; use `--repeat 3`.",
            ),
            (
                AboutComparison::NotInTurns { pairs: vec![names()] },
                "busy and idle were not measured in turns: whatever else changed in between looks \
                 like a difference, so intervals are wider. A campaign with `repeat = 3` \
                 alternates them.",
            ),
        ] {
            assert_eq!(finding.said().words, words);
        }
    }

    #[test]
    fn the_price_of_steadiness_has_a_change_for_each_figure() {
        let price = AboutComparison::PriceOfSteadiness {
            steadiest: "rt".to_owned(),
            stock: "stock".to_owned(),
            prices: vec![(Price::Wakeup, [4e3, 5e3]), (Price::MassUpdates, [32e6, 30.4e6])],
            messages: Some((1.2, 7)),
        };
        assert_eq!(
            price.said().words,
            "without load, rt compared with stock: an average wake-up under the default policy takes 5 µs \
             instead of 4 µs (+25 %), mass updates per second of the tire are 30 400 000 instead of \
             32 000 000 (−5 %) and messages take 1.2x as long (geometric mean of 7 tests)."
        );
    }
}
