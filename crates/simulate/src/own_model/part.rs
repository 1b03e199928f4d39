//! The user's own model as the loops step it: the instances of a thread, and their results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bench::Abort;
use record::{Row, Track, fact};
use rt::clock;
use rt::foreign_threads::ForeignThread;
use rt::memory::Samples;
use rt::process::{self, Pid};
use rt::progress::{Phase, Stage};

use super::inputs::Cursor;
use super::own_threads::{self, Widened, left_in};
use super::recorder::Recorder;
use super::setup::Setup;
use super::source::{Counts, Source};
use super::step_size::Unfit;
use super::texts::WORDS;
use crate::model::hash::Hash;
use crate::model::paced::NOT_MADE;
use crate::model::phases::{PhaseKind, PhaseStamps};
use crate::model::{Model, Part, Stop, recorded};

/// Phases of a step; in each, all instances of a thread are processed in sequence.
pub(crate) const PHASES: &[PhaseKind] = &[
    PhaseKind { name: "inputs", mean: fact::INPUTS_NS, waits_for: None },
    PhaseKind { name: "call", mean: fact::CALL_NS, waits_for: None },
    PhaseKind { name: "outputs", mean: fact::OUTPUTS_NS, waits_for: None },
];
pub(super) const PHASES_A_STEP: u64 = PHASES.len() as u64;
pub(super) const INPUTS: u64 = 0;
pub(super) const CALL: u64 = 1;
pub(super) const OUTPUTS: u64 = 2;

pub(super) struct OwnModel<S> {
    setup: Arc<Setup>,
    first_thread: usize,
    source: std::marker::PhantomData<S>,
}

impl<S: Source> OwnModel<S> {
    /// Creates the model; its threads are numbered from `first_thread`.
    pub(super) fn new(setup: Setup, first_thread: usize) -> Self {
        Self { setup: Arc::new(setup), first_thread, source: std::marker::PhantomData }
    }
}

impl<S: Source> Model for OwnModel<S> {
    type Part = OwnPart<S>;

    const PHASES: &'static [PhaseKind] = PHASES;

    fn parts(&mut self) -> Result<Vec<OwnPart<S>>, Abort> {
        if let Some(setup) = Arc::get_mut(&mut self.setup) {
            setup.unpack().map_err(Abort::Failed)?;
        }
        let stage = Stage::here()?;
        let has_failed = Arc::new(AtomicBool::new(false));
        let part = |thread| OwnPart {
            setup: Arc::clone(&self.setup),
            thread,
            place: self.first_thread + thread,
            instances: Vec::new(),
            number: 0,
            cursor: Cursor::default(),
            inputs: vec![0.0; self.setup.inputs.names.len()].into(),
            outputs: Vec::new(),
            texts: Vec::new(),
            names: Vec::new(),
            may_be_infinite: Vec::new(),
            hash: Hash::default(),
            recorder: None,
            not_made: Samples::with_capacity(0),
            before: Counts::default(),
            times: Before::default(),
            stage,
            has_failed: Arc::clone(&has_failed),
            own_threads: Vec::new(),
        };
        Ok((0..self.setup.threads).map(part).collect())
    }

