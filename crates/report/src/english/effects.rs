//! The English text about comparisons, experiments, interference and best-effort work.

use analysis::comparison::contrasts::{Across, Decision, Row};
use analysis::effect::{
    Effect, FALSE_DISCOVERIES, POWER, Quality, Unit, decisive, foremost, worse,
};
use analysis::finding::{
    AboutEffects as About, Compared, Extent, LateWakeup, MeasurementCompared, Price,
    QualityCompared, Said, Why, Work, WorstCase,
};
use analysis::phrases::{joined, list, maybe, some};
use analysis::published::HARDWARE;
use analysis::words::{self, counted, grouped, listed, percent, quantity, time, times, watts};
use units::Vicinity;

use crate::answer::Remark;

use super::label::Label;

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::Inconclusive { why } => "Answer".says(format!("Inconclusive: {}.", reason(why))),
        About::ToDecide { why } => Remark::NEXT.says(format!("{}.", what_decides(why))),
        About::WorstNeighbour { neighbour, place, figure, ratio } => "Answer".bad({
            let (place, figure, ratio) = (vicinity(*place), compared(*figure), times(*ratio));
            format!("Worst neighbour: {neighbour} {place} ({figure} is {ratio}x).")
        }),
        About::NoHarm => "Answer".says("No neighbour is shown to harm (not proof that none does)."),
        About::Run { run } => "Run".says(run),
        About::FirstTableOf { tables } => "Only".says(format!(
            "this is the first of {}; runs of another kind or set-up are not compared with these. \
             The report has all.",
            counted(*tables, "table")
        )),
        About::HarmBegins { neighbour, place, harmful_per_s, harmless_per_s, unit } => {
            let (place, harmful) = (vicinity(*place), quantity(*harmful_per_s));
            let below = maybe(*harmless_per_s, |work| {
                format!("; no effect detected at {} per second", quantity(work))
            });
            "Onset"
                .says(format!("{neighbour} {place} harms from {harmful} {unit} per second{below}."))
        }
        About::NoEffectDetected { neighbours } => "Others".says(format!(
            "{}: no effect detected (not proof of no effect).",
            neighbours.join(", ")
        )),
        About::Better { neighbours } => "Better".says(format!(
            "with {} a figure is better than without, as can happen when a neighbour keeps the CPU \
             out of idle states.",
            listed(neighbours)
        )),
        About::PairCompared { names, rows, is_single, speed, steadiness } => {
            "Compared".plain(pair_compared(names, *rows, *is_single, [speed, steadiness]))
        }
        About::NoEqualRows { names: [reference, other], fields } => "Compared".says({
            let (names, across) = (listed(fields), fields.join(","));
            let help = match fields.as_slice() {
                [] => {
                    "`--across FIELD` compares rows that differ in FIELD, such as policy or load."
                }
                _ => &format!("They differ in {names}: `--across {across}` compares them."),
            };
            format!("{other} and {reference} have no row of equal specification. {help}")
        }),
        About::NotComparable { names: [reference, other] } => "Compared".says(format!(
            "{other} and {reference} are not compared: one counts time in instructions, the other \
             measures it."
        )),
        About::Matched { names, rows, across, alone } => "Rows".says({
            let [reference, other] = names;
            let field = |across: &Across| {
                let [one, another] = &across.values;
                format!("{} ({one} on {reference}, {another} on {other})", across.field)
            };
            let fields = some(list(across.iter().map(field)));
            let fields = maybe(fields, |fields| format!(" except for {fields}"));
            let alone = names.iter().zip(alone).filter(|(_, count)| **count > 0);
            let alone = alone.map(|(name, count)| format!("{count} only on {name}"));
            let alone = maybe(some(list(alone)), |alone| format!("; left out: {alone}"));
            format!(
                "{} of equal specification on {reference} and {other}{fields}{alone}.",
                grouped(*rows as u64),
            )
        }),
        About::Best { quality, unbeaten, variants } => {
            let (label, best, worse) = match quality {
                Quality::Speed => ("Speed", "fastest", "slower"),
                Quality::Steadiness => ("Steady", "steadiest", "less steady"),
            };
            let names = listed(unbeaten);
            label.plain(match unbeaten.len() {
                0 => format!("No variant is the {best}: each is shown to be {worse} than another."),
                1 => format!("{names} is the {best} of {variants} variants."),
                _ => format!(
                    "The {best} of {variants} variants is not decided between {names}: none of \
                     them is shown to be {worse} than another."
                ),
            })
        }
        About::Variants { by, names, also, left_out } => "Compared".says({
            let by = listed(by);
            let also = maybe(also.first(), |first| {
                format!("; {} also varies, and `--across {first}` compares by it", listed(also))
            });
            let left_out = maybe(some(*left_out), |runs| {
                format!("; {} without {by} left out", counted(runs, "run"))
            });
            format!("runs of one system by {by}: {}{also}{left_out}.", listed(names))
        }),
        About::ByMeasurement { names: [_, other], measurements } => "Where".says({
            let measurement = |one: &MeasurementCompared| {
                let sides = [("worse", one.worse), ("better", one.better)];
                let sides = sides.into_iter().filter(|(_, rows)| *rows > 0);
                let sides = list(sides.map(|(side, rows)| format!("{side} in {rows}")));
                format!("`{}` ({sides} of {})", one.measurement, counted(one.rows, "row"))
            };
            format!("{other} differs in {}.", joined(measurements.iter().map(measurement), ", "))
        }),
        About::SingleRuns { names: [reference, other], rows, from_parts } => "Runs".says({
            let rows = counted(*rows, "row");
            let source = if *from_parts {
                "Variation comes from parts of runs and from the other rows, a weak claim: \
                 only rows that stand out can show a difference, not a shift of all rows, and \
                 p99 and late samples are not decided"
            } else {
                "Run-to-run variation comes from the other rows, a weaker claim"
            };
            format!(
                "{other} and {reference} have {rows} with one run per side. {source}; use \
                 `--repeat 3`."
            )
        }),
        About::Tested { comparisons, margin } => "Evidence".says(format!(
            "{}, false-discovery rate {}; unit of analysis: the run. Ratios within {} of 1 count \
             as equal. \u{201c}No difference shown\u{201d} is not proof of equality.",
            counted(*comparisons, "comparison"),
            percent(FALSE_DISCOVERIES),
            percent(*margin)
        )),
        About::Exact { figures, margin } => "Evidence".says(format!(
            "{} compared exactly: equal runs in the lab give equal figures, so no test is needed. \
             Ratios within {} of 1 count as equal. Another list of runs may give other figures.",
            counted(*figures, "figure"),
            percent(*margin)
        )),
        About::NotInTurns { pairs } => "Order".says(format!(
            "{} were not measured in turns: whatever else changed in between looks like a \
             difference, so intervals are wider. A campaign with `repeat = 3` alternates \
             them.",
            joined(pairs.iter().map(|[one, other]| format!("{other} and {one}")), "; ")
        )),
        About::PublishedFigures { systems } => "Note".plain(format!(
            "Published figures are in the tables, but not tested or ranked: they come from another \
             machine ({HARDWARE}), without runs. Systems: {}.",
            systems.join("; ")
        )),
        About::NoPublishedFigures => "Note".plain(
            "No published figure is about these measurements: the publications have `task_switch`, \
             `preemption`, `semaphore_shuffle` without load, and sizes of the tire at 100 Hz.",
        ),
        About::LoadsNotCarried { loads } => "Loads".says({
            let loads = list(loads.iter().map(|(load, why)| format!("`{load}` ({why})")));
            format!("the lab cannot run {loads}, which are in none of these figures.")
        }),
        About::WakeupsMissing { system, loads } => "Incomplete".says(format!(
            "{system} has no valid wake-up at 1 ms under load {}; its worst case may be longer.",
            listed(loads)
        )),
        About::WorstWakeups { policy, loads, without_load, worst } => "Wake-ups".says({
            let without = without_load.then(|| "without load".to_owned());
            let under = (*loads > 0).then(|| format!("under {}", counted(*loads, "load")));
            let (under, worst) = (list(without.into_iter().chain(under)), worst_cases(worst));
            format!("worst of a `{policy}` thread with a period of 1 ms, {under}: {worst}.")
        }),
        About::WorstInterrupts { worst } => "Interrupts".says(format!(
            "longest way of an interrupt to its real-time thread: {}.",
            worst_cases(worst)
        )),
        About::LateWakeups { limit_ns, late, never } => "Late".says({
            let limit = time(*limit_ns);
            let load = |one: &LateWakeup| {
                format!("{} ({}, period {})", one.load, time(one.ns), time(one.period_ns))
            };
            let system = |(name, loads): &(String, Vec<LateWakeup>)| {
                format!("{name} under {}", list(loads.iter().map(load)))
            };
            let late = maybe(some(joined(late.iter().map(system), "; ")), |late| {
                format!("real-time wake-ups above {limit}, at any period: {late}. ")
            });
            let never =
                maybe(some(listed(never)), |names| format!("None above {limit} seen: {names}."));
            (late + &never).trim_end().to_owned()
        }),
        About::Draws { draws: 1 } => "Chance".says(
            "each worst case and tail is one draw: another machine that differs only in chance may \
             have several times as much. So they are not ranked or compared; `--draws 5` measures \
             ranges. Medians seldom depend on chance.",
        ),
        About::Draws { draws } => "Chance".says(format!(
            "worst cases and tails are ranges over {draws} draws: machines that differ only in the \
             moment at which their runs begin. The draw is the unit of analysis, and what differs by \
             less than draws do counts as \"no difference shown\". Medians are exact where all draws agree."
        )),
        About::Steadiest { system, next, ratio, last } => "Steady".plain({
            let last = maybe(last.as_ref(), |(name, ratio)| {
                format!(", that of {name}, the least steady, at least {}x", quantity(*ratio))
            });
            match ratio {
                ..1.005 => format!(
                    "No system is the steadiest: {system} and {next} have equal worst cases."
                ),
                _ => format!(
                    "{system} is the steadiest system in every draw: the worst case of the next, \
                     {next}, is at least {}x as long{last}.",
                    quantity(*ratio)
                ),
            }
        }),
        About::PriceOfSteadiness { steadiest, stock, prices, messages } => "Cost".says({
            let price = |(price, [from, to]): &(Price, [f64; 2])| {
                let updates = |number: f64| grouped(number.round() as u64);
                let (what, figure): (&str, fn(f64) -> String) = match price {
                    Price::Wakeup => ("an average wake-up under the default policy takes", time),
                    Price::TimerInterrupt => ("a timer interrupt reaches its thread in", time),
                    Price::MassUpdates => ("mass updates per second of the tire are", updates),
                };
                let [before, now] = [*from, *to].map(figure);
                format!("{what} {now} instead of {before} ({})", factor(*from, *to))
            };
            let messages = messages.map(|(ratio, tests)| {
                let tests = counted(tests, "test");
                format!("messages take {}x as long (geometric mean of {tests})", quantity(ratio))
            });
            let prices = list(prices.iter().map(price).chain(messages));
            format!("without load, {steadiest} compared with {stock}: {prices}.")
        }),
        About::ClocksDiffer { counting, measuring } => "Error".says(format!(
            "Clocks differ: time is counted in instructions on {}, and measured on {}. Figures of \
             the one are neither longer nor shorter than those of the other.",
            listed(counting),
            listed(measuring)
        )),
        About::InstructionClock { systems, ns } => "Clock".says({
            let whose = match systems.as_slice() {
                [] => "Time",
                systems => &format!("On {} time", listed(systems)),
            };
            let length = match ns {
                Some(ns) => &format!("{ns} ns per instruction"),
                None => "the same time per instruction of a machine",
            };
            format!("{whose} is counted in instructions: one processor, {length}.")
        }),
        About::WorseRow { names: [reference, other], measurement, label, conditions, figures } => {
            let figures = figures.iter().map(|(name, ratio)| format!("{name} {}x", times(*ratio)));
            let (row, figures) = (words::label(label), joined(figures, ", "));
            "Worse".says(format!(
                "{other} is worse than {reference}: {measurement} {row}, {figures} ({conditions})"
            ))
        }
        About::SettingsHelp { settings, together } => "Answer".good({
            let together = (!together.is_empty()).then(|| effects(together));
            let together = maybe(together, |effects| format!("; together {effects}"));
            format!("{} shown to help{together}.", are(settings))
        }),
        About::NoSettingHelps { harmful } => "Answer".plain(match harmful.as_slice() {
            [] => "No setting is shown to make a difference (not proof that none does).".to_owned(),
            harmful => format!("No setting helps; {} shown to harm.", are(harmful)),
        }),
        About::NotTogether { settings, together } => "Answer".plain({
            let (settings, together) = (listed(settings), effects(together));
            format!("{settings} each help, but not together ({together}): keep one.")
        }),
        About::PairEffect { settings: [one, other], both, extra } => "Pair".says({
            let (both, name, ratio) = (effects(both), extra.figure.name, times(extra.times[1]));
            format!(
                "`{one}` with `{other}`: {both}; {name} is {ratio}x what the two effects add up to."
            )
        }),
        About::Controls { positive_detected, sham_detected, figure, detectable_ns } => {
            let positive = if *positive_detected { "detected" } else { "missed" };
            let sham = if *sham_detected { "detected" } else { "clean" };
            let (change, power) = (time(*detectable_ns), percent(POWER));
            "Controls".says(format!(
                "Positive control {positive}, sham {sham}; detectable change in {figure}: {change} \
                 ({power} power)."
            ))
        }
        About::MissesWithoutWork { missed, due } => "Answer".bad({
            let [missed, due] = [*missed, *due].map(grouped);
            format!("The rates miss deadlines without best-effort work too: {missed} of {due}.")
        }),
        About::MostWork { choice, work } => "Answer"
            .good(format!("Best-effort work without a miss: {} ({choice}).", per_second(work))),
        About::NoWorkFits => {
            "Answer".bad("No best-effort work fits: with every choice a rate missed a deadline.")
        }
        About::IdleWork { work, median, rate } => "Idle".says({
            let [lower, _, upper] = work.per_s.map(quantity);
            let median = maybe(median.as_ref(), |median| {
                let [lower, ratio, upper] = median.times;
                let (ratio, interval) = (times(ratio), interval_x([lower, upper]));
                format!("; median response of {rate} {ratio}x ({interval})")
            });
            format!("{} ({lower} to {upper}){median}.", per_second(work))
        }),
        About::Slower { rate, choices } => "Slower".says({
            let choices =
                choices.iter().map(|(choice, ratio)| format!("{}x with {choice}", times(*ratio)));
            format!("median response of {rate}: {}.", joined(choices, ", "))
        }),
        About::Evidence { comparisons, reference_runs, least_runs, shams, figure } => {
            let interval = |interval: &[f64; 2]| interval_x(*interval);
            let sham = maybe(some(list(shams.iter().map(interval))), |shams| {
                format!("; {} of the idle control: {shams}", compared(*figure))
            });
            "Evidence".says(format!(
                "{}, false-discovery rate 5 %; {} without neighbours, at least {least_runs} of \
                 each kind{sham}.",
                counted(*comparisons, "comparison"),
                counted(*reference_runs, "run"),
            ))
        }
    }
}

