//! What to change about a machine, at first glance.

use doctor::{Diagnosis, Finding, State};
use plan::Machine;

use crate::answer::{Answer, Line, Remark, Standing, in_at_most, of_machine};
use crate::words;

/// Columns of a line beside what sets it apart.
const WIDTH: usize = 76;
/// Letters of kernel parameters that are read at a glance.
const AT_BOOT: usize = 260;

/// Whether the machine is set up for real-time work, and what to change first.
#[must_use]
pub fn glance(advice: &Diagnosis, machine: &Machine) -> Answer {
    let in_state = |state: State| advice.findings.iter().filter(move |one| one.state == state);
    let (mend, consider) = (in_state(State::Warning), in_state(State::Advice).count());
    let names = mend.clone().map(|one| one.name.chars().count()).max();
    let room = WIDTH - names.unwrap_or(0);
    let line = |finding: &Finding| Line {
        what: finding.in_words(),
        figures: vec![in_at_most(finding, room)],
    };
    let lines: Vec<Line> = mend.map(line).collect();
    let standing = match lines.as_slice() {
        [] => Standing::Good,
        _ => Standing::Bad,
    };
    let boot = advice.kernel_parameters.as_ref();
    let boot = boot.map(|parameters| match parameters.chars().count() {
        ..=AT_BOOT => Remark::new("At boot", parameters),
        _ => Remark::new("At boot", "see steadfast doctor --verbose"),
    });
    let others = (consider > 0).then(|| format!("{consider} more to consider"));
    let effort = words::counted(advice.findings.len(), "check");
    Answer {
        subject: of_machine(machine),
        effort,
        standing,
        verdict: advice.answer.clone(),
        lines,
        remarks: boot
            .into_iter()
            .chain(others.map(|others| Remark::new("Others", others)))
            .collect(),
    }
}
