//! English of what an audit found.

use record::{ChangedWhen, CodePlace};

use super::finding::{Details, Finding, TOUCHED_STACK};
use super::kind::FindingKind as Kind;
use super::steps::Pattern;
use crate::phrases::{joined, maybe, some};
use crate::words::{bytes, counted, grouped, listed, times};

/// A ratio of times below this may be chance.
const LEAST_TIMES: f64 = 1.2;

impl Finding {
    /// Returns the whole finding, without initial capital and full stop.
    pub fn in_words(&self, all: u64) -> String {
        let count = self.count as usize;
        match &self.details {
            Details::Broken { phase, what } => {
                let step = maybe(self.first_step, |step| format!(", step {}", grouped(step)));
                return format!("the model failed in its {phase}{step}: {what}");
            }
            Details::Changed { what, when } => {
                let [when, of_what] = changed_when(*when);
                return format!("the model {what}, {when}{of_what}");
            }
            Details::Heirs(heirs) => {
                let verb = if count == 1 { "is" } else { "are" };
                let inherits = match *heirs {
                    0 => "none inherits the policy of the step",
                    1 if count == 1 => "it inherits the policy and the CPUs of the step",
                    heirs if heirs == count => "all inherit the policy and the CPUs of the step",
                    _ => "some inherit the policy and the CPUs of the step",
                };
                let threads = counted(count, "thread");
                return format!("{threads} {verb} started before the first step; {inherits}");
            }
            Details::None => {}
        }
        match self.kind {
            Kind::OutputsDiffer => "the outputs of two equal passes differ".to_owned(),
            Kind::Stack => format!(
                "a step uses {} of stack or more, as much as a run touches before it measures",
                bytes(TOUCHED_STACK)
            ),
            _ => self.of_steps(all),
        }
    }

    fn of_steps(&self, all: u64) -> String {
        let [one, several] = self.kind.verbs();
        let counted = |steps| format!("{} of {} steps", grouped(steps), grouped(all));
        let mut text = match self.pattern {
            Pattern::Other | Pattern::BeforeSteps => {
                format!("the model {one} before the first step")
            }
            Pattern::One { step: 0 } => format!("{} {one} (the first)", counted(1)),
            Pattern::One { step } => format!("{} {one} (step {})", counted(1), grouped(step)),
            Pattern::Every => format!("every step {one}"),
            Pattern::From { first } => format!("from step {} on every step {one}", grouped(first)),
            Pattern::Between { first, last } => {
                let steps = counted(last - first + 1);
                format!("{steps} {several} (steps {} to {})", grouped(first), grouped(last))
            }
            Pattern::Stride { stride, first } => {
                format!("every {} step {one}, from step {} on", ordinal(stride), grouped(first))
            }
            Pattern::Some { steps, first } => {
                format!("{} {several}, the first is step {}", counted(steps), grouped(first))
            }
        };
        let is_named =
            matches!(self.kind, Kind::SystemCall | Kind::FloatMode | Kind::Status | Kind::Lock);
        let names = (is_named && !self.names.is_empty()).then(|| listed(&self.names));
        let several = self.count > self.steps_affected;
        let often = several.then(|| format!("{} times in all", grouped(self.count)));
        let details = some(joined(names.into_iter().chain(often), ", "));
        text += &maybe(details, |details| format!(": {details}"));
        if let Some(ratio) = self.times_as_long.filter(|ratio| *ratio >= LEAST_TIMES) {
            let take = if self.steps_affected == 1 { "it takes" } else { "these take" };
            text += &format!("; {take} {} times as long", times(ratio));
        }
        text
    }

    /// Says in which steps it occurred, in a word or two.
    pub fn when(&self) -> String {
        match (&self.details, self.first_step) {
            (Details::Broken { .. }, Some(step)) => return format!("step {}", grouped(step)),
            (Details::Broken { phase, .. }, None) => return phase.clone(),
            (Details::Changed { when, .. }, _) => return changed_when(*when)[0].to_owned(),
            _ => {}
        }
        match self.pattern {
            Pattern::Other => String::new(),
            Pattern::BeforeSteps => "before the first".to_owned(),
            Pattern::One { step: 0 } => "the first".to_owned(),
            Pattern::One { step } => format!("step {}", grouped(step)),
            Pattern::Every => "every step".to_owned(),
            Pattern::From { first } => format!("from {} on", grouped(first)),
            Pattern::Stride { stride, first } => {
                format!("every {}, from {} on", ordinal(stride), grouped(first))
            }
            Pattern::Between { first, last } => format!("{} to {}", grouped(first), grouped(last)),
            Pattern::Some { steps, first } => {
                format!("{}, first {}", grouped(steps), grouped(first))
            }
        }
    }

