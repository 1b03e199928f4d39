//! Effects: how many times a figure on one side is that on the other, and how sure that is.
//! Comparisons of systems, neighbours, best-effort work and experiments with knobs are groupings
//! of effects with roles.

mod figures;
mod json;
mod words;

use stats::{Contrast, level_of_discovery};

pub use figures::{FIGURES, Figure, POWER_DRAWN, Quality, Unit};
pub(crate) use figures::{OF_NEIGHBOURS, OF_PARTS, Values, share_of_tail};
#[cfg(feature = "schema")]
pub(crate) use json::Ratio;
pub(crate) use json::as_ratio;
pub use words::in_words;

/// At most this share of the effects shown is expected to be chance.
pub const FALSE_DISCOVERIES: f64 = 0.05;
/// The share of experiments that would have shown an effect of the detectable size.
pub const POWER: f64 = 0.8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    pub figure: &'static Figure,
    pub role: Role,
    /// The figure on the reference side and on the other: for a time, the geometric mean over runs
    /// in nanoseconds; for a share, the share in all runs together, in an experiment the geometric
    /// mean of its odds; for power, the geometric mean in watts.
    pub values: [f64; 2],
    /// In nanoseconds, the threshold above which samples are counted.
    pub threshold_ns: Option<f64>,
    pub evidence: Evidence,
    /// Lower end, estimate and upper end of the ratio to the reference; for a share, of the odds.
    pub times: [f64; 3],
    /// The p-value: the chance of such a ratio if the true one lies within the margin, if tested.
    pub chance: Option<f64>,
    /// The p-value up to which it is shown; the interval has confidence 1 minus this.
    pub level: f64,
    /// Whether no difference would be a result: parts of one run cannot show that there is none.
    pub is_decided: bool,
    /// Whether draws of the lab show no difference, whatever their variance: those of both sides overlap,
    /// or are too few.
    pub overlaps: bool,
    pub is_shown: bool,
}

/// What an effect is of, which decides how it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A system, a neighbour or a setting, compared with the reference.
    Factor,
    /// Two settings together.
    Pair,
    /// Changed together with others: it selects what is tried alone, and shows nothing by itself.
    Screened,
    /// A control that does nothing.
    Sham,
    /// A disturbance that must be found. It is judged separately, because its certain effect would
    /// relax the level for the others.
    PositiveControl,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Evidence {
    /// The run-to-run variation is unknown.
    Unknown,
    /// Equal runs are equal: the logarithm of the ratio needs no test.
    Exact(f64),
    Tested(Contrast),
}

/// Judges a family of effects: at most `share` of those shown are expected to be chance, and
/// ratios up to 1 + `margin` do not count. Returns the level of the family.
pub(crate) fn judge<'e>(
    effects: impl IntoIterator<Item = &'e mut Effect>,
    margin: f64,
    share: f64,
) -> f64 {
    let mut effects: Vec<&mut Effect> = effects.into_iter().collect();
    for effect in &mut effects {
        effect.chance = effect.contrast().map(|contrast| contrast.chance(margin));
    }
    let alone = [Role::Screened, Role::PositiveControl];
    let family = effects.iter().filter(|effect| !alone.contains(&effect.role));
    let chances: Vec<f64> = family.filter_map(|effect| effect.chance).collect();
    let level = level_of_discovery(&chances, share);
    for effect in effects {
        effect.level = if effect.role == Role::PositiveControl { share } else { level };
        effect.decide(margin);
    }
    level
}

impl Effect {
    pub(crate) fn new(figure: &'static Figure, values: [f64; 2], evidence: Evidence) -> Self {
        Self {
            figure,
            role: Role::Factor,
            values,
            threshold_ns: None,
            evidence,
            times: [0.0, 1.0, f64::INFINITY],
            chance: None,
            level: 1.0,
            is_decided: matches!(evidence, Evidence::Exact(_)),
            overlaps: false,
            is_shown: false,
        }
    }

    pub(crate) fn contrast(&self) -> Option<Contrast> {
        match self.evidence {
            Evidence::Tested(contrast) => Some(contrast),
            Evidence::Unknown | Evidence::Exact(_) => None,
        }
    }

    fn decide(&mut self, margin: f64) {
        self.is_shown = match self.evidence {
            Evidence::Unknown => false,
            Evidence::Exact(log_ratio) => {
                self.times = [log_ratio.exp(); 3];
                log_ratio.abs() > margin.ln_1p()
            }
            Evidence::Tested(contrast) => {
                self.times = contrast.interval(1.0 - self.level);
                self.chance.is_some_and(|chance| chance <= self.level)
            }
        };
        self.is_shown &= self.role != Role::Screened && !self.overlaps;
    }

