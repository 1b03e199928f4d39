//! Which steps something happened in, in words.

use std::collections::BTreeMap;

use plan::StepRun;

use super::kind::Verb;
use crate::words;

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

    /// How often in all of them.
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

    /// The steps between one and the next, where they are always as many.
    fn stride(&self) -> Option<u64> {
        let keys: Vec<u64> = self.0.keys().copied().collect();
        let stride = keys.get(1)? - keys[0];
        let is_even = keys.windows(2).all(|pair| pair[1] - pair[0] == stride);
        (keys.len() > 2 && is_even).then_some(stride)
    }

    /// In a table: `the first`, `every step`, `from 3100 on`, `every 500th`, `12 from 7 on`.
    pub(super) fn when(&self, all: u64) -> String {
        let Some(first) = self.first() else {
            return "before the first".to_owned();
        };
        match (self.affected(), self.stride()) {
            (1, _) if first == 0 => "the first".to_owned(),
            (1, _) => format!("step {}", words::grouped(first)),
            (affected, _) if affected == all => "every step".to_owned(),
            (affected, _) if affected == all - first => {
                format!("from {} on", words::grouped(first))
            }
            (_, Some(stride)) => {
                format!("every {}, from {} on", ordinal(stride), words::grouped(first))
            }
            (affected, None) => {
                format!("{}, from {} on", words::grouped(affected), words::grouped(first))
            }
        }
    }

    /// As a sentence without its end, of what they do.
    pub(super) fn sentence(&self, all: u64, verb: &Verb) -> String {
        let Verb { one, several } = verb;
        let Some(first) = self.first() else {
            return format!("the model {one} before the first step");
        };
        let counted =
            || format!("{} of {} steps", words::grouped(self.affected()), words::grouped(all));
        match (self.affected(), self.stride()) {
            (1, _) if first == 0 => format!("{} {one} (the first)", counted()),
            (1, _) => format!("{} {one} (step {})", counted(), words::grouped(first)),
            (affected, _) if affected == all => format!("every step {one}"),
            (affected, _) if affected == all - first => {
                format!("from step {} on every step {one}", words::grouped(first))
            }
            (_, Some(stride)) => format!(
                "every {} step {one}, from step {} on",
                ordinal(stride),
                words::grouped(first)
            ),
            _ => format!("{} {several}, from step {} on", counted(), words::grouped(first)),
        }
    }
}

fn ordinal(number: u64) -> String {
    let end = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{end}", words::grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(runs: &[(u64, u64)]) -> [String; 2] {
        let run = |&(first, last)| StepRun { first, last, each: 1 };
        let mut steps = Steps::default();
        steps.add(&runs.iter().map(run).collect::<Vec<_>>());
        let verb = Verb { one: "logs", several: "log" };
        [steps.sentence(5000, &verb), steps.when(5000)]
    }

    #[test]
    fn steps_are_told_as_a_person_would() {
        assert_eq!(told(&[(0, 0)]), ["1 of 5 000 steps logs (the first)", "the first"].map(words));
        assert_eq!(told(&[(7, 7)]), ["1 of 5 000 steps logs (step 7)", "step 7"].map(words));
        assert_eq!(told(&[(0, 4999)]), ["every step logs", "every step"]);
        let from = ["from step 3 100 on every step logs", "from 3 100 on"];
        assert_eq!(told(&[(3100, 4999)]), from.map(words));
        let stride = ["every 500th step logs, from step 500 on", "every 500th, from 500 on"];
        assert_eq!(told(&[(500, 500), (1000, 1000), (1500, 1500)]), stride);
        let some = ["4 of 5 000 steps log, from step 3 on", "4, from 3 on"];
        assert_eq!(told(&[(3, 4), (9, 9), (11, 11)]), some.map(words));
        assert_eq!(told(&[]), ["the model logs before the first step", "before the first"]);
    }

    fn words(text: &str) -> String {
        text.replace("5 000", &words::grouped(5000)).replace("3 100", &words::grouped(3100))
    }

    #[test]
    fn ordinals() {
        let told = [1, 2, 3, 4, 11, 12, 13, 21, 22, 500].map(ordinal);
        assert_eq!(
            told,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "500th"]
        );
    }
}
