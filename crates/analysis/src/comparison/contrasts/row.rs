//! One row on two systems.

use stats::{Runs, Superiority};

use super::matching;
use crate::draws::{ENOUGH, are_shorter};
use crate::effect::{Effect, Evidence, Figure, Quality, Values};
use crate::file_bins::end_ns;
use crate::finding::Across;
use crate::machine::counts_instructions;
use crate::survey::{Series, System};

/// One row of one measurement that both systems measured under equal conditions.
pub struct Row {
    pub places: [usize; 2],
    pub measurement: String,
    pub label: String,
    pub conditions: String,
    pub runs: [usize; 2],
    /// In the order of the requested figures.
    pub effects: Vec<Effect>,
    /// What each of them is estimated from.
    pub(super) values: Vec<Values>,
    /// Whether both sides were measured in the lab, where equal runs are equal.
    repeats: bool,
    /// How often a sample of the other side takes longer.
    pub superiority: Option<Superiority>,
    /// The worst time seen.
    pub worst: [Option<RowWorst>; 2],
}

/// The worst time that a system saw in a row.
pub struct RowWorst {
    /// The longest of all runs, in nanoseconds.
    pub longest_ns: i64,
    /// The worst case of each draw in order, in nanoseconds; empty outside the lab.
    pub of_draws_ns: Vec<i64>,
    /// Number of samples in all runs.
    pub samples: u64,
}

base::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Decision {
        Worse = "other is worse",
        Better = "other is better",
        // Runs were compared.
        NoDifference = "no difference shown",
        // No figure was compared run by run, for example because each side has only one run.
        NotDecided = "not decided",
    }
}

base::serialize_by_name!(Decision);

impl Row {
    pub(super) fn of(
        systems: [&System; 2],
        places: [usize; 2],
        across: &[Across],
        figures: &'static [Figure],
    ) -> Self {
        let series = [0, 1].map(|side| &systems[side].series[places[side]]);
        let repeats = systems.map(|system| counts_instructions(system.machine)) == [true, true];
        let (effects, values) = effects(series, repeats, figures);
        let [reference, other] = series.map(|series| Vec::from_iter(series.latencies()));
        Self {
            places,
            measurement: series[0].spec.measurement.clone(),
            label: series[0].label.to_owned(),
            conditions: matching::conditions(series[0], systems[0], across),
            runs: series.map(|series| series.rows.len()),
            effects,
            values,
            repeats,
            superiority: Superiority::of(&reference, &other, end_ns(series)),
            worst: series.map(|series| {
                let latency = series.latency.as_ref()?;
                Some(RowWorst {
                    longest_ns: latency.max.value_ns,
                    of_draws_ns: series.max_ns_of_draws().collect(),
                    samples: latency.count(),
                })
            }),
        }
    }

    /// Compares a part of runs, such as one CPU, with all other parts together. `place` is its place among the parts.
    pub(super) fn of_part(
        (place, part): (usize, &Series),
        others: &Series,
        repeats: bool,
        figures: &'static [Figure],
    ) -> Self {
        let (effects, values) = effects([others, part], repeats, figures);
        Self {
            places: [place; 2],
            measurement: part.spec.measurement.clone(),
            label: part.label.to_owned(),
            conditions: String::new(),
            runs: [others, part].map(|series| series.rows.len()),
            effects,
            values,
            repeats,
            superiority: None,
            worst: [None, None],
        }
    }

    /// Marks tails of the lab whose draws overlap. Most draws of a tail are near its shortest, and a few far above:
    /// by chance all of one side may be near it, and their variance then says nothing.
    pub(super) fn compare_draws(&mut self) {
        for (effect, values) in self.effects.iter_mut().zip(&self.values) {
            if self.repeats && effect.figure.quality == Some(Quality::Steadiness) {
                let runs = [&values.runs.reference, &values.runs.other];
                let [a, b] = runs.map(|runs| Vec::from_iter(runs.iter().map(|log| log.exp())));
                effect.overlaps = !are_shorter(&a, &b) && !are_shorter(&b, &a);
                effect.is_decided &= a.len().min(b.len()) >= ENOUGH;
            }
        }
    }

    /// Says how the other side of a row differs; empty if it does not differ.
    pub fn decided_in_words(&self) -> String {
        let words = [
            (Quality::Speed, "slower", "faster"),
            (Quality::Steadiness, "less steady", "steadier"),
        ];
        let word = |(quality, worse, better)| match self.decision(quality) {
            Decision::Worse => Some(worse),
            Decision::Better => Some(better),
            Decision::NoDifference | Decision::NotDecided => None,
        };
        let shown: Vec<&str> = words.into_iter().filter_map(word).collect();
        if shown.is_empty() && !self.is_decided() {
            "not decided".to_owned()
        } else {
            shown.join(", ")
        }
    }

    pub fn named(&self, name: &str) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.figure.name == name)
    }

    pub(crate) fn known(&self, name: &str) -> Option<Effect> {
        self.named(name).copied().filter(|effect| effect.interval().is_some())
    }

    pub fn decision(&self, quality: Quality) -> Decision {
        let is_decided =
            |effect: &Effect| effect.is_decided && effect.figure.quality == Some(quality);
        match self.shown(quality) {
            Some(effect) if effect.is_worse() => Decision::Worse,
            Some(_) => Decision::Better,
            None if self.effects.iter().any(is_decided) => Decision::NoDifference,
            None => Decision::NotDecided,
        }
    }

    /// Whether any quality shows a difference or, from runs, no difference.
    pub fn is_decided(&self) -> bool {
        self.effects.iter().any(|effect| effect.is_shown || effect.is_decided)
    }

    pub fn differs(&self) -> bool {
        self.effects.iter().any(|effect| effect.is_shown)
    }

    pub fn shown(&self, quality: Quality) -> Option<&Effect> {
        let mut effects = self.effects.iter();
        effects.find(|effect| effect.is_shown && effect.figure.quality == Some(quality))
    }

    /// Whether a side has one run, so that the variation comes from other rows.
    pub fn is_single(&self) -> bool {
        self.runs.contains(&1) && !self.effects.iter().any(Effect::is_exact)
    }

    pub fn is_exact(&self) -> bool {
        self.effects.iter().any(Effect::is_exact)
            && self.effects.iter().all(|effect| effect.contrast().is_none())
    }
}

/// Returns the effect of each figure that both sides have, not yet weighed, and its values. `repeats` says whether equal
/// runs are equal on both sides.
fn effects(
    series: [&Series; 2],
    repeats: bool,
    figures: &'static [Figure],
) -> (Vec<Effect>, Vec<Values>) {
    let effect = |figure: &'static Figure| {
        let values = (figure.of)(series)?;
        let exact = exact(&values.runs).filter(|_| repeats);
        // A tail is one draw of chance; only several equal ones show that it is exact.
        let is_drawn = values.runs.reference.len().min(values.runs.other.len()) > 1;
        let exact = exact.filter(|_| is_drawn || figure.quality != Some(Quality::Steadiness));
        let evidence = exact.map_or(Evidence::Unknown, Evidence::Exact);
        let effect = Effect::new(figure, values.values, evidence);
        Some((Effect { threshold_ns: values.threshold_ns, ..effect }, values))
    };
    figures.iter().filter_map(effect).unzip()
}

/// Returns the logarithm of the ratio if the runs of each side do not differ at all.
fn exact(runs: &Runs) -> Option<f64> {
    let [reference, other] = [&runs.reference, &runs.other].map(|side| {
        let first = side.first()?;
        side.iter().all(|run| run == first).then_some(first)
    });
    Some(other? - reference?)
}
