//! The user's own model: its step with its phases, and its result.

use analysis::capacity::is_real_time;
use analysis::finding::{AboutModel, Finding};
use analysis::lists::each_once;
use analysis::own_model::{self, MEASUREMENT, findings, name};
use analysis::survey::{Probe, Series, System, on_all};
use analysis::{Analysis, words};
use record::{Fact, fact};
use serde_json::Value;

use crate::answer::Remark;
use crate::document::{Block, Cell};
use crate::figure::{self, Figure};
use crate::sections::general;
use crate::sections::measured::Measured;
use crate::sections::metrics::{DEADLINES, NOT_RECORDED, SAMPLES, STEP, WORST, mean};
use crate::sections::series::{Metric, of_series};

pub(super) const SECTION: Measured = Measured {
    id: "model",
    title: "Your own model: its step, and what became of it",
    introduction: "A step sets the inputs, calls the model and reads the outputs. Real-time steps are \
                   due once a period, and each must end before the next is due; real-fast ones \
                   follow each other at once. Instances are made and initialised, and do a first \
                   step, before the steps that count.",
    measurements: &[MEASUREMENT],
    blocks,
};

const REAL_FAST: &[Metric] = &[
    STEP,
    Metric::Own("Steps per second", |series| {
        Cell::or(own_model::steps_a_second(series), NOT_RECORDED, |steps| {
            Cell::quantity(steps).titled(words::grouped(steps as u64))
        })
    }),
    WORST,
    SAMPLES,
];

/// The parts of a step's time, and the time before the steps that count.
const PHASES: &[Metric] = &[
    Metric::Of(&fact::STEP_RUN_NS, mean),
    Metric::Of(&fact::INPUTS_NS, mean),
    Metric::Of(&fact::CALL_NS, mean),
    Metric::Of(&fact::OUTPUTS_NS, mean),
    Metric::Of(&fact::SWITCHES_NS, mean),
    Metric::Of(&fact::INSTANTIATE_NS, mean),
    Metric::Of(&fact::INITIALISE_NS, mean),
    Metric::Of(&fact::FIRST_STEP_NS, mean),
];

const BECAME: &[Metric] = &[
    Metric::Of(&fact::INTERFACE, text),
    Metric::Of(&fact::NOT_MADE, odd),
    Metric::Of(&fact::DISCARDED, odd),
    Metric::Of(&fact::EARLY_RETURNS, odd),
    Metric::Of(&fact::OTHER_TIMES, odd),
    Metric::Of(&fact::EVENTS, count),
    Metric::Of(&fact::LOG_LINES, odd),
    Metric::Of(&fact::MODEL_THREADS, count),
    Metric::Of(&fact::OUTPUT_HASH, text),
];

fn count(series: &Series, fact: &Fact) -> Cell {
    Cell::or(series.total(fact), NOT_RECORDED, Cell::count)
}

/// Returns a count that should be zero.
fn odd(series: &Series, fact: &Fact) -> Cell {
    count(series, fact).bad_if(series.total(fact).is_some_and(|count| count > 0))
}

fn text(series: &Series, fact: &Fact) -> Cell {
    Cell::or(series.facts(fact).find_map(Value::as_str), NOT_RECORDED, Cell::text)
}

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let mut all = on_all(systems, MEASUREMENT);
    // The frontier section has a line for each probe of a search.
    all.retain(|(_, series)| matches!(series.probe, None | Some(Probe::Edge)));
    let (real_time, real_fast): (Vec<_>, Vec<_>) =
        all.iter().copied().partition(|(_, series)| is_real_time(series));
    let table = |caption, series: &[(&System, &Series)], metrics| {
        Block::Table(of_series(caption, series, metrics))
    };
    let caption = "Real-time runs: when each step ended, counted from the time it was due";
    let mut blocks = Block::all_filled([
        table(caption, &real_time, DEADLINES),
        table("Real-fast runs", &real_fast, REAL_FAST),
        table("Where the time goes, on average", &all, PHASES),
        table("What became of the steps", &all, BECAME),
    ]);
    blocks.extend(all.iter().filter_map(|(_, series)| {
        let found = findings(series);
        let entries = found.iter().map(Finding::said).map(|said| (said.label, said.words));
        Block::entries(name(series), entries).filled()
    }));
    blocks.extend(each_once(all.iter().filter_map(|(system, series)| audited(system, series))));
    let histogram = figure::histogram("model", "step time", &general::distributions(&all));
    let histogram = histogram.map(|drawn| general::with_deadlines(drawn, &all));
    let timelines = real_time.iter().enumerate().filter_map(timeline);
    let outputs = all.iter().enumerate().filter_map(outputs);
    let figures = histogram.into_iter().chain(timelines).chain(outputs);
    blocks.extend(figures.map(Block::Figure));
    blocks
}

/// Returns the findings on the only model; for several models, the first warning.
pub(crate) fn of_own_models(analysis: &Analysis) -> Vec<Remark> {
    let models = on_all(&analysis.systems, MEASUREMENT);
    let remark = |name: &str, found: &Finding| {
        let said = found.said();
        Remark::new(said.label, format!("{name}{}", said.words))
    };
    if let [(_, only)] = models.as_slice() {
        return findings(only).iter().map(|found| remark("", found)).collect();
    }
    let odd = models.iter().find_map(|(_, series)| {
        use AboutModel::{Checked, ModelMisbehaved, OutputsDiffer};
        let odd = findings(series).into_iter().find(|found| {
            let Finding::Model(found) = found else { return false };
            matches!(found, ModelMisbehaved { .. } | OutputsDiffer { .. } | Checked(_))
        });
        Some(remark(&format!("{}: ", name(series)), &odd?))
    });
    odd.into_iter().collect()
}

fn audited(system: &System, series: &Series) -> Option<Block> {
    let audit = own_model::newest_audit(system, series)?;
    let title = format!("What the audit of {} found", name(series));
    Some(Block::notes(title, own_model::audited(audit)))
}

fn outputs((place, (_, series)): (usize, &(&System, &Series))) -> Option<Figure> {
    let outputs = series.facts(&fact::OUTPUTS_OVER_TIME).last()?.as_array()?;
    figure::outputs(&format!("outputs-{}", place + 1), &name(series), outputs)
}

fn timeline((place, (_, series)): (usize, &(&System, &Series))) -> Option<Figure> {
    let blocks = series.facts(&fact::TIMELINE).find_map(Value::as_array)?;
    figure::timeline(&format!("step-{}", place + 1), &name(series), blocks)
}
