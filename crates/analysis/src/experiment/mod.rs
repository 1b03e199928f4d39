//! What an experiment with knobs shows: which settings matter for one run on one machine, how
//! much, and whether the experiment is to be believed.

mod effect;
mod glance;
mod left_out;
mod picked;
mod stage;
#[cfg(test)]
mod tests;
mod words;

use plan::{KNOWN, Outcome, SHAM};
use serde::Serialize;

pub use self::effect::{Effect, POWER, Unit};
pub(crate) use self::glance::alone;
pub use self::left_out::{LeftOut, left_out};
pub use self::picked::{Picked, picked};
pub use self::stage::{Group, REHEARSAL, Stage, point, round};
pub use self::words::{briefly, in_words, of_effects, of_pair};
use crate::comparison::Margin;
use crate::comparison::contrasts::FALSE_DISCOVERIES;

/// What an experiment shows.
#[derive(Debug, Serialize)]
pub struct Experiment {
    /// The run that it is about.
    pub of: String,
    /// Whether it is to be believed.
    pub trust: Trust,
    /// Each knob but the sham and the known disturbance.
    pub knobs: Vec<KnobTold>,
    /// What two knobs do together beyond what each does alone.
    pub pairs: Vec<PairTold>,
    /// All that help, against none of them; empty where fewer than two do.
    pub together: Vec<Effect>,
    /// The knobs that were tried together.
    pub those_together: Vec<String>,
    /// What the sham did.
    pub sham: Vec<Effect>,
    /// What the known disturbance did.
    pub known: Vec<Effect>,
    /// Knobs that could not be set, each with the reason.
    pub left_out: Vec<LeftOut>,
    /// Differences up to this share are none.
    pub margin: f64,
    /// Valid runs, and all.
    pub runs: [usize; 2],
}

/// Whether an experiment is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// It has not come so far as to tell.
    Open,
    /// The sham shows nothing, and the known disturbance was found.
    Believed,
    /// It finds something that does nothing.
    ShamFound,
    /// It does not find what is there.
    KnownMissed,
}

/// What is known of one knob.
#[derive(Debug, Clone, Serialize)]
pub struct KnobTold {
    /// Its name in the table of knobs.
    pub name: String,
    /// The value that was tried.
    pub value: String,
    /// What it does, figure by figure: tried alone, where it was, else among all others.
    pub effects: Vec<Effect>,
    /// Whether it was tried alone, in turns with none.
    pub was_tried_alone: bool,
}

/// What is known of two knobs that act together.
#[derive(Debug, Clone, Serialize)]
pub struct PairTold {
    /// Their names.
    pub names: [String; 2],
    /// What both do beyond what each does alone, figure by figure.
    pub extra: Vec<Effect>,
    /// What both do together, against neither.
    pub both: Vec<Effect>,
}