    fn state(&self, parts: Vec<OwnPart<S>>) -> Result<Track, Abort> {
        let counts = parts.iter().map(OwnPart::counts).fold(Counts::default(), Counts::plus);
        let not_made = parts.iter().flat_map(|part| part.not_made.values());
        let not_made = not_made.collect::<BTreeSet<_>>().len();
        let divides = self.setup.unfit.as_ref().and_then(Unfit::divides);
        let (mut longest, mut hash) = (Before::default(), Hash::default());
        for part in &parts {
            longest = longest.max(part.times);
            hash.add_hash(part.hash);
        }
        let has_outputs = parts.iter().any(|part| !part.outputs.is_empty());
        let all = parts.iter().flat_map(|part| &part.own_threads);
        let all: BTreeMap<_, _> = all.map(|one| (one.id.as_raw_pid(), one.clone())).collect();
        let own_threads: Vec<ForeignThread> = all.into_values().collect();
        let state = longest.state(&self.setup);
        Ok(self
            .setup
            .cpus
            .onto(state, &own_threads)
            .with(&fact::SWITCHES_NS, counts.switches_ns)
            .with(&fact::NOT_MADE, not_made)
            .with(&fact::OWN_STEP_NS, divides.map(|step| step.0))
            .with(&fact::DISCARDED, counts.discarded)
            .with(&fact::EARLY_RETURNS, counts.early_returns)
            .with(&fact::OTHER_TIMES, counts.other_times)
            .with(&fact::EVENTS, counts.events)
            .with(&fact::LOG_LINES, counts.log_lines)
            .with(&fact::MODEL_WARNINGS, counts.warnings)
            .with(&fact::TEXTS_CUT, parts.iter().find_map(|part| part.recorder.as_ref()?.cut))
            .with(&fact::OUTPUT_HASH, has_outputs.then(|| hash.to_string())))
    }

    fn take_inputs(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        let setup = Arc::get_mut(&mut self.setup).ok_or("its parts already exist")?;
        setup.take_links(names)
    }

    fn output(&self, name: &str) -> Result<usize, String> {
        self.setup.place_of_output(name)
    }
}

const OF_STATE: &[record::Fact] = &[
    fact::MODEL_NAME,
    fact::INTERFACE,
    fact::INSTANTIATE_NS,
    fact::INITIALISE_NS,
    fact::FIRST_STEP_NS,
    fact::SWITCHES_NS,
    fact::NOT_MADE,
    fact::OWN_STEP_NS,
    fact::DISCARDED,
    fact::EARLY_RETURNS,
    fact::OTHER_TIMES,
    fact::EVENTS,
    fact::LOG_LINES,
    fact::MODEL_WARNINGS,
    fact::MODEL_THREADS,
    fact::TEXTS_CUT,
    fact::OUTPUT_HASH,
];

/// Adds the facts of the track of the state to a row.
pub(super) fn with_state(row: Row, tracks: &[Track]) -> Row {
    let with = |row: Row, fact: &record::Fact| row.with(fact, recorded::of_state(tracks, fact));
    let places = own_threads::places(recorded::of_state(tracks, &fact::MODEL_THREADS_AT));
    OF_STATE.iter().fold(row, with).with(&fact::MODEL_THREADS_AT, places)
}

/// Duration of the phases before the measured steps, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) instantiate: u64,
    pub(super) initialise: u64,
    pub(super) first_step: u64,
}

impl Before {
    /// Returns the longer duration of each phase.
    fn max(self, other: Self) -> Self {
        Self {
            instantiate: self.instantiate.max(other.instantiate),
            initialise: self.initialise.max(other.initialise),
            first_step: self.first_step.max(other.first_step),
        }
    }

    /// Returns the track of the state of a model, with what every model has.
    pub(super) fn state(self, setup: &Setup) -> Track {
        Track::new("state")
            .with(&fact::MODEL_NAME, &*setup.name)
            .with(&fact::INTERFACE, setup.interface)
            .with(&fact::INSTANTIATE_NS, self.instantiate)
            .with(&fact::INITIALISE_NS, self.initialise)
            .with(&fact::FIRST_STEP_NS, self.first_step)
    }
}

/// The instances that one thread steps, in sequence in each phase.
pub(super) struct OwnPart<S: Source> {
    setup: Arc<Setup>,
    thread: usize,
    /// Number of this thread among those of its process.
    place: usize,
    instances: Vec<S>,
    number: u64,
    cursor: Cursor,
    inputs: Box<[f64]>,
    outputs: Vec<f64>,
    /// The recorded words of its texts.
    texts: Vec<u64>,
    names: Vec<String>,
    /// Whether each output may be infinite.
    may_be_infinite: Vec<bool>,
    hash: Hash,
    recorder: Option<Recorder>,
    /// The measured steps that were not made as requested, by their numbers from 0.
    not_made: Samples,
    /// Counts up to the end of the first step.
    before: Counts,
    times: Before,
    stage: &'static Stage,
    has_failed: Arc<AtomicBool>,
    /// The threads that the model has started and not ended, after the last step.
    own_threads: Vec<ForeignThread>,
}

