//! Statements about what settings, neighbours and best-effort work do.

use base::Vicinity;
use serde::Serialize;

use super::said::statements;
use super::why::{Compared, Why, interval_x};
use crate::effect::{self, Effect, POWER, as_ratio};
use crate::phrases::{joined, list, maybe, some};
use crate::words::{counted, grouped, listed, percent, quantity, time, times};

statements! { AboutEffects {
    /// Nothing can be concluded.
    Inconclusive { why: Why }
        "Answer": "Inconclusive: {why}.";

    ToDecide { why: Why }
        "Next": "{}.", why.what_decides();

    /// The neighbour that harms most; `ratio` is the figure with it, divided by that without.
    WorstNeighbour { neighbour: String, place: Vicinity, figure: Compared, ratio: f64 }
        "Answer", Bad: "Worst neighbour: {neighbour} {} ({} is {}x).",
            vicinity(*place), figure.name(), times(*ratio);

    NoHarm
        "Answer": "No neighbour is shown to harm (not proof that none does).";

    /// The run that the findings are about.
    Run { run: String }
        "Run": "{run}";

    /// The findings are about one table of several.
    FirstTableOf { tables: usize }
        "Only": "this is the first of {}; runs of another kind or set-up are not compared with these. The report has \
            all.", counted(*tables, "table");

    /// The least work per second at which a load begins to harm, and the most that shows no harm.
    HarmBegins {
        neighbour: String, place: Vicinity, harmful_per_s: f64, harmless_per_s: Option<f64>, unit: String
    }
        "Onset": "{neighbour} {} harms from {} {unit} per second{}.", vicinity(*place), quantity(*harmful_per_s),
            maybe(*harmless_per_s, |work| format!("; no effect detected at {} per second", quantity(work)));

    /// No effect of these was detected, wherever they ran.
    NoEffectDetected { neighbours: Vec<String> }
        "Others": "{}: no effect detected (not proof of no effect).", neighbours.join(", ");

    /// A figure is better with these loads, in these places, than without.
    Better { neighbours: Vec<String> }
        "Better": "with {} a figure is better than without, as can happen when a neighbour keeps the CPU out of idle \
            states.", listed(neighbours);

    /// Settings that are shown to help, with what all do together where that was tried.
    SettingsHelp { settings: Vec<String>, together: Vec<Effect> }
        "Answer", Good: "{} shown to help{}.", are(settings),
            maybe((!together.is_empty()).then_some(together), |all| format!("; together {}", effect::in_words(all)));

    NoSettingHelps { harmful: Vec<String> }
        "Answer", Plain = match harmful.as_slice() {
            [] => "No setting is shown to make a difference (not proof that none does).".to_owned(),
            harmful => format!("No setting helps; {} shown to harm.", are(harmful)),
        };

    /// Each setting helps alone, but not all together.
    NotTogether { settings: Vec<String>, together: Vec<Effect> }
        "Answer", Plain: "{} each help, but not together ({}): keep one.",
            listed(settings), effect::in_words(together);

    /// Two settings whose joint effect is not the sum of both.
    PairEffect { settings: [String; 2], both: Vec<Effect>, extra: Effect }
        "Pair": "`{}` with `{}`: {}; {} is {}x what the two effects add up to.",
            settings[0], settings[1], effect::in_words(both), extra.figure.name, times(extra.times[1]);

    /// Results of the controls of an experiment; `detectable_ns` is the least difference that such an experiment
    /// detects with [`POWER`].
    Controls { positive_detected: bool, sham_detected: bool, figure: &'static str, detectable_ns: f64 }
        "Controls": "Positive control {}, sham {}; detectable change in {figure}: {} ({} power).",
            if *positive_detected { "detected" } else { "missed" }, if *sham_detected { "detected" } else { "clean" },
            time(*detectable_ns), percent(POWER);

    /// How far the comparisons can be trusted.
    Evidence {
        comparisons: usize,
        reference_runs: usize,
        /// Valid runs of the other side with the fewest.
        least_runs: usize,
        /// Intervals of the controls that do nothing.
        shams: Vec<[f64; 2]>,
        /// The figure that these are of.
        figure: Compared
    }
        "Evidence": "{}, false-discovery rate 5 %; {} without neighbours, at least {least_runs} of each kind{}.",
            counted(*comparisons, "comparison"), counted(*reference_runs, "run"),
            maybe(some(list(shams.iter().map(|ends| interval_x(*ends)))), |shams| {
                format!("; {} of the idle control: {shams}", figure.name())
            });

    MissesWithoutWork { missed: u64, due: u64 }
        "Answer", Bad: "The rates miss deadlines without best-effort work too: {} of {}.",
            grouped(*missed), grouped(*due);

    /// The most best-effort work with which no rate missed a deadline.
    MostWork { choice: String, work: Work }
        "Answer", Good: "Best-effort work without a miss: {} ({choice}).", work.per_second();

    /// With every choice of scheduling some rate missed a deadline.
    NoWorkFits
        "Answer", Bad: "No best-effort work fits: with every choice a rate missed a deadline.";

    /// Throughput of work under the idle policy, and how the median response of a rate changes, where that was
    /// compared.
    IdleWork { work: Work, #[serde(serialize_with = "as_ratio")] median: Option<Effect>, rate: String }
        "Idle": "{} ({} to {}){}.", work.per_second(), quantity(work.per_s[0]), quantity(work.per_s[2]),
            maybe(median.as_ref(), |median| {
                let [lower, ratio, upper] = median.times;
                let (ratio, interval) = (times(ratio), interval_x([lower, upper]));
                format!("; median response of {rate} {ratio}x ({interval})")
            });

    /// Choices that lengthen the median response of this rate, with the ratio of the medians, the largest first.
    Slower { rate: String, choices: Vec<(String, f64)> }
        "Slower": "median response of {rate}: {}.",
            joined(choices.iter().map(|(choice, ratio)| format!("{}x with {choice}", times(*ratio))), ", ");
}}

/// Work per second, with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Work {
    /// Lower end, estimate, upper end.
    pub per_s: [f64; 3],
    pub unit: String,
}

impl Work {
    /// `12.3 million mass updates per second`.
    pub fn per_second(&self) -> String {
        format!("{} {} per second", quantity(self.per_s[1]), self.unit)
    }
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

/// `a and b are`.
fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_is_not_called_equal() {
        let sham = AboutEffects::Inconclusive { why: Why::ShamDetected };
        let words = "Inconclusive: the sham, which changes nothing, shows an effect, so nothing is \
                     claimed.";
        assert_eq!(sham.said().words, words);
        let none = AboutEffects::NoSettingHelps { harmful: Vec::new() };
        let words = "No setting is shown to make a difference (not proof that none does).";
        assert_eq!(none.said().words, words);
    }
}