fn reason(why: &Why) -> String {
    match why {
        Why::NothingToCompare => "there are no valid runs of both kinds to compare".to_owned(),
        Why::NoSham => "no idle control (sham) was measured".to_owned(),
        Why::ControlsNotSet { controls } => {
            format!("{} could not be set, so nothing is claimed", listed(controls))
        }
        Why::Unfinished => "the experiment ended before its controls were tried".to_owned(),
        Why::ShamDetected => {
            "the sham, which changes nothing, shows an effect, so nothing is claimed".to_owned()
        }
        Why::PositiveControlMissed => {
            "the positive control shows no effect, so nothing is claimed".to_owned()
        }
        Why::ShamDiffers { figure, interval } => {
            let (figure, interval) = (compared(*figure), interval_x(*interval));
            format!("the idle control (sham) also differs from quiet runs ({figure} {interval})")
        }
    }
}

fn what_decides(why: &Why) -> &'static str {
    match why {
        Why::NothingToCompare => "remove what makes the runs INVALID, then use the same command",
        Why::NoSham => "measure the sham too: it is always among the aggressors of `interfere`",
        Why::ControlsNotSet { .. } => "remove what prevents it, then use the same command",
        Why::Unfinished => "the same command continues the experiment",
        Why::ShamDetected | Why::ShamDiffers { .. } => {
            "repeat it with a longer `--budget` and another `--out` while nothing else runs; \
             something else changes the times as much as what is tried"
        }
        Why::PositiveControlMissed => {
            "repeat it with a longer `--budget` and another `--out`; more runs show smaller effects"
        }
    }
}

