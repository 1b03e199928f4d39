//! Locks between threads of different priority.

use analysis::Analysis;
use analysis::lists::groups;
use analysis::survey::{Series, System, on_all};
use record::{Family, fact};
use serde_json::Value;

use crate::document::{Block, Cell};
use crate::figure::{self, Figure, Held, Wait};
use crate::sections::measured::Measured;
use crate::sections::metrics::{self, mean};
use crate::sections::series::{Metric, of_series};

pub(super) const SECTION: Measured = Measured {
    id: "locks",
    title: "Priority inversion",
    introduction: "A low-priority thread holds the lock, a high one wants it, and a medium one \
                   keeps the low one from running. A lock that prevents this lets the high thread \
                   in while the medium one still wants to run. The slope is how much longer the \
                   high thread waits for each unit of time that the medium one runs longer: 0 for \
                   a lock that prevents this, 1 for one that does not.",
    measurements: Family::Locks.measurements(),
    blocks,
};

const INVERSION: &[Metric] = &[
    Metric::Own("Held back by medium", |series| match series.any(&fact::VULNERABLE) {
        Some(true) => Cell::number("yes", "").judged(false),
        Some(false) => Cell::number("no", "").judged(true),
        None => Cell::none(metrics::NOT_RECORDED),
    }),
    Metric::Of(&fact::SLOPE, |series, fact| {
        let why = "needs contests with two lengths of the medium run";
        Cell::or(series.mean(fact), why, |slope| Cell::figure(slope, hundredths, ""))
    }),
    Metric::Own("High waited, µs", |series| mean(series, &fact::BLOCKED_NS)),
    Metric::Own("Worst wait, µs", |series| metrics::micros(series, |l| l.max.value_ns as f64)),
    Metric::Of(&fact::MEDIUM_RUN_NS, mean),
    Metric::Own("Attempts", |series| Cell::count(series.executed())),
];

const BREAK: &[Metric] = &[
    Metric::Of(&fact::BREAK_NS, mean),
    Metric::Own("Contended, µs", |series| metrics::micros(series, stats::Distribution::mean_ns)),
    Metric::Own("Uncontended, µs", |series| mean(series, &fact::UNCONTENDED_MEAN_NS)),
    metrics::WORST,
    Metric::Own("Attempts", |series| Cell::count(series.executed())),
];

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let mut blocks: Vec<Block> = pictures(systems).into_iter().map(Block::Figure).collect();
    let caption = "Is the high-priority thread held back for as long as the medium one runs?";
    let inversion = of_series(caption, &on_all(systems, "priority_inversion"), INVERSION);
    let caption =
        "Deadlock break: from the high thread's wish to its grant, contended minus uncontended";
    let deadlock_break = of_series(caption, &on_all(systems, "deadlock_break"), BREAK);
    blocks.extend(Block::all_filled([inversion, deadlock_break].map(Block::Table)));
    blocks
}

/// Draws the blocking time of the high thread against the run time of the medium thread: a picture
/// for each set of conditions on each machine.
fn pictures(systems: &[System]) -> Vec<Figure> {
    let series = on_all(systems, "priority_inversion");
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let titled = series.iter().filter_map(|(system, series)| {
        Some((format!("{}, {}", system.name, series.conditions(&peers)), held(series)?))
    });
    let mut pictures = Vec::new();
    for (index, alike) in groups(titled, |(a, _), (b, _)| a == b).into_iter().enumerate() {
        let (titles, locks): (Vec<String>, Vec<Held>) = alike.into_iter().unzip();
        pictures.extend(figure::inversion(&format!("inversion-{}", index + 1), &titles[0], &locks));
    }
    pictures
}

/// Formats with two decimals, without the sign of a zero.
fn hundredths(slope: f64) -> String {
    format!("{:.2}", (slope * 100.0).round() / 100.0 + 0.0)
}

fn held(series: &Series) -> Option<Held> {
    let slope = series.mean(&fact::SLOPE)?;
    let wait = |step: &Value| {
        Some(Wait {
            medium_ns: step["medium_run_ns"].as_f64()?,
            blocked_ns: step["blocked_ns"].as_f64()?,
            gave_up: step["gave_up"].as_u64()? > 0,
        })
    };
    let steps = series.facts(&fact::BY_MEDIUM_RUN).filter_map(Value::as_array);
    let mut points: Vec<Wait> = steps.flatten().filter_map(wait).collect();
    points.sort_by(|a, b| a.medium_ns.total_cmp(&b.medium_ns));
    let lock = series.word(&fact::LOCK).replace('_', " ");
    let or_more = if points.iter().any(|wait| wait.gave_up) { " or more" } else { "" };
    Some((format!("{lock}: slope {}{or_more}", hundredths(slope)), points))
}

#[cfg(test)]
mod tests {
    use super::hundredths;

    #[test]
    fn a_slope_of_nothing_has_no_sign() {
        let texts = [-0.000_014, 0.004, 1.999_6, -0.25].map(hundredths);
        assert_eq!(texts, ["0.00", "0.00", "2.00", "-0.25"]);
    }
}
