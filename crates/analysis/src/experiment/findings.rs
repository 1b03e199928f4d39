//! Findings of an experiment.

use record::{KNOWN, SHAM};

use super::{Experiment, Trust};
use crate::effect::foremost;
use crate::finding::{AboutEffects, Finding, Why};
use crate::lists::filled;

impl Experiment {
    pub fn findings(&self) -> Vec<Finding> {
        let pairs = self.pairs_shown().map(|(pair, extra)| {
            Finding::Effects(AboutEffects::PairEffect {
                settings: pair.names.clone(),
                both: pair.both.clone(),
                extra: *extra,
            })
        });
        let left_out = (self.left_out.iter())
            .map(|knob| Finding::not_measured(&knob.name, Vec::new(), Some(knob.why.clone())));
        let found = self.verdicts().into_iter().chain(self.controls());
        found.chain(pairs).chain(left_out).collect()
    }

    /// Returns the verdict and, if it decides nothing, what does.
    fn verdicts(&self) -> Vec<Finding> {
        let verdict = self.verdict();
        match &verdict {
            Finding::Effects(AboutEffects::Inconclusive { why }) => Finding::undecided(why.clone()),
            _ => vec![verdict],
        }
    }

    pub fn verdict(&self) -> Finding {
        let why = match self.trust {
            Trust::Open => {
                let names = self.left_out.iter().map(|knob| &knob.name);
                let controls = names.filter(|name| [SHAM, KNOWN].contains(&name.as_str()));
                let controls = filled(controls.cloned());
                controls.map_or(Why::Unfinished, |controls| Why::ControlsNotSet { controls })
            }
            Trust::ShamFound => Why::ShamDetected,
            Trust::KnownMissed => Why::PositiveControlMissed,
            Trust::Believed => return self.settings(),
        };
        Finding::Effects(AboutEffects::Inconclusive { why })
    }

    fn settings(&self) -> Finding {
        let harmful = self.shown(false).map(|(knob, _)| knob.name.clone());
        let together = self.together.clone();
        Finding::Effects(match filled(self.helpful().into_iter().map(str::to_owned)) {
            None => AboutEffects::NoSettingHelps { harmful: harmful.collect() },
            Some(settings) if self.to_keep().is_some() => {
                AboutEffects::SettingsHelp { settings, together }
            }
            Some(_) => {
                AboutEffects::NotTogether { settings: self.those_together.clone(), together }
            }
        })
    }

    fn controls(&self) -> Option<Finding> {
        let known = foremost(&self.known)?;
        let sham = foremost(&self.sham).unwrap_or(known);
        Some(Finding::Effects(AboutEffects::Controls {
            positive_detected: self.known.iter().any(|effect| effect.is_shown),
            sham_detected: self.sham.iter().any(|effect| effect.is_shown),
            figure: sham.figure.name,
            detectable_ns: sham.values[0] * self.detectable(),
        }))
    }
}
