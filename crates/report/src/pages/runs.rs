//! Every run with its figures and conditions, and the reasons why runs are INVALID.

use analysis::conditions::{asked_and_found, joined, settings};
use analysis::lists::{each_once, groups};
use analysis::phrases::{maybe, some};
use analysis::{survey, words};
use record::{Outcome, Row, Unit, Warning, fact};
use serde_json::{Number, Value};
use stats::Distribution;

use super::common::{common, without};
use crate::document::{Block, Cell, Folded, Section, Table, TableOf, Tone};
use crate::sections::metrics::quantile;

/// Maximum number of runs on a page: each takes about 6 kB.
const MOST_RUNS: usize = 1000;
/// More runs than this are folded together.
const MOST_UNFOLDED: usize = 30;

/// Returns every run behind its title, in the given order, up to the maximum of a page.
pub(super) fn runs(outcomes: &[&Outcome]) -> Option<Section> {
    let shown = &outcomes[..outcomes.len().min(MOST_RUNS)];
    let conditions: Vec<_> = shown.iter().map(|run| asked_and_found(run).collect()).collect();
    let settings: Vec<_> = shown.iter().map(|run| settings(run)).collect();
    let usual = Usual {
        conditions: common(&conditions, |[name, ..]| name),
        settings: common(&settings, |(name, _)| name),
    };
    let caption = "Conditions of most runs; a run shows its own where they differ";
    let mut blocks = Vec::from_iter(shown_once(shown));
    blocks.extend(Block::all_filled([
        Block::Table(listed(caption, &usual.conditions)),
        Block::entries("Settings of most runs", usual.settings.clone()),
    ]));
    let each: Vec<Block> = shown.iter().map(|outcome| run(outcome, &usual)).collect();
    match each.len() {
        ..=MOST_UNFOLDED => blocks.extend(each),
        runs => blocks.push(Block::folded(words::counted(runs, "run"), each)),
    }
    let introduction = match outcomes.len() {
        ..=MOST_RUNS => String::new(),
        runs => format!(
            "The first {} of {} runs, which is what a page carries. The figures above are of all \
             of them, grouped by conditions; each single run is in the store, in `report.json`, \
             and in what `steadfast report STORE --json` prints.",
            words::grouped(MOST_RUNS as u64),
            words::grouped(runs as u64)
        ),
    };
    Section::of("runs", "Every run: conditions requested and found", introduction, blocks).filled()
}

/// Returns one note for all runs that measured every CPU; their conditions list the CPUs.
fn shown_once(outcomes: &[&Outcome]) -> Option<Block> {
    let warnings = outcomes.iter().copied().flat_map(survey::warnings);
    let shown: Vec<&Warning> = warnings.filter(is_shown_once).collect();
    let first = warning(shown.first()?);
    let note = format!("{first} (in {} of {} runs)", shown.len(), outcomes.len());
    Some(Block::notes("", vec![note]))
}

fn is_shown_once(warning: &&Warning) -> bool {
    **warning == Warning::NoHousekeepingCpu
}

/// Returns every reason why runs are INVALID, once, with its runs in words; `None` if all are valid.
pub(super) fn invalid<'a>(
    outcomes: impl IntoIterator<Item = &'a Outcome>,
    [invalid, all]: [usize; 2],
    in_words: impl Fn(&[&'a Outcome]) -> Vec<String>,
) -> Option<Section> {
    let of_run = |run: &'a Outcome| {
        let invalidating = run.warnings.iter().filter(|warning| warning.invalidates());
        let reasons = each_once(invalidating.map(|warning| [warning.cause(), warning.remedy()]));
        reasons.into_iter().map(move |reason| (reason, run))
    };
    let reasons = outcomes.into_iter().flat_map(of_run);
    let reasons = groups(reasons, |(a, _), (b, _)| a == b);
    let sentence = |alike: &Vec<([String; 2], &'a Outcome)>| {
        let [cause, remedy] = &alike[0].0;
        let runs: Vec<&Outcome> = alike.iter().map(|(_, run)| *run).collect();
        let runs = joined(in_words(&runs).iter().map(|run| format!("`{run}`")));
        format!("{cause}. Remedy: {remedy}. Runs: {runs}.")
    };
    let reasons = reasons.iter().map(sentence).collect();
    let title = format!("{invalid} of {all} runs INVALID");
    let mut section = Section::told("invalid", &title, Tone::Alarm, reasons)?;
    section.introduction = "They did not get, or did not keep, the requested conditions. No \
                            sentence, table or figure uses them."
        .to_owned();
    Some(section)
}

