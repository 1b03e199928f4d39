//! The page of the manual, in Markdown.

use std::fmt::Write;

use analysis::atlas::{Atlas, AtlasRow, Change, Changes, Figure, between_neighbours};
use analysis::lists::each_once;
use analysis::words::{self, counted, counted_range};
use base::wrapped;

use super::cells::{by_load, median_and_worst, range};
use super::changes::in_words;

/// Columns of one table: more do not fit a window.
const COLUMNS: usize = 6;

/// Returns `docs/kernels.md`.
#[must_use]
pub fn manual(atlas: &Atlas) -> String {
    let changes = between_neighbours(atlas);
    let (free, loaded) = by_load(atlas);
    let mut page = introduction(atlas, &changes);
    page += &glance(atlas, &loaded);
    page += &kernels(atlas);
    for group in &loaded {
        let heads: Vec<&str> = group.iter().map(|row| row.load.as_str()).collect();
        section(&mut page, &words::capital(&group[0].title()), "");
        rows(&mut page, atlas, group, &heads);
    }
    section(&mut page, "Services, without load", "");
    for some in free.chunks(COLUMNS) {
        let heads: Vec<String> = some.iter().map(|row| row.title()).collect();
        rows(&mut page, atlas, some, &heads);
        page.push('\n');
    }
    page.truncate(page.trim_end().len() + 1);
    let (explained, open): (Vec<&Change>, Vec<&Change>) =
        changes.found.iter().partition(|change| change.cause.is_some());
    causes(&mut page, &explained);
    unexplained(&mut page, &open);
    page
}

fn introduction(atlas: &Atlas, changes: &Changes) -> String {
    let all = changes.found.len();
    let explained = changes.found.iter().filter(|change| change.cause.is_some()).count();
    let architectures = each_once(atlas.kernels.iter().map(|kernel| kernel.architecture.clone()));
    let paragraphs = [
        format!(
            "Debian's kernels for {} in [the lab](lab.md), whose clock counts instructions. The figures are equal on \
             every machine with the same QEMU and program, and contain nothing of caches, a second CPU or hardware: \
             [what this clock cannot say](lab.md#what-this-clock-means-and-what-it-cannot-say).",
            words::listed(&architectures)
        ),
        format!(
            "Each row is measured in {} that differ only in chance ([draws](lab.md#draws)). A cell has the median, then \
             the shortest and the longest worst case of a draw, in microseconds; where medians of draws differ, the \
             shortest and the longest of these too.",
            counted_range(atlas.draws(), "machine")
        ),
        format!(
            "A change from one kernel to the next is listed if every draw of one is more than 20 % longer than every \
             draw of the other, with at least four of each: {} of {}. {explained} have a likely cause, {} have none. \
             Worst cases of services that are called in a loop are not compared.",
            counted(all, "change"),
            counted(changes.compared, "figure"),
            all - explained
        ),
        "![Median and worst case of every kernel](kernels.png)".to_owned(),
        format!(
            "Measured with Steadfast {} in QEMU {}. The same as data: [kernels.json](kernels.json) \
             ([schema](schema/kernels-1.json)). The program writes this page.",
            atlas.tool_version, atlas.qemu_version
        ),
    ];
    format!("{HEAD}{}\n", paragraphs.map(|paragraph| lines(&paragraph)).join("\n\n"))
}

fn lines(paragraph: &str) -> String {
    wrapped(paragraph, WIDTH).join("\n")
}

const HEAD: &str = "\
# The atlas of kernels

```sh
steadfast lab fetch --atlas      # the kernels of this page
steadfast lab compare --atlas    # measures them again, and says what changed since this page
```

";
/// Characters in a line of the manual.
const WIDTH: usize = 118;

/// The deciding wake-ups and what they cost, a line for each kernel.
fn glance(atlas: &Atlas, loaded: &[Vec<&AtlasRow>]) -> String {
    let mut text = String::new();
    section(
        &mut text,
        "At a glance",
        "The longest worst case over all loads in each draw, and the load with the longest of all.",
    );
    let heads: Vec<String> = loaded.iter().map(|group| group[0].title()).collect();
    table(&mut text, atlas, &heads, |place, column| longest(&loaded[column], place));
    text
}