fn interval_x(ends: [f64; 2]) -> String {
    ends.map(|end| format!("{}x", times(end))).join(" to ")
}

pub(crate) fn compared(figure: Compared) -> &'static str {
    match figure {
        Compared::MissOdds => "odds of a miss",
        Compared::P999 => "p99.9",
        Compared::P99 => "p99",
        Compared::Median => "median",
    }
}

/// `12.3 million mass updates per second`.
pub(crate) fn per_second(work: &Work) -> String {
    format!("{} {} per second", quantity(work.per_s[1]), work.unit)
}

fn vicinity(place: Vicinity) -> &'static str {
    match place {
        Vicinity::SameCpu => "on the same CPU",
        Vicinity::Sibling => "on the SMT sibling",
        Vicinity::SharedCache => "on a CPU that shares the cache",
        Vicinity::OtherCache => "on a CPU with another cache",
        Vicinity::OtherSocket => "in another socket",
    }
}

pub(crate) const CLOCK: &str = "What this clock means, and what it cannot say";

pub(super) const CLOCK_IN_SHORT: &str = "Figures compare paths through kernels, and are equal for equal setups on every \
                              host. Caches, TLBs, DMA and firmware are not modelled: nothing here predicts a \
                              piece of hardware.";

pub(super) const CLOCK_MEANING: [&str; 4] = [
    "Figures compare the paths that kernels take, by the number of instructions on them. Equal setups \
     (QEMU, its arguments, kernel, parameters, this program, the list of runs) give equal figures on \
     every host, to the nanosecond; where two did not, this report says so.",
    "An instruction takes the same time whatever it does. Caches, TLBs, branch prediction, clock \
     frequencies, memory that devices keep busy (DMA), firmware interrupts, and a second processor \
     with the locks between the two are not modelled.",
    "The figures say nothing about a piece of hardware: not what a kernel would do on a certain machine, \
     and not how large a model that machine holds. A kernel that is steadier here has shorter paths \
     under these loads; how long a path takes on a machine, only that machine can show.",
    "The worst case seen is not the worst case possible: it grows with the time measured, and with \
     loads and devices that were not tried.",
];

