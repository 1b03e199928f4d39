//! KTAP, the format of the kernel's own tests (Documentation/dev-tools/ktap.rst).

use super::cases::with_kind;
use super::{Case, Format, Status, Suite};

pub(super) const FORMAT: Format = Format {
    flag: "ktap",
    help: "Write KTAP, as kernel test systems read it, to this file: one line per run, and the \
           answer of a check or gate",
    form: "KTAP: `ok 1 ...`, `not ok 2 ...`",
    readers: "KernelCI, LAVA and others that read the kernel's own tests",
    write: ktap,
};

/// Returns a line per case. What cannot be measured is skipped; what could not be judged is not ok.
fn ktap(suites: &[Suite]) -> String {
    let all: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let mut text = format!("KTAP version 1\n1..{all}\n");
    let mut number = 0;
    for suite in suites {
        text += &format!("# {}\n", plain(&suite.name));
        for case in &suite.cases {
            number += 1;
            text += &lines(number, case);
        }
    }
    text
}

fn lines(number: usize, case: &Case) -> String {
    let name = plain(&case.name);
    let notes = |kind: &str, why: &[String]| -> String {
        why.iter().map(|why| format!("# {}\n", plain(&with_kind(kind, why)))).collect()
    };
    match &case.status {
        Status::Passed => {
            let note = case.note.iter().map(|note| format!("# {}\n", plain(note)));
            note.collect::<String>() + &format!("ok {number} {name}\n")
        }
        Status::Skipped(why) => {
            format!("ok {number} {name} # SKIP not measured: {}\n", plain(why))
        }
        Status::Failed(kind, why) => notes(kind, why) + &format!("not ok {number} {name}\n"),
        Status::NotJudged(kind, why) => {
            notes(kind.name(), why) + &format!("not ok {number} {name}\n")
        }
    }
}

/// Returns one line without the sign that begins a directive.
fn plain(text: &str) -> String {
    text.replace(|letter: char| letter == '#' || letter.is_control(), " ")
}
