//! Targets as they are typed: `local`, `ssh:[USER@]HOST` or `vm:KERNEL`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use analysis::lists::groups;
use analysis::words::counted;
use anyhow::{Error, Result, anyhow, bail};
use base::{CpuSet, RightBarrier};
use knob::OnMachine;
use lab::{Kernel, Kernels, LabError, Qemu};
use place::{Local, Ssh, Target, Vm};
use record::{About, Machine, NOWHERE, Right, RunSpec, SettingsLeft};
use rt::occupant::{in_words, occupants};
use rt::{isolation, topology};

use crate::startup::interrupt;
use crate::startup::output::{tell, tell_once};
use crate::startup::restore::tell_given_back;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Place {
    #[default]
    Local,
    Ssh(Remote),
    /// A virtual machine of the lab, with the kernel of that name.
    Vm(String),
}

#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) usable: CpuSet,
    /// Those CPUs that are isolated, which are measured first.
    pub(crate) isolated: CpuSet,
    /// Every core there, as the set of its hardware threads.
    pub(crate) cores: Vec<CpuSet>,
}

impl Ground {
    /// Chooses CPUs to measure: isolated ones first, spread over the cores.
    pub(crate) fn spread(&self, count: usize) -> CpuSet {
        topology::spread_from_isolated(&self.cores, &self.usable, &self.isolated, count)
    }

    /// Leaves out the first core, which the program itself then uses, if at least two CPUs remain.
    pub(crate) fn but_for_a_core(self) -> Self {
        let first = self.usable.iter().next();
        let core = first.and_then(|cpu| self.cores.iter().find(|core| core.contains(cpu)));
        let left = core.map(|core| self.usable.without(core));
        match left.filter(|left| left.len() > 1) {
            Some(usable) => Self { usable, ..self },
            None => self,
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "local" => Ok(Self::Local),
            Some(("ssh", rest)) => Remote::read(text, rest).map(Self::Ssh),
            Some(("vm", kernel)) if !kernel.is_empty() => Ok(Self::Vm(kernel.to_owned())),
            _ => Err("expected `local`, `ssh:[USER@]HOST`, or `vm:KERNEL` with a kernel from \
                      `steadfast lab kernels`"
                .into()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str("local"),
            Self::Ssh(remote) if remote.destination.starts_with("ssh://") => {
                f.write_str(&remote.destination)
            }
            Self::Ssh(remote) => write!(f, "ssh:{}", remote.destination),
            Self::Vm(kernel) => write!(f, "vm:{kernel}"),
        }
    }
}

impl Place {
    pub(crate) fn open(&self) -> Result<Arc<dyn Target>> {
        Ok(match self {
            Self::Local => Arc::new(Local::default()),
            Self::Ssh(remote) => remote.ssh()?,
            Self::Vm(kernel) => Arc::new(lab_machine(Kernels::open()?.find(kernel)?)?),
        })
    }

    /// Returns why a run on the target went past its time, if real-time tasks of other programs
    /// keep its CPUs at this moment. Only this machine can be asked.
    pub(crate) fn occupied(&self, cpus: &CpuSet) -> Option<Error> {
        if *self != Self::Local {
            return None;
        }
        let who = in_words(&occupants(cpus, rt::process::this()))?;
        Some(anyhow!("time ran out in the middle of a run: {who}"))
    }

    pub(crate) fn ground(&self) -> Result<Ground> {
        self.ask(
            || Ground {
                usable: topology::usable(),
                isolated: isolation::isolated(),
                cores: topology::cores(),
            },
            |About { usable, machine, .. }| Ground {
                usable: usable.clone(),
                isolated: machine.isolated_cpus.parse().unwrap_or_default(),
                cores: machine.smt_siblings.clone(),
            },
            || Ground { usable: Vm::cpus(), isolated: CpuSet::default(), cores: vec![Vm::cpus()] },
        )
    }

    /// Returns something about this machine, one that ssh can reach, or a virtual machine.
    fn ask<T>(&self, local: fn() -> T, remote: fn(&About) -> T, vm: fn() -> T) -> Result<T> {
        Ok(match self {
            Self::Local => local(),
            Self::Ssh(there) => remote(&there.ssh()?.about),
            Self::Vm(_) => vm(),
        })
    }

