//! Selection of knobs from the screening, to be tried again.

use plan::{Outcome, SHAM};

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
    let own: Vec<usize> = (0..names.len()).filter(|place| names[*place] != SHAM).collect();
    // Power consumption does not decide whether a knob is tried again.
    let mut factors = estimate::of(group, &[]).factors;
    let decides = |effect: &Effect| effect.figure.unit != Unit::Power;
    factors.iter_mut().for_each(|effects| effects.retain(decides));
    judge(factors.iter_mut().flatten(), margin, PICKED_BY_CHANCE);
    let knobs = surest(own, |place| &factors[*place], MOST_PICKED);
    let name = |place: usize| names[place].to_owned();
    Some(Picked {
        pairs: pairs(group, &knobs, margin).into_iter().map(|pair| pair.map(name)).collect(),
        knobs: knobs.into_iter().map(name).collect(),
    })
}

/// The pairs of these knobs, the surest first, whose joint effect differs from the sum of both.
fn pairs(group: &Group, knobs: &[usize], margin: f64) -> Vec<[usize; 2]> {
    let seconds = knobs.iter().enumerate().skip(1);
    let all = seconds.flat_map(|(place, one)| knobs[..place].iter().map(|other| [*other, *one]));
    let mut all: Vec<[usize; 2]> = all.take(MOST_PAIRS.0).collect();
    all.iter_mut().for_each(|pair| pair.sort_unstable());
    // Few runs do not determine many pairs at once.
    let of_pair = |pair: &[usize; 2]| estimate::of(group, &[*pair]).pairs.swap_remove(0);
    let mut found: Vec<Vec<Effect>> = all.iter().map(of_pair).collect();
    judge(found.iter_mut().flatten(), margin, FALSE_DISCOVERIES);
    let places = surest((0..all.len()).collect(), |place| &found[*place], MOST_PAIRS.1);
    places.into_iter().map(|place| all[place]).collect()
}

/// Returns at most `most` of those that show an effect, the surest first.
fn surest<'e>(
    mut places: Vec<usize>,
    of: impl Fn(&usize) -> &'e Vec<Effect>,
    most: usize,
) -> Vec<usize> {
    let chance =
        |place: &usize| of(place).iter().filter_map(|effect| effect.chance).fold(1.0, f64::min);
    places.retain(|place| of(place).iter().any(|effect| effect.is_shown));
    places.sort_by(|one, other| chance(one).total_cmp(&chance(other)));
    places.truncate(most);
    places
}