    /// Returns the ratio with its interval; `None` if the run-to-run variation is unknown.
    pub fn interval(&self) -> Option<[f64; 3]> {
        (self.evidence != Evidence::Unknown).then_some(self.times)
    }

    pub fn is_exact(&self) -> bool {
        matches!(self.evidence, Evidence::Exact(_))
    }

    pub fn is_worse(&self) -> bool {
        self.is_shown && self.times[1] > 1.0
    }

    pub fn is_better(&self) -> bool {
        self.is_shown && self.times[1] < 1.0
    }

    /// Returns the smallest ratio that a share [`POWER`] of such experiments would show.
    pub fn detectable(&self) -> f64 {
        self.contrast().map_or(1.0, |contrast| contrast.detectable(self.level, POWER).exp())
    }

    /// Returns the difference from the figure without the change: lower end, estimate, upper end;
    /// in its unit. Both were measured, so the interval covers the errors of both (Zou and Donner,
    /// Construction of confidence limits about effect measures, Statistics in Medicine 27, 2008).
    pub fn difference(&self) -> [f64; 3] {
        let [lower, times, upper] = self.times;
        let (without, with) = (self.values[0], self.values[0] * times);
        // Each side contributes half of the ratio's variance.
        let of_one_side = (upper / lower).ln() / 2.0 / f64::sqrt(2.0);
        let [low, high] = [-of_one_side, of_one_side].map(f64::exp_m1);
        let less = f64::hypot(with * low, without * high);
        let more = f64::hypot(with * high, without * low);
        let difference = with - without;
        [difference - less, difference, difference + more]
    }
}

const DECIDING: [&str; 5] = ["missed", "p99", "late", "median", "average"];

/// Returns the most important figure with a shown difference.
pub fn decisive(effects: &[Effect]) -> Option<&Effect> {
    let named =
        |name: &&str| effects.iter().find(|effect| effect.figure.name == *name && effect.is_shown);
    DECIDING.iter().find_map(named)
}

/// Returns a figure that is shown to be worse although the decisive one is better.
pub fn worse(effects: &[Effect]) -> Option<&Effect> {
    let decides = |effect: &&Effect| effect.figure.unit != Unit::Power && effect.is_worse();
    decisive(effects).filter(|effect| effect.is_better()).and(effects.iter().find(decides))
}

/// Returns the most important time that was compared.
pub fn foremost(effects: &[Effect]) -> Option<&Effect> {
    let times = effects.iter().filter(|effect| effect.figure.unit == Unit::Time);
    let rank = |effect: &&Effect| DECIDING.iter().position(|name| effect.figure.name == *name);
    times.min_by_key(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_in_time_holds_where_both_sides_were_measured() {
        let difference = |times: f64, width: f64| {
            let contrast = Contrast { log_ratio: times.ln(), error: 0.1, freedom: 10.0 };
            let effect =
                Effect::new(&FIGURES[4], [100.0, 100.0 * times], Evidence::Tested(contrast));
            Effect { times: [times / width, times, times * width], ..effect }.difference()
        };
        // Where a figure nearly vanishes, what it was without decides how sure the difference is.
        let [lower, estimate, upper] = difference(0.1, 1.2);
        assert_eq!(estimate, -90.0);
        assert!(lower < -100.0 && upper > -80.0, "{lower} {upper}");
        // As an interval of the ratio does, one of a difference leaves nothing out.
        let [lower, _, upper] = difference(0.5, 1.9);
        assert!(lower < upper && upper < 0.0, "{lower} {upper}");
    }

    #[test]
    fn a_control_and_what_was_only_screened_do_not_change_the_level_of_others() {
        let tested = |role: Role, log_ratio: f64| {
            let contrast = Contrast { log_ratio, error: 0.1, freedom: 10.0 };
            Effect { role, ..Effect::new(&FIGURES[4], [1.0, 2.0], Evidence::Tested(contrast)) }
        };
        let others = [tested(Role::Factor, 0.5), tested(Role::Sham, 0.0)];
        let level = |more: &[Effect]| {
            let mut all = [&others, more].concat();
            (judge(&mut all, 0.05, FALSE_DISCOVERIES), all)
        };
        let (alone, _) = level(&[]);
        let (with, all) = level(&[tested(Role::PositiveControl, 2.0), tested(Role::Screened, 2.0)]);
        assert_eq!(alone, with);
        let shown: Vec<bool> = all.iter().map(|effect| effect.is_shown).collect();
        assert_eq!(shown, [true, false, true, false]);
    }
}
