//! Lists of the manual that are compared with the tables in the code that they describe.

use std::collections::BTreeSet;
use std::fs;

use super::{pages, project, writes, writing_command};

/// The mark before a list, followed by its name and [`CLOSES`].
const LIST: &str = "<!-- list: ";
const CLOSES: &str = " -->";
/// The mark after a list.
const END: &str = "<!-- end -->";

pub fn lists() -> BTreeSet<String> {
    let pages = pages();
    let marks = pages.iter().flat_map(|(_, text)| text.split(LIST).skip(1));
    let name = |rest: &str| rest.split(CLOSES).next().unwrap_or_default().to_owned();
    marks.map(name).collect()
}

/// Asserts that the manual has a list with this name, and that it is as expected wherever it is.
/// `expected` makes the list from what the page has now, because parts may be written by hand.
/// With `GOLDEN=write`, writes the expected lists into the pages.
pub fn assert_list(name: &str, expected: impl Fn(&str) -> String) {
    let mut is_there = false;
    for (page, text) in pages() {
        let Some((before, now, after)) = parts(&text, name) else {
            continue;
        };
        is_there = true;
        // Markdown would not format a line that begins with a comment.
        let line = before.rsplit('\n').next().unwrap_or_default();
        let gap = if now.starts_with('\n') { "\n" } else { "" };
        let is_first = line.trim_start().starts_with(LIST);
        assert!(!gap.is_empty() || !is_first, "{page}: a line begins with the mark of {name}");
        let expected = expected(now);
        // By words, because a sentence may be wrapped anywhere.
        if expected.split_whitespace().eq(now.split_whitespace()) {
            continue;
        }
        let whole = format!("{before}{gap}{}{gap}{after}", expected.trim());
        let (now, expected) = (now.trim(), expected.trim());
        assert!(
            writes(),
            "{page}: the list {name} is\n{now}\nand should be\n{expected}\n`{}` writes it",
            writing_command()
        );
        fs::write(project().join(&page), whole).expect("the page can be written");
    }
    assert!(is_there, "no page has the list {name}");
}

/// Asserts that a page contains the first text of each entry. With `GOLDEN=write`, adds the second of
/// each that it lacks, as a line at the end of the table or list that begins with `first`.
pub fn assert_entries(page: &str, first: &str, entries: &[(String, String)]) {
    let file = project().join(page);
    let text = fs::read_to_string(&file).expect("there is a page");
    let lacking: Vec<&(String, String)> =
        entries.iter().filter(|(needed, _)| !text.contains(needed)).collect();
    if lacking.is_empty() {
        return;
    }
    let lines: String = lacking.iter().map(|(_, line)| format!("{line}\n")).collect();
    assert!(writes(), "{page} lacks these lines; `{}` adds them\n{lines}", writing_command());
    fs::write(file, added(&text, first, &lines)).expect("the page can be written");
}

/// Returns the text with more lines at the end of its paragraph that begins with `first`.
fn added(text: &str, first: &str, lines: &str) -> String {
    let begins = text.find(first).unwrap_or_else(|| panic!("nothing begins with {first}"));
    let ends = text[begins..].find("\n\n").map_or(text.len(), |length| begins + length + 1);
    [&text[..ends], lines, &text[ends..]].concat()
}

/// Splits a page around the list of that name.
fn parts<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let mark = format!("{LIST}{name}{CLOSES}");
    let begins = text.find(&mark)? + mark.len();
    let ends = begins + text[begins..].find(END)?;
    Some((&text[..begins], &text[begins..ends], &text[ends..]))
}

pub fn table<const COLUMNS: usize>(
    heads: [&str; COLUMNS],
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) -> String {
    // An empty cell is one blank.
    let filled = |cell: &String| match cell.as_str() {
        "" => " |".to_owned(),
        _ => format!(" {} |", cell.replace('|', "\\|")),
    };
    let line = |cells: &[String]| format!("|{}\n", cells.iter().map(filled).collect::<String>());
    let rule = format!("|{}\n", " --- |".repeat(COLUMNS));
    let rows: String = rows.into_iter().map(|row| line(&row)).collect();
    line(&heads.map(str::to_owned)) + &rule + &rows
}

/// Returns names in a sentence: `a`, `b` and `c`.
pub fn in_words<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_found_between_its_marks() {
        let page = "a <!-- list: x -->one<!-- end --> b\n<!-- list: y -->\ntwo\n<!-- end -->\n";
        let (before, now, after) = parts(page, "y").unwrap();
        assert_eq!((now, after), ("\ntwo\n", "<!-- end -->\n"));
        assert!(before.ends_with("<!-- list: y -->"));
        assert_eq!(parts(page, "x").unwrap().1, "one");
        assert_eq!(parts(page, "z"), None);
    }

    #[test]
    fn lines_are_added_at_the_end_of_a_table() {
        let page = "# A\n\n| b |\n| --- |\n\nc\n";
        assert_eq!(added(page, "| b |", "| d |\n"), "# A\n\n| b |\n| --- |\n| d |\n\nc\n");
        assert_eq!(added("- a\n", "- a", "- b\n"), "- a\n- b\n");
    }

    #[test]
    fn an_empty_cell_is_one_blank() {
        let rows = [["`a`", "one", ""], ["`b`", "", "x"]].map(|row| row.map(str::to_owned));
        let table = table(["name", "first", "second"], rows);
        assert_eq!(
            table,
            "| name | first | second |\n| --- | --- | --- |\n| `a` | one | |\n| `b` | | x |\n"
        );
    }

    #[test]
    fn names_are_joined_as_in_a_sentence() {
        assert_eq!(in_words(["a"]), "`a`");
        assert_eq!(in_words(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
