//! What to change about a machine, at first glance.

use doctor::{Diagnosis, Finding, State};
use plan::Machine;

use crate::answer::{Answer, Line, Remark, Standing, of_machine};
use crate::words;

/// Whether the machine is set up for real-time work, and what to change first.
#[must_use]
pub fn glance(advice: &Diagnosis, machine: &Machine) -> Answer {
    let in_state = |state: State| advice.findings.iter().filter(move |one| one.state == state);
    let (mend, consider) = (in_state(State::Warning), in_state(State::Advice).count());
    let lines: Vec<Line> = mend.map(line).collect();
    let standing = match lines.as_slice() {
        [] => Standing::Good,
        _ => Standing::Bad,
    };
    let boot = advice.kernel_parameters.as_ref();
    let boot = boot.map(|parameters| Remark::new("At boot", parameters));
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

fn line(finding: &Finding) -> Line {
    Line {
        what: finding.name.replace('_', " "),
        figures: vec![finding.in_short()],
    }
}
