//! Which steps something happened in.

use std::collections::BTreeMap;

use record::StepRun;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Pattern {
    /// A finding that does not concern steps.
    Other,
    /// Before the first step only.
    BeforeSteps,
    /// One step.
    One { step: u64 },
    /// All of them.
    Every,
    /// Every step from this one on.
    From { first: u64 },
    /// All steps between these two, both included.
    Between { first: u64, last: u64 },
    /// Steps that are always as far apart, up to the last step.
    Stride { stride: u64, first: u64 },
    /// This number of steps, without a pattern.
    Some { steps: u64, first: u64 },
}

/// Steps with how often something happened in each, as few entries as they make.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Steps(BTreeMap<u64, u64>);

impl Steps {
    pub(super) fn add(&mut self, runs: &[StepRun]) {
        for run in runs {
            for step in run.first..=run.last {
                *self.0.entry(step).or_default() += run.each;
            }
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.0.values().sum()
    }

    pub(super) fn affected(&self) -> u64 {
        self.0.len() as u64
    }

    pub(super) fn first(&self) -> Option<u64> {
        self.0.keys().next().copied()
    }

    pub(super) fn holds(&self, step: u64) -> bool {
        self.0.contains_key(&step)
    }

    pub(super) fn runs(&self) -> Vec<StepRun> {
        let mut runs: Vec<StepRun> = Vec::new();
        for (&step, &each) in &self.0 {
            match runs.last_mut() {
                Some(run) if run.last + 1 == step && run.each == each => run.last = step,
                _ => runs.push(StepRun { first: step, last: step, each }),
            }
        }
        runs
    }

    fn stride(&self) -> Option<u64> {
        let keys: Vec<u64> = self.0.keys().copied().collect();
        let stride = keys.get(1)? - keys[0];
        let is_even = keys.windows(2).all(|pair| pair[1] - pair[0] == stride);
        (keys.len() > 2 && is_even).then_some(stride)
    }

    pub(super) fn pattern(&self, all: u64) -> Pattern {
        let Some(first) = self.first() else { return Pattern::BeforeSteps };
        match (self.affected(), self.stride()) {
            (1, _) => Pattern::One { step: first },
            (steps, _) if steps == all => Pattern::Every,
            (steps, _) if steps == all - first => Pattern::From { first },
            (steps, Some(1)) => Pattern::Between { first, last: first + steps - 1 },
            (steps, Some(stride)) if first + steps * stride >= all => {
                Pattern::Stride { stride, first }
            }
            (steps, _) => Pattern::Some { steps, first },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_a_pattern() {
        let pattern = |runs: &[(u64, u64)]| {
            let run = |&(first, last)| StepRun { first, last, each: 1 };
            let mut steps = Steps::default();
            steps.add(&runs.iter().map(run).collect::<Vec<_>>());
            steps.pattern(5_000)
        };
        assert_eq!(pattern(&[(7, 7)]), Pattern::One { step: 7 });
        assert_eq!(pattern(&[(0, 4999)]), Pattern::Every);
        assert_eq!(pattern(&[(3100, 4999)]), Pattern::From { first: 3100 });
        assert_eq!(pattern(&[(0, 47)]), Pattern::Between { first: 0, last: 47 });
        let every_1000th = Pattern::Stride { stride: 1000, first: 2000 };
        assert_eq!(pattern(&[(2000, 2000), (3000, 3000), (4000, 4000)]), every_1000th);
        let three = Pattern::Some { steps: 3, first: 500 };
        assert_eq!(pattern(&[(500, 500), (1000, 1000), (1500, 1500)]), three);
        let some = Pattern::Some { steps: 4, first: 3 };
        assert_eq!(pattern(&[(3, 4), (9, 9), (11, 11)]), some);
        assert_eq!(pattern(&[]), Pattern::BeforeSteps);
    }
}
