//! The stages of an experiment with knobs, by what their runs try.

use std::collections::BTreeMap;

use base::Nanos;
use record::{Outcome, RunSpec, SHAM, Tried};
use stats::Screening;

/// How long a rehearsal measures; every other run of an experiment takes longer.
pub const REHEARSAL: Nanos = Nanos(100_000_000);

/// Off, on, on, off: a linear drift affects both sides equally.
const IN_TURNS: [bool; 4] = [false, true, true, false];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Whether a knob can be set at all.
    Rehearsal,
    /// Which knobs matter, all at once.
    Screening,
    /// One knob, or a pair of them, alternating with none.
    Turns,
    /// All helpful knobs, alternating with none.
    Together,
}

#[derive(Debug, Clone)]
pub struct Group<'a> {
    pub stage: Stage,
    pub knobs: Vec<Tried>,
    /// All runs, INVALID ones too, in the order in which they were made.
    pub runs: Vec<&'a Outcome>,
}

/// Returns which of its knobs a run had on.
pub fn point(spec: &RunSpec) -> Vec<bool> {
    let tried = spec.asked.tried.iter();
    tried.map(|tried| tried.value.is_some()).collect()
}

/// The points of one round of a stage, in the order of the plan.
pub fn round(stage: Stage, knobs: usize) -> Vec<Vec<bool>> {
    let all = |on: &bool| vec![*on; knobs];
    match stage {
        Stage::Rehearsal => vec![vec![true; knobs]],
        Stage::Screening => Screening::of(knobs).map_or(Vec::new(), |design| design.points),
        Stage::Turns if knobs == 2 => {
            let there = [[false, false], [true, false], [false, true], [true, true]];
            let back = there.iter().rev();
            there.iter().chain(back).map(|point| point.to_vec()).collect()
        }
        Stage::Turns | Stage::Together => IN_TURNS.iter().map(all).collect(),
    }
}

impl<'a> Group<'a> {
    /// The runs of the newest experiment, which come last, in the order of their stages.
    pub fn all(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Self> {
        let mut outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
        outcomes.retain(|run| !run.header.spec.asked.tried.is_empty());
        let newest = outcomes.last().map(|run| &run.header.spec.experiment);
        let mut groups: BTreeMap<(bool, Vec<&str>), Vec<&Outcome>> = BTreeMap::new();
        for outcome in &outcomes {
            let spec = &outcome.header.spec;
            if Some(&spec.experiment) == newest {
                let names = spec.asked.tried.iter().map(|tried| tried.knob.as_str()).collect();
                let is_short = spec.asked.duration <= REHEARSAL;
                groups.entry((is_short, names)).or_default().push(outcome);
            }
        }
        let made = |((is_short, _), runs)| Self::of(is_short, runs);
        let mut groups: Vec<Self> = groups.into_iter().map(made).collect();
        groups.sort_by_key(|group| group.stage);
        groups
    }

    fn of(is_short: bool, runs: Vec<&'a Outcome>) -> Self {
        let mut knobs = runs[0].header.spec.asked.tried.clone();
        for run in &runs {
            for (knob, tried) in knobs.iter_mut().zip(&run.header.spec.asked.tried) {
                knob.value = knob.value.take().or_else(|| tried.value.clone());
            }
        }
        let is_mixed = runs.iter().any(|run| {
            let point = point(&run.header.spec);
            point.contains(&true) && point.contains(&false)
        });
        let has_sham = knobs.iter().any(|tried| tried.knob == SHAM);
        let stage = match knobs.len() {
            _ if is_short => Stage::Rehearsal,
            1 => Stage::Turns,
            _ if has_sham => Stage::Screening,
            2 if is_mixed => Stage::Turns,
            _ => Stage::Together,
        };
        Self { stage, knobs, runs }
    }

    pub fn names(&self) -> Vec<&str> {
        self.knobs.iter().map(|tried| tried.knob.as_str()).collect()
    }
}