    /// Returns the machine on which sessions there are recorded; for a virtual machine, its host.
    pub(crate) fn machine(&self) -> Result<Machine> {
        self.ask(runner::fingerprint, |about| about.machine.clone(), runner::fingerprint)
    }

    pub(crate) fn without(&self) -> Result<Vec<Right>> {
        // Tests plan as a user with all rights, also if an ordinary user starts them.
        let here: fn() -> Vec<Right> = if cfg!(test) { Vec::new } else { runner::without };
        self.ask(here, |about| about.without.clone(), Vec::new)
    }

    /// Returns what keeps the user there from these rights; `None` if it cannot be seen.
    pub(crate) fn barrier_to(&self, rights: &[Right]) -> Result<Option<RightBarrier>> {
        Ok(match self {
            Self::Local => runner::barrier_to_rights(rights),
            elsewhere => elsewhere.ask(|| None, |about| about.barrier, || None)?,
        })
    }

    pub(crate) fn knobs(&self) -> Result<OnMachine> {
        Ok(match self {
            Self::Local => OnMachine::below(Path::new("/")),
            elsewhere => elsewhere.open()?.knobs(&mut nobody_stops)?,
        })
    }

    /// Returns whether settings there are still changed by earlier runs; whatever could be restored
    /// was restored before. A virtual machine of the lab ends with its run.
    pub(crate) fn settings_left(&self) -> Result<SettingsLeft> {
        self.ask(
            runner::settings_left,
            |about| about.settings_left.clone(),
            || SettingsLeft::Nothing,
        )
    }

    /// Returns the runs that are possible there. The others are reported, one line for each reason.
    pub(crate) fn possible(&self, mut specs: Vec<RunSpec>) -> Vec<RunSpec> {
        if self.check(&specs).is_ok() {
            return specs;
        }
        let mut left_out = Vec::new();
        specs.retain(|spec| {
            let checked = self.check([spec]);
            left_out.extend(checked.as_ref().err().map(|why| (spec.title(), format!("{why:#}"))));
            checked.is_ok()
        });
        for alike in groups(left_out, |(_, one), (_, other)| one == other) {
            let (first, why) = &alike[0];
            let and_others = match alike.len() - 1 {
                0 => String::new(),
                others => format!(" and {}", counted(others, "other run")),
            };
            tell(&format!("Left out {first}{and_others}: {why}"));
        }
        specs
    }

    /// Checks that runs are possible there. What else a virtual machine lacks shows when it boots.
    pub(crate) fn check<'s>(&self, specs: impl IntoIterator<Item = &'s RunSpec>) -> Result<()> {
        let mut specs = specs.into_iter();
        match self {
            Self::Local => runner::check(specs).map_err(Error::msg),
            Self::Ssh(remote) => {
                let specs: Vec<RunSpec> = specs.cloned().collect();
                Ok(remote.ssh()?.check(&specs, &mut nobody_stops)?)
            }
            Self::Vm(_) => specs.try_for_each(check_for_the_lab),
        }
    }
}

fn check_for_the_lab(spec: &RunSpec) -> Result<()> {
    if !spec.asked.cpus.without(&Vm::cpus()).is_empty() {
        bail!("--cpus: a virtual machine of the lab has only CPU {}", Vm::cpus());
    }
    let members = spec.members.iter().map(|member| &member.run);
    let mut programs = members.chain([spec]).map(|run| run.parameters.program());
    if programs.any(|program| !["", NOWHERE].contains(&program)) {
        bail!(
            "--program: a virtual machine of the lab has no other programs; use --fmu or --library"
        );
    }
    let mut loads = spec.asked.loads.iter().map(|load| &*load.name);
    if let Some(load) = loads.find(|name| ["disk", "stress-ng", "container"].contains(name)) {
        bail!(
            "--load: a virtual machine of the lab has neither a disk nor other programs, which \
             {load} needs; use `files` or `paging`"
        );
    }
    Ok(())
}