impl Experiment {
    /// What these outcomes show; `None` where none is of an experiment.
    #[must_use]
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>, margin: Margin) -> Option<Self> {
        let groups = Group::all(outcomes);
        let first = groups.first()?.runs.first()?;
        let mut spec = first.header.spec.clone();
        spec.asked.tried.clear();
        let mut told = Self {
            of: spec.title(),
            trust: Trust::Open,
            knobs: Vec::new(),
            pairs: Vec::new(),
            together: Vec::new(),
            those_together: Vec::new(),
            sham: Vec::new(),
            known: Vec::new(),
            left_out: left_out(&groups),
            margin: margin.share(),
            runs: runs(&groups),
        };
        for group in &groups {
            told.take(group);
        }
        told.judge();
        told.trust = told.trust();
        match told.trust {
            Trust::Believed => told.take_pair_as_all(),
            _ => told.claim_nothing(),
        }
        Some(told)
    }

    /// Where a pair is all that helps, what both do together was tried already.
    fn take_pair_as_all(&mut self) {
        let helpful = self.helpful();
        let is_all = |pair: &&PairTold| {
            helpful.len() == 2 && pair.names.iter().all(|name| helpful.contains(&name.as_str()))
        };
        let found = self.pairs.iter().find(is_all);
        let found = found.map(|pair| (pair.names.to_vec(), pair.both.clone()));
        if let (Some((names, both)), true) = (found, self.together.is_empty()) {
            (self.those_together, self.together) = (names, both);
        }
    }

    /// Nothing is shown but what sham and known disturbance did.
    fn claim_nothing(&mut self) {
        let of_knobs = self.knobs.iter_mut().flat_map(|knob| &mut knob.effects);
        let pairs = self.pairs.iter_mut();
        let of_pairs = pairs.flat_map(|pair| pair.extra.iter_mut().chain(&mut pair.both));
        let all = of_knobs.chain(of_pairs).chain(&mut self.together);
        all.for_each(|effect| effect.is_shown = false);
    }

    fn take(&mut self, group: &Group) {
        let pairs: &[[usize; 2]] = match (group.stage, group.knobs.len()) {
            (Stage::Turns, 2) => &[[0, 1]],
            _ => &[],
        };
        let mut of = match group.stage {
            Stage::Rehearsal => return,
            _ => effect::of(group, pairs, self.margin),
        };
        match group.stage {
            Stage::Screening => self.knobs = screened(group, of.factors),
            Stage::Together => {
                self.together = of.factors.swap_remove(0);
                self.those_together = group.names().into_iter().map(str::to_owned).collect();
            }
            _ => match group.names().as_slice() {
                [SHAM] => self.sham = of.factors.swap_remove(0),
                [KNOWN] => self.known = of.factors.swap_remove(0),
                [one, other] => self.pairs.push(PairTold {
                    names: [one, other].map(|name| (*name).to_owned()),
                    extra: of.pairs.swap_remove(0),
                    both: of.both.swap_remove(0),
                }),
                [name] => self.tried_alone(name, of.factors.swap_remove(0)),
                _ => {}
            },
        }
    }

    fn tried_alone(&mut self, name: &str, effects: Vec<Effect>) {
        if effects.is_empty() {
            return;
        }
        if let Some(knob) = self.knobs.iter_mut().find(|knob| knob.name == name) {
            knob.effects = effects;
            knob.was_tried_alone = true;
        }
    }

    /// Says what is shown: of what was tried alone, in pairs, and together, at most 5 % is
    /// expected to be chance. What the screening alone tells shows nothing.
    fn judge(&mut self) {
        let alone = self.knobs.iter_mut().filter(|knob| knob.was_tried_alone);
        let alone = alone.flat_map(|knob| &mut knob.effects);
        let pairs = self.pairs.iter_mut();
        let pairs = pairs.flat_map(|pair| pair.extra.iter_mut().chain(&mut pair.both));
        let mut family: Vec<&mut Effect> =
            alone.chain(pairs).chain(&mut self.together).chain(&mut self.sham).collect();
        let level = effect::level(family.iter().map(|effect| &**effect), FALSE_DISCOVERIES);
        family.iter_mut().for_each(|effect| effect.judge(level));
        // Among the others it would lend them a level that they have not earned.
        judge_known(&mut self.known);
        let screened = self.knobs.iter_mut().filter(|knob| !knob.was_tried_alone);
        for effect in screened.flat_map(|knob| &mut knob.effects) {
            effect.judge(level);
            effect.is_shown = false;
        }
    }

    fn trust(&self) -> Trust {
        let shows = |effects: &[Effect]| effects.iter().any(|effect| effect.is_shown);
        let is_worse = |effect: &Effect| effect.is_shown && effect.times[1] > 1.0;
        match (&*self.sham, &*self.known) {
            ([], _) | (_, []) => Trust::Open,
            (sham, _) if shows(sham) => Trust::ShamFound,
            (_, known) if !known.iter().any(is_worse) => Trust::KnownMissed,
            _ => Trust::Believed,
        }
    }

    /// The share by which a figure must differ to be shown in [`POWER`] of such experiments, by the
    /// sham's runs.
    #[must_use]
    pub fn detectable(&self) -> f64 {
        let sham = foremost(&self.sham).map_or(1.0, |effect| effect.detectable);
        sham * (1.0 + self.margin) - 1.0
    }

    /// Knobs of which a difference is shown, the better ones where these are asked for.
    pub fn shown(&self, better: bool) -> impl Iterator<Item = (&KnobTold, &Effect)> {
        let knobs = self.knobs.iter();
        knobs
            .filter_map(|knob| Some((knob, decisive(&knob.effects)?)))
            .filter(move |(_, effect)| effect.is_shown_as(better))
    }

    /// The knobs that are shown to help, and to harm no figure, alone or with another.
    #[must_use]
    pub fn helpful(&self) -> Vec<&str> {
        let helps = |effects: &[Effect]| {
            decisive(effects).is_some_and(|effect| effect.is_shown_as(true))
                && worse(effects).is_none()
        };
        let alone = self.knobs.iter().filter(|knob| helps(&knob.effects));
        let mut names: Vec<&str> = alone.map(|knob| knob.name.as_str()).collect();
        let pairs = self.pairs_shown().map(|(pair, _)| pair);
        for name in pairs.filter(|pair| helps(&pair.both)).flat_map(|pair| &pair.names) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The knobs to keep: all that help, unless all of them together are not shown to.
    ///
    /// # Errors
    /// One sentence on what they do together instead.
    pub fn to_keep(&self) -> Result<Vec<&str>, String> {
        let together = decisive(&self.together);
        match together.or(foremost(&self.together)) {
            Some(effect) if !effect.is_shown_as(true) || worse(&self.together).is_some() => {
                let all = crate::words::listed(&self.those_together);
                let told = of_effects(&self.together);
                Err(format!("{all} help each, and together: {told}"))
            }
            _ => Ok(self.helpful()),
        }
    }

    /// Pairs that are shown to do more together than each, or less.
    pub fn pairs_shown(&self) -> impl Iterator<Item = (&PairTold, &Effect)> {
        let pairs = self.pairs.iter();
        pairs.filter_map(|pair| Some((pair, decisive(&pair.extra)?)))
    }
}

