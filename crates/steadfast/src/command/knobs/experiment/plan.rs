//! An experiment with knobs as a plan: it rehearses each knob, screens all of them, alternates what
//! the screening picks with nothing, and finally tries everything that helps together.

use std::time::Duration;

use analysis::comparison::Margin;
use analysis::experiment::{Experiment, Group, Picked, Stage, left_out, picked, round};
use record::{KNOWN, Outcome, RunSpec, SHAM, Tried};

use super::schedule::Schedule;
use crate::session::driver::{Due, Known, Plan};
use crate::session::order::{Order, mark};

#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) flag: Option<knob::Apply>,
    pub(super) settle: Duration,
}

pub(super) struct Trial {
    subject: RunSpec,
    rehearsal: RunSpec,
    candidates: Vec<Candidate>,
    schedule: Schedule,
    /// The stages that were begun; the last of them is in progress.
    begun: Vec<Stage>,
    /// All runs that are known to be needed, in their order.
    specs: Vec<RunSpec>,
    /// Whether all runs of the last stage are done.
    is_done: bool,
}

impl Trial {
    /// Creates an experiment about `subject` with these knobs, among them the sham and the known
    /// disturbance, on the machine with that identity. `rehearsal` is a short run under the same
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

    /// Returns what identifies this experiment when a session is resumed.
    pub(super) fn templates(&self) -> Vec<RunSpec> {
        let all: Vec<&Candidate> = self.candidates.iter().filter(|one| one.name != KNOWN).collect();
        vec![self.subject.clone(), self.run(&all, &vec![true; all.len()])]
    }

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

    /// Returns a run with each knob alone, for the knobs that write something.
    fn rehearsals(&self) -> Vec<RunSpec> {
        let mut specs = Vec::new();
        for written in self.candidates.iter().filter(|one| one.flag.is_none()) {
            let experiment = self.subject.experiment.clone();
            let mut spec = RunSpec { experiment, ..self.rehearsal.clone() };
            spec.asked.tried = vec![written.tried(true)];
            specs.push(spec);
        }
        specs
    }

    fn screening(&self, outcomes: &[&Outcome]) -> Vec<RunSpec> {
        let refused = refused(outcomes);
        let usable = |one: &&Candidate| one.name != KNOWN && !refused.contains(&one.name);
        let knobs: Vec<&Candidate> = self.candidates.iter().filter(usable).collect();
        let points = round(Stage::Screening, knobs.len());
        let order = Order::Random(mark(knobs.iter().map(|one| &one.name)));
        let places = order.places(points.len(), self.schedule.rounds);
        places.into_iter().map(|place| self.run(&knobs, &points[place])).collect()
    }

    /// Returns the runs that alternate each picked knob or pair, the sham and the known disturbance
    /// with nothing, round by round, so that drift affects all of them alike.
    fn turns(&self, outcomes: &[&Outcome]) -> Vec<RunSpec> {
        let Picked { knobs, pairs } =
            picked(outcomes.iter().copied(), Margin::default()).unwrap_or_default();
        let refused = refused(outcomes);
        let controls = [SHAM, KNOWN].map(str::to_owned).into_iter();
        let alone = controls.chain(knobs).filter(|name| !refused.contains(name));
        let subjects = alone.map(|name| vec![name]).chain(pairs.into_iter().map(Vec::from));
        let of = |names: Vec<String>| self.one_round(Stage::Turns, &names);
        self.in_rounds(subjects.flat_map(of).collect())
    }

    /// Returns the runs that alternate all knobs that help with none of them, if several help.
    fn together(&self, outcomes: &[&Outcome]) -> Vec<RunSpec> {
        let experiment = Experiment::of(outcomes.iter().copied(), Margin::default());
        let Some(experiment) = experiment else {
            return Vec::new();
        };
        let helpful: Vec<String> = experiment.helpful().into_iter().map(str::to_owned).collect();
        if helpful.len() < 2 || experiment.those_together == helpful {
            return Vec::new();
        }
        self.in_rounds(self.one_round(Stage::Together, &helpful))
    }

    fn one_round(&self, stage: Stage, names: &[String]) -> Vec<RunSpec> {
        let find = |name: &String| self.candidates.iter().find(|one| one.name == *name);
        let knobs: Vec<&Candidate> = names.iter().filter_map(find).collect();
        round(stage, knobs.len()).iter().map(|point| self.run(&knobs, point)).collect()
    }

    fn in_rounds(&self, one_round: Vec<RunSpec>) -> Vec<RunSpec> {
        let rounds = self.schedule.turns(one_round.len(), &self.subject);
        vec![one_round; rounds].concat()
    }

    fn run(&self, knobs: &[&Candidate], point: &[bool]) -> RunSpec {
        let mut spec = self.subject.clone();
        for (knob, is_on) in knobs.iter().zip(point) {
            if let (Some(flag), true) = (knob.flag, is_on) {
                // The rehearsal has shown whether it can be applied.
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

/// Returns the hash of what is run, of every knob with its value, and of the machine.
fn identity(subject: &RunSpec, candidates: &[Candidate], machine: &str) -> String {
    let knobs = candidates.iter().map(|one| format!("{}={}", one.name, one.value));
    let knobs: Vec<String> = knobs.collect();
    let text = serde_json::json!([subject, knobs, machine]).to_string();
    lab::sha256(text.as_bytes())
}

fn refused(outcomes: &[&Outcome]) -> Vec<String> {
    let groups = Group::all(outcomes.iter().copied());
    left_out(&groups).into_iter().map(|one| one.name).collect()
}

impl Plan for Trial {
    fn next(&mut self, known: &Known) -> Option<Due> {
        let undone = |specs: &[RunSpec]| (0..specs.len()).find(|place| !known.is_done(*place));
        let mut next = undone(&self.specs);
        while next.is_none() && self.begun.last() != Some(&Stage::Together) {
            let outcomes: Vec<&Outcome> = known.below(self.specs.len()).collect();
            self.begin(&outcomes);
            next = undone(&self.specs);
        }
        self.is_done = next.is_none();
        let spec = self.specs.get(next?)?.clone();
        let affords = known.affords.unwrap_or(Duration::MAX);
        (affords >= Duration::from(spec.asked.duration)).then_some(Due { ordinal: next?, spec })
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn bears_invalid_runs(&self) -> bool {
        self.begun.last() == Some(&Stage::Rehearsal)
    }
}