fn run(outcome: &Outcome, usual: &Usual) -> Block {
    let warnings = survey::warnings(outcome).filter(|warning| !is_shown_once(warning));
    let mut blocks = Block::all_filled([
        Block::notes("", warnings.map(warning).collect()),
        Block::Table(figures(outcome)),
        Block::entries("", further(outcome)),
    ]);
    let mut settings = without(settings(outcome), &usual.settings);
    settings.push(("Run", outcome.header.run_id.clone()));
    let conditions = without(asked_and_found(outcome).collect(), &usual.conditions);
    let conditions = Block::Table(listed("Conditions", &conditions));
    let beside = Block::all_filled([conditions, Block::entries("", settings)]);
    blocks.push(Block::Beside { columns: beside.into_iter().map(|block| vec![block]).collect() });
    blocks.extend(Block::Table(threads(outcome)).filled());
    Block::Folded(Folded {
        title: outcome.header.spec.title(),
        mark: survey::mark(outcome),
        when: maybe(outcome.header.known_start_unix_ns(), words::moment),
        blocks,
    })
}

/// Facts that most runs share, which are therefore shown once.
struct Usual {
    conditions: Vec<[String; 3]>,
    settings: Vec<(&'static str, String)>,
}

fn warning(warning: &Warning) -> String {
    let mark = if warning.invalidates() { "INVALID" } else { "Note" };
    format!("{mark}: {}. Remedy: {}.", warning.cause(), warning.remedy())
}

fn figures(outcome: &Outcome) -> Table {
    let unavailable = |row: &Row| row.unavailable.as_ref().map(|needs| Cell::unavailable(needs, 1));
    let of = |row: &Row, figure: &dyn Fn(&Distribution) -> Cell| {
        Cell::or(row.latency.as_ref(), "no sample", figure)
    };
    let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999)];
    TableOf::of(&outcome.rows)
        .text("Row", |row| words::label(&row.label))
        .unless(unavailable)
        .number("Due", |row| measured(row, row.due))
        .number("Executed", |row| Cell::count(row.executed))
        .number("Skipped", |row| measured(row, row.skipped))
        .number("Average, µs", move |row| of(row, &|latency| Cell::micros(latency.mean_ns())))
        .each(shares, |table, (name, share)| {
            table.number(&format!("{name}, µs"), move |row| {
                quantile(&[row], row.latency.as_ref(), share, Cell::micros)
            })
        })
        .number("Worst, µs", move |row| {
            of(row, &|latency| Cell::micros(latency.max.value_ns as f64))
        })
        .number("Worst at", move |row| match row.is_imported() {
            true => Cell::none("not stated"),
            false => of(row, &|latency| Cell::time(latency.max.at_ns as f64)),
        })
        .table("Figures")
}

/// Returns a count that another tool's file does not state.
fn measured(row: &Row, count: u64) -> Cell {
    if row.is_imported() { Cell::none("not stated") } else { Cell::count(count) }
}

fn listed(caption: &str, conditions: &[[String; 3]]) -> Table {
    TableOf::of(conditions)
        .text("Condition", |[name, _, _]| name)
        .text("Asked", |[_, asked, _]| asked)
        .text("Found", |[_, _, found]| found)
        .table(caption)
}

fn threads(outcome: &Outcome) -> Table {
    TableOf::of(&outcome.found.threads)
        .text("Thread", |thread| &thread.name)
        .text("Policy asked", |thread| thread.asked_policy.to_string())
        .text("Policy found", |thread| then(&thread.policy, &thread.policy_at_end))
        .text("CPUs asked", |thread| thread.asked_cpus.to_string())
        .text("CPUs found", |thread| then(&thread.cpus, &thread.cpus_at_end))
        .number("Page faults", |thread| {
            let (minor, major) = (thread.counters.minor_faults, thread.counters.major_faults);
            Cell::count(minor + major).titled(format!("{minor} minor, {major} major"))
        })
        .number("Waited", |thread| Cell::count(thread.counters.voluntary_switches))
        .number("Preempted", |thread| Cell::count(thread.counters.involuntary_switches))
        .number("Migrations", |thread| {
            Cell::or(thread.counters.migrations, "not reported by the kernel", Cell::count)
        })
        .number("CPU time", |thread| Cell::time(thread.counters.cpu_time_ns as f64))
        .table("Measuring threads")
}