impl<S: Source> OwnPart<S> {
    #[inline]
    fn enter(&self, phase: Phase) {
        self.stage.enter(self.place, phase, self.number);
    }

    /// Confines models in other processes, and then this thread, to the CPU of the steps; a model in
    /// this process may use all CPUs until it is initialised.
    fn confine(&self, wide: Widened) -> Result<Option<Widened>, String> {
        let others = self.processes().filter(|process| *process != process::this());
        let confined = others.map(|process| wide.confine(process));
        let confined: Vec<()> = confined.collect::<Result<_, _>>()?;
        Ok(confined.is_empty().then_some(wide))
    }

    fn processes(&self) -> impl Iterator<Item = Pid> {
        self.instances.iter().map(S::process)
    }

    /// Initialises all instances, and reads and records their outputs at the start.
    fn initialise_all(&mut self, inputs: &[Option<f64>]) -> Result<(), String> {
        self.instances.iter_mut().try_for_each(|instance| instance.initialise(inputs))?;
        self.names = self.instances[0].output_names(&self.setup);
        self.may_be_infinite =
            self.names.iter().map(|name| self.setup.may_be_infinite(name)).collect();
        self.outputs = vec![0.0; self.names.len()];
        self.instances[0].outputs(&mut self.outputs)?;
        self.recorder = Recorder::of(&self.setup, self.thread, self.names.len())?;
        if self.recorder.is_some() {
            self.texts = vec![0; self.setup.texts.len() * WORDS];
            self.read_texts()?;
            self.record();
        }
        Ok(())
    }

    /// Computes one step of all instances and reports the end of each phase.
    #[inline]
    fn step_as(&mut self, phase: Phase, mut ended: impl FnMut(u64)) -> Result<(), Stop> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(Stop::Others);
        }
        self.enter(phase);
        let number = self.number;
        let sets_last = self.instances[0].sets_inputs_last();
        if !sets_last {
            self.set_inputs_at(number, phase)?;
        }
        ended(INPUTS);
        let mut are_made = true;
        for at in 0..self.instances.len() {
            let done = self.instances[at].step(number);
            are_made &= done.map_err(|what| self.failed(phase, what))?;
        }
        ended(CALL);
        if !are_made && phase == Phase::Step {
            self.not_made.push(number - 1);
        }
        if sets_last {
            self.set_inputs_at(number + 1, phase)?;
        }
        // The outputs of the first instance are read last, and are recorded.
        for at in (0..self.instances.len()).rev() {
            let read = self.instances[at].outputs(&mut self.outputs);
            read.map_err(|what| self.failed(phase, what))?;
            self.judge(phase)?;
        }
        self.read_texts().map_err(|what| self.failed(phase, what))?;
        ended(OUTPUTS);
        self.number += 1;
        Ok(())
    }

    /// Sets the inputs at the start of a step, if there is a file of them.
    #[inline]
    fn set_inputs_at(&mut self, number: u64, phase: Phase) -> Result<(), Stop> {
        if self.inputs.is_empty() {
            return Ok(());
        }
        self.setup.inputs.at(number, &mut self.cursor, &mut self.inputs);
        for at in 0..self.instances.len() {
            let set = self.instances[at].set_inputs(&self.inputs);
            set.map_err(|what| self.failed(phase, what))?;
        }
        Ok(())
    }

    /// Returns what was counted in the measured steps.
    fn counts(&self) -> Counts {
        self.counts_so_far().since(self.before)
    }

    fn counts_so_far(&self) -> Counts {
        self.instances.iter().map(S::counts).fold(Counts::default(), Counts::plus)
    }

    /// Reads the texts of the first instance, if they are recorded.
    #[inline]
    fn read_texts(&mut self) -> Result<(), String> {
        if self.texts.is_empty() { Ok(()) } else { self.instances[0].texts(&mut self.texts) }
    }

    /// Adds an instance's outputs to the hash; one that is not a finite number is an error,
    /// unless it may be infinite.
    #[inline]
    fn judge(&mut self, phase: Phase) -> Result<(), Stop> {
        let mut wrong = None;
        for (place, value) in self.outputs.iter().enumerate() {
            self.hash.add(value.to_bits());
            let is_wrong = || value.is_nan() || !self.may_be_infinite[place];
            if !value.is_finite() && is_wrong() {
                wrong = wrong.or(Some((place, *value)));
            }
        }
        match wrong {
            None => Ok(()),
            Some((place, value)) => {
                let name = &self.names[place];
                Err(self.failed(phase, format!("its output `{name}` is {value}")))
            }
        }
    }

    #[cold]
    fn failed(&self, phase: Phase, what: String) -> Stop {
        self.has_failed.store(true, Ordering::Relaxed);
        self.stage.leave(self.place);
        Stop::of_model(phase, self.number, what)
    }

    #[inline]
    fn record(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.push(&self.outputs, &self.texts);
        }
    }
}

