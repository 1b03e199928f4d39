//! A paced run of days, in intervals without a pause between them.

use base::{CpuSet, Nanos};
use bench::interval::{self, Exchange, HandOver, Interval, Place, Reader, Samples, Writer};
use bench::pace::{Overrun, Pace, STAMPS};
use bench::{Abort, Bench};
use record::{RunSpec, Track, fact};
use rt::clock;
use rt::process::this;
use rt::progress::Phase;

use super::phases::PhaseStamps;
use super::{Model, Part, Stop, is_paced, paced, team, warm_up};

/// A run that catches up ends when a step is later than this and than an interval.
const LEAST_BEHIND_NS: u64 = 10_000_000_000;

pub(crate) fn check(spec: &RunSpec) -> Result<(), String> {
    let parameters = &spec.parameters;
    let overrun = Overrun::of(parameters);
    if !is_paced(spec) {
        return Err("--mode: a run of days has deadlines; use --mode real-time".to_owned());
    }
    overrun.check_continuous()?;
    if overrun == Overrun::Skip && parameters.threads() > 1 {
        return Err("--overrun: threads can skip the same periods only with a list of all steps, \
                    too long for days; use catch-up, or --threads 1"
            .to_owned());
    }
    if warm_up::is_asked(parameters) {
        return Err("--warm-up: intervals do not contain its time; leave it out".to_owned());
    }
    if spec.record {
        return Err("--record: days of steps cannot be recorded; leave it out".to_owned());
    }
    Ok(())
}

/// Runs a model in intervals, at due times that all its threads know. An interval has no phases, and
/// the model's state is not checked at the end: that would compute days of steps again.
pub(crate) fn run<M: Model>(
    bench: &Bench,
    model: &mut M,
    intervals: u64,
    hand_over: HandOver,
) -> Result<(), Abort> {
    let spec = &bench.spec;
    let pace = paced::pace(spec);
    let threads = spec.parameters.threads() as usize;
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
        samples.onto(PhaseStamps::with_room(0).onto(track))
    };
    let mut with_schedule = |mut interval: Interval| {
        let began = Place::of(&interval.tracks).map_or(0, |place| place.began);
        // Nothing is known of its state.
        let schedule = pace.onto(Track::new(paced::schedule_name(0)), began);
        interval.tracks.extend([Track::new("state"), schedule]);
        hand_over(interval);
    };
    let (readers, span) = (&mut readers[..], pace.span());
    let done = interval::run_threads(bench, measuring, readers, span, track, &mut with_schedule)?;
    team::results(bench, done).map(drop)
}

/// A model that cannot keep up ends the run: with `catch-up` it would fall behind for days.
fn stepped<P: Part>(
    mut part: P,
    pace: Pace,
    intervals: u64,
    writer: Writer<3>,
) -> impl FnOnce(u64) -> Result<P, Stop> {
    let mut phases = PhaseStamps::with_room(0);
    let most_behind = match pace.overrun {
        Overrun::CatchUp => pace.span().max(LEAST_BEHIND_NS),
        _ => u64::MAX,
    };
    move |t0| {
        let make = |due| {
            clock::sleep_until(due);
            let start = clock::now();
            part.step(&mut phases)?;
            let end = clock::now();
            match end - due > most_behind {
                _ if !part.all_steps_are_made() => Err(not_made(pace.period.nearest(due - t0))),
                true => Err(behind(pace.period.nearest(due - t0), end - due)),
                false => Ok((start, end)),
            }
        };
        writer.run(&pace, intervals, t0, make)?;
        part.finish();
        Ok(part)
    }
}

/// An interval has no place for steps that were not made, so the first one ends the run.
#[cold]
fn not_made(step: u64) -> Stop {
    let what = "it discarded the step, returned early, or ended at another time than requested";
    Stop::of_model(Phase::Step, step, what.to_owned())
}

#[cold]
fn behind(step: u64, late_ns: u64) -> Stop {
    let late = Nanos(late_ns);
    let what = format!("it ended {late} late, because steps take longer than a period");
    Stop::of_model(Phase::Step, step, what)
}
