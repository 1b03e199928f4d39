//! An FMU for Scheduled Execution: its parts run at the ticks of its clocks. Each clock has a
//! separate thread, and a shorter period means a higher priority (rate-monotonic).

use std::sync::atomic::{AtomicBool, Ordering};

use base::{Nanos, Policy};
use bench::late::EachThread;
use bench::pace::Pace;
use bench::{Abort, Bench, TrackShape};
use model_file::Interval;
use record::{Recording, Row, RunSpec, Size, Track, Warning, fact};
use rt::fmi::Task;
use rt::progress::{Phase, Stage};
use rt::{clock, process};

use super::clocked::Clocked;
use super::clocks::Ticking;
use super::countdown::{Ticker, read_countdowns};
use super::fmu::Made;
use super::own_threads::left_in;
use super::part::{Before, CALL, INPUTS, OUTPUTS, PHASES, PHASES_A_STEP, with_state};
use super::recorder;
use super::setup::Setup;
use super::times::Times;
use crate::model::paced::{self, Paced};
use crate::model::phases::{PhaseKind, PhaseStamps};
use crate::model::schedule::Schedule;
use crate::model::{Model, Part, Stop, recorded};

/// The attribute of a thread's track with the name of its clock.
const CLOCK: &str = "clock";

pub(super) fn shapes(spec: &RunSpec, paces: &[Pace]) -> Vec<TrackShape> {
    let kept = |shape| recorder::shape(spec, shape);
    recorded::shapes_of_each(spec, paces, Scheduled::PHASES, kept)
}

pub(super) fn rows(recording: &Recording) -> Vec<Row> {
    let tracks = &recording.tracks;
    let row = |paced: Paced| {
        let [thread] = paced.threads else {
            return Row::default();
        };
        let name = thread.attributes.get(CLOCK).and_then(|name| name.as_str());
        let period = Nanos(paced.schedule.number("period_ns").unsigned_abs());
        let label = format!("clock {} every {period}", name.unwrap_or_default());
        let row = paced::row_of(recording, paced, Scheduled::PHASES, label);
        let row = recorded::with_facts(row, recording, paced.threads, Size::INSTANCES);
        with_state(row, tracks)
    };
    Paced::each(&recording.header.spec, tracks).map(row).collect()
}

pub(super) fn each_thread(recording: &Recording, each: EachThread) {
    for paced in Paced::each(&recording.header.spec, &recording.tracks) {
        paced::each_of(paced, Scheduled::PHASES, each);
    }
}

pub(super) fn run(bench: &Bench, paces: &[Pace]) -> Result<Vec<Track>, Abort> {
    let mut setup = Setup::of(&bench.spec).map_err(Abort::Failed)?;
    setup.unpack().map_err(Abort::Failed)?;
    let Begun { made, clocks, clocked, times } = Begun::of(&setup, paces).map_err(|why| {
        bench.warn([why]);
        Abort::Conditions
    })?;
    let task = made
        .instance
        .task()
        .ok_or_else(|| Abort::Failed("it was instantiated for a different interface".to_owned()))?;
    let has_failed = AtomicBool::new(false);
    // The first tick of each clock has already run: the next one is a period later.
    let schedule = |(clock, pace): (&Ticking, &Pace)| {
        Schedule::after((clock.shift * 1e9) as u64 + pace.period_ns(), *pace)
    };
    let schedules: Vec<Schedule> = setup.clocks.iter().zip(paces).map(schedule).collect();
    let mut scheduled = Scheduled {
        setup: &setup,
        made: &made,
        task,
        times,
        clocks: &clocks,
        clocked,
        has_failed: &has_failed,
        stage: Stage::here()?,
    };
    let tracks = paced::run(bench, &mut scheduled, &schedules)?;
    scheduled.stage.enter(0, Phase::Termination, 0);
    made.end();
    scheduled.stage.leave(0);
    Ok(tracks)
}

