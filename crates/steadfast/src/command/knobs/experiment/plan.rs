//! An experiment with knobs as a plan: a rehearsal of each, the screening of all, what that picks
//! in turns with nothing, and all that help together.

use std::time::Duration;

use analysis::comparison::Margin;
use analysis::experiment::{Experiment, Group, Picked, Stage, left_out, picked, round};
use anyhow::{Error, Result};
use plan::{KNOWN, Outcome, RunSpec, SHAM, Tried};

use super::schedule::Schedule;
use crate::driver::{Due, Known, Left, Plan};
use crate::order::Order;

/// A knob with the value that is tried.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) flag: Option<knob::Apply>,
    /// Until it acts.
    pub(super) settle: Duration,
}

/// The experiment, as far as it is known.
pub(super) struct Trial {
    subject: RunSpec,
    rehearsal: RunSpec,
    candidates: Vec<Candidate>,
    schedule: Schedule,
    /// The stages that were begun, the last of which is under way.
    begun: Vec<Stage>,
    /// All runs that are known to be needed, in their order.
    specs: Vec<RunSpec>,
    /// Whether all of them are known, in the last stage.
    is_done: bool,
}

impl Trial {
    /// An experiment about that run with these knobs, among them the sham and the known
    /// disturbance, on the machine of that identity. A rehearsal is a short run under the same
    /// conditions.
    pub(super) fn of(
        subject: RunSpec,
        rehearsal: RunSpec,
        candidates: Vec<Candidate>,
        schedule: Schedule,
        machine: &str,
    ) -> Self {
        let subject =
            RunSpec { experiment: Some(identity(&subject, &candidates, machine)), ..subject };
        let mut trial = Self {
            subject,
            rehearsal,
            candidates,
            schedule,
            begun: Vec::new(),
            specs: Vec::new(),
            is_done: false,
        };
        trial.begin(&[]);
        trial
    }

    /// What makes this experiment this one, for a session that is taken up.
    pub(super) fn templates(&self) -> Vec<RunSpec> {
        let all = self.candidates.iter().filter(|one| one.name != KNOWN);
        let all: Vec<&Candidate> = all.collect();
        vec![self.subject.clone(), self.run(&all, &vec![true; all.len()])]
    }

    /// The runs of the stage that follows; nothing where none does.
    fn begin(&mut self, outcomes: &[&Outcome]) {
        let (stage, specs) = match self.begun.last() {
            None => (Stage::Rehearsal, self.rehearsals()),
            Some(Stage::Rehearsal) => (Stage::Screening, self.screening(outcomes)),
            Some(Stage::Screening) => (Stage::Turns, self.turns(outcomes)),
            Some(Stage::Turns) => (Stage::Together, self.together(outcomes)),
            Some(Stage::Together) => return,
        };
        self.begun.push(stage);
        self.specs.extend(specs);
    }

    /// Each knob alone, where something is written.
    fn rehearsals(&self) -> Vec<RunSpec> {
        let written = self.candidates.iter().filter(|one| one.flag.is_none());
        let rehearsal = |one: &Candidate| {
            let mut spec = self.rehearsal.clone();
            spec.experiment.clone_from(&self.subject.experiment);
            spec.asked.tried = vec![one.tried(true)];
            spec
        };
        written.map(rehearsal).collect()
    }

    fn screening(&self, outcomes: &[&Outcome]) -> Vec<RunSpec> {
        let refused = refused(outcomes);
        let usable = |one: &&Candidate| one.name != KNOWN && !refused.contains(&one.name);
        let knobs: Vec<&Candidate> = self.candidates.iter().filter(usable).collect();
        let points = round(Stage::Screening, knobs.len());
        let names = knobs.iter().map(|one| one.name.as_str());
        let places = Order::drawn_from(names).places(points.len(), self.schedule.rounds);
        let run = |place: usize| self.run(&knobs, &points[place]);
        places.into_iter().map(run).collect()
    }

