//! Runs of other systems, which `--system NAME=STORE` names.

use std::path::PathBuf;
use std::str::FromStr;

use analysis::comparison::{KINDS, kind_of};
use anyhow::{Result, bail};
use plan::Outcome;
use store::Store;

use crate::place::Place;

/// A system of the papers, and the results file with its runs.
#[derive(Debug, Clone)]
pub(super) struct Elsewhere {
    kind: &'static str,
    store: PathBuf,
}

impl FromStr for Elsewhere {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, place)) = text.split_once('=').filter(|(_, place)| !place.is_empty())
        else {
            return Err("expected NAME=STORE, such as preempt_rt=other/results.db".to_owned());
        };
        let Some(kind) = KINDS.into_iter().find(|kind| kind.eq_ignore_ascii_case(name)) else {
            let names = KINDS.map(str::to_lowercase);
            let expected = units::expected(name, names.iter().map(String::as_str));
            return Err(format!("no paper has a system `{name}`; {expected}"));
        };
        match place.parse::<Place>() {
            Ok(Place::Ssh(_) | Place::Vm(_)) => Err(format!(
                "only this machine is measured; run `steadfast campaign PLAN --target {place} --out DIR` \
                 with the plans that `steadfast studies --list` names, then give {name}=DIR/results.db"
            )),
            _ => Ok(Self { kind, store: place.into() }),
        }
    }
}

impl Elsewhere {
    /// Returns the runs of the system.
    ///
    /// # Errors
    /// If the store cannot be read or has no run of the system.
    fn outcomes(&self) -> Result<Vec<Outcome>> {
        let mut runs = Store::open_existing(&self.store)?.all_outcomes()?;
        runs.retain(|run| kind_of(&run.header.machine) == self.kind);
        if runs.is_empty() {
            bail!("--system: {} has no run of {}", self.store.display(), self.kind);
        }
        Ok(runs)
    }
}

/// Returns the runs of all these systems.
///
/// # Errors
/// If a store cannot be read or has no run of its system.
pub(super) fn runs_of(systems: &[Elsewhere]) -> Result<Vec<Outcome>> {
    let mut all = Vec::new();
    for system in systems {
        all.extend(system.outcomes()?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_the_papers_and_a_store_are_needed() {
        let read = |text: &str| text.parse::<Elsewhere>();
        assert_eq!(read("preempt_rt=a.db").unwrap().kind, "PREEMPT_RT");
        assert_eq!(read("Xenomai=b.db").unwrap().store, PathBuf::from("b.db"));
        for (text, reason) in [
            ("a.db", "NAME=STORE"),
            ("xenomai=", "NAME=STORE"),
            ("windows=a.db", "xenomai"),
            ("xenomai=vm:mine", "--target vm:mine"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(reason), "{text}: {why}");
        }
    }
}
