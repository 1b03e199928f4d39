//! The fingerprint of each machine.

use analysis::machine::{facts, mitigations, unaffected};
use analysis::phrases::{maybe, some};
use analysis::survey::System;
use analysis::{Analysis, Setup};
use doctor::{Diagnosis, Finding, State};

use crate::document::{Block, Cell, Form, Section, Table, TableOf};

pub(super) fn machines(analysis: &Analysis) -> Option<Section> {
    let title = match &*analysis.systems {
        [] => return None,
        [_] => "The machine",
        _ => "The machines",
    };
    let set_up = analysis.systems.iter().zip(&analysis.setups);
    Some(Section::of("machine", title, "", set_up.flat_map(machine).collect()))
}

fn machine((system, found): (&System, &Setup)) -> Vec<Block> {
    let mut fingerprint = vec![Block::entries("", facts(&found.machine))];
    let mut vulnerable = mitigations(system.machine);
    let unaffected = some(unaffected(system.machine));
    vulnerable.extend(unaffected.map(|names| ("Not affected by".to_owned(), names)));
    let heading = "CPU vulnerabilities and their mitigations";
    fingerprint.extend(Block::entries(heading, vulnerable).filled());
    let title = format!("Fingerprint: {} `{}`", system.name, system.machine_id);
    let (fine, to_change): (Vec<&Finding>, Vec<&Finding>) =
        found.advice.findings.iter().partition(|finding| finding.state == State::Ok);
    let fine: Vec<&str> = fine.iter().map(|finding| &*finding.found).collect();
    let fine = some(fine.join("; ")).map(|fine| format!("As it should be: {fine}."));
    let mut blocks = vec![Block::folded(title, fingerprint)];
    blocks.extend(Block::all_filled([
        Block::Table(setup(&found.advice, &to_change)),
        Block::notes("", Vec::from_iter(fine)),
    ]));
    blocks
}

const NOTE: &str = "What follows from the fingerprint above and from the runs. `steadfast doctor` on the machine \
                    looks at more: rights, limits, budgets, interrupts, idle states, the fair \
                    server. To see whether a change helped, run before and after it, \
                    and `steadfast compare` the two.";

/// Returns the changes to the machine's setup, the most important first.
fn setup(advice: &Diagnosis, to_change: &[&Finding]) -> Table {
    let at_boot = maybe(advice.kernel_parameters.as_ref(), |parameters| {
        format!(" On the kernel's command line: {} `{parameters}`", advice.boot_in_words())
    });
    TableOf::of(to_change)
        .text("Found", |finding| Cell::text(&finding.found).bad_if(finding.state == State::Warning))
        .text("Why it matters", |finding| format!("{} [{}]", finding.why, finding.source))
        .text("How to change it", |finding| &finding.change)
        .of_form(Form::Command)
        .text("What shows it", |finding| &finding.see)
        .of_form(Form::Command)
        .note(NOTE.to_owned() + &at_boot)
        .table("How this machine is set up for real-time work")
}