/// Returns the worst case of a kernel over all loads in each draw, and the load with the longest: `2 010–2 228 (files)`.
fn longest(group: &[&AtlasRow], place: usize) -> String {
    let cells = || group.iter().filter_map(|row| Some((row, row.cells[place].as_ref()?)));
    let both = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect();
    let draws = cells().map(|(_, cell)| cell.draws(Figure::Worst)).reduce(both);
    let worst = cells().max_by_key(|(_, cell)| cell.max_ns.iter().max().copied());
    match (draws, worst) {
        (Some(draws), Some((row, _))) => format!("{} ({})", range(&draws), row.load),
        _ => "–".to_owned(),
    }
}

fn kernels(atlas: &Atlas) -> String {
    let mut text = String::new();
    section(&mut text, "The kernels", "");
    text +=
        "| kernel | name in the lab | Linux | model | package |\n| --- | --- | --- | --- | --- |\n";
    for kernel in &atlas.kernels {
        let _ = writeln!(
            text,
            "| {} | `{}` | {} | {} | {} |",
            kernel.name_in_words(),
            kernel.name,
            kernel.release,
            kernel.model,
            kernel.source
        );
    }
    text
}

fn section(page: &mut String, title: &str, introduction: &str) {
    let _ = write!(page, "\n## {title}\n\n");
    if !introduction.is_empty() {
        let _ = write!(page, "{}\n\n", lines(introduction));
    }
}

/// Writes the figures of rows: a column for each.
fn rows(page: &mut String, atlas: &Atlas, rows: &[&AtlasRow], heads: &[impl AsRef<str>]) {
    table(page, atlas, heads, |place, column| {
        rows[column].cells[place].as_ref().map_or_else(|| "–".to_owned(), median_and_worst)
    });
}

/// Writes a table with a line for each kernel; `cell` takes the places of kernel and column.
fn table(
    page: &mut String,
    atlas: &Atlas,
    heads: &[impl AsRef<str>],
    cell: impl Fn(usize, usize) -> String,
) {
    let names: String = heads.iter().map(|head| format!(" {} |", head.as_ref())).collect();
    let _ = writeln!(page, "| kernel |{names}");
    let _ = writeln!(page, "| --- |{}", " --- |".repeat(heads.len()));
    for (place, kernel) in atlas.kernels.iter().enumerate() {
        let cells: String =
            (0..heads.len()).map(|column| format!(" {} |", cell(place, column))).collect();
        let _ = writeln!(page, "| {} |{cells}", kernel.name_in_words());
    }
}

fn causes(page: &mut String, changes: &[&Change]) {
    if changes.is_empty() {
        return;
    }
    section(
        page,
        "Changes above 20 % with a likely cause",
        "Factors are the middle draw of the later kernel divided by that of the earlier one. The sources describe the \
         paths; no kernel was measured with and without these commits.",
    );
    let by_cause = analysis::lists::groups(changes.iter().copied(), |a, b| same_cause(a, b));
    for group in by_cause {
        let Some(cause) = group[0].cause else { continue };
        item(page, "", &format!("{} ({}).", words::capital(&cause.cause), cause.source));
        group.into_iter().for_each(|change| item(page, "  ", &in_words(change)));
    }
}

fn unexplained(page: &mut String, changes: &[&Change]) {
    if changes.is_empty() {
        return;
    }
    section(page, "Changes above 20 % without a known cause", "");
    changes.iter().for_each(|change| item(page, "", &in_words(change)));
}

/// Writes an item of a list; `indent` is that of its mark.
fn item(page: &mut String, indent: &str, text: &str) {
    let lines = wrapped(text, WIDTH - indent.len() - 2).join(&format!("\n{indent}  "));
    let _ = writeln!(page, "{indent}- {lines}");
}

fn same_cause(a: &Change, b: &Change) -> bool {
    a.cause.zip(b.cause).is_some_and(|(a, b)| (&a.cause, &a.source) == (&b.cause, &b.source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::manual::{writes, writing_command};

    /// `GOLDEN=write cargo test -p report atlas` writes it again.
    #[test]
    fn the_page_of_the_manual_is_that_of_the_committed_atlas() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/kernels.md");
        let page = manual(&Atlas::committed());
        if writes() {
            std::fs::write(path, &page).unwrap();
        }
        let is_same = std::fs::read_to_string(path).unwrap() == page;
        assert!(is_same, "{path} differs from the atlas; `{}` writes it", writing_command());
    }
}