fn pair_compared(
    [reference, other]: &[String; 2],
    rows: usize,
    is_single: bool,
    qualities: [&QualityCompared; 2],
) -> String {
    if qualities.iter().all(|quality| quality.not_decided == rows) {
        let why = if is_single {
            "one run per side says nothing about run-to-run variation; use `--repeat 3`"
        } else {
            "too few runs or samples to compare run by run; lateness takes several runs of 1000 \
             samples per side"
        };
        return format!("Inconclusive for {other} and {reference}: {why}.");
    }
    let [speed, steadiness] = qualities;
    let of_rows = format!(" of {}", counted(rows, "row"));
    let of_first = |place: usize| if place == 0 { of_rows.as_str() } else { "" };
    let shown = [
        ("slower", &speed.worse),
        ("faster", &speed.better),
        ("less steady", &steadiness.worse),
        ("steadier", &steadiness.better),
    ];
    let shown = shown.into_iter().filter_map(|(word, extent)| Some((word, extent.as_ref()?)));
    let shown = shown.enumerate().map(|(place, (word, Extent { rows, figures, ratios }))| {
        let than = if place == 0 { format!(" than {reference}") } else { String::new() };
        let (of, figures) = (of_first(place), list(figures.iter().map(ToString::to_string)));
        format!("{word}{than} in {rows}{of} ({figures} {})", ratios_between(*ratios))
    });
    let shown = list(shown);
    let counts = |count: fn(&QualityCompared) -> usize| {
        let counts = ["speed", "steadiness"].into_iter().zip(qualities.map(count));
        let counts = counts.filter(|(_, rows)| *rows > 0).enumerate();
        let words = |(place, (name, rows))| format!("{name} in {rows}{}", of_first(place));
        some(list(counts.map(words)))
    };
    let of_pair = if shown.is_empty() { &format!(" between {other} and {reference}") } else { "" };
    let same = counts(|quality| quality.no_difference);
    let undecided = counts(|quality| quality.not_decided);
    let sentences = [
        some(shown).map(|shown| format!("{other} is {shown}.")),
        same.map(|same| format!("No difference shown{of_pair}: {same}.")),
        undecided.map(|undecided| format!("Not decided: {undecided}.")),
    ];
    joined(sentences.into_iter().flatten(), " ")
}

