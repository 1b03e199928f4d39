//! Checks whether other processes measure on the CPUs of a run.

use std::io;

use base::CpuSet;
use record::{Asked, Warning};
use rt::claim::{Claim, Claimant, MEASURED_BY_OTHERS, Tense, claimants, in_words};

pub(crate) struct Alone {
    cpus: CpuSet,
    is_asked_for: bool,
    claim: io::Result<(Claim, Vec<Claimant>)>,
}

impl Alone {
    /// Claims the CPUs of a run. Two processes that claim at the same time see each other, and
    /// neither begins, unless measuring beside others was requested.
    pub(crate) fn among_measurements(asked: &Asked) -> Result<Self, String> {
        let look = || {
            let others = claimants(&asked.cpus);
            match &others {
                Ok(found) if !asked.beside && !found.iter().all(Claimant::is_ignored) => {
                    Err(format!("{MEASURED_BY_OTHERS}{}", in_words(found, Tense::Present)))
                }
                _ => Ok(others),
            }
        };
        // A claim, however short, is seen by processes that already measure: check before claiming.
        look()?.ok();
        let claim = Claim::lay(&asked.cpus);
        let others = look()?;
        let claim = claim.and_then(|claim| Ok((claim, others?)));
        Ok(Self { cpus: asked.cpus.clone(), is_asked_for: asked.beside, claim })
    }

    /// Returns the warning about processes that measured there when the run began.
    pub(crate) fn warning(&self) -> Option<Warning> {
        match &self.claim {
            Ok((_, others)) if others.is_empty() => None,
            Ok((_, others)) => Some(self.beside(others)),
            Err(error) => Some(Warning::MeasuredBesideUnknown { reason: measure::reason(error) }),
        }
    }

    /// Returns the warning about processes that began later (`--beside`) and still measure.
    pub(crate) fn warning_of_later_ones(&self) -> Option<Warning> {
        let (_, first) = self.claim.as_ref().ok()?;
        self.warning_of_those(|other| !first.contains(other))
    }

    /// Returns the warning about all processes that measure there now.
    pub(crate) fn warning_now(&self) -> Option<Warning> {
        match &self.claim {
            Ok(_) => self.warning_of_those(|_| true),
            Err(_) => self.warning(),
        }
    }

    fn warning_of_those(&self, count: impl Fn(&Claimant) -> bool) -> Option<Warning> {
        let mut others = claimants(&self.cpus).ok()?;
        others.retain(count);
        (!others.is_empty()).then(|| self.beside(&others))
    }

    fn beside(&self, others: &[Claimant]) -> Warning {
        Warning::MeasuredBeside {
            who: in_words(others, Tense::Past),
            asked: self.is_asked_for || others.iter().all(Claimant::is_ignored),
        }
    }
}
