//! The system that a side requires: one of the papers', perhaps in a certain boot.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use plan::Machine;
use units::{expected, named};

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
        /// Another system of its kind has a newer kernel.
        Older = "older",
        Newer = "newer",
    }
}

/// A system of the papers, such as `Xenomai`, or one of its boots, such as `Linux/one-cpu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    kind: &'static str,
    boot: Option<Boot>,
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
            let unknown = || expected(name, Boot::NAMES.iter().copied());
            Boot::named(name)
                .ok_or_else(|| format!("no finding names a boot `{name}`; {}", unknown()))
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
    #[must_use]
    pub fn may_be(self, machine: &Machine) -> bool {
        let has_mark = |mark: &str| machine.kernel_version.split(' ').any(|word| word == mark);
        let has_property = |boot| match boot {
            Boot::OneCpu => machine.cpus.len() == 1,
            Boot::SeveralCpus => machine.cpus.len() > 1,
            Boot::Smt => machine.smt.as_deref() == Some("on"),
            Boot::NoSmt => machine.smt.as_deref() != Some("on"),
            Boot::Preemptible => has_mark("PREEMPT"),
            Boot::NotPreemptible => !machine.kernel_version.contains("PREEMPT"),
            Boot::Older | Boot::Newer => true,
        };
        kind_of(machine) == self.kind && self.boot.is_none_or(has_property)
    }

    /// Whether findings that name `other` are measured on this system: a system stands for all its
    /// boots.
    #[must_use]
    pub fn includes(self, other: Self) -> bool {
        self.kind == other.kind && (self.boot.is_none() || self.boot == other.boot)
    }

    /// Whether a machine is this system, with `others` of which one may be older or newer.
    #[must_use]
    pub fn is(self, machine: &Machine, others: &[&Machine]) -> bool {
        let beside = |than: Ordering| {
            let is_alike = |other: &&&Machine| kind_of(other) == self.kind;
            let mut alike = others.iter().filter(is_alike);
            alike.any(|other| release(machine).cmp(&release(other)) == than)
        };
        self.may_be(machine)
            && match self.boot {
                Some(Boot::Older) => beside(Ordering::Less),
                Some(Boot::Newer) => beside(Ordering::Greater),
                _ => true,
            }
    }

    /// Returns this system among others.
    pub(super) fn among<'s, 'a>(self, systems: &[&'s System<'a>]) -> Option<&'s System<'a>> {
        let machines: Vec<&Machine> = systems.iter().map(|system| system.machine).collect();
        let own = systems.iter().copied().filter(|system| self.is(system.machine, &machines));
        standing_for(own).into_iter().map(|(_, system)| system).next()
    }
}

/// Returns the numbers of a kernel's release, such as 6, 1, 0, 56 of `6.1.0-56-amd64`.
fn release(machine: &Machine) -> Vec<u64> {
    machine.kernel_release.split(['.', '-']).map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(name: &str) -> Wanted {
        name.parse().unwrap()
    }

    fn machine(release: &str, cpus: &str, smt: &str, version: &str) -> Machine {
        Machine {
            kernel_release: release.to_owned(),
            cpus: cpus.parse().unwrap(),
            smt: Some(smt.to_owned()),
            kernel_version: version.to_owned(),
            ..Machine::default()
        }
    }

    #[test]
    fn a_boot_is_told_by_its_machine() {
        let one = machine("6.1.0-56-amd64", "0", "off", "#1 SMP Debian");
        let four = machine("6.1.0-56-amd64", "0-3", "on", "#1 SMP PREEMPT Debian");
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
        assert!(!wanted("linux/smt").may_be(&Machine::default()), "nothing is known of it");
    }

    #[test]
    fn the_older_kernel_is_that_with_the_lower_numbers() {
        let [old, new, rt] = ["6.1.0-9-amd64", "6.1.0-56-amd64", "6.12.1"]
            .map(|release| machine(release, "0", "off", "#1 SMP"));
        let rt = Machine { preemption: "rt".to_owned(), ..rt };
        let all = [&old, &new, &rt];
        let of = |name: &str| all.map(|machine| wanted(name).is(machine, &all));
        assert_eq!(of("linux/older"), [true, false, false]);
        assert_eq!(of("linux/newer"), [false, true, false]);
        assert_eq!(of("preempt_rt/newer"), [false; 3], "it has nothing to compare with");
    }

    #[test]
    fn a_system_stands_for_its_boots_but_a_boot_only_for_itself() {
        let includes = |one: &str, other: &str| wanted(one).includes(wanted(other));
        assert!(includes("linux", "linux") && includes("linux", "linux/smt"));
        assert!(includes("linux/smt", "linux/smt") && !includes("linux/smt", "linux"));
        assert!(!includes("linux", "rtai"));
    }

    #[test]
    fn other_names_are_refused() {
        for (name, reason) in [("windows", "xenomai"), ("linux/two-cpus", "one-cpu")] {
            let why = name.parse::<Wanted>().unwrap_err();
            assert!(why.contains(reason), "{why}");
        }
        assert_eq!(wanted("xenomai/preemptible").to_string(), "Xenomai/preemptible");
    }
}