/// Returns a machine of the lab, which prints why it boots if it cannot start from a saved state.
pub(crate) fn lab_machine(kernel: Kernel) -> Result<Vm, LabError> {
    Ok(Vm::new(Qemu::find(kernel.architecture)?, kernel).noting(tell_once))
}

/// Returns a machine of the lab for each kernel; QEMU is looked up once for each architecture.
pub(crate) fn lab_machines(kernels: Vec<Kernel>) -> Result<Vec<Vm>, LabError> {
    let mut qemus: BTreeMap<&str, Qemu> = BTreeMap::new();
    for Kernel { architecture, .. } in &kernels {
        if !qemus.contains_key(architecture.name) {
            qemus.insert(architecture.name, Qemu::find(architecture)?);
        }
    }
    let machine = |kernel: Kernel| {
        let qemu = qemus[kernel.architecture.name].clone();
        Vm::new(qemu, kernel).noting(tell_once)
    };
    Ok(kernels.into_iter().map(machine).collect())
}

/// A machine that `ssh` can reach, and its one connection, which is opened when it is first needed.
#[derive(Debug, Clone)]
pub(crate) struct Remote {
    destination: String,
    opened: Arc<OnceLock<Arc<Ssh>>>,
}

impl PartialEq for Remote {
    fn eq(&self, other: &Self) -> bool {
        self.destination == other.destination
    }
}

impl Eq for Remote {}

impl Remote {
    /// Parses what follows the colon of `ssh:[USER@]HOST`, or all of `ssh://[USER@]HOST[:PORT]`.
    fn read(text: &str, rest: &str) -> Result<Self, String> {
        let (destination, named) = match rest.strip_prefix("//") {
            Some(named) => (text, named),
            None => (rest, rest),
        };
        if named.is_empty() || named.starts_with('-') || named.contains(char::is_whitespace) {
            return Err("expected the name of a machine, such as `ssh:root@bench`".into());
        }
        Ok(Self { destination: destination.to_owned(), opened: Arc::default() })
    }

    fn ssh(&self) -> Result<Arc<Ssh>> {
        if let Some(ssh) = self.opened.get() {
            return Ok(Arc::clone(ssh));
        }
        let ssh = Arc::new(Ssh::open(&self.destination, &mut nobody_stops)?);
        tell_given_back(&ssh.about.given_back);
        Ok(Arc::clone(self.opened.get_or_init(|| ssh)))
    }
}

/// Returns whether to go on with the work for which a connection is needed.
fn nobody_stops() -> bool {
    !interrupt::is_wanted()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn odd_places_are_read_back_as_printed_or_refused() {
        let seeds = ["ssh:root@bench", "ssh://root@[fe80::1]:2222", "vm:debian-6.1+nosmt", "local"];
        testing::try_corpus(&seeds, 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            if let Ok(place) = text.parse::<Place>() {
                assert_eq!(place.to_string().parse(), Ok(place));
            }
        });
    }

    #[test]
    fn places_are_read_as_they_are_typed() {
        let read = |text: &str| text.parse::<Place>();
        for (text, destination) in [
            ("ssh:bench", "bench"),
            ("ssh:root@bench", "root@bench"),
            ("ssh://root@bench:2222", "ssh://root@bench:2222"),
        ] {
            let Ok(Place::Ssh(remote)) = read(text) else {
                panic!("{text}");
            };
            assert_eq!(remote.destination, destination);
            assert_eq!(Place::Ssh(remote).to_string(), text);
        }
        assert_eq!(read("local"), Ok(Place::Local));
        assert_eq!(read("vm:mine"), Ok(Place::Vm("mine".into())));
    }

    #[test]
    fn what_ssh_would_take_for_an_option_is_refused() {
        for text in ["ssh:", "ssh://", "ssh:-oProxyCommand=x", "ssh://-x", "ssh:a b"] {
            refuses(text.parse::<Place>(), "ssh:root@bench");
        }
        for text in ["ssh", "vm:", "nowhere"] {
            refuses(text.parse::<Place>(), "`local`");
        }
    }
}
