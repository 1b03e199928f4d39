//! A paced run of days, in intervals without a pause between them.

use plan::{RunSpec, Track, fact};
use rt::clock;
use rt::process::this;
use units::{CpuSet, Nanos};

use super::phases::PhaseStamps;
use super::{Model, Part, Stop, is_paced, paced, team, warm_up};
use crate::interval::{self, Exchange, Interval, Place, Reader, Samples, Writer};
use crate::pace::{Overrun, Pace, STAMPS};
use crate::{Abort, Bench};

/// Refuses a run that cannot be cut into intervals.
///
/// # Errors
/// One line that names the option and the remedy.
pub(crate) fn check(spec: &RunSpec) -> Result<(), String> {
    let parameters = &spec.parameters;
    let overrun = Overrun::of(parameters.word("overrun"));
    if !is_paced(spec) {
        return Err("--mode: a run of days has deadlines; use --mode real-time".to_owned());
    }
    overrun.check_continuous()?;
    if overrun == Overrun::Skip && parameters.count("threads") > 1 {
        return Err(
            "--overrun: threads that skip periods need a list of all steps, which days do \
                    not have; use catch-up, or --threads 1"
                .to_owned(),
        );
    }
    if warm_up::is_asked(parameters) {
        return Err("--warm-up: intervals do not contain its time; leave it out".to_owned());
    }
    match spec.record {
        true => Err("--record: days of steps cannot be recorded; leave it out".to_owned()),
        false => Ok(()),
    }
}

/// Makes a run whose length is a number of steps as long as an interval.
///
/// # Errors
/// If another number was requested.
pub(crate) fn set_steps(spec: &mut RunSpec, interval: Nanos, default: u64) -> Result<(), String> {
    if spec.parameters.count("steps") != default {
        return Err("--steps: the time is given by --for and --interval; leave it out".to_owned());
    }
    let period = spec.parameters.time("rate").0.max(1);
    let steps = (interval.0 / period).max(1);
    spec.parameters.set("steps", plan::Value::Count(steps));
    spec.asked.duration = Nanos(steps.saturating_mul(period));
    Ok(())
}

/// Runs a model in intervals, at due times that all its threads know. An interval has no phases, and
/// the model's state is not checked at the end: that would compute days of steps again.
pub(crate) fn run<M: Model>(
    bench: &Bench,
    model: &mut M,
    intervals: u64,
    hand_over: &mut (dyn FnMut(Interval) + Send),
) -> Result<(), Abort> {
    let spec = &bench.spec;
    let pace = paced::pace(spec);
    let threads = spec.parameters.count("threads") as usize;
    let exchanges: Vec<_> = (0..threads).map(|_| Exchange::new()).collect();
    let reader = |(thread, exchange)| {
        let (cpu, policy) = model.conditions(bench, thread);
        Reader::of(exchange, &team::name(thread), policy, CpuSet::one(cpu))
    };
    let mut readers: Vec<_> = exchanges.iter().enumerate().map(reader).collect();
    let prepare = |thread: usize, part| {
        let exchange = exchanges[thread].clone();
        let writer = Writer::prepared(exchange, &STAMPS, spec, pace.periods, this());
        stepped(part, pace, intervals, writer)
    };
    let measuring = team::measuring(bench, model, &prepare)?;
    let track = |thread, samples: &Samples<3>| {
        let track = pace.onto(Track::new(team::name(thread)), samples.t0);
        let track = track.with(&fact::CPU_TIME_NS, samples.cpu_time_ns());
        samples.onto(PhaseStamps::none_onto(track))
    };
    let mut with_schedule = |mut interval: Interval| {
        let began = Place::of(&interval.tracks).map_or(0, |place| place.began);
        interval.tracks.extend(paced::without_state(&pace, began));
        hand_over(interval);
    };
    let span = pace.period * pace.periods;
    let done =
        interval::run_threads(bench, measuring, &mut readers, span, track, &mut with_schedule)?;
    team::results(bench, done).map(drop)
}

/// Returns the measured loop of one thread. Periods that came due while a step was late belong to
/// the interval in which they were due.
fn stepped<P: Part>(
    mut part: P,
    pace: Pace,
    intervals: u64,
    mut writer: Writer<3>,
) -> impl FnOnce(u64) -> Result<P, Stop> {
    let mut phases = PhaseStamps::with_room(0);
    move |t0| {
        writer.begin();
        let span = pace.period * pace.periods;
        let (mut step, mut due) = (0, t0);
        for number in 0..intervals {
            let began = t0 + number * span;
            while due < began + span {
                clock::sleep_until(due);
                let start = clock::now();
                part.step(&mut phases)?;
                let end = clock::now();
                writer.push([due, start, end], due, end);
                part.after(Some((step, [due, start, end])));
                step += 1;
                due = pace.overrun.next_due(due, end, pace.period).unwrap_or(end);
            }
            writer.hand_over(number, began);
        }
        part.finish();
        Ok(part)
    }
}
