//! The system that a side requires: one of the papers', perhaps in a certain boot.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use base::{expected, named};
use record::Machine;

use crate::comparison::{KINDS, kind_of, standing_for};
use crate::survey::System;

named! {
    /// What another boot of a computer changes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Boot {
        OneCpu = "one-cpu",
        SeveralCpus = "several-cpus",
        Smt = "smt",
        NoSmt = "no-smt",
        Preemptible = "preemptible",
        NotPreemptible = "not-preemptible",
        /// The lowest release of several of its kind.
        Older = "older",
        /// The highest release of several of its kind.
        Newer = "newer",
    }
}

/// A system of the papers, such as `Xenomai`, or one of its boots, such as `Linux/one-cpu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    kind: &'static str,
    pub(super) boot: Option<Boot>,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, boot) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let Some(kind) = KINDS.into_iter().find(|known| known.eq_ignore_ascii_case(kind)) else {
            let names = KINDS.map(str::to_lowercase);
            let expected = expected(kind, names.iter().map(String::as_str));
            return Err(format!("no paper has a system `{kind}`; {expected}"));
        };
        let read = |name| {
            Boot::named(name).ok_or_else(|| {
                let expected = expected(name, Boot::NAMES.iter().copied());
                format!("no finding names a boot `{name}`; {expected}")
            })
        };
        Ok(Self { kind, boot: boot.map(read).transpose()? })
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind)?;
        self.boot.map_or(Ok(()), |boot| write!(formatter, "/{}", boot.name()))
    }
}

impl Wanted {
    /// Whether a machine is this system, as far as it shows without others.
    pub fn may_be(self, machine: &Machine) -> bool {
        let has_property = |boot| match boot {
            Boot::OneCpu => machine.cpus.len() == 1,
            Boot::SeveralCpus => machine.cpus.len() > 1,
            Boot::Smt => has_smt(machine),
            Boot::NoSmt => !has_smt(machine),
            Boot::Preemptible => is_preemptible(machine) == Some(true),
            Boot::NotPreemptible => is_preemptible(machine) == Some(false),
            Boot::Older | Boot::Newer => true,
        };
        kind_of(machine) == self.kind && self.boot.is_none_or(has_property)
    }

    /// Whether findings that name `other` are measured on this: a system includes its boots.
    pub fn includes(self, other: Self) -> bool {
        self.kind == other.kind && (self.boot.is_none() || self.boot == other.boot)
    }

    /// Whether a machine is this system, with `others` that can be older or newer.
    pub fn is(self, machine: &Machine, others: &[&Machine]) -> bool {
        let version = release(machine);
        let alike = || others.iter().filter(|other| kind_of(other) == self.kind);
        // At the end of the range, and there is another release.
        let is_last = |beyond: Ordering| {
            let mut found = alike().map(|other| release(other).cmp(&version));
            found.clone().all(|order| order != beyond)
                && found.any(|order| order != Ordering::Equal)
        };
        let is_there = match self.boot {
            Some(Boot::Older) => is_last(Ordering::Less),
            Some(Boot::Newer) => is_last(Ordering::Greater),
            _ => true,
        };
        is_there && self.may_be(machine)
    }

    /// Returns whether two machines, each of which is a boot that a finding names, differ at most in
    /// what their boots change. Machines whose system has no boot may differ in all of it.
    pub(super) fn is_the_same_but_for_boot(self, a: &Machine, b: &Machine) -> bool {
        match self.boot {
            None => true,
            Some(Boot::Older | Boot::Newer) => {
                a.cpus.len() == b.cpus.len() && has_smt(a) == has_smt(b)
            }
            Some(_) => release(a) == release(b),
        }
    }

    /// Returns the systems among these that are this one: first the usual one of its kind.
    pub(super) fn among<'s, 'a>(self, systems: &[&'s System<'a>]) -> Vec<&'s System<'a>> {
        let machines: Vec<&Machine> = systems.iter().map(|system| system.machine).collect();
        let wanted = systems.iter().copied().filter(|system| self.is(system.machine, &machines));
        let wanted: Vec<&System> = wanted.collect();
        let first = standing_for(wanted.iter().copied()).into_iter().map(|(_, system)| system);
        let mut all: Vec<&System> = first.collect();
        for system in wanted {
            if !all.iter().any(|known| std::ptr::eq(*known, system)) {
                all.push(system);
            }
        }
        all
    }
}

fn has_smt(machine: &Machine) -> bool {
    machine.smt_siblings.len() < machine.cpus.len()
}