    /// Returns the system call, or else the kind of self.
    pub fn name(&self) -> &str {
        match (self.kind, self.names.first()) {
            (Kind::SystemCall, Some(name)) => name,
            (kind, _) => kind.name(),
        }
    }
}

/// Says when, in the few words of a table, and what a sentence adds to them.
fn changed_when(when: ChangedWhen) -> [&'static str; 2] {
    match when {
        ChangedWhen::BeforeSteps => ["before the first", " step"],
        ChangedWhen::InSteps => ["in the steps", ""],
        ChangedWhen::AfterSteps => ["after the last", " step"],
        ChangedWhen::AtUnloading => ["in its destructors", ""],
    }
}

fn ordinal(number: u64) -> String {
    let end = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{end}", grouped(number))
}

/// `plant_step+12 in plant.so+0x1139`.
pub fn place(place: &CodePlace) -> String {
    let file = place.library.rsplit('/').next().unwrap_or_default();
    let symbol = maybe(place.symbol.as_ref(), |symbol| format!("{symbol} in "));
    format!("{symbol}{file}+{:#x}", place.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Audited;
    use record::{AuditRecord, Deed, ModelThread, Occurrence, Pass, StepRun};

    fn seen(deed: Deed, name: &str, runs: &[(u64, u64, u64)]) -> Occurrence {
        let run = |&(first, last, each)| StepRun { first, last, each };
        let (runs, symbol) = (runs.iter().map(run).collect(), Some("plant_step+12".to_owned()));
        let library = "/models/plant.so".to_owned();
        let place = Some(CodePlace { library, offset: 0x1139, symbol });
        let name = name.to_owned();
        Occurrence { deed, name, place, by_step: true, bytes: 0, beside: 0, runs }
    }

    #[test]
    fn findings_say_which_steps_do_what() {
        let thread = |inherits_policy| ModelThread { name: "w".to_owned(), inherits_policy };
        let inside = Pass {
            occurrences: vec![
                seen(Deed::Denormal, "", &[(3100, 4999, 1)]),
                seen(Deed::Allocation, "malloc", &[(0, 0, 3)]),
                seen(Deed::LogLine, "", &[(3, 4, 1), (9, 9, 1), (11, 11, 1)]),
            ],
            threads: vec![thread(true), thread(true)],
            step_ns: (0..5000).map(|step| if step < 3100 { 100 } else { 900 }).collect(),
            ..Pass::default()
        };
        let sleeps: Vec<_> = (1..10).map(|nth| (500 * nth, 500 * nth, 1)).collect();
        let sleep = seen(Deed::SystemCall, "clock_nanosleep", &sleeps);
        let audited = Audited::of(&AuditRecord {
            file: "/models/plant.so".to_owned(),
            interface: "library".to_owned(),
            steps: 5000,
            is_program: false,
            inside,
            outside: Pass { occurrences: vec![sleep], ..Pass::default() },
        });
        let found: Vec<[String; 2]> = audited
            .findings
            .iter()
            .map(|finding| [finding.when(), finding.in_words(5000)])
            .collect();
        let expected = [
            ["the first", "1 of 5 000 steps allocates (the first): 3 times in all"],
            [
                "every 500th, from 500 on",
                "every 500th step makes a system call, from step 500 on: clock_nanosleep",
            ],
            [
                "from 3 100 on",
                "from step 3 100 on every step calculates with denormals; these take 9.00 times as long",
            ],
            ["4, first 3", "4 of 5 000 steps log, the first is step 3"],
            [
                "before the first",
                "2 threads are started before the first step; all inherit the policy and the CPUs of \
                 the step",
            ],
        ];
        assert_eq!(found, expected);
        assert_eq!(place(&audited.findings[0].places[0]), "plant_step+12 in plant.so+0x1139");
    }

    #[test]
    fn ordinals() {
        let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 22, 500].map(ordinal);
        assert_eq!(numbers.join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 500th");
    }
}
