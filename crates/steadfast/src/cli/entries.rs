//! Tables and lists of the manual that are written by hand, and have an entry for each name in a table
//! of the code. `GOLDEN=write cargo test -p steadfast --bin steadfast lists` adds an entry for each name that is new.

use load::LOADS;
use testing::manual::{assert_entries, pages};
use testing_schema::Printed;

use super::schemas::PRINTED;
use crate::cli::Cli;
use crate::options::plans::READY;

/// An entry: what its page must contain, and the line that is added to a page without it.
type Entry = (String, String);

struct ByHand {
    page: &'static str,
    /// The first line of the table or list.
    first: &'static str,
    entries: fn() -> Vec<Entry>,
}

const BY_HAND: &[ByHand] = &[
    ByHand { page: "docs/campaigns.md", first: "| name | study |", entries: plans },
    ByHand { page: "docs/doctor.md", first: "| check | looks at |", entries: checks },
    ByHand { page: "docs/index.md", first: "- [Check](check.md)", entries: links },
    ByHand {
        page: "docs/interfere.md",
        first: "| aggressor | effect on others |",
        entries: aggressors,
    },
    ByHand { page: "docs/machines.md", first: "| document | schema |", entries: schemas },
    ByHand { page: "docs/using.md", first: "| command | what it does |", entries: commands },
];

/// Asserts that they have every name. With `GOLDEN=write`, adds entries.
pub(super) fn assert_all() {
    for ByHand { page, first, entries } in BY_HAND {
        let entries = entries();
        assert!(!entries.is_empty(), "{page}: {first}");
        assert_entries(page, first, &entries);
    }
}

fn plans() -> Vec<Entry> {
    let entry = |name: String, summary: &str| (name.clone(), format!("| {name} | {summary} |"));
    READY.iter().map(|plan| entry(code(plan.name), plan.summary())).collect()
}

fn checks() -> Vec<Entry> {
    let entry = |(name, why): (&str, &str)| (code(name), format!("| {} | {why} |", code(name)));
    doctor::checks().map(entry).collect()
}

/// Returns a link to each page of the manual, under its title.
fn links() -> Vec<Entry> {
    let pages = pages().into_iter().filter_map(|(page, text)| {
        let file = page.strip_prefix("docs/").filter(|file| *file != "index.md")?;
        let title = text.lines().next()?.trim_start_matches("# ");
        Some((format!("({file})"), format!("- [{title}]({file})")))
    });
    pages.collect()
}

fn aggressors() -> Vec<Entry> {
    let tried = LOADS.iter().filter(|load| {
        load.is_aggressor && load.argument.is_none_or(|argument| argument.default.is_some())
    });
    let entry = |load: &load::Load| {
        let name = code(load.name);
        (name.clone(), format!("| {name} | {} |", load.summary))
    };
    tried.map(entry).collect()
}

fn schemas() -> Vec<Entry> {
    let entry = |printed: &Printed| {
        let (name, file) = (printed.name(), printed.file());
        let row = format!("| `steadfast {name} --json` | [schema/{file}](schema/{file}) |");
        (format!("(schema/{file})"), row)
    };
    PRINTED.iter().map(entry).collect()
}

fn commands() -> Vec<Entry> {
    let known = Cli::known();
    let shown = known.get_subcommands().filter(|command| !command.is_hide_set());
    let entry = |command: &clap::Command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let name = format!("`steadfast {}", command.get_name());
        (name.clone(), format!("| {name}` | {about} |"))
    };
    shown.map(entry).collect()
}

pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}
