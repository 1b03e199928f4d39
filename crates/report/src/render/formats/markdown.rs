//! A summary in Markdown, as build servers show it beside a build.

use super::cases::with_kind;
use super::{Case, Format, Status, Suite};

pub(super) const FORMAT: Format = Format {
    flag: "markdown",
    help: "Write a summary in Markdown to this file, such as \"$GITHUB_STEP_SUMMARY\"",
    form: "a table",
    readers: "the summary of a build, such as `\"$GITHUB_STEP_SUMMARY\"`",
    write: markdown,
};

fn markdown(suites: &[Suite]) -> String {
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    let count = |is_it: fn(&Status) -> bool| cases().filter(|case| is_it(&case.status)).count();
    let passed = count(|status| matches!(status, Status::Passed));
    let skipped = count(|status| matches!(status, Status::Skipped(_)));
    let failed = count(|status| matches!(status, Status::Failed(..)));
    let undecided = cases().count() - passed - skipped - failed;
    let mut text = format!(
        "## Steadfast: {passed} passed, {failed} failed, {undecided} not judged, {skipped} not \
         measured\n"
    );
    for suite in suites {
        text += &format!(
            "\n### {}\n\n| result | case | why |\n| --- | --- | --- |\n",
            plain(&suite.name)
        );
        text.extend(suite.cases.iter().map(row));
    }
    text
}

fn row(case: &Case) -> String {
    let (result, why) = match &case.status {
        Status::Passed => ("passed", case.note.clone().unwrap_or_default()),
        Status::Skipped(why) => ("not measured", why.clone()),
        Status::Failed(kind, why) => ("**failed**", with_kind(kind, &why.join(" "))),
        Status::NotJudged(kind, why) => ("**not judged**", with_kind(kind.name(), &why.join(" "))),
    };
    format!("| {result} | {} | {} |\n", plain(&case.name), plain(&why))
}

/// Returns one line that cannot end a cell, begin a tag or be formatted.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '<' => plain.push_str("&lt;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' => plain.extend(['\\', letter]),
            letter if letter.is_control() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}
