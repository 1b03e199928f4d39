//! Other systems, which `--system NAME=PLACE` names: their runs, or where to make them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use analysis::comparison::kind_of;
use analysis::studies::Wanted;
use anyhow::{Context, Result, bail};
use record::{Machine, Outcome};
use store::Store;

use crate::command::ready::ReadyArgs;
use crate::options::place::Place;
use crate::options::plans;
use crate::session::driver::{Keeping, List, Rule, Targets, Trouble, Work};
use crate::session::progress::say;

#[derive(Debug, Clone)]
pub(super) struct Elsewhere {
    pub(super) wanted: Wanted,
    /// The machine that is measured, or the store that has the runs.
    source: Result<Place, PathBuf>,
}

impl FromStr for Elsewhere {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let typed = text.split_once('=').filter(|(_, place)| !place.is_empty());
        let (name, place) = typed.ok_or(
            "expected NAME=STORE, NAME=vm:KERNEL or NAME=ssh:HOST, such as preempt_rt=other/results.db",
        )?;
        let wanted = name.parse()?;
        let source = match place.parse() {
            Ok(there @ (Place::Ssh(_) | Place::Vm(_))) => Ok(there),
            _ => Err(place.into()),
        };
        Ok(Self { wanted, source })
    }
}

impl Elsewhere {
    /// Returns where the system is measured; `None` if its runs are stored.
    pub(super) fn measured(&self) -> Option<&Place> {
        self.source.as_ref().ok()
    }

    pub(super) fn file(&self) -> String {
        format!("{}.db", self.wanted.to_string().to_lowercase().replace('/', "-"))
    }
}

pub(super) fn runs_of(systems: &[Elsewhere]) -> Result<Vec<Outcome>> {
    let mut all = Vec::new();
    for system in systems {
        let Err(store) = &system.source else { continue };
        let mut runs = Store::open_existing(store)?.all_outcomes()?;
        runs.retain(|run| system.wanted.may_be(&run.header.machine));
        if runs.is_empty() {
            bail!("--system: {} has no run of {}", store.display(), system.wanted);
        }
        all.extend(runs);
    }
    Ok(all)
}

/// Returns the machine of a measured system; a virtual machine's kernel shows in its first run.
pub(super) fn machine_of(system: &Elsewhere, place: &Place, results: &Path) -> Result<Machine> {
    let is_guest = matches!(place, Place::Vm(_));
    let machine = if is_guest { guest(place, results)? } else { place.machine()? };
    if !system.wanted.may_be(&machine) {
        bail!("--system: {place} is {}, not {}", kind_of(&machine), system.wanted);
    }
    Ok(machine)
}

fn guest(place: &Place, results: &Path) -> Result<Machine> {
    let mut known = Vec::new();
    if results.exists() {
        known = Store::open_existing(results)?.all_outcomes()?;
    }
    if known.is_empty() {
        say(&format!("One short run on {place} shows which system it is."));
        let ready = ReadyArgs::at(place);
        let (mut round, _) = plans::find("sae-micro")?.round(&|request| ready.begin(request))?;
        round.retain(|spec| spec.measurement == "clock_overhead");
        let keeping = Keeping::of(Store::open(results)?, "studies", &round, place.machine()?);
        let mut plan = List::with(&round, Rule::Possible(None));
        let ended = Work::resumed(keeping)?.carry_out(&mut plan, &mut Targets::at(place)?)?;
        if let Some(Trouble::NotMade(error) | Trouble::NotKept(error)) = ended.trouble {
            return Err(error);
        }
        known = ended.outcomes;
    }
    let outcome = known.pop().with_context(|| format!("--system: {place} made no run"))?;
    Ok(Machine::clone(&outcome.header.machine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn a_system_of_the_papers_and_a_store_or_a_machine_are_needed() {
        let read = |text: &str| text.parse::<Elsewhere>();
        assert_eq!(read("preempt_rt=a.db").unwrap().wanted.to_string(), "PREEMPT_RT");
        assert_eq!(read("Xenomai=b.db").unwrap().source, Err(PathBuf::from("b.db")));
        let mine = read("xenomai=vm:mine").unwrap();
        assert_eq!(mine.source, Ok(Place::Vm("mine".into())));
        assert_eq!(mine.file(), "xenomai.db");
        assert_eq!(read("linux/one-cpu=vm:mine").unwrap().file(), "linux-one-cpu.db");
        for (text, reason) in
            [("a.db", "NAME=STORE"), ("xenomai=", "NAME=STORE"), ("windows=a.db", "xenomai")]
        {
            refuses(read(text), reason);
        }
    }
}