/// `1.2x to 3.1x`.
fn ratios_between([least, most]: [f64; 2]) -> String {
    match [least, most].map(quantity) {
        [least, most] if least == most => format!("{least}x"),
        [least, most] => format!("{least}x to {most}x"),
    }
}

/// `a 20 µs (load x); b 3 ms (load y)`.
fn worst_cases(worst: &[WorstCase]) -> String {
    let case = |one: &WorstCase| {
        let range = if one.least_ns < one.ns { time(one.least_ns) + " to " } else { String::new() };
        format!("{} {range}{} ({})", one.system, time(one.ns), one.under)
    };
    joined(worst.iter().map(case), "; ")
}

/// `+23 %`.
fn factor(from: f64, to: f64) -> String {
    let share = to / from - 1.0;
    let sign = if share < 0.0 { "−" } else { "+" };
    format!("{sign}{}", percent(share.abs()))
}

/// `a and b are`.
fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(names))
}

/// Says how the other side of a row differs; empty if it does not differ.
pub(crate) fn row_compared(row: &Row) -> String {
    let words =
        [(Quality::Speed, "slower", "faster"), (Quality::Steadiness, "less steady", "steadier")];
    let word = |(quality, worse, better)| match row.decision(quality) {
        Decision::Worse => Some(worse),
        Decision::Better => Some(better),
        Decision::NoDifference | Decision::NotDecided => None,
    };
    let shown: Vec<&str> = words.into_iter().filter_map(word).collect();
    if shown.is_empty() && !row.is_decided() { "not decided".to_owned() } else { shown.join(", ") }
}

