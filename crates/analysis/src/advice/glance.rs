//! What to change about a machine, at first glance.

use doctor::{Diagnosis, State};
use plan::Machine;
use units::wrapped;

use crate::answer::{Answer, Line, Remark, Standing, in_at_most, of_machine};
use crate::words;

/// Lines of the verdict, and columns of the narrowest usual terminal.
const VERDICT: usize = 3;
const WIDTH: usize = 80;
/// Letters of a change, which has a line of its own where it does not fit beside its name.
const CHANGE: usize = 76;
/// Letters of kernel parameters that are read at a glance.
const AT_BOOT: usize = 260;

/// Whether the machine is set up for real-time work, and what to change first.
#[must_use]
pub fn glance(advice: &Diagnosis, machine: &Machine) -> Answer {
    let lines = changes(advice);
    let standing = match lines.as_slice() {
        [] => Standing::Good,
        _ => Standing::Bad,
    };
    let boot = advice.kernel_parameters.as_ref();
    let boot = boot.map(|parameters| match parameters.chars().count() {
        ..=AT_BOOT => Remark::new("At boot", parameters),
        _ => Remark::new("At boot", "see steadfast doctor --verbose"),
    });
    let consider = advice.findings.iter();
    let consider = consider.filter(|one| one.state == State::Advice).count();
    let others = (consider > 0).then(|| format!("{consider} more to consider"));
    let effort = words::counted(advice.findings.len(), "check");
    Answer {
        subject: of_machine(machine),
        effort,
        standing,
        verdict: advice.answer_that(|answer| wrapped(answer, WIDTH).len() <= VERDICT),
        lines,
        remarks: boot
            .into_iter()
            .chain(others.map(|others| Remark::new("Others", others)))
            .collect(),
    }
}

/// What to mend with the change that does it; what one change mends stands in one line.
fn changes(advice: &Diagnosis) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for finding in advice.findings.iter().filter(|one| one.state == State::Warning) {
        let change = in_at_most(finding, CHANGE);
        match lines.iter_mut().find(|line| line.figures[0] == change) {
            Some(line) => line.what += &format!(", {}", finding.in_words()),
            None => lines.push(Line { what: finding.in_words(), figures: vec![change] }),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use doctor::Finding;

    fn finding(name: &'static str, found: &str, command: &str) -> Finding {
        Finding {
            name,
            state: State::Warning,
            found: found.to_owned(),
            why: "",
            source: "",
            change: command.to_owned(),
            command: Some(command.to_owned()),
            place: "",
            kernel_parameters: None,
            knobs: &[],
            worth: Vec::new(),
            see: String::new(),
        }
    }

    fn diagnosis(findings: Vec<Finding>) -> Diagnosis {
        Diagnosis {
            schema_version: 1,
            answer: String::new(),
            cpus: "1".parse().unwrap(),
            housekeeping_cpus: "0".parse().unwrap(),
            kernel_parameters: None,
            findings,
        }
    }

    #[test]
    fn the_command_that_grants_rights_is_whole_and_stands_once() {
        let grant = "sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)";
        let advice = diagnosis(vec![
            finding("real_time_priority", "no right", grant),
            finding("memory_lock", "no right", grant),
        ]);
        let told = glance(&advice, &Machine::default());
        assert_eq!(told.lines.len(), 1);
        assert_eq!(told.lines[0].what, "real time priority, memory lock");
        assert_eq!(told.lines[0].figures, [grant]);
    }

    #[test]
    fn the_verdict_counts_what_it_names() {
        let long = "x ".repeat(45).trim_end().to_owned();
        let advice = diagnosis(vec![
            finding("swap", &long, "a"),
            finding("smt", "short", "b"),
            finding("turn", &long, "c"),
        ]);
        let verdict = glance(&advice, &Machine::default()).verdict;
        let named = format!("2 things matter most: {long}; short.");
        assert!(verdict.ends_with(&named), "{verdict}");
        assert!(wrapped(&verdict, WIDTH).len() <= VERDICT);
    }
}