impl<S: Source> Part for OwnPart<S> {
    fn initialise(&mut self, inputs: &[Option<f64>]) -> Result<(), Stop> {
        let began = clock::now();
        self.enter(Phase::Instantiation);
        let wide = self.setup.cpus.widen();
        for _ in 0..self.setup.instances_of(self.thread) {
            let made = S::make(&self.setup);
            let made = made.map_err(|what| self.failed(Phase::Instantiation, what))?;
            self.instances.push(made);
        }
        let made = clock::now();
        self.enter(Phase::Initialisation);
        let confined = self.confine(wide);
        let wide = confined.map_err(|what| self.failed(Phase::Initialisation, what))?;
        let own = self.setup.inputs.at_start();
        let initialised = self.initialise_all(if own.is_empty() { inputs } else { &own });
        initialised.map_err(|what| self.failed(Phase::Initialisation, what))?;
        drop(wide);
        self.times.instantiate = made - began;
        self.times.initialise = clock::now() - made;
        self.stage.leave(self.place);
        Ok(())
    }

    fn settle(&mut self) -> Result<(), Stop> {
        let initialised = clock::now();
        self.step_as(Phase::FirstStep, |_| {})?;
        self.times.first_step = clock::now() - initialised;
        self.processes().for_each(|process| self.setup.cpus.move_threads(process));
        self.before = self.counts_so_far();
        self.not_made = Samples::with_capacity(self.setup.steps as usize);
        self.hash = Hash::default();
        self.record();
        self.stage.leave(self.place);
        Ok(())
    }

    fn phases_per_step(&self) -> u64 {
        PHASES_A_STEP
    }

    #[inline]
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop> {
        self.step_as(Phase::Step, |phase| phases.end(phase))
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), Stop> {
        for at in 0..self.instances.len() {
            let set = self.instances[at].set_inputs(values);
            set.map_err(|what| self.failed(Phase::Step, what))?;
        }
        Ok(())
    }

    fn outputs(&self) -> &[f64] {
        &self.outputs
    }

    #[inline]
    fn run(&mut self, steps: u64) -> Result<(), Stop> {
        (0..steps).try_for_each(|_| self.step_as(Phase::Step, |_| {}))
    }

    #[inline]
    fn after(&mut self, _paced: Option<(u64, [u64; 3])>) {
        self.record();
    }

    fn finish(&mut self) {
        // Those of OpenMP end with this thread.
        self.own_threads = left_in(self.processes());
        self.instances.iter_mut().for_each(S::finish);
        // Others may measure for much longer.
        self.stage.leave(self.place);
    }

