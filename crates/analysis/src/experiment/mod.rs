//! Results of an experiment with knobs: which settings matter for one run on one machine, by how
//! much, and whether the experiment can be trusted.

mod estimate;
mod findings;
mod picked;
mod stage;
#[cfg(test)]
mod tests;

use record::{KNOWN, Outcome, SHAM, Warning};
use serde::Serialize;

pub use self::picked::{Picked, picked};
pub use self::stage::{Group, REHEARSAL, Stage, point, round};
use crate::comparison::Margin;
use crate::effect::{self, Effect, FALSE_DISCOVERIES, Role, decisive, foremost, worse};
use crate::lists::each_once;

#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Experiment {
    /// Title of the run with which the knobs were tried.
    pub of: String,
    /// Whether the experiment can be trusted: `open` (a control has no result), `believed` (sham
    /// clean, positive control detected), `sham_found` (the sham, which does nothing, shows an
    /// effect) or `known_missed` (the known disturbance was not detected).
    pub trust: Trust,
    /// Result of each knob, without the controls.
    pub knobs: Vec<KnobResult>,
    /// Pairs of knobs that were tried, with their joint effect beyond the effects of each knob
    /// alone.
    pub pairs: Vec<PairResult>,
    /// Effects of all helpful knobs together, compared with none of them; empty if fewer than two
    /// help or they were not tried together.
    pub together: Vec<Effect>,
    /// Names of the knobs that were tried together.
    pub those_together: Vec<String>,
    /// Effects of the sham, the control that does nothing.
    pub sham: Vec<Effect>,
    /// Effects of the known disturbance, the positive control.
    pub known: Vec<Effect>,
    /// Knobs that could not be set.
    pub left_out: Vec<LeftOut>,
    /// Relative differences up to this share count as no difference.
    pub margin: f64,
    /// Number of valid runs, then number of all runs.
    pub runs: [usize; 2],
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    #[default]
    Open,
    /// The sham shows nothing, and the known disturbance was detected.
    Believed,
    ShamFound,
    KnownMissed,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobResult {
    /// Name of the knob.
    pub name: String,
    /// Value that was tried.
    pub value: String,
    /// Effects of the knob, one per figure.
    pub effects: Vec<Effect>,
    /// Whether `effects` come from runs with this knob alone, alternating with runs without it;
    /// otherwise they come from the screening, which shows nothing by itself.
    pub was_tried_alone: bool,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairResult {
    /// Names of the two knobs.
    pub names: [String; 2],
    /// Effect of both knobs beyond the effects of each alone, one entry per figure.
    pub extra: Vec<Effect>,
    /// Effects of both knobs together, compared with neither.
    pub both: Vec<Effect>,
}

impl Experiment {
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>, margin: Margin) -> Option<Self> {
        let groups = Group::all(outcomes);
        let first = groups.first()?.runs.first()?;
        let mut spec = first.header.spec.clone();
        spec.asked.tried.clear();
        let mut experiment = Self {
            of: spec.title(),
            left_out: left_out(&groups),
            margin: margin.share(),
            runs: runs(&groups),
            ..Self::default()
        };
        let tried = groups.iter().filter(|group| group.stage != Stage::Rehearsal);
        tried.for_each(|group| experiment.take(group));
        experiment.judge();
        experiment.trust = experiment.trust();
        if experiment.trust == Trust::Believed {
            experiment.take_pair_as_all();
        } else {
            let all = experiment.all_effects();
            let claims =
                all.filter(|trial| ![Role::Sham, Role::PositiveControl].contains(&trial.role));
            claims.for_each(|effect| effect.is_shown = false);
        }
        Some(experiment)
    }

    /// If one pair is all that helps, its joint effect was already tried.
    fn take_pair_as_all(&mut self) {
        let helpful = self.helpful();
        let is_all = |pair: &&PairResult| {
            helpful.len() == 2 && pair.names.iter().all(|name| helpful.contains(&name.as_str()))
        };
        if let Some(pair) = self.pairs.iter().find(is_all).filter(|_| self.together.is_empty()) {
            (self.those_together, self.together) = (pair.names.to_vec(), pair.both.clone());
        }
    }

    fn all_effects(&mut self) -> impl Iterator<Item = &mut Effect> {
        let knobs = self.knobs.iter_mut().flat_map(|knob| &mut knob.effects);
        let pairs = self.pairs.iter_mut();
        let pairs = pairs.flat_map(|pair| pair.extra.iter_mut().chain(&mut pair.both));
        let controls = self.sham.iter_mut().chain(&mut self.known);
        knobs.chain(pairs).chain(&mut self.together).chain(controls)
    }

    fn take(&mut self, group: &Group) {
        let is_pair = group.stage == Stage::Turns && group.knobs.len() == 2;
        let mut of = estimate::group_estimate(group, if is_pair { &[[0, 1]] } else { &[] });
        if group.stage == Stage::Screening {
            self.knobs = screened(group, of.factors);
            return;
        }
        let first = of.factors.swap_remove(0);
        match group.names().as_slice() {
            names if group.stage == Stage::Together => {
                self.together = first;
                self.those_together = names.iter().map(|name| (*name).to_owned()).collect();
            }
            [SHAM] => self.sham = with_role(Role::Sham, first),
            [KNOWN] => self.known = with_role(Role::PositiveControl, first),
            [a, b] => self.pairs.push(PairResult {
                names: [a, b].map(|name| (*name).to_owned()),
                extra: of.pairs.swap_remove(0),
                both: of.both.swap_remove(0),
            }),
            names => {
                let knob = self.knobs.iter_mut().find(|knob| names == [knob.name.as_str()]);
                if let Some(knob) = knob.filter(|_| !first.is_empty()) {
                    (knob.effects, knob.was_tried_alone) = (first, true);
                }
            }
        }
    }

    /// Of what was tried alone, in pairs and together, at most 5 % is expected to be chance.
    fn judge(&mut self) {
        let margin = self.margin;
        effect::judge(self.all_effects(), margin, FALSE_DISCOVERIES);
        // The known disturbance answers one question: whether the foremost figure shows it.
        let asked = foremost(&self.known).map(|effect| effect.figure);
        self.known.iter_mut().for_each(|effect| effect.is_shown &= Some(effect.figure) == asked);
    }

    fn trust(&self) -> Trust {
        let shows = |effects: &[Effect]| effects.iter().any(|effect| effect.is_shown);
        match (&*self.sham, &*self.known) {
            ([], _) | (_, []) => Trust::Open,
            (sham, _) if shows(sham) => Trust::ShamFound,
            (_, known) if !known.iter().any(Effect::is_worse) => Trust::KnownMissed,
            _ => Trust::Believed,
        }
    }

    /// The relative change that [`POWER`] of such experiments would show, by the sham's runs.
    pub fn detectable(&self) -> f64 {
        let sham = foremost(&self.sham).map_or(1.0, Effect::detectable);
        sham * (1.0 + self.margin) - 1.0
    }

    pub fn shown(&self, better: bool) -> impl Iterator<Item = (&KnobResult, &Effect)> {
        let knobs = self.knobs.iter();
        knobs
            .filter_map(|knob| Some((knob, decisive(&knob.effects)?)))
            .filter(move |(_, effect)| if better { effect.is_better() } else { effect.is_worse() })
    }

    /// Returns the knobs that are shown to help and not to harm any figure, alone or with another.
    pub fn helpful(&self) -> Vec<&str> {
        let helps = |effects: &[Effect]| {
            decisive(effects).is_some_and(Effect::is_better) && worse(effects).is_none()
        };
        let alone = self.knobs.iter().filter(|knob| helps(&knob.effects));
        let alone = alone.map(|knob| knob.name.as_str());
        let pairs = self.pairs_shown().map(|(pair, _)| pair).filter(|pair| helps(&pair.both));
        each_once(alone.chain(pairs.flat_map(|pair| &pair.names).map(String::as_str)))
    }

    /// Returns the knobs to keep: all that help; `None` if all of them together are not shown to.
    pub fn to_keep(&self) -> Option<Vec<&str>> {
        let together = decisive(&self.together).or(foremost(&self.together));
        let do_help = together.is_none_or(Effect::is_better);
        (do_help && worse(&self.together).is_none()).then(|| self.helpful())
    }

    /// Returns the pairs whose joint effect is shown to differ from the sum of both.
    pub fn pairs_shown(&self) -> impl Iterator<Item = (&PairResult, &Effect)> {
        self.pairs.iter().filter_map(|pair| Some((pair, decisive(&pair.extra)?)))
    }
}

