//! English of the verdicts on findings of published studies.

use super::{Estimate, Judged, Measured, Unit, Verdict};
use crate::phrases::{joined, maybe, some};
use crate::words::{capital, percent, quantity, time, times};

impl Verdict {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Reversed => "reversed",
            Self::Undecided(_) => "undecided",
            Self::NotMeasured(_) => "not measured yet",
            Self::NotTestable(_) => "not testable here",
        }
    }

    /// Returns what would decide a finding, or what is missing to test it; `None` if it is decided.
    pub fn why_open(&self) -> Option<String> {
        match self {
            Self::Holds | Self::Reversed => None,
            Self::Undecided(why) => Some(why.to_string()),
            Self::NotMeasured(why) => Some(why.to_string()),
            Self::NotTestable(why) => Some(why.to_string()),
        }
    }
}

impl Judged {
    /// Returns the verdict, the finding, what was measured and published, and why it is open.
    pub fn in_words(&self) -> String {
        let Self { finding, verdict, .. } = self;
        let open = verdict.why_open().unwrap_or_default();
        let measured = self.measured_in_words();
        let parts = [("Measured", &measured), ("Published", &finding.published), ("Open", &open)];
        let parts = parts.into_iter().filter(|(_, words)| !words.is_empty());
        let parts = parts.map(|(label, words)| format!(" {label}: {words}."));
        // That it is exact comes last here.
        let mut notes = self.notes();
        notes.rotate_left(usize::from(self.is_exact));
        let notes = notes.iter().map(|note| format!(" {}.", capital(note)));
        let name = verdict.name().to_uppercase();
        format!("{name}. {}.{}", finding.statement, joined(parts.chain(notes), ""))
    }

    /// Returns for each condition the figures of the sides, if they are of interest, then what decides
    /// with its interval.
    pub fn measured_in_words(&self) -> String {
        joined(self.measured.iter().map(measured), "; ")
    }

    /// Returns what a reader must know to understand a verdict.
    pub fn notes(&self) -> Vec<String> {
        let Self { finding, is_exact, .. } = self;
        let exact = is_exact.then(|| "exact for one list of runs, no interval".to_owned());
        let noted = |label: &str, words: &str| some(words).map(|words| format!("{label}: {words}"));
        let differs = noted("known reason for a different result", &finding.differs);
        let contradicts = noted("contradicted by", &finding.contradicts);
        [exact, differs, contradicts].into_iter().flatten().collect()
    }
}

fn measured(side: &Measured) -> String {
    let words = |number| in_unit(side.unit_of_quantity, number);
    let interval = |ends: [f64; 2]| format!(" ({})", ends.map(words).join(" to "));
    let estimate =
        |estimate: &Estimate| words(estimate.value) + &maybe(estimate.interval, interval);
    let quantities = joined(side.quantities.iter().map(estimate), ", ");
    let figures = side.figures.iter().map(|figure| in_unit(side.unit, *figure));
    let figures = maybe(some(joined(figures, ", ")), |figures| figures + ": ");
    let source = maybe(side.source.as_ref(), |source| format!(" of {source}"));
    format!("{}{source}: {figures}{quantities}", figure_name(&side.figure))
}

/// Names of figures that are not facts of a row.
const FIGURES: [(&str, &str); 13] = [
    ("mean", "average"),
    ("range", "longest less shortest"),
    ("spread", "p99 less p1"),
    ("first_missed", "smallest size with a miss"),
    ("first_not_soft", "smallest size that is not soft real time"),
    ("first_many", "smallest size with many misses"),
    ("sizes_with_many", "sizes with many misses"),
    ("band_width", "ratio of the sizes with many and with a first miss"),
    ("no_switch", "share without a switch"),
    ("near_median", "share near the median"),
    ("preempted", "share preempted"),
    ("missed", "share missed"),
    ("worst_by_handler", "worst by the worst of its handler"),
];

fn figure_name(figure: &str) -> String {
    let known = FIGURES.iter().find(|(name, _)| *name == figure).map(|(_, words)| *words);
    let plain = || figure.strip_suffix("_ns").unwrap_or(figure).replace('_', " ");
    known.map_or_else(plain, str::to_owned)
}

fn in_unit(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Nanoseconds => time(number),
        Unit::Share => percent(number),
        Unit::Ratio => format!("{}x", times(number)),
        Unit::Number => quantity(number),
    }
}
