//! Findings of an experiment.

use plan::{KNOWN, SHAM};

use super::{Experiment, Trust};
use crate::effect::foremost;
use crate::finding::{AboutEffects, Finding, Why};

impl Experiment {
    pub fn findings(&self) -> Vec<Finding> {
        let pairs = self.pairs_shown().map(|(pair, extra)| {
            Finding::Effects(AboutEffects::PairEffect {
                settings: pair.names.clone(),
                both: pair.both.clone(),
                extra: *extra,
            })
        });
        let left_out = self.left_out.iter();
        let left_out =
            left_out.map(|one| Finding::not_measured(&one.name, Vec::new(), Some(one.why.clone())));
        let found = [self.verdict()].into_iter().chain(self.controls());
        found.chain(pairs).chain(left_out).collect()
    }

    pub fn verdict(&self) -> Finding {
        let why = match self.trust {
            Trust::Open => match self.controls_left_out() {
                none if none.is_empty() => Why::Unfinished,
                controls => Why::ControlsNotSet { controls },
            },
            Trust::ShamFound => Why::ShamDetected,
            Trust::KnownMissed => Why::PositiveControlMissed,
            Trust::Believed => return self.settings(),
        };
        Finding::Effects(AboutEffects::Inconclusive { why })
    }

    fn controls_left_out(&self) -> Vec<String> {
        let names = self.left_out.iter().map(|one| &one.name);
        names.filter(|name| [SHAM, KNOWN].contains(&name.as_str())).cloned().collect()
    }

    fn settings(&self) -> Finding {
        let settings: Vec<String> = self.helpful().into_iter().map(str::to_owned).collect();
        let harmful = self.shown(false).map(|(knob, _)| knob.name.clone());
        match (settings.is_empty(), self.to_keep()) {
            (true, _) => {
                Finding::Effects(AboutEffects::NoSettingHelps { harmful: harmful.collect() })
            }
            (false, Some(_)) => Finding::Effects(AboutEffects::SettingsHelp {
                settings,
                together: self.together.clone(),
            }),
            (false, None) => Finding::Effects(AboutEffects::NotTogether {
                settings: self.those_together.clone(),
                together: self.together.clone(),
            }),
        }
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