    /// What was picked, with the sham and the known disturbance, each in turns with nothing;
    /// round by round, so that what drifts meets all of them alike.
    fn turns(&self, outcomes: &[&Outcome]) -> Vec<RunSpec> {
        let Picked { knobs, pairs } =
            picked(outcomes.iter().copied(), Margin::default()).unwrap_or_default();
        let refused = refused(outcomes);
        let controls = [SHAM, KNOWN].map(str::to_owned).into_iter();
        let alone = controls.chain(knobs).filter(|name| !refused.contains(name));
        let subjects = alone.map(|name| vec![name]).chain(pairs.into_iter().map(Vec::from));
        let of = |names: Vec<String>| self.one_round(Stage::Turns, &self.named(&names));
        self.in_rounds(subjects.flat_map(of).collect())
    }

    /// All that help, in turns with none of them, where they are several.
    fn together(&self, outcomes: &[&Outcome]) -> Vec<RunSpec> {
        let told = Experiment::of(outcomes.iter().copied(), Margin::default());
        let Some(told) = told else {
            return Vec::new();
        };
        let helpful: Vec<String> = told.helpful().into_iter().map(str::to_owned).collect();
        if helpful.len() < 2 || told.those_together == helpful {
            return Vec::new();
        }
        self.in_rounds(self.one_round(Stage::Together, &self.named(&helpful)))
    }

    fn one_round(&self, stage: Stage, knobs: &[&Candidate]) -> Vec<RunSpec> {
        let points = round(stage, knobs.len());
        points.iter().map(|point| self.run(knobs, point)).collect()
    }

    /// A round as often as there is time for.
    fn in_rounds(&self, one_round: Vec<RunSpec>) -> Vec<RunSpec> {
        let rounds = self.schedule.turns(one_round.len(), &self.subject);
        vec![one_round; rounds].concat()
    }

    fn named(&self, names: &[String]) -> Vec<&Candidate> {
        let of = |name: &String| self.candidates.iter().find(|one| one.name == *name);
        names.iter().filter_map(of).collect()
    }

    /// The run that is asked about, with these knobs on or off.
    fn run(&self, knobs: &[&Candidate], point: &[bool]) -> RunSpec {
        let mut spec = self.subject.clone();
        for (knob, is_on) in knobs.iter().zip(point) {
            if let (Some(flag), true) = (knob.flag, is_on) {
                // Whether it can be applied was tried before.
                let _ = flag(&mut spec, &knob.value);
            }
            spec.asked.tried.push(knob.tried(*is_on));
        }
        spec
    }
}

impl Candidate {
    fn tried(&self, is_on: bool) -> Tried {
        Tried { knob: self.name.clone(), value: is_on.then(|| self.value.clone()) }
    }
}

/// The hash of what is run, of every knob with its value, and of the machine.
fn identity(subject: &RunSpec, candidates: &[Candidate], machine: &str) -> String {
    let knobs = candidates.iter().map(|one| format!("{}={}", one.name, one.value));
    let knobs: Vec<String> = knobs.collect();
    let text = serde_json::json!([subject, knobs, machine]).to_string();
    lab::sha256(text.as_bytes())
}

/// The names of knobs that could not be set.
fn refused(outcomes: &[&Outcome]) -> Vec<String> {
    let groups = Group::all(outcomes.iter().copied());
    left_out(&groups).into_iter().map(|one| one.name).collect()
}

impl Plan for Trial {
    fn next(&mut self, known: &Known) -> Option<Due> {
        let undone = |specs: &[RunSpec]| (0..specs.len()).find(|place| !known.is_done(*place));
        let mut next = undone(&self.specs);
        while next.is_none() && self.begun.last() != Some(&Stage::Together) {
            let outcomes: Vec<&Outcome> = known.since(0).collect();
            self.begin(&outcomes);
            next = undone(&self.specs);
        }
        self.is_done = next.is_none();
        let spec = self.specs.get(next?)?.clone();
        let affords = known.affords().unwrap_or(Duration::MAX);
        (affords >= Duration::from(spec.asked.duration)).then_some(Due { ordinal: next?, spec })
    }

    fn left(&self) -> Left {
        Left::default()
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn bears_invalid_runs(&self) -> bool {
        self.begun.last() == Some(&Stage::Rehearsal)
    }

    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        Err(why)
    }
}