/// The model; its clocks share one instance.
struct Scheduled<'m> {
    setup: &'m Setup,
    made: &'m Made,
    task: Task<'m>,
    times: Before,
    clocks: &'m [Ticker],
    /// The values of each clock, until its part takes them.
    clocked: Vec<Clocked>,
    has_failed: &'m AtomicBool,
    stage: &'static Stage,
}

/// An instance whose clocks have ticked once: a clock's first tick is not measured.
struct Begun {
    made: Made,
    clocks: Vec<Ticker>,
    clocked: Vec<Clocked>,
    times: Before,
}

impl Begun {
    fn of(setup: &Setup, paces: &[Pace]) -> Result<Self, Warning> {
        let stage = Stage::here();
        let stage = stage.map_err(|error| failed(Phase::Instantiation, error.to_string()))?;
        let begun = Self::begin(setup, paces, stage);
        stage.leave(0);
        begun
    }

    fn begin(setup: &Setup, paces: &[Pace], stage: &Stage) -> Result<Self, Warning> {
        let began = clock::now();
        stage.enter(0, Phase::Instantiation, 0);
        let wide = setup.cpus.widen();
        let mut made = Made::of(setup).map_err(|what| failed(Phase::Instantiation, what))?;
        let made_at = clock::now();
        stage.enter(0, Phase::Initialisation, 0);
        let inputs = setup.inputs.at_start();
        made.initialise(&inputs).map_err(|what| failed(Phase::Initialisation, what))?;
        let initialised = clock::now();
        stage.enter(0, Phase::FirstStep, 0);
        let clocks = Ticker::all(&setup.clocks);
        let clocked = |(clock, pace): (usize, &Pace)| Clocked::of(setup, clock, 1 + pace.periods);
        let mut clocked: Vec<Clocked> = paces.iter().enumerate().map(clocked).collect();
        let ticked = tick_once(setup, &made, &clocks, &mut clocked);
        ticked.map_err(|what| failed(Phase::FirstStep, what))?;
        drop(wide);
        setup.cpus.move_threads(process::this());
        let times = Before {
            instantiate: made_at - began,
            initialise: initialised - made_at,
            first_step: clock::now() - initialised,
        };
        Ok(Self { made, clocks, clocked, times })
    }
}

fn failed(phase: Phase, what: String) -> Warning {
    Warning::model_failed(phase.name(), None, what)
}

fn tick_once(
    setup: &Setup,
    made: &Made,
    clocks: &[Ticker],
    clocked: &mut [Clocked],
) -> Result<(), String> {
    let task = made.instance.task().ok_or("it has no clocks")?;
    let both = clocks.iter().zip(clocked);
    for (ticker, clocked) in both.filter(|(one, _)| one.clock.interval != Interval::Countdown) {
        let time = made.times.start + ticker.clock.shift;
        clocked.set_inputs(setup, task.variables(), time)?;
        ticker.tick(&task, time, time)?;
        clocked.read_outputs(task.variables(), time)?;
        clocked.record();
    }
    Ok(())
}

impl<'m> Model for Scheduled<'m> {
    type Part = ClockPart<'m>;

    const PHASES: &'static [PhaseKind] = PHASES;