/// Says what a setting does: `p99 31 µs lower (24 to 38)`, or what would have been detected; also
/// what it makes worse and what it costs in power.
pub fn effects(effects: &[Effect]) -> String {
    let first = match (decisive(effects), foremost(effects)) {
        (Some(effect), _) => effect_with_interval(effect),
        (None, Some(effect)) => {
            let [lower, _, upper] = effect.difference().map(f64::abs);
            let (name, most) = (effect.figure.name, time(lower.max(upper)));
            format!("no effect detected ({name} changes by less than {most})")
        }
        (None, None) => "too few valid runs".to_owned(),
    };
    let harm = maybe(worse(effects), |effect| format!(", but {}", effect_with_interval(effect)));
    let is_power = |effect: &&Effect| effect.figure.unit == Unit::Power && effect.is_shown;
    let power = maybe(effects.iter().find(is_power), |effect| {
        format!(", {} {}", effect.figure.name, difference(effect))
    });
    format!("{first}{harm}{power}")
}

/// `p99 31 µs lower (24 to 38)`.
fn effect_with_interval(effect: &Effect) -> String {
    let [lower, difference_ns, upper] = match effect.figure.unit {
        Unit::Time | Unit::Power => effect.difference().map(f64::abs),
        Unit::Odds => effect.times.map(|times| times.max(1.0 / times)),
    };
    let end = |end: f64| match effect.figure.unit {
        Unit::Time => words::time_in(end, words::unit(difference_ns).unwrap_or(1.0)),
        Unit::Power => watts(end),
        Unit::Odds => times(end),
    };
    let [least, most] = [lower.min(upper), lower.max(upper)].map(end);
    format!("{} {} ({least} to {most})", effect.figure.name, difference(effect))
}

