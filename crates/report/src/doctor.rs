//! Changes to a machine's setup, in a few lines.

use ::doctor::{BootPlace, Diagnosis, Finding, State};
use analysis::finding::{Standing, short_change};
use analysis::words;
use base::wrapped;
use record::Machine;

use crate::answer::{Answer, Line, Remark, of_machine};

/// Maximum number of lines in the verdict.
const VERDICT: usize = 3;
/// Columns of the narrowest common terminal.
const WIDTH: usize = 80;
/// Columns of a change, which gets a separate line if it does not fit next to its name.
const CHANGE: usize = 76;
/// Maximum number of characters of kernel parameters in an answer.
const AT_BOOT: usize = 260;

/// Returns whether the machine is set up for real-time work, and what to change first.
pub fn doctor(advice: &Diagnosis, machine: &Machine) -> Answer {
    let lines = changes(advice);
    let boot = advice.kernel_parameters.as_ref();
    let by_host = if advice.boot_place == BootPlace::Host { " (set by the host)" } else { "" };
    let boot = boot.map(|parameters| match parameters.chars().count() {
        ..=AT_BOOT => Remark::new("At boot", format!("{parameters}{by_host}")),
        _ => Remark::new("At boot", "see steadfast doctor --verbose"),
    });
    let consider = advice.findings.iter().filter(|check| check.state == State::Advice).count();
    let others =
        (consider > 0).then(|| Remark::new("Others", format!("{consider} more to consider")));
    Answer {
        subject: of_machine(machine),
        effort: words::counted(advice.findings.len(), "check"),
        standing: if lines.is_empty() { Standing::Good } else { Standing::Bad },
        verdict: advice.answer_that(|answer| wrapped(answer, WIDTH).len() <= VERDICT),
        lines,
        remarks: boot.into_iter().chain(others).collect(),
    }
}

/// Returns the changes with their commands; changes by the same command share a line.
fn changes(advice: &Diagnosis) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let is_warning = |check: &&Finding| check.state == State::Warning;
    for finding in advice.findings.iter().filter(is_warning) {
        let change = short_change(&finding.in_words(), &finding.in_short(), CHANGE);
        match lines.iter_mut().find(|line| line.figures[0] == change) {
            Some(line) => line.what += &format!(", {}", finding.in_words()),
            None => lines.push(Line { what: finding.in_words(), figures: vec![change] }),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use base::SchemaVersion;

    use super::*;

    /// Returns the answer to warnings, each a name, what was found and a command.
    fn told<const N: usize>(warnings: [(&'static str, &str, &str); N]) -> Answer {
        let finding = |(name, found, command): (_, &str, &str)| Finding {
            name,
            state: State::Warning,
            found: found.to_owned(),
            why: "",
            source: "",
            change: command.to_owned(),
            command: Some(command.to_owned()),
            kernel_parameters: None,
            knobs: &[],
            worth: Vec::new(),
            see: String::new(),
        };
        let advice = Diagnosis {
            schema_version: SchemaVersion,
            answer: String::new(),
            cpus: "1".parse().unwrap(),
            housekeeping_cpus: "0".parse().unwrap(),
            kernel_parameters: None,
            boot_place: BootPlace::Unknown,
            findings: warnings.map(finding).into(),
        };
        doctor(&advice, &Machine::default())
    }

    #[test]
    fn the_command_that_grants_rights_is_whole_and_stands_once() {
        let grant = "sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)";
        let told =
            told([("real_time_priority", "no right", grant), ("memory_lock", "no right", grant)]);
        let what = "real time priority, memory lock".to_owned();
        assert_eq!(told.lines, [Line { what, figures: vec![grant.to_owned()] }]);
    }

    #[test]
    fn the_verdict_counts_what_it_names() {
        let long = "x ".repeat(45).trim_end().to_owned();
        let verdict =
            told([("swap", &long, "a"), ("smt", "short", "b"), ("turn", &long, "c")]).verdict;
        let named = format!("2 things matter most: {long}; short.");
        assert!(verdict.ends_with(&named), "{verdict}");
        assert!(wrapped(&verdict, WIDTH).len() <= VERDICT);
    }
}
