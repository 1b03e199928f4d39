//! Wake-ups of periodic threads.

use std::{ptr, slice};

use analysis::lists::groups;
use analysis::survey::{Series, System, distinct, on_all, steal_ns};
use analysis::{Analysis, clock};
use base::Observed;
use record::{Outcome, fact};
use serde_json::Value;

use super::platform;
use crate::document::Block;
use crate::figure;
use crate::sections::general::{distributions, distributions_among, with_deadlines};
use crate::sections::measured::Measured;
use crate::sections::metrics;
use crate::sections::series::{Metric, are_of_one_machine, of_series};

pub(crate) const MEASUREMENT: &str = "wakeup";
pub(crate) const AXIS: &str = "wake-up latency";
/// More lines than this hide each other: the lines under load are then only in separate figures.
const MOST_LINES: usize = 10;

pub(crate) const SECTION: Measured = Measured {
    id: "wakeup",
    title: "Wake-ups",
    introduction: "A periodic thread sleeps until its next activation; the time is its actual \
                   minus its scheduled activation. Every period that was due is either executed \
                   or counted as skipped.",
    measurements: &[MEASUREMENT],
    blocks,
};

fn blocks(Analysis { systems, .. }: &Analysis) -> Vec<Block> {
    let series = on_all(systems, MEASUREMENT);
    let metrics: Vec<Metric> = [metrics::LATENCY, &[metrics::EARLY]].concat();
    let groups = by_load(&series);
    let mut drawn = series.clone();
    if distributions(&series).len() > MOST_LINES && !groups.is_empty() {
        drawn.retain(|(_, series)| series.spec.asked.loads.is_empty());
    }
    let lines = distributions_among(&series, &drawn);
    let figures = [
        figure::histogram("wakeup-histogram", AXIS, &lines),
        figure::survival("wakeup-survival", AXIS, &lines),
    ];
    let figures = figures.into_iter().flatten().map(|figure| with_deadlines(figure, &drawn));
    let mut blocks = vec![Block::Table(of_series("Wake-up latency", &series, &metrics))];
    blocks.extend(figures.map(Block::Figure));
    blocks.extend(over_time(&series));
    blocks.extend(groups);
    blocks
}

/// Draws wake-ups over time for the run of each condition with the latest wake-up. Only the latest
/// of all is visible, of real-time threads if there are any; the others are folded.
fn over_time(series: &[(&System, &Series)]) -> Vec<Block> {
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let several = distinct(series.iter().map(|(system, _)| &system.machine_id)) > 1;
    let worst = |series: &Series| series.rows.iter().filter_map(|row| row.max_ns()).max();
    let mut headlines = series.to_vec();
    headlines.retain(|(_, series)| series.headline());
    headlines.sort_by_key(|(_, series)| {
        let is_real_time = series.spec.asked.policy.is_real_time();
        std::cmp::Reverse((is_real_time, worst(series)))
    });
    let figure = |(index, (system, series)): (usize, &(&System, &Series))| {
        let row = series.rows.iter().max_by_key(|row| row.max_ns())?;
        let is_its = |run: &&&Outcome| run.rows.first().is_some_and(|first| ptr::eq(first, *row));
        let outcome = system.outcomes.iter().find(is_its)?;
        let what = series.conditions(&peers);
        let what = if several { format!("{}: {what}", system.name) } else { what };
        let bins = |fact| row.fact(fact).and_then(Value::as_array);
        let has_clock = !clock::counts_instructions(system.machine);
        let run = figure::OverTime {
            what,
            bins: bins(&fact::STRIP)?,
            period_ns: series.spec.parameters.period().0 as f64,
            length_ns: outcome.header.spec.asked.duration.0 as f64,
            stolen_in_all_ns: if has_clock { steal_ns([*outcome]) } else { Observed::Absent },
            stolen: bins(&fact::STOLEN).map(Vec::as_slice),
            gaps: platform::gaps_over_time(system),
        };
        figure::over_time(&format!("wakeup-over-time-{index}"), &run)
    };
    let mut figures: Vec<_> = headlines.iter().enumerate().filter_map(figure).collect();
    // The visible one fills its width; the folded ones are compared with each other.
    if let Some((visible, folded)) = figures.split_first_mut() {
        figure::share_time(slice::from_mut(visible));
        figure::share_time(folded);
    }
    let mut blocks: Vec<Block> = figures.into_iter().map(Block::Figure).collect();
    let others = blocks.split_off(blocks.len().min(1));
    let title = match others.len() {
        0 => return blocks,
        1 => "Over time in the other case".to_owned(),
        several => format!("Over time in the {several} other cases"),
    };
    blocks.push(Block::folded(title, others));
    blocks
}

/// Draws a histogram for each set of conditions that was measured under several loads, one line per
/// machine and load (FRA 4.3).
fn by_load(series: &[(&System, &Series)]) -> Vec<Block> {
    let headlines = series.iter().copied().filter(|(_, series)| series.headline());
    let mut groups = groups(headlines, |a, b| a.1.is_alike_but_for_load(b.1));
    if groups.len() == 1 && groups[0].len() <= MOST_LINES {
        // The histogram of all conditions already shows these lines.
        return Vec::new();
    }
    groups.retain(|group| distinct(group.iter().map(|(_, series)| &series.spec.asked.loads)) > 1);
    let are_many = groups.iter().map(Vec::len).sum::<usize>() > MOST_LINES;
    // A group that has too many lines for one figure is split by machine.
    let few = groups.iter().flat_map(|group| match group.len() {
        ..=MOST_LINES => vec![group.as_slice()],
        _ => group.chunk_by(are_of_one_machine).collect(),
    });
    let figures = few.enumerate().flat_map(|(index, group)| {
        let lines = distributions_among(series, group);
        let name = |kind| format!("wakeup-load-{index}{kind}");
        // If there are few lines, the figure of all conditions already has these.
        let survival = are_many.then(|| figure::survival(&name("-survival"), AXIS, &lines));
        [figure::histogram(&name(""), AXIS, &lines), survival.flatten()]
            .map(|figure| Some(Block::Figure(with_deadlines(figure?, group))))
    });
    figures.flatten().collect()
}
