//! The answer of a search in the terminal.

use comfy_table::CellAlignment;
use plan::Outcome;
use stats::frontier::Lies;

use crate::render::terminal::{RULED, block, finished, table, warnings};
use analysis::frontier::{Frontier, caption, interval, notes, of, overall, room};
use analysis::standards::Standards;
use analysis::survey::systems;
use analysis::words;

const HEAD: [&str; 5] = [
    "threads",
    "sizes",
    "holds .. misses",
    "but for the platform",
    "a step usually fits",
];

/// For each rate and set of conditions, where the frontier lies on each number of threads,
/// what shows it and what spoils it; with `size`, how much longer a step of that many masses
/// can take; at last the warnings, and what is to be said of the search. At most 100 columns wide.
#[must_use]
pub fn frontier(
    outcomes: &[Outcome],
    standards: &Standards,
    size: Option<u64>,
    search: &[String],
) -> String {
    let systems = systems(outcomes);
    let frontiers = of(&systems, standards);
    let one = |frontier: &Frontier| {
        let system = match systems.len() {
            1 => String::new(),
            _ => format!("{}, ", frontier.system.name),
        };
        let mut sentences = vec![overall(frontier)];
        sentences.extend(notes(frontier));
        let asked = |line| size.and_then(|masses| room(frontier, line, masses));
        sentences.extend(frontier.lines.iter().filter_map(asked));
        sentences.dedup();
        format!(
            "\nThe frontier of {}: {system}{}\n\n{}\n{}",
            frontier.limits.words(frontier.strictness),
            caption(frontier),
            lines(frontier),
            block("What shows it, and what spoils it", &sentences)
        )
    };
    let all: String = frontiers.iter().map(one).collect();
    all + &block("Warnings", &warnings(outcomes)) + &block("The search", search)
}

fn lines(frontier: &Frontier) -> String {
    let mut table = table(RULED);
    table.set_header(HEAD);
    for line in &frontier.lines {
        let [all, own, fit] = [Lies::InDeadlines, Lies::ButForPlatform, Lies::InSteps]
            .map(|lies| interval(&frontier.ends(line, lies)));
        let threads = line.threads.to_string();
        let sizes = words::grouped(line.sizes.len() as u64);
        table.add_row([threads, sizes, all, own, fit]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    finished(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_not_used_are_told_with_what_mends_them() {
        let refused = crate::fixture::refused();
        let text = frontier(&[refused], &Standards::default(), None, &[]);
        assert!(text.contains("INVALID: "), "{text}");
        assert!(!text.contains("holds .. misses"), "{text}");
    }
}