/// Returns whether real-time threads may preempt a kernel without PREEMPT_RT nearly everywhere, or the
/// Linux below a core; `None` if its boot decided it, and the machine does not show how. With `lazy`,
/// only ordinary threads wait longer than with `full`.
fn is_preemptible(machine: &Machine) -> Option<bool> {
    let mut marks = machine.kernel_version.split(' ').filter(|word| word.starts_with("PREEMPT"));
    let of_model = |model: &str| match model {
        "full" | "lazy" => Some(true),
        "none" | "voluntary" => Some(false),
        _ => None,
    };
    match marks.next() {
        None => Some(false),
        Some("PREEMPT_DYNAMIC") => {
            of_model(&machine.preemption).or_else(|| of_model(doctor::requested_model(machine)?))
        }
        Some(_) => Some(true),
    }
}

/// Returns the numbers of a kernel's release, such as 6, 1, 0, 56 of `6.1.0-56-amd64`.
fn release(machine: &Machine) -> Vec<u64> {
    let digits = machine.kernel_release.split(|c: char| !c.is_ascii_digit());
    digits.filter_map(|number| number.parse().ok()).take(4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    fn wanted(name: &str) -> Wanted {
        name.parse().unwrap()
    }

    fn machine(release: &str, cpus: &str, cores: &[&str], version: &str) -> Machine {
        Machine {
            kernel_release: release.to_owned(),
            cpus: cpus.parse().unwrap(),
            smt_siblings: cores.iter().map(|core| core.parse().unwrap()).collect(),
            kernel_version: version.to_owned(),
            ..Machine::default()
        }
    }

    #[test]
    fn a_boot_is_reported_with_its_machine() {
        let one = machine("6.1.0-56-amd64", "0", &["0"], "#1 SMP Debian");
        let four = machine("6.1.0-56-amd64", "0-3", &["0-1", "2-3"], "#1 SMP PREEMPT Debian");
        for (name, is_of_one, is_of_four) in [
            ("linux", true, true),
            ("Linux/one-cpu", true, false),
            ("linux/several-cpus", false, true),
            ("linux/smt", false, true),
            ("linux/no-smt", true, false),
            ("linux/preemptible", false, true),
            ("linux/not-preemptible", true, false),
            ("xenomai", false, false),
        ] {
            let found = [&one, &four].map(|machine| wanted(name).is(machine, &[]));
            assert_eq!(found, [is_of_one, is_of_four], "{name}");
        }
        let full = wanted("linux/preemptible");
        let dynamic = machine("6.1.0", "0", &["0"], "#1 SMP PREEMPT_DYNAMIC Debian");
        let is_not_full = wanted("linux/not-preemptible").may_be(&dynamic);
        assert!(!full.may_be(&dynamic) && !is_not_full, "its boot decides");
        let typed = Machine { command_line: "quiet preempt=full".to_owned(), ..dynamic };
        assert!(full.may_be(&typed));
        let lazy = Machine { preemption: "lazy".to_owned(), command_line: String::new(), ..typed };
        assert!(full.may_be(&lazy));
    }

    #[test]
    fn boots_that_are_compared_differ_in_nothing_else() {
        let one = machine("6.1.0", "0", &["0"], "#1");
        let two = machine("6.1.0", "0-1", &["0", "1"], "#1");
        let newer = machine("6.12.0", "0", &["0"], "#1");
        let same = |name: &str, a, b| wanted(name).is_the_same_but_for_boot(a, b);
        assert!(same("linux/one-cpu", &one, &two) && !same("linux/one-cpu", &newer, &two));
        assert!(same("linux/older", &one, &newer) && !same("linux/older", &two, &newer));
        assert!(same("linux", &two, &newer));
    }

    #[test]
    fn the_older_kernel_is_that_with_the_lower_numbers() {
        let releases = [
            "6.1.0-56-amd64",
            "6.1.0-9-amd64",
            "6.12.57+deb13-cloud-amd64",
            "6.12.9+deb13-amd64",
            "6.13.1",
        ];
        let [middle, old, new, recent, rt] =
            releases.map(|release| machine(release, "0", &["0"], "#1 SMP"));
        let rt = Machine { preemption: "rt".to_owned(), ..rt };
        let all = [&middle, &old, &new, &recent, &rt];
        let of = |name: &str| all.map(|machine| wanted(name).is(machine, &all));
        assert_eq!(of("linux/older"), [false, true, false, false, false]);
        assert_eq!(of("linux/newer"), [false, false, true, false, false]);
        assert_eq!(of("preempt_rt/newer"), [false; 5], "it has nothing to compare with");
    }

    #[test]
    fn a_system_includes_its_boots_but_a_boot_only_itself() {
        let includes = |a: &str, b: &str| wanted(a).includes(wanted(b));
        assert!(includes("linux", "linux") && includes("linux", "linux/smt"));
        assert!(includes("linux/smt", "linux/smt") && !includes("linux/smt", "linux"));
        assert!(!includes("linux", "rtai"));
    }

    #[test]
    fn other_names_are_refused() {
        for (name, reason) in [("windows", "xenomai"), ("linux/two-cpus", "one-cpu")] {
            refuses(name.parse::<Wanted>(), reason);
        }
        assert_eq!(wanted("xenomai/preemptible").to_string(), "Xenomai/preemptible");
    }
}