    fn parts(&mut self) -> Result<Vec<ClockPart<'m>>, Abort> {
        let clocks = self.clocks.iter().zip(std::mem::take(&mut self.clocked)).enumerate();
        Ok(clocks
            .map(|(thread, (own, clocked))| ClockPart {
                own,
                thread,
                times: Times::of_period(self.setup.times.start + own.clock.shift, own.clock.period),
                number: 1,
                task: self.task,
                setup: self.setup,
                clocked,
                clocks: self.clocks,
                updates: 0,
                activations: 0,
                has_failed: self.has_failed,
                stage: self.stage,
            })
            .collect())
    }

    /// All share a CPU; each has a lower priority than the clock before, which may preempt it.
    fn conditions(&self, bench: &Bench, thread: usize) -> (usize, Policy) {
        let asked = bench.spec.asked.policy;
        let lowered = asked.lowered(thread as u8);
        (bench.cpu(0), lowered.unwrap_or(asked))
    }

    fn state(&self, parts: Vec<ClockPart<'m>>) -> Result<Track, Abort> {
        let cut = parts.iter().filter_map(|part| part.clocked.cut());
        let by_model = parts.iter().filter(|part| part.own.clock.is_of_model());
        let activations: u64 = by_model.map(|part| part.activations).sum();
        let state = self.times.state(self.setup);
        Ok(self
            .setup
            .cpus
            .onto(state, &left_in([process::this()]))
            .with(&fact::EVENTS, activations)
            .with(&fact::LOG_LINES, self.made.instance.log_lines())
            .with(&fact::MODEL_WARNINGS, self.made.instance.warnings())
            .with(&fact::TEXTS_CUT, cut.reduce(|all, cut| all + cut)))
    }
}

/// The part of the model that one clock activates.
struct ClockPart<'m> {
    own: &'m Ticker,
    thread: usize,
    times: Times,
    number: u64,
    task: Task<'m>,
    setup: &'m Setup,
    clocked: Clocked,
    clocks: &'m [Ticker],
    /// Number of clock updates of the model that this thread has seen.
    updates: u64,
    /// How often it has run its part of the model.
    activations: u64,
    has_failed: &'m AtomicBool,
    stage: &'static Stage,
}

impl ClockPart<'_> {
    #[cold]
    fn failed(&self, what: &str) -> Stop {
        self.has_failed.store(true, Ordering::Relaxed);
        let what = format!("clock `{}`: {what}", self.own.clock.name);
        Stop::of_model(Phase::Step, self.number, what)
    }

    /// Runs one tick and reports the end of each phase.
    #[inline]
    fn tick(&mut self, mut ended: impl FnMut(u64)) -> Result<(), Stop> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(Stop::Others);
        }
        let time = self.times.at(self.number);
        self.clocked.has_new = false;
        let Some(due) = self.own.due(time) else {
            ended(CALL);
            self.number += 1;
            return Ok(());
        };
        self.stage.enter(self.thread, Phase::Step, self.number);
        let done = self.run_part(due, time, &mut ended);
        // If one clock crashes, the others must not count as being in a step.
        self.stage.leave(self.thread);
        done.map_err(|what| self.failed(&what))?;
        self.activations += 1;
        self.number += 1;
        Ok(())
    }

    #[inline]
    fn run_part(&mut self, due: f64, time: f64, ended: &mut impl FnMut(u64)) -> Result<(), String> {
        self.clocked.set_inputs(self.setup, self.task.variables(), time)?;
        ended(INPUTS);
        self.own.tick(&self.task, due, time)?;
        self.read_countdowns(time)?;
        ended(CALL);
        self.clocked.read_outputs(self.task.variables(), time)?;
        ended(OUTPUTS);
        Ok(())
    }

    /// Reads the countdowns that the model may have started, if it reports updates.
    #[inline]
    fn read_countdowns(&mut self, time: f64) -> Result<(), String> {
        let updates = self.task.clock_updates();
        if updates == self.updates {
            return Ok(());
        }
        self.updates = updates;
        read_countdowns(self.clocks, &self.task, time)
    }
}

impl Part for ClockPart<'_> {
    fn phases_per_step(&self) -> u64 {
        PHASES_A_STEP
    }

    #[inline]
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop> {
        self.tick(|phase| phases.end(phase))
    }

    #[inline]
    fn run(&mut self, steps: u64) -> Result<(), Stop> {
        (0..steps).try_for_each(|_| self.tick(|_| {}))
    }

    #[inline]
    fn after(&mut self, _paced: Option<(u64, [u64; 3])>) {
        self.clocked.record();
    }

    fn onto(&self, track: Track) -> Track {
        self.clocked.onto(track.with(CLOCK, &*self.own.clock.name))
    }
}