/// Returns the value before the measured loop and, if it changed, the value after it.
fn then<T: ToString>(before: &T, after: &T) -> Cell {
    let (before, after) = (before.to_string(), after.to_string());
    if before == after {
        Cell::text(before)
    } else {
        Cell::text(format!("{before}, then {after}")).judged(false)
    }
}

/// Returns the facts of each row, except those in its label; of structured facts, which other
/// sections show, only the names.
fn further(outcome: &Outcome) -> Vec<(String, String)> {
    let of_row = |row: &Row| {
        let (structured, plain): (Vec<_>, Vec<_>) =
            row.facts.iter().partition(|(_, fact)| is_structured(fact));
        let facts = plain.into_iter().map(|(name, fact)| fact_in_words(name, fact));
        let facts = facts.filter(|fact| !fact.eq_ignore_ascii_case(&row.label));
        let names = structured.iter().map(|(name, _)| name.replace('_', " "));
        let names = some(names.collect::<Vec<String>>());
        let names = names.map(|names| format!("in `report.json`: {}", words::listed(&names)));
        (words::label(&row.label), joined(facts.chain(names)))
    };
    let all = outcome.rows.iter().map(of_row);
    all.filter(|(_, facts)| !facts.is_empty()).collect()
}

fn is_structured(fact: &Value) -> bool {
    match fact {
        Value::Array(entries) => entries.iter().any(|entry| entry.is_object() || entry.is_array()),
        _ => fact.is_object(),
    }
}

/// Formats a fact; a list is cut after a few entries.
fn fact_in_words(name: &str, fact: &Value) -> String {
    const FIRST_FEW: usize = 8;
    let plain = name.strip_suffix("_ns").unwrap_or(name).replace('_', " ");
    match fact {
        Value::Array(entries) if entries.is_empty() => format!("{plain}: none"),
        Value::Array(entries) => {
            let mut few: Vec<String> =
                entries.iter().take(FIRST_FEW).map(ToString::to_string).collect();
            if entries.len() > FIRST_FEW {
                few.push(format!("and {} more", entries.len() - FIRST_FEW));
            }
            format!("{plain}: {}", few.join(" · "))
        }
        Value::Bool(yes) => format!("{plain}: {}", if *yes { "yes" } else { "no" }),
        Value::String(word) => format!("{plain} {word}"),
        Value::Number(number) => format!("{plain} {}", number_in_words(name, number)),
        Value::Null => format!("{plain}: unknown"),
        Value::Object(_) => plain,
    }
}

/// Formats a number of a fact. A whole number without a declared unit may identify something, such
/// as a task, a CPU or a step: it is neither rounded nor grouped.
fn number_in_words(name: &str, number: &Number) -> String {
    let declared = fact::all().find(|fact| fact.name == name).map(|fact| fact.unit);
    match (declared, number.as_u64(), number.as_f64()) {
        (_, _, Some(ns)) if name.ends_with("_ns") => words::time(ns),
        (Some(Unit::Count), Some(count), _) => words::grouped(count),
        (None, Some(whole), _) => whole.to_string(),
        (_, _, Some(figure)) => words::quantity(figure),
        (_, _, None) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_whole_number_is_rounded_unless_it_is_a_measured_figure() {
        let shown = |name: &str| fact_in_words(name, &json!(15_882));
        for fact in fact::all().filter(|fact| fact.unit == Unit::Count) {
            assert!(shown(fact.name).ends_with(&format!(" {}", words::grouped(15_882))));
        }
        for part in ["pid", "cpu", "irq", "port", "seed", "step", "index"] {
            assert_eq!(shown(part), format!("{part} 15882"));
        }
    }
}
