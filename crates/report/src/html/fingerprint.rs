//! The fingerprint of each machine.

use analysis::advice;
use analysis::machine::{facts, mitigations, unaffected};
use analysis::survey::System;
use doctor::{Finding, State};
use serde::Serialize;

use super::table::{Cell, Column, Line, Table};

/// A machine as a list of names and values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Fingerprint {
    name: String,
    machine_id: String,
    facts: Vec<(&'static str, String)>,
    setup: Option<Table>,
    fine: String,
    mitigations: Vec<(String, String)>,
    unaffected: String,
}

/// The fingerprint of each machine.
pub(super) fn of(systems: &[System]) -> Vec<Fingerprint> {
    let fingerprint = |system: &System| {
        let (to_change, fine) = setup(system);
        Fingerprint {
            name: system.name.clone(),
            machine_id: system.machine_id.clone(),
            facts: facts(system.machine),
            setup: to_change,
            fine,
            mitigations: mitigations(system.machine),
            unaffected: unaffected(system.machine),
        }
    };
    systems.iter().map(fingerprint).collect()
}

const NOTE: &str = "What follows from the fingerprint above and from the runs. `steadfast doctor` on the machine \
                    looks at more: rights, limits, budgets, interrupts, idle states, the fair \
                    server. To see whether a change helped, make the run before and after it, \
                    and `steadfast compare` the two.";

/// What to change about how a machine is set up, the most important first; and what is as
/// it should be, in words.
fn setup(system: &System) -> (Option<Table>, String) {
    let advice = advice::of(system);
    let at_boot = advice.kernel_parameters.as_ref().map(|parameters| {
        format!(
            " On the kernel's command line: {} `{parameters}`",
            advice.boot_in_words()
        )
    });
    let (fine, to_change): (Vec<Finding>, Vec<Finding>) = advice
        .findings
        .into_iter()
        .partition(|finding| finding.state == State::Ok);
    let fine: Vec<String> = fine.into_iter().map(|finding| finding.found).collect();
    let heads = [
        "Found",
        "Why it matters",
        "How to change it",
        "What shows it",
    ];
    let table = Table {
        columns: heads.map(Column::words).into(),
        rows: to_change.into_iter().map(finding).collect(),
        note: NOTE.to_owned() + &at_boot.unwrap_or_default(),
        ..Table::default()
    };
    let table = (!table.rows.is_empty()).then_some(table);
    (table, fine.join("; "))
}

fn finding(finding: Finding) -> Line {
    let why = format!("{} [{}]", finding.why, finding.source);
    let class = match finding.state {
        State::Warning => "bad",
        _ => "",
    };
    let found = Cell {
        class,
        ..Cell::text(finding.found)
    };
    let command = |text: String| Cell {
        class: "command",
        ..Cell::text(text)
    };
    let cells = vec![
        found,
        Cell::text(why),
        command(finding.change),
        command(finding.see),
    ];
    Line { class: "", cells }
}
