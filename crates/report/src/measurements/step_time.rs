//! The step-time model: the cost of a step's parts, and the size that follows from it.

use analysis::claims::with_interval;
use analysis::step_time::{Capacity, Coefficient, Fit, Model, Refusal, Run, TERMS};
use analysis::{Analysis, capacity, words};
use record::Mode;

use crate::document::{Block, Cell, Form, Mood, Table, TableOf};
use crate::figure::{self, Figure};
use crate::sections::measured::Measured;

pub(super) const SECTION: Measured = Measured {
    id: "step-time",
    title: "What a step of the tire is made of",
    introduction: "The step-time model (MPE 4.5): a thread takes the masses it owns times the \
                   cost of a mass, plus its semaphore operations times that of a lock, plus its \
                   involuntary switches times that of a switch. Added are a part that every step \
                   has, and a cost of masses for which the last cache has no room. It is fitted \
                   to the mean steps of the runs, each solver and way of running by itself, and \
                   predicts a size, which is not a measurement.",
    measurements: &["tire"],
    blocks,
};

/// Text for a row whose runs differ too much to name the largest part of a step.
const NOT_MEASURED: &str = "not measured";
const NOT_SHOWN: &str = "not shown";

/// A model with a name that distinguishes it from the others.
struct Named<'s, 'a> {
    name: String,
    model: &'s Model<'a>,
}

/// Maximum number of runs that a page shows as points.
const MOST_RUNS: usize = 1000;

fn blocks(analysis: &Analysis) -> Vec<Block> {
    // A single run does not determine its parts.
    let several = analysis.step_times.iter().filter(|model| model.runs.len() > 1);
    let named = |model| Named { name: name(model, analysis.systems.len() > 1), model };
    let named: Vec<Named> = several.map(named).collect();
    if named.iter().all(|named| named.model.fit.is_err()) && named.len() < 2 {
        return Vec::new();
    }
    let all: usize = named.iter().map(|named| named.model.runs.len()).sum();
    let every = all.div_ceil(MOST_RUNS).max(1);
    let mut blocks = vec![Block::Table(coefficients(&named))];
    blocks.extend(picture(&named, every).map(Block::Figure));
    blocks.extend(Block::all_filled([predictions(&named), runs(&named, every)].map(Block::Table)));
    blocks
}

/// `semaphore solver, real-time at 100 Hz, fifo:80`.
fn name(model: &Model, of_several: bool) -> String {
    let spec = model.spec;
    let mut words = capacity::solution(spec);
    words.push(match spec.parameters.mode() {
        Some(Mode::RealTime) => {
            let rate = spec.parameters.get("rate").map(words::value);
            format!("real-time at {}", rate.unwrap_or_default())
        }
        mode => mode.map_or_else(String::new, |mode| mode.name().to_owned()),
    });
    words.extend((spec.parameters.model() == "central").then(|| "central model".to_owned()));
    words.push(spec.asked.policy.to_string());
    if !spec.asked.loads.is_empty() {
        words.push(analysis::survey::loads(&spec.asked));
    }
    let name = words.join(", ");
    if of_several { format!("{}: {name}", model.system) } else { name }
}

/// A line of the table of costs: the runs in the first line of a fit, which has its errors too; and
/// one of its terms, or why the fit was refused.
type Cost<'n> = (String, Result<(&'n Fit, usize), Refusal>);

fn costs<'n>(named: &'n Named) -> Vec<Cost<'n>> {
    let fit = match &named.model.fit {
        Ok(fit) => fit,
        Err(why) => return vec![(named.name.clone(), Err(*why))],
    };
    let runs = format!("{} ({})", named.name, words::counted(named.model.runs.len(), "run"));
    let terms = (0..TERMS.len()).filter(|term| fit.coefficient(*term).is_some()).enumerate();
    let runs_at = |place| if place == 0 { runs.clone() } else { String::new() };
    terms.map(|(place, term)| (runs_at(place), Ok((fit, term)))).collect()
}

fn coefficients(named: &[Named]) -> Table {
    let rows: Vec<Cost> = named.iter().flat_map(costs).collect();
    let error = |(runs, fit): &Cost, of: fn(&Fit) -> f64| match fit {
        Ok((fit, _)) if !runs.is_empty() => Cell::share(of(fit)),
        _ => Cell::default(),
    };
    let note = "In brackets the interval at 95 % confidence, by least squares on relative errors; \
                grey, with only its upper end, where it contains 0, so that the runs show no cost. A \
                cost below 0 compensates for another part that is too high, where parts grow together \
                in these runs. Errors are those of the predicted mean step of a run.";
    TableOf::of(&rows)
        .text("Runs", |(runs, _)| runs)
        .unless(|(_, fit)| fit.err().map(|why| Cell::unavailable(&why.to_string(), 1)))
        .text("Each", |(_, fit)| fit.map_or("", |(_, term)| TERMS[term].each))
        .number("Costs", |(_, fit)| {
            let coefficient = fit.ok().and_then(|(fit, term)| fit.coefficient(term));
            Cell::or(coefficient, NOT_SHOWN, in_time)
        })
        .number("Typical error", move |cost| error(cost, |fit| fit.typical_error))
        .number("Worst error", move |cost| error(cost, |fit| fit.worst_error))
        .note(note)
        .table("What each part of a step costs")
}

