//! The summary in the terminal: a compact table, warnings, the verdict.

use comfy_table::presets::NOTHING;
use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};
use plan::{Outcome, Warning};

use analysis::benchmark::{self, Answer, Benchmark, Ceiling};
use analysis::causes;
use analysis::claims::{self, Worst};
use analysis::comparison::Comparison;
use analysis::fail_if;
use analysis::merit::{self, General, Merits};
use analysis::quantiles::supported;
use analysis::real_time;
use analysis::self_test;
use analysis::standards::{Limits, Standards};
use analysis::survey::{self, Series, System, summarised, systems};
use analysis::tolerance::Tolerance;
use analysis::{clock, verdict, words};

/// Columns of a terminal that every line keeps to.
const WIDTH: u16 = 100;
const HEAD: [&str; 7] = [
    "measurement",
    "average",
    "p99",
    "p99.9",
    "worst",
    "missed",
    "",
];
const SOLVERS_HEAD: [&str; 8] = [
    "solver",
    "precision",
    "threads",
    "masses",
    "M/s",
    "x semaphore",
    "arithmetic",
    "memory",
];
/// A line below the head, and no other.
pub(crate) const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table of every row, the warnings, the figures of merit, what is hard, firm or soft,
/// what the worst case is beyond what was seen, the verdict, and what came of limits; at
/// most 100 columns wide, without colour. Several kernels of the lab are laid side by side.
#[must_use]
pub fn terminal(outcomes: &[Outcome], standards: &Standards) -> String {
    if let Some(comparison) = Comparison::if_of_kernels(outcomes, standards) {
        return crate::comparison::terminal(&comparison);
    }
    let systems = systems(outcomes);
    let verdict = verdict::of(&systems, &standards.limits);
    let mut text = block("ERROR", &verdict.errors);
    text.push_str(&block("WARNING", &Vec::from_iter(verdict.clocks_differ)));
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&results(&systems));
    let first = verdict.first.map(|change| match change.command {
        Some(command) => format!("{} `{command}`", change.words),
        None => change.words,
    });
    for benchmark in systems.iter().filter_map(benchmark::of) {
        text.push_str(&solvers(&benchmark));
    }
    let real_time_title = format!("Real time ({})", standards.limits);
    for (title, sentences) in [
        ("Warnings", warnings(outcomes)),
        ("Not available", unavailable(outcomes)),
        ("What was late, and why", causes::sentences(&systems)),
        (
            "Figures of merit",
            figures_of_merit(&systems, standards.tolerance),
        ),
        (&real_time_title, real_time(&systems, &standards.limits)),
        ("Beyond what was seen", beyond(&systems)),
        ("What it holds", verdict.holds),
        ("What the platform takes", verdict.platform),
        ("What limits it", verdict.limits),
        ("Self-test", self_tests(outcomes)),
        ("What to change first", first.into_iter().collect()),
        (
            "Limits (--fail-if)",
            fail_if::sentences(&standards.fail_if, outcomes),
        ),
        (clock::TITLE, clock::in_short(&systems)),
    ] {
        text.push_str(&block(title, &sentences));
    }
    text
}

fn results(systems: &[System]) -> String {
    let mut table = table(RULED);
    table.set_header(HEAD);
    for system in systems {
        if systems.len() > 1 {
            table.add_row([format!("[{}]", system.name)]);
        }
        table.add_rows(measured(system));
        let invalid = system.outcomes.iter().copied().filter(|o| !o.is_valid());
        for runs in summarised(&invalid.collect::<Vec<&Outcome>>()) {
            table.add_row([runs.as_str(), "", "", "", "", "", "INVALID"]);
        }
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    match table.is_empty() {
        true => String::new(),
        false => finished(&table) + "\n",
    }
}

/// The lines of a machine: a title for each measurement under equal conditions,
/// then its rows.
fn measured(system: &System) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    let mut current = String::new();
    let others = |series: &&Series| !benchmark::shows(system, series);
    for series in system.series.iter().filter(others) {
        let peers: Vec<&Series> = system.of(&series.spec.measurement).collect();
        let title = format!(
            "{} ({})",
            series.spec.measurement,
            series.conditions(&peers)
        );
        if title != current {
            lines.push(vec![title.clone()]);
            current = title;
        }
        lines.push(line(series));
    }
    lines
}

