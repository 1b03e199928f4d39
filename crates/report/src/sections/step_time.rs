//! The step-time model: what a step's parts cost, and what size follows from it.

use super::measured::Measured;
use crate::document::{Block, Cell, Column, Line, Table};
use crate::figure::{self, Figure, Predicted};
use crate::sections::metrics;
use analysis::Analysis;
use analysis::capacity;
use analysis::claims::with_interval;
use analysis::step_time::{Capacity, Fit, Model, Run, TERMS};
use analysis::words;

pub(super) const SECTION: Measured = Measured {
    id: "step-time",
    title: "What a step of the tire is made of",
    introduction: "The step-time model (MPE 4.5): a thread takes the masses it owns times the \
                   cost of a mass, plus its semaphore operations times that of a lock, plus its \
                   involuntary switches times that of a switch. Added are a part that every step \
                   has, and a cost of masses for which the last cache has no room. It is fitted \
                   to the mean steps of the runs, each solver and way of running apart, and predicts \
                   a size, which is a model's and no measurement.",
    measurements: &["tire"],
    blocks,
};

/// What is said where runs differ too much to name what takes most of a step.
const NOT_TOLD: &str = "not told";

/// A model with its name among the others.
struct Named<'s, 'a> {
    name: String,
    model: &'s Model<'a>,
}

/// Runs that a page carries, point by point.
const MOST_RUNS: usize = 1000;

/// The runs that are shown of a model: all, or of many every so many-th.
fn shown<'n>(named: &[Named], model: &'n Named) -> impl Iterator<Item = &'n Run> {
    model.model.runs.iter().step_by(every(named))
}

/// Every how many-th run is shown.
fn every(named: &[Named]) -> usize {
    let all: usize = named.iter().map(|named| named.model.runs.len()).sum();
    all.div_ceil(MOST_RUNS).max(1)
}

/// What is said where not every run is shown.
fn left_out(named: &[Named]) -> String {
    match every(named) as u64 {
        1 => String::new(),
        every => format!(
            "Of so many runs a page carries 1 in {}; all are in `report.json`.",
            words::grouped(every)
        ),
    }
}

fn blocks(analysis: &Analysis) -> Vec<Block> {
    let named = all(analysis);
    if named.iter().all(|named| named.model.fit.is_err()) && named.len() < 2 {
        return Vec::new();
    }
    let mut blocks = vec![Block::Table(coefficients(&named))];
    blocks.extend(picture(&named).map(Block::Figure));
    blocks.extend(predictions(&named).map(Block::Table));
    blocks.extend(runs(&named).map(Block::Table));
    blocks
}

/// The models of all machines. One run alone says nothing of its parts.
fn all<'s, 'a>(analysis: &'s Analysis<'a>) -> Vec<Named<'s, 'a>> {
    let several = analysis.step_times.iter().filter(|m| m.runs.len() > 1);
    let named = |model| Named { name: name(model, analysis.systems.len() > 1), model };
    several.map(named).collect()
}

/// `semaphore solver, real-time at 100 Hz, fifo:80`.
fn name(model: &Model, of_several: bool) -> String {
    let spec = model.spec;
    let mut words = capacity::solution(spec);
    words.push(match spec.parameters.word("mode") {
        "real-time" => {
            let rate = spec.parameters.get("rate").map(words::value);
            format!("real-time at {}", rate.unwrap_or_default())
        }
        mode => mode.to_owned(),
    });
    words.extend((spec.parameters.word("model") == "central").then(|| "central model".to_owned()));
    words.push(spec.asked.policy.to_string());
    if !spec.asked.loads.is_empty() {
        words.push(analysis::survey::loads(&spec.asked));
    }
    let name = words.join(", ");
    match of_several {
        true => format!("{}: {name}", model.system),
        false => name,
    }
}

fn coefficients(named: &[Named]) -> Table {
    let of_model = |named: &Named| match &named.model.fit {
        Ok(fit) => terms(&named.name, fit, named.model.runs.len()),
        Err(refusal) => vec![Line::of(vec![
            Cell::text(&named.name),
            Cell::unavailable(&refusal.to_string(), 4),
        ])],
    };
    let mut columns: Vec<Column> = ["Runs", "Each"].map(Column::words).into();
    columns.extend(["Costs", "Typical error", "Worst error"].map(Column::numbers));
    Table {
        caption: "What each part of a step costs".to_owned(),
        columns,
        rows: named.iter().flat_map(of_model).collect(),
        note: "In brackets the interval at 95 % confidence, by least squares on relative errors; \
               grey and with its upper end alone where it holds 0, so that the runs do not show any \
               cost. A cost below 0 is none: the parts grow together in these runs, and it makes up \
               for what another part has too much. Errors are those of \
               the predicted mean step of a run."
            .to_owned(),
        ..Table::default()
    }
}

fn terms(name: &str, fit: &Fit, runs: usize) -> Vec<Line> {
    let of_term = |term: usize| {
        let coefficient = fit.coefficient(term)?;
        let (ns, margin) = (coefficient.ns, coefficient.margin_ns);
        let told = with_interval(ns, Some(ns - margin), Some(ns + margin));
        let cost = match (coefficient.is_shown(), ns + margin) {
            (true, _) => Cell { class: "interval", ..Cell::number(told, ns.to_string()) },
            (false, most) => Cell {
                class: "n unavailable",
                ..Cell::number(format!("less than {}", words::time(most)), told)
            },
        };
        Some(vec![Cell::text(TERMS[term].each), cost])
    };
    let mut lines: Vec<Line> = Vec::new();
    for cells in (0..TERMS.len()).filter_map(of_term) {
        let first = match lines.is_empty() {
            true => [
                Cell::text(format!("{name} ({})", words::counted(runs, "run"))),
                error(fit.typical_error),
                error(fit.worst_error),
            ],
            false => [const { "" }; 3].map(Cell::text),
        };
        let [name, typical, worst] = first;
        let cells = [name].into_iter().chain(cells).chain([typical, worst]);
        lines.push(Line::of(cells.collect()));
    }
    lines
}