/// The figures of which a difference is shown, in the order of what they mean to a person.
const DECIDING: [&str; 5] = ["missed", "p99", "late", "median", "average"];

/// The first figure of which a difference is shown.
#[must_use]
pub fn decisive(effects: &[Effect]) -> Option<&Effect> {
    let named =
        |name: &&str| effects.iter().find(|effect| effect.figure == *name && effect.is_shown);
    DECIDING.iter().find_map(named)
}

/// A figure that is shown to be worse where the decisive one is better.
pub(crate) fn worse(effects: &[Effect]) -> Option<&Effect> {
    let is_better = decisive(effects)?.is_shown_as(true);
    let decides = |effect: &&Effect| effect.unit != Unit::Power && effect.is_shown_as(false);
    effects.iter().filter(|_| is_better).find(decides)
}

/// The first figure that was compared at all.
#[must_use]
pub fn foremost(effects: &[Effect]) -> Option<&Effect> {
    let times = effects.iter().filter(|effect| effect.unit == Unit::Time);
    let rank = |effect: &&Effect| DECIDING.iter().position(|name| effect.figure == *name);
    times.min_by_key(rank)
}

fn screened(group: &Group, effects: Vec<Vec<Effect>>) -> Vec<KnobTold> {
    let told = group.knobs.iter().zip(effects);
    let knob = |(tried, effects): (&plan::Tried, Vec<Effect>)| KnobTold {
        name: tried.knob.clone(),
        value: tried.value.clone().unwrap_or_default(),
        effects,
        was_tried_alone: false,
    };
    told.filter(|(tried, _)| tried.knob != SHAM).map(knob).collect()
}

/// It is there for certain, and is asked one question: whether the figure that a person looks at
/// first shows it.
fn judge_known(known: &mut [Effect]) {
    let asked = foremost(known).map(|effect| effect.figure);
    for effect in known {
        effect.judge(FALSE_DISCOVERIES);
        effect.is_shown &= Some(effect.figure) == asked;
    }
}

fn runs(groups: &[Group]) -> [usize; 2] {
    let runs = || groups.iter().flat_map(|group| &group.runs);
    [runs().filter(|run| run.is_valid()).count(), runs().count()]
}
