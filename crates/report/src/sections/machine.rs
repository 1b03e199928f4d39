//! The fingerprint of each machine.

use crate::document::{Block, Cell, Form, Section, Table, TableOf};
use analysis::Analysis;
use analysis::Setup;
use analysis::machine::{facts, mitigations, unaffected};
use analysis::survey::System;
use doctor::{Diagnosis, Finding, State};

pub(crate) fn machines(analysis: &Analysis) -> Option<Section> {
    let title = match &*analysis.systems {
        [] => return None,
        [_] => "The machine",
        _ => "The machines",
    };
    let set_up = analysis.systems.iter().zip(&analysis.setups);
    Some(Section::of("machine", title, "", set_up.flat_map(machine).collect()))
}

fn machine((system, found): (&System, &Setup)) -> Vec<Block> {
    let title = format!("{} `{}`", system.name, system.machine_id);
    let mut fingerprint = vec![Block::entries("", facts(&found.machine))];
    let mut vulnerable = mitigations(system.machine);
    let unaffected = unaffected(system.machine);
    if !unaffected.is_empty() {
        vulnerable.push(("Not affected by".to_owned(), unaffected));
    }
    let heading = "CPU vulnerabilities and their mitigations";
    fingerprint.extend(Block::entries(heading, vulnerable).filled());
    let mut blocks = vec![Block::folded(format!("Fingerprint: {title}"), fingerprint)];
    let (to_change, fine) = setup(&found.advice);
    blocks.extend(Block::Table(to_change).filled());
    if !fine.is_empty() {
        blocks.push(Block::notes("", vec![format!("As it should be: {fine}.")]));
    }
    blocks
}

const NOTE: &str = "What follows from the fingerprint above and from the runs. `steadfast doctor` on the machine \
                    looks at more: rights, limits, budgets, interrupts, idle states, the fair \
                    server. To see whether a change helped, run before and after it, \
                    and `steadfast compare` the two.";

/// Returns changes to the machine's setup, the most important first; and the settings that are
/// already correct, in words.
fn setup(advice: &Diagnosis) -> (Table, String) {
    let at_boot = advice.kernel_parameters.as_ref().map(|parameters| {
        format!(" On the kernel's command line: {} `{parameters}`", advice.boot_in_words())
    });
    let (fine, to_change): (Vec<&Finding>, Vec<&Finding>) =
        advice.findings.iter().partition(|finding| finding.state == State::Ok);
    let fine: Vec<&str> = fine.iter().map(|finding| &*finding.found).collect();
    let command = |text: &str| Cell::text(text).of_form(Form::Command);
    let table = TableOf::of(&to_change)
        .text("Found", |finding| Cell::text(&finding.found).bad_if(finding.state == State::Warning))
        .text("Why it matters", |finding| format!("{} [{}]", finding.why, finding.source))
        .text("How to change it", move |finding| command(&finding.change))
        .text("What shows it", move |finding| command(&finding.see))
        .note(NOTE.to_owned() + &at_boot.unwrap_or_default())
        .table("How this machine is set up for real-time work");
    (table, fine.join("; "))
}