fn line(series: &Series) -> Vec<String> {
    let mut label = format!("  {}", words::label(series.label));
    if series.unavailable().is_some() {
        return [&label, "", "", "", "", "", "n/a"].map(String::from).into();
    }
    if let Some(share) = series.share() {
        label += &format!(", {} of the transfer", words::percent(share));
    }
    if let Some([made, planned]) = series.cut_short() {
        let [made, planned] = [made, planned].map(words::grouped);
        label += &format!(", {made} of {planned} bursts");
    }
    let latency = series.latency.as_ref();
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), words::time);
    let missed = match (real_time::misses(series), series.skipped()) {
        (Some(missed), _) => words::grouped(missed),
        (None, 0) => "–".to_owned(),
        (None, skipped) => {
            let [skipped, due] = [skipped, series.due()].map(words::grouped);
            label += &format!(", {skipped} of {due} not made");
            "–".to_owned()
        }
    };
    vec![
        label,
        shown(series.average_ns()),
        shown(latency.and_then(|l| supported(l, 0.99))),
        shown(latency.and_then(|l| supported(l, 0.999))),
        shown(latency.map(|l| l.max.value_ns as f64)),
        missed,
        "valid".to_owned(),
    ]
}

/// The benchmark of a machine: its solvers, its ceilings, the ratios asked for.
fn solvers(benchmark: &Benchmark) -> String {
    let shown = |number: Option<f64>, in_words: fn(f64) -> String| {
        number.map_or_else(|| "–".to_owned(), in_words)
    };
    let mut table = table(RULED);
    table.set_header(SOLVERS_HEAD);
    for entry in &benchmark.entries {
        table.add_row([
            entry.solver.clone(),
            entry.precision.clone(),
            entry.threads.to_string(),
            words::grouped(entry.masses),
            words::quantity(entry.rate_per_s / 1e6),
            shown(entry.times_semaphore, words::quantity),
            shown(entry.of_arithmetic, words::percent),
            shown(entry.of_memory, words::percent),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let entries = match benchmark.entries.as_slice() {
        [] => String::new(),
        _ => format!(
            "\nThe tire's solvers: {}\nMillion mass-updates a second, {}; shares of the \
             arithmetic and memory ceilings\n{}\n",
            benchmark.system,
            benchmark.rounds(),
            finished(&table)
        ),
    };
    let ceilings: Vec<String> = benchmark.ceilings.iter().map(ceiling).collect();
    let answers = benchmark.answers.iter().map(answer);
    let answers: Vec<String> = answers.chain(benchmark.disturbance()).collect();
    entries
        + &block("Ceilings, mass-updates a second", &ceilings)
        + &block(benchmark.asks(), &answers)
}

fn ceiling(ceiling: &Ceiling) -> String {
    let shown = |rate: Option<f64>| rate.map_or_else(|| "not measured".to_owned(), words::quantity);
    format!(
        "{}, {}: {} by the arithmetic units, {} by the memory at one pass a step.",
        ceiling.precision,
        words::counted(ceiling.threads as usize, "thread"),
        shown(ceiling.arithmetic_per_s),
        shown(ceiling.memory_per_s),
    )
}

fn answer(answer: &Answer) -> String {
    let [asked, measured] = answer.in_words();
    let verdict = match answer.verdict() {
        "" => String::new(),
        verdict => format!(" ({verdict})"),
    };
    format!(
        "{}: asked {asked}, measured {measured}{verdict}.",
        answer.what
    )
}

/// One warning of each kind, with how many more there are; those that make a
/// run INVALID first.
pub(crate) fn warnings(outcomes: &[Outcome]) -> Vec<String> {
    let mut kinds: Vec<(&Warning, usize)> = Vec::new();
    for warning in outcomes.iter().flat_map(survey::warnings) {
        let same_kind = |(known, _): &&mut (&Warning, usize)| {
            std::mem::discriminant(*known) == std::mem::discriminant(warning)
        };
        match kinds.iter_mut().find(same_kind) {
            Some((_, more)) => *more += 1,
            None => kinds.push((warning, 0)),
        }
    }
    kinds.sort_by_key(|(warning, _)| !warning.invalidates());
    let sentence = |(warning, more): (&Warning, usize)| {
        let mark = if warning.invalidates() {
            "INVALID: "
        } else {
            ""
        };
        let more = match more {
            0 => String::new(),
            more => format!(" (and {more} more of this kind)"),
        };
        format!(
            "{mark}{}{more}. Remedy: {}.",
            warning.cause(),
            warning.remedy()
        )
    };
    kinds.into_iter().map(sentence).collect()
}

/// Each row that this machine cannot measure, with what it needs.
fn unavailable(outcomes: &[Outcome]) -> Vec<String> {
    let mut all = Vec::new();
    for outcome in outcomes {
        for row in &outcome.rows {
            let Some(needs) = &row.unavailable else {
                continue;
            };
            let text = format!(
                "{}, {}: {needs}.",
                outcome.header.spec.measurement, row.label
            );
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    all
}

/// The general figures of each system that has any, without predictability: that one rewards
/// outliers, and belongs beside the papers' alone.
fn figures_of_merit(systems: &[System], tolerance: Tolerance) -> Vec<String> {
    let sentence = |merits: Merits| {
        let General { merit, cases, .. } = merits.general?;
        Some(format!(
            "{}: efficiency {}, variation {}; averages over {}.",
            merits.system,
            words::time(merit.efficiency_ns),
            words::time(merit.variation_ns),
            words::counted(cases, "test and load").replace("test and loads", "tests and loads"),
        ))
    };
    let merits = merit::of(systems, tolerance).into_iter();
    merits.filter_map(sentence).collect()
}

fn real_time(systems: &[System], limits: &Limits) -> Vec<String> {
    let of_system = |system: &System| real_time::sentences(system, limits);
    systems.iter().flat_map(of_system).collect()
}

/// For the longest runs of wake-ups and frames, what comes once an hour or more rarely, or
/// why the data do not say.
fn beyond(systems: &[System]) -> Vec<String> {
    let of_system = |system: &System| -> Vec<String> {
        let of_name = |name| {
            system
                .of(name)
                .filter_map(beyond_seen)
                .max_by_key(|(samples, _)| *samples)
        };
        let told = ["wakeup", "frame"].into_iter().filter_map(of_name);
        told.map(|(_, sentence)| sentence).collect()
    };
    systems.iter().flat_map(of_system).collect()
}

/// A sentence, and on how many samples it rests.
fn beyond_seen(series: &Series) -> Option<(u64, String)> {
    let latency = series.latency.as_ref()?;
    let says = match claims::worst(&series.rows)? {
        Worst::Unknown => return None,
        Worst::Refused(refusal) => format!("no claim, {}", claims::reason(refusal)),
        Worst::Fitted(fit) => match (fit.levels.first(), fit.out_of_reach.first()) {
            (Some(level), _) => {
                let (lower, upper) = (Some(level.lower_ns), Some(level.upper_ns));
                let value = claims::with_interval(level.value_ns, lower, upper);
                let once = claims::how_often(level.once);
                format!("{once} {value}, at 95 % confidence")
            }
            (None, Some(level)) => {
                let once = claims::how_often(level.once);
                format!("no claim, {once} is {}", claims::out_of_reach(level))
            }
            (None, None) => return None,
        },
    };
    let (name, label) = (&series.spec.measurement, words::label(series.label));
    let sentence = format!("`{name}`, {label} ({}): {says}.", series.conditions(&[]));
    Some((latency.count(), sentence))
}

/// What each machine's results say of its self-test.
fn self_tests(outcomes: &[Outcome]) -> Vec<String> {
    let systems = systems(outcomes);
    systems.iter().filter_map(self_test::sentence).collect()
}

/// Sentences under a title; nothing without any.
pub(crate) fn block(title: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let mut table = table(NOTHING);
    for sentence in sentences {
        table.add_row(["-", sentence]);
    }
    if let Some(mark) = table.column_mut(0) {
        mark.set_constraint(ColumnConstraint::Absolute(Width::Fixed(3)));
    }
    format!("\n{title}\n{}\n", finished(&table))
}

/// An empty table as wide as the terminal's lines.
pub(crate) fn table(style: TableStyle) -> Table {
    let mut table = Table::new();
    table
        .load_style(style)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH)
        .force_no_tty();
    table
}

/// The lines of a table, without blanks at their ends.
pub(crate) fn finished(table: &Table) -> String {
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n")
}