fn error(share: f64) -> Cell {
    Cell::number(words::percent(share), share.to_string())
}

fn picture(of_all: &[Named]) -> Option<Figure> {
    let of_model = |named: &Named| {
        let point = |run: &Run| {
            let predicted = run.predicted_ns?;
            let hover = format!(
                "{}\n{}: measured {}, predicted {}",
                named.name,
                case(run),
                words::time(run.step_ns),
                words::time(predicted)
            );
            Some(([run.step_ns, predicted], hover))
        };
        Predicted {
            name: named.name.clone(),
            runs: shown(of_all, named).filter_map(point).collect(),
        }
    };
    let fitted = of_all.iter().filter(|named| named.model.fit.is_ok());
    let models: Vec<Predicted> = fitted.map(of_model).collect();
    let caption = "The mean step of each run as the model has it, against the measured one. On \
                   the dashed line both are the same.";
    figure::predicted("step-time", caption, &models)
}

fn case(run: &Run) -> String {
    format!(
        "{}, {}",
        words::size(plan::Size::MASSES, run.size),
        words::counted(run.threads as usize, "thread")
    )
}

/// Predicted sizes beside the measured edge.
fn predictions<'n>(named: &'n [Named]) -> Option<Table> {
    let of_model = |named: &'n Named| {
        let capacities = named.model.capacities.iter();
        capacities.map(|capacity| prediction(&named.name, capacity))
    };
    let rows: Vec<Line> = named.iter().flat_map(of_model).collect();
    let mut columns: Vec<Column> = ["Runs", "Threads"].map(Column::words).into();
    let numbers = [
        "Period",
        "Predicted, masses",
        "No miss up to, masses",
        "First miss, masses",
        "No miss, of predicted",
    ];
    columns.extend(numbers.map(Column::numbers));
    columns.push(Column::words("What the step is made of"));
    (!rows.is_empty()).then(|| Table {
        caption: "The size that the model predicts, and where misses began".to_owned(),
        columns,
        rows,
        note: "Predicted is the size whose mean step takes the whole period, without an \
               involuntary switch; in brackets where that of a single run does, at 95 % \
               confidence. Steps are not all as long as their mean, so misses begin below."
            .to_owned(),
        ..Table::default()
    })
}

fn prediction(name: &str, capacity: &Capacity) -> Line {
    let told = |size: Option<u64>| size.map_or_else(|| "?".to_owned(), words::grouped);
    let measured = |of: Option<u64>| of.map_or_else(|| Cell::none("not measured"), metrics::count);
    let clean = capacity.measured.held;
    let of_predicted = clean.zip(capacity.size).map(|(clean, predicted)| {
        let share = clean as f64 / predicted as f64;
        Cell::number(words::percent(share), share.to_string())
    });
    let predicted =
        format!("{} ({} to {})", told(capacity.size), told(capacity.lower), told(capacity.upper));
    Line::of(vec![
        Cell::text(name),
        Cell::text(capacity.threads.to_string()),
        metrics::in_words(capacity.period_ns),
        Cell { class: "interval", ..Cell::number(predicted, "") },
        measured(clean),
        measured(capacity.measured.missed),
        of_predicted.unwrap_or_else(|| Cell::none("not measured")),
        Cell::text(shares(capacity)),
    ])
}

/// The largest part first: `locks 62 %, compute 38 %`.
fn shares(capacity: &Capacity) -> String {
    const LEAST: f64 = 0.005;
    let Some(step) = capacity.step.as_ref().filter(|step| step.limit().is_some()) else {
        return NOT_TOLD.to_owned();
    };
    let mut shares: Vec<(f64, &str)> = TERMS
        .iter()
        .enumerate()
        .map(|(term, told)| (step.share(term), told.limit))
        .filter(|(share, _)| *share >= LEAST)
        .collect();
    shares.sort_by(|one, other| other.0.total_cmp(&one.0));
    let told = |(share, limit): (f64, &str)| format!("{limit} {:.0} %", share * 100.0);
    shares.into_iter().map(told).collect::<Vec<_>>().join(", ")
}

/// Every run, predicted and measured.
fn runs(of_all: &[Named]) -> Option<Table> {
    let of_model = |named: &Named| -> Vec<Line> {
        let line = |run: &Run| {
            let predicted_ns = run.predicted_ns?;
            let cells = vec![
                Cell::text(&named.name),
                Cell::text(case(run)),
                metrics::in_micros(run.step_ns),
                metrics::in_micros(predicted_ns),
                error(predicted_ns / run.step_ns - 1.0),
                Cell::text(run.limited_by.unwrap_or(NOT_TOLD)),
            ];
            Some(Line::of(cells))
        };
        shown(of_all, named).filter_map(line).collect()
    };
    let rows: Vec<Line> = of_all.iter().flat_map(of_model).collect();
    let mut columns: Vec<Column> = ["Runs", "Case"].map(Column::words).into();
    columns.extend(["Measured, µs", "Predicted, µs", "Error"].map(Column::numbers));
    columns.push(Column::words("Limited by"));
    (!rows.is_empty()).then(|| Table {
        caption: "Mean steps, predicted and measured".to_owned(),
        columns,
        rows,
        note: left_out(of_all),
        folded: true,
    })
}