/// `31 µs lower`, `1.9 W higher`, `3x as often`.
fn difference(effect: &Effect) -> String {
    let [_, difference, _] = effect.difference();
    let ratio = effect.times[1];
    let direction = if ratio < 1.0 { "lower" } else { "higher" };
    match effect.figure.unit {
        Unit::Time => format!("{} {direction}", time(difference.abs())),
        Unit::Power => format!("{} {direction}", watts(difference.abs())),
        Unit::Odds if ratio < 1.0 => format!("{}x less often", times(1.0 / ratio)),
        Unit::Odds => format!("{}x as often", times(ratio)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let compared = About::PairCompared {
            names: names(),
            rows: 9,
            is_single: false,
            speed: QualityCompared { worse: extent(3, &["mean"], [1.2, 3.1]), ..undecided(0) },
            steadiness: QualityCompared {
                better: extent(1, &["p99"], [0.5, 0.5]),
                no_difference: 6,
                ..undecided(2)
            },
        };
        let [speed, steadiness] = [undecided(9), undecided(9)];
        let single =
            About::PairCompared { names: names(), rows: 9, is_single: true, speed, steadiness };
        let across =
            vec![Across { field: "load".to_owned(), values: ["none", "cpu"].map(str::to_owned) }];
        let best = |unbeaten: &[&str]| About::Best {
            quality: Quality::Speed,
            unbeaten: unbeaten.iter().map(|name| (*name).to_owned()).collect(),
            variants: 3,
        };
        let [system, next] = ["rt", "stock"].map(str::to_owned);
        let steadiest = |ratio| {
            let (system, next) = (system.clone(), next.clone());
            About::Steadiest { system, next, ratio, last: None }
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
                About::NoEqualRows { names: names(), fields: vec!["policy".to_owned()] },
                "busy and idle have no row of equal specification. They differ in policy: \
                 `--across policy` compares them.",
            ),
            (
                About::Matched { names: names(), rows: 9, across, alone: [2, 0] },
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
                About::SingleRuns { names: names(), rows: 1, from_parts: false },
                "busy and idle have 1 row with one run per side. Run-to-run variation comes from the \
                 other rows, a weaker claim; use `--repeat 3`.",
            ),
            (
                About::NotInTurns { pairs: vec![names()] },
                "busy and idle were not measured in turns: whatever else changed in between looks \
                 like a difference, so intervals are wider. A campaign with `repeat = 3` \
                 alternates them.",
            ),
            (
                About::Inconclusive { why: Why::ShamDetected },
                "Inconclusive: the sham, which changes nothing, shows an effect, so nothing is \
                 claimed.",
            ),
            (
                About::NoSettingHelps { harmful: Vec::new() },
                "No setting is shown to make a difference (not proof that none does).",
            ),
        ] {
            assert_eq!(said(&finding).words, words);
        }
    }

    #[test]
    fn the_price_of_steadiness_has_a_change_for_each_figure() {
        let price = About::PriceOfSteadiness {
            steadiest: "rt".to_owned(),
            stock: "stock".to_owned(),
            prices: vec![(Price::Wakeup, [4e3, 5e3]), (Price::MassUpdates, [32e6, 30.4e6])],
            messages: Some((1.2, 7)),
        };
        assert_eq!(
            said(&price).words,
            "without load, rt compared with stock: an average wake-up under the default policy takes 5 µs \
             instead of 4 µs (+25 %), mass updates per second of the tire are 30 400 000 instead of \
             32 000 000 (−5 %) and messages take 1.2x as long (geometric mean of 7 tests)."
        );
    }
}