    fn all_steps_are_made(&self) -> bool {
        self.not_made.values().is_empty()
    }

    fn onto(&self, track: Track) -> Track {
        let track = match self.all_steps_are_made() {
            true => track,
            false => track.column(NOT_MADE, self.not_made.to_column()),
        };
        match &self.recorder {
            Some(recorder) => recorder.onto(track, &self.names, &self.setup.texts),
            None => track,
        }
    }
}

/// Ends the model's instances; if one has failed, they are only dropped, as FMI requires.
impl<S: Source> Drop for OwnPart<S> {
    fn drop(&mut self) {
        self.enter(Phase::Termination);
        for mut instance in self.instances.drain(..) {
            if !self.has_failed.load(Ordering::Relaxed) {
                instance.end();
            }
        }
        self.stage.leave(self.place);
    }
}

#[cfg(test)]
mod tests {
    use record::Warning;
    use testing::models::{self, Defines, Kind, Version};

    use super::super::fmu::{CoSimulation, FmuAs};
    use super::super::setup::tests::{fmu, spec};
    use super::*;

    /// Returns the output hash and the failure of an FMU with faults after `steps` steps in its
    /// only thread.
    fn stepped(defines: &Defines, instances: &str, steps: u64) -> (String, Option<Warning>) {
        let file = models::fmu(Version::Three, Kind::CoSimulation, defines);
        let flags = [("fmu", file.to_str().unwrap()), ("instances", instances)];
        let setup = Setup::of(&spec(&flags)).unwrap();
        let mut model = OwnModel::<FmuAs<CoSimulation>>::new(setup, 0);
        let mut parts = model.parts().unwrap();
        let done = parts[0].initialise(&[]).and_then(|()| parts[0].settle());
        let done = done.and_then(|()| parts[0].run(steps));
        let failure = match done {
            Err(Stop::Failed(why)) => Some(*why),
            Err(Stop::Others) => panic!("no other thread runs"),
            Ok(()) => None,
        };
        let state = model.state(parts).unwrap();
        let hash = state.attributes[&*fact::OUTPUT_HASH].as_str().unwrap();
        (hash.to_owned(), failure)
    }

    #[test]
    fn only_equal_steps_have_an_equal_hash() {
        let (once, again) = (stepped(&[], "1", 100), stepped(&[], "1", 100));
        assert_eq!((once.0.len(), once.1), (16, None));
        assert_eq!(once.0, again.0);
        assert_ne!(once.0, stepped(&[], "1", 101).0);
        assert_ne!(once.0, stepped(&[], "2", 100).0);
        assert_ne!(once.0, stepped(&[("SUBSTEPS", "11")], "1", 100).0);
    }

    #[test]
    fn a_part_that_has_finished_is_no_longer_in_a_step() {
        let setup = Setup::of(&spec(&[("fmu", &*fmu(Version::Three))])).unwrap();
        let mut parts = OwnModel::<FmuAs<CoSimulation>>::new(setup, 0).parts().unwrap();
        parts[0].stage = Box::leak(Box::new(Stage::new().unwrap()));
        parts[0].initialise(&[]).unwrap();
        parts[0].settle().and_then(|()| parts[0].run(3)).unwrap();
        assert_eq!(parts[0].stage.seen(), Some((Phase::Step, 3)));
        parts[0].finish();
        assert_eq!(parts[0].stage.seen(), None);
    }

    #[test]
    fn a_failure_names_its_phase_and_its_step() {
        let cause = |defines: &Defines| stepped(defines, "1", 20).1.unwrap().cause();
        assert_eq!(
            cause(&[("NAN_FROM", "9")]),
            "the model failed in step 9: its output `y` is NaN"
        );
        let error = cause(&[("ERROR_AT", "12")]);
        assert!(error.starts_with("the model failed in step 12: "), "{error}");
        let first = cause(&[("FATAL_AT", "0")]);
        assert!(first.starts_with("the model failed in its first step: "), "{first}");
    }
}
