//! Wake-ups: a table and histograms for each period and policy, by load and system (FRA).

use analysis::comparison::{
    Case, Comparison, LIMIT_NS, cases, decides, load_name, loads_of, worst, worst_ns, worst_under,
};
use analysis::survey::{Series, System};
use analysis::{lists, words};

use super::columns::{Topic, average_and_worst, breakable, brief_worst, head_of_line, measured};
use super::draws::{draws, draws_of_cases, over_draws};
use super::loads;
use crate::document::{Block, Cell, Multiples, Table, TableOf};
use crate::figure;

pub(super) const SECTION: Topic = Topic {
    id: "wakeup",
    title: "Wake-ups: by period, policy and load",
    introduction: "A periodic thread sleeps until its next activation; the time is its actual \
                   minus its scheduled activation. Average, then the worst case, in µs; a worst \
                   case above 1 ms is bold and red. With a period of 1 ms it means a whole period \
                   missed.",
    blocks,
};

/// Returns the worst decisive wake-up of each system under each load.
pub(super) fn worst_under_loads(systems: &[System]) -> Table {
    let loads = loads_of(systems);
    let deciding = systems.iter().flat_map(|system| &system.series).filter(|s| decides(s));
    let under = over_draws("under each load", draws(deciding).as_deref());
    let rows = if loads.is_empty() { &[] } else { systems };
    TableOf::of(rows)
        .text("Under load", |system| breakable(&system.name))
        .each(&loads, |table, load| {
            table.number(load_name(load), move |system| {
                let worst = worst_under(system, load, decides);
                Cell::or(worst, "no valid run", |worst| {
                    marked(brief_worst(&worst), worst.longest_ns)
                })
            })
        })
        .table(format!(
            "Worst wake-up of a real-time thread with a period of 1 ms, {under}; marked above {}",
            words::time(LIMIT_NS)
        ))
}

fn marked(cell: Cell, worst_ns: f64) -> Cell {
    cell.bad_if(worst_ns > LIMIT_NS)
}

fn blocks(comparison: &Comparison) -> Vec<Block> {
    let systems = &*comparison.systems;
    let is_wakeup = |s: &Series| s.spec.measurement == "wakeup" && s.headline();
    let groups = groups(cases(systems, is_wakeup));
    let mut blocks = Vec::new();
    for group in &groups {
        let title = title(group);
        let draws = draws_of_cases(group);
        blocks.push(Block::Table(table(&title, systems, group, draws.as_deref())));
        let worst = draws.map_or("the worst case".to_owned(), |draws| {
            format!("the shortest and the longest worst case of {draws}, whose samples are drawn together")
        });
        let caption = format!(
            "{title}. Wake-up latency, all with the same logarithmic axes: time to the right, samples \
             upwards. The number is {worst}; the broken line is 1 ms."
        );
        if let Some(drawn) = histograms(caption, systems, group) {
            let drawn = Block::Multiples(drawn);
            blocks.push(match is_first(group) {
                true => drawn,
                false => Block::folded(format!("Histograms: {title}"), vec![drawn]),
            });
        }
    }
    blocks.extend(Block::Table(loads::work(systems)).filled());
    blocks
}

/// Groups cases that differ only in the load, the decisive ones first.
fn groups<'s, 'a>(cases: Vec<Case<'s, 'a>>) -> Vec<Vec<Case<'s, 'a>>> {
    let mut groups = lists::groups(cases, Case::is_alike_but_for_load);
    for group in &mut groups {
        group.sort_by_key(|case| !case.asked.loads.is_empty());
    }
    groups.sort_by_key(|group| !is_first(group));
    groups
}

fn is_first(group: &[Case]) -> bool {
    group[0].any().is_some_and(decides)
}

fn title(group: &[Case]) -> String {
    let period = group[0].test.parameters.period().0 as f64;
    let policy = match group[0].asked.policy {
        policy if policy.is_real_time() => policy.to_string(),
        policy => format!("{policy}, the default policy"),
    };
    format!("A thread with a period of {} under {policy}", words::time(period))
}

fn table(title: &str, systems: &[System], group: &[Case], draws: Option<&str>) -> Table {
    TableOf::of(group)
        .text("Load", |case| head_of_line(load_name(&case.load())))
        .systems(systems, |place, case| {
            measured(case, place, |series| {
                marked(average_and_worst(series), worst_ns(series).unwrap_or(0.0))
            })
        })
        .table(format!("{title}: {}", over_draws("average / worst", draws)))
}

fn histograms(caption: String, systems: &[System], group: &[Case]) -> Option<Multiples> {
    let rows = group.iter().map(|case| {
        let times = case.of.iter().map(|series| times((*series)?));
        (load_name(&case.load()).to_owned(), times.collect())
    });
    let rows: Vec<figure::MultiplesRow> = rows.collect();
    let names = systems.iter().map(|system| breakable(&system.name));
    figure::multiples(caption, names.collect(), &rows, LIMIT_NS)
}

fn times<'s>(series: &'s Series) -> Option<figure::Times<'s>> {
    let worst_ns = worst([series])?.range_ns();
    Some(figure::Times { samples: series.latency.as_ref()?, worst_ns })
}
