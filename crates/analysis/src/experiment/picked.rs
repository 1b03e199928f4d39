//! Selection of knobs from the screening, to be tried again.

use record::{Outcome, SHAM};

use super::estimate;
use super::stage::{Group, Stage};
use crate::comparison::Margin;
use crate::effect::{Effect, FALSE_DISCOVERIES, Unit, judge};

/// Up to this share of the selection may be chance, because all of it is tried again.
const PICKED_BY_CHANCE: f64 = 0.2;
/// At most this many knobs are tried again, because each takes a share of the time.
const MOST_PICKED: usize = 8;
/// Pairs of selected knobs that are examined, and that are tried again.
const MOST_PAIRS: (usize, usize) = (10, 3);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picked {
    pub knobs: Vec<String>,
    pub pairs: Vec<[String; 2]>,
}

/// Returns the selection; `None` until the screening is complete enough.
pub fn picked<'a>(
    outcomes: impl IntoIterator<Item = &'a Outcome>,
    margin: Margin,
) -> Option<Picked> {
    let groups = Group::all(outcomes);
    let group = groups.iter().find(|group| group.stage == Stage::Screening)?;
    let margin = margin.share();
    let names = group.names();
    let factors = estimate::group_estimate(group, &[]).factors;
    let mut factors: Vec<(usize, Vec<Effect>)> = factors.into_iter().enumerate().collect();
    for (_, effects) in &mut factors {
        // Power consumption does not decide whether a knob is tried again.
        effects.retain(|effect| effect.figure.unit != Unit::Power);
    }
    judge(factors.iter_mut().flat_map(|(_, effects)| effects), margin, PICKED_BY_CHANCE);
    factors.retain(|(place, _)| names[*place] != SHAM);
    let knobs = surest(factors, MOST_PICKED);
    let name = |place: usize| names[place].to_owned();
    Some(Picked {
        pairs: pairs(group, &knobs, margin).into_iter().map(|pair| pair.map(name)).collect(),
        knobs: knobs.into_iter().map(name).collect(),
    })
}

/// The pairs of these knobs, the surest first, whose joint effect differs from the sum of both.
fn pairs(group: &Group, knobs: &[usize], margin: f64) -> Vec<[usize; 2]> {
    let seconds = knobs.iter().enumerate().skip(1);
    let all =
        seconds.flat_map(|(place, second)| knobs[..place].iter().map(|other| [*other, *second]));
    let with_effects = |mut pair: [usize; 2]| {
        pair.sort_unstable();
        // Few runs do not determine many pairs at once.
        (pair, estimate::group_estimate(group, &[pair]).pairs.swap_remove(0))
    };
    let mut all: Vec<([usize; 2], Vec<Effect>)> =
        all.take(MOST_PAIRS.0).map(with_effects).collect();
    judge(all.iter_mut().flat_map(|(_, effects)| effects), margin, FALSE_DISCOVERIES);
    surest(all, MOST_PAIRS.1)
}

/// Returns at most `most` of those that show an effect, the surest first.
fn surest<T>(mut all: Vec<(T, Vec<Effect>)>, most: usize) -> Vec<T> {
    let chance =
        |effects: &[Effect]| effects.iter().filter_map(|effect| effect.chance).fold(1.0, f64::min);
    all.retain(|(_, effects)| effects.iter().any(|effect| effect.is_shown));
    all.sort_by(|(_, a), (_, b)| chance(a).total_cmp(&chance(b)));
    all.into_iter().take(most).map(|(knobs, _)| knobs).collect()
}