fn screened(group: &Group, effects: Vec<Vec<Effect>>) -> Vec<KnobResult> {
    let knobs = group.knobs.iter().zip(effects);
    let knob = |(tried, effects): (&record::Tried, Vec<Effect>)| KnobResult {
        name: tried.knob.clone(),
        value: tried.value.clone().unwrap_or_default(),
        effects: with_role(Role::Screened, effects),
        was_tried_alone: false,
    };
    knobs.filter(|(tried, _)| tried.knob != SHAM).map(knob).collect()
}

fn with_role(role: Role, effects: Vec<Effect>) -> Vec<Effect> {
    effects.into_iter().map(|effect| Effect { role, ..effect }).collect()
}

fn runs(groups: &[Group]) -> [usize; 2] {
    let runs = || groups.iter().flat_map(|group| &group.runs);
    [runs().filter(|run| run.is_valid()).count(), runs().count()]
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Name of the knob.
    pub name: String,
    /// Reason why the knob could not be set.
    pub why: String,
}

/// Returns the knobs whose rehearsals were all INVALID for a reason of their own.
pub fn left_out(groups: &[Group]) -> Vec<LeftOut> {
    let rehearsed = groups.iter().filter(|group| group.stage == Stage::Rehearsal);
    let refused = rehearsed.filter(|group| !group.runs.iter().any(|run| run.is_valid()));
    let knob = |group: &Group| {
        let why = group.runs.last()?.warnings.iter().find(|warning| is_of_a_knob(warning))?;
        Some(LeftOut { name: group.names().concat(), why: why.cause() })
    };
    refused.filter_map(knob).collect()
}

fn is_of_a_knob(warning: &Warning) -> bool {
    matches!(
        warning,
        Warning::KnobRefused { .. }
            | Warning::KnobDiffers { .. }
            | Warning::KnobOverridden { .. }
            | Warning::KnobChanged { .. }
    )
}
