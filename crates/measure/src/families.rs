//! Writes `record`'s file of families from what measurements declare.

use record::Family;
use testing::manual::assert_file;

use crate::MEASUREMENTS;

/// Most columns of a line of source code.
const COLUMNS: usize = 100;

/// Returns the arm of a `match` that has the measurements of a family.
fn arm(family: Family) -> String {
    let all = MEASUREMENTS.iter().map(|measurement| measurement.description());
    let members = all.filter(|description| description.family == Some(family));
    let names: Vec<String> = members.map(|member| format!("\"{}\"", member.name)).collect();
    let line = format!("            Self::{family:?} => &[{}],\n", names.join(", "));
    if line.trim_end().len() <= COLUMNS {
        return line;
    }
    let lines: String = names.iter().map(|name| format!("                {name},\n")).collect();
    format!("            Self::{family:?} => &[\n{lines}            ],\n")
}

#[test]
fn families_have_the_measurements_that_declare_them() {
    let arms: String = Family::ALL.into_iter().map(arm).collect();
    let text = format!(
        "//! The measurements of each family. `GOLDEN=write cargo test -p measure families` writes this file.

use super::Family;

impl Family {{
    /// The measurements of the family, in the order in which they are shown.
    pub const fn measurements(self) -> &'static [&'static str] {{
        match self {{
{arms}        }}
    }}
}}
"
    );
    assert_file("crates/record/src/family/members.rs", &text);
}