fn in_time(coefficient: Coefficient) -> Cell {
    let (ns, margin) = (coefficient.ns, coefficient.margin_ns);
    let interval = with_interval(ns, Some(ns - margin), Some(ns + margin));
    if coefficient.is_shown() {
        return Cell::interval(interval, ns.to_string());
    }
    Cell::number(format!("less than {}", words::time(ns + margin)), interval).of_mood(Mood::Detail)
}

/// Draws every `every`-th run.
fn picture(of_all: &[Named], every: usize) -> Option<Figure> {
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
        (named.name.clone(), named.model.runs.iter().step_by(every).filter_map(point).collect())
    };
    let fitted = of_all.iter().filter(|named| named.model.fit.is_ok());
    let models: Vec<(String, Vec<_>)> = fitted.map(of_model).collect();
    let caption = "The mean step of each run as the model has it, against the measured one. On \
                   the dashed line both are the same.";
    figure::predicted("step-time", caption, &models)
}

fn case(run: &Run) -> String {
    let size = words::size(record::Size::MASSES, run.size);
    format!("{size}, {}", words::counted(run.threads as usize, "thread"))
}

fn predictions(named: &[Named]) -> Table {
    let rows: Vec<(&str, &Capacity)> = named
        .iter()
        .flat_map(|named| named.model.capacities.iter().map(|capacity| (&*named.name, capacity)))
        .collect();
    let measured = |size: Option<u64>| Cell::or(size, NOT_MEASURED, Cell::count);
    let table = TableOf::of(&rows)
        .text("Runs", |(name, _)| *name)
        .text("Threads", |(_, capacity)| capacity.threads.to_string())
        .number("Period", |(_, capacity)| Cell::time(capacity.period_ns))
        .number("Predicted, masses", |(_, capacity)| predicted(capacity))
        .of_form(Form::Interval)
        .number("No miss up to, masses", move |(_, capacity)| measured(capacity.measured.held))
        .number("First miss, masses", move |(_, capacity)| measured(capacity.measured.missed))
        .number("No miss, of predicted", |(_, capacity)| {
            let sizes = capacity.measured.held.zip(capacity.size);
            let share = sizes.map(|(clean, predicted)| clean as f64 / predicted as f64);
            Cell::or(share, NOT_MEASURED, Cell::share)
        })
        .text("What the step is made of", |(_, capacity)| shares(capacity));
    let note = "Predicted is the size whose mean step takes the whole period, without an \
                involuntary switch; in brackets where that of a single run does, at 95 % \
                confidence. Steps are not all as long as their mean, so misses begin below.";
    table.note(note).table("The size that the model predicts, and where misses began")
}

fn predicted(capacity: &Capacity) -> Cell {
    let [size, lower, upper] = [capacity.size, capacity.lower, capacity.upper]
        .map(|size| size.map_or_else(|| "?".to_owned(), words::grouped));
    Cell::number(format!("{size} ({lower} to {upper})"), "")
}

/// Lists parts, the largest first: `locks 62 %, compute 38 %`.
fn shares(capacity: &Capacity) -> String {
    let Some(step) = capacity.step.as_ref().filter(|step| step.limit.is_some()) else {
        return NOT_SHOWN.to_owned();
    };
    let shares = (0..).zip(&TERMS).map(|(term, limited)| (step.share(term), limited.limit));
    let mut shares: Vec<(f64, &str)> = shares.filter(|(share, _)| *share >= 0.005).collect();
    shares.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shares = shares.iter().map(|(share, limit)| format!("{limit} {:.0} %", share * 100.0));
    shares.collect::<Vec<_>>().join(", ")
}

fn runs(named: &[Named], every: usize) -> Table {
    let mut rows: Vec<(&str, &Run, f64)> = Vec::new();
    for Named { name, model } in named {
        let shown = model.runs.iter().step_by(every);
        rows.extend(shown.filter_map(|run| Some((name.as_str(), run, run.predicted_ns?))));
    }
    let note = match every {
        1 => String::new(),
        _ => format!(
            "The page shows 1 in {} runs; all are in `report.json`.",
            words::grouped(every as u64)
        ),
    };
    let table = TableOf::of(&rows)
        .text("Runs", |(name, ..)| *name)
        .text("Case", |(_, run, _)| case(run))
        .number("Measured, µs", |(_, run, _)| Cell::micros(run.step_ns))
        .number("Predicted, µs", |(.., predicted_ns)| Cell::micros(*predicted_ns))
        .number("Error", |(_, run, predicted_ns)| Cell::share(predicted_ns / run.step_ns - 1.0))
        .text("Limited by", |(_, run, _)| run.limited_by.unwrap_or(NOT_SHOWN));
    let table = table.note(note).table("Mean steps, predicted and measured");
    Table { folded: true, ..table }
}
