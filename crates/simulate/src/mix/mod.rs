//! Several models at once, each at its own rate, and best-effort work in the remaining time.

mod kinds;
mod libraries;
mod mailbox;
mod model;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use base::Nanos;
use bench::late::EachThread;
use bench::tally::{self, Tally};
use bench::{Abort, Bench, TrackShape};
use bench::{CpuUse, Description, Measurement, pace};
use model::{Freely, MixModel, MixPart, by_thread, run_freely};
use record::{
    Family, Member, NOWHERE, Parameters, Recording, Row, RunSpec, Track, Warning, fact, parameters,
};

use crate::model::paced::{self, Brought};
use crate::model::schedule::Schedule;
use crate::model::team::{self, Stepped};
use crate::model::warm_up::WarmUp;
use crate::model::{Part, is_paced, steps};

pub struct Mix;

pub const NAME: &str = "mix";

parameters! {
    PARAMETERS;
    "plan" File("FILE.toml"), NOWHERE,
        "plan with one [[member]] table per member, or a system of FMUs (FILE.ssp); also `steadfast run mix FILE.toml`";
    "rate" Text("RATE"), NOWHERE, "steps per second of all parts of a system, FILE.ssp (default: 1kHz)";
    "delay" Names, NOWHERE,
        "inputs of a system, FILE.ssp, that take the value of the previous step, such as Sub.B.u: they break an algebraic loop";
}

const MOST_MEMBERS: usize = 32;
/// Bytes per step in one thread: its stamps, its phases, its cost, whether it was made, and its
/// inputs.
const BYTES_A_STEP: u64 = pace::BYTES_A_STEP + 6 * 16 + 8 + 8 + 3 * 24;
/// Default limit of lateness for members without one.
const USUAL_LIMIT: Nanos = Nanos(1_000_000);

impl Measurement for Mix {
    fn description(&self) -> Description {
        Description {
            name: NAME,
            summary: "several models at once, each at its own rate, and best-effort work next to them",
            source: "Joseph and Pandya 1986",
            family: Some(Family::Mixes),
            parameters: PARAMETERS,
            facts: &[
                fact::MIX,
                fact::PACE,
                fact::PHASES,
                fact::STEPS,
                &[
                    fact::THREADS,
                    fact::CPU_TIME_NS,
                    fact::STATE_HASH,
                    fact::OUTPUT_HASH,
                    fact::INPUTS_NS,
                    fact::CALL_NS,
                    fact::OUTPUTS_NS,
                    fact::NOT_MADE,
                    fact::DISCARDED,
                    fact::EARLY_RETURNS,
                    fact::OTHER_TIMES,
                    fact::LOG_LINES,
                    fact::MODEL_WARNINGS,
                ],
            ],
            usual_time: Nanos(10_000_000_000),
            cpus: CpuUse::One,
            ..Description::PINNED
        }
    }

    fn runs_others(&self, spec: &RunSpec) -> bool {
        any(spec, |measurement, run| measurement.runs_others(run))
    }

    fn loads_libraries(&self, spec: &RunSpec) -> bool {
        any(spec, |measurement, run| measurement.loads_libraries(run))
    }

    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        let members = &spec.members;
        let is_named = spec.parameters.plan() != NOWHERE;
        match members.len() {
            0 if !is_named => {
                return Err(
                    "mix: no plan given; name its file: steadfast run mix FILE.toml (or FILE.ssp)"
                        .to_owned(),
                );
            }
            1..=MOST_MEMBERS => {}
            many => return Err(format!("mix: {many} members; expected 1 to {MOST_MEMBERS}")),
        }
        let names: BTreeSet<&str> = members.iter().map(|member| &*member.name).collect();
        if names.len() < members.len() {
            return Err("mix: two members have the same name".to_owned());
        }
        for member in members {
            check(member).map_err(|why| format!("{}: {why}", member.name))?;
        }
        if members.iter().all(|member| member.best_effort) {
            return Err("mix: no member has a rate; add one that is not best-effort".to_owned());
        }
        Ok(())
    }

    fn examine(&self, spec: &mut RunSpec) -> Result<Vec<Warning>, String> {
        self.check(spec)?;
        MixModel::of(&spec.members)?;
        let expected = |member: &Member| {
            let own = kinds::alone(&member.run).filter(|_| !member.best_effort);
            own.map_or(Ok(Vec::new()), |measurement| measurement.examine(&mut member.run.clone()))
        };
        let expected: Vec<_> = spec.members.iter().map(expected).collect::<Result<_, _>>()?;
        Ok(expected.concat())
    }

    fn check_code(&self, spec: &RunSpec) -> Result<(), String> {
        let check = |member: &Member| {
            let checked = kinds::alone(&member.run).map(|alone| alone.check_code(&member.run));
            checked.unwrap_or(Ok(())).map_err(|why| format!("{}: {why}", member.name))
        };
        spec.members.iter().try_for_each(check)
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let of = |member: &Member| {
            let own = kinds::alone(&member.run);
            let own = own.map_or(0, |measurement| measurement.sample_bytes(&member.run));
            let steps = if member.best_effort { 0 } else { steps(&member.run) };
            let bytes = BYTES_A_STEP + tally::bytes_a_period(spec);
            let threads = member.threads() as u64;
            own.saturating_add(steps.saturating_mul(threads).saturating_mul(bytes))
        };
        spec.members.iter().map(of).fold(0, u64::saturating_add)
    }

    fn longest_spin(&self, spec: &RunSpec) -> Nanos {
        let of = |member: &Member| {
            let own = kinds::alone(&member.run);
            own.map_or(Nanos(0), |measurement| measurement.longest_spin(&member.run))
        };
        let longest = spec.members.iter().map(of).max().unwrap_or(Nanos(0));
        Nanos(longest.0.saturating_add(spec.asked.duration.0))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        run(bench)
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        rows::shapes(spec)
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        rows::rows(recording)
    }

    /// The limit of each member is its period.
    fn usual_limit(&self, _: &Parameters) -> Option<Nanos> {
        Some(USUAL_LIMIT)
    }

    fn each_thread(&self, recording: &Recording, each: EachThread) {
        rows::each_thread(recording, each);
    }
}

fn any(spec: &RunSpec, is_so: fn(&dyn Measurement, &RunSpec) -> bool) -> bool {
    let of = |member: &Member| {
        kinds::alone(&member.run).is_some_and(|measurement| is_so(measurement, &member.run))
    };
    spec.members.iter().any(of)
}

fn check(member: &Member) -> Result<(), String> {
    let run = &member.run;
    kinds::alone(run).ok_or("its model is unknown")?.check(run)?;
    let parameters = &run.parameters;
    let has = |word: &str| !matches!(word, "" | NOWHERE);
    let best_effort = member.best_effort;
    let is_other_mode = parameters.mode().is_some() && is_paced(run) == best_effort;
    let refusals = [
        (
            is_other_mode || run.record || has(parameters.watch()) || has(parameters.check()),
            "a member cannot be recorded, checked or watched, and the mix sets its mode",
        ),
        (
            has(parameters.warm_up()),
            "warm-up: not possible in a mix, because it would take time from other members",
        ),
        (
            has(parameters.clocks()),
            "clocks: not possible in a mix, because a member has only one rate",
        ),
        (best_effort && member.threads() > 1, "threads: a best-effort member can have only one"),
        (
            member.limit_percent.is_some() && kinds::is_program(run),
            "limit: a program uses a CPU in a separate process; limit that process",
        ),
        (best_effort && !member.inputs.is_empty(), "inputs: a best-effort member cannot have any"),
    ];
    let refused = refusals.iter().find(|(is_refused, _)| *is_refused);
    refused.map_or(Ok(()), |(_, why)| Err((*why).to_owned()))
}

enum Came {
    Paced(Box<Brought>),
    Freely(Freely),
}

impl From<Came> for Track {
    fn from(came: Came) -> Self {
        match came {
            Came::Paced(brought) => (*brought).into(),
            Came::Freely(freely) => freely.into(),
        }
    }
}

type Loop<'s, 'a> = Box<dyn FnOnce(u64) -> Stepped<MixPart<'a>, Came> + 's>;

/// Runs all members from a common start; each paced member has its own schedule.
fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let members = &bench.spec.members;
    let schedule =
        |member: &Member| (!member.best_effort).then(|| Schedule::new(paced::pace(&member.run)));
    let schedules: Vec<Option<Schedule>> = members.iter().map(schedule).collect();
    let (by_thread, duration) = (by_thread(members), bench.spec.asked.duration);
    let prepare = |thread: usize, part| {
        let (at, _) = by_thread[thread];
        // The name is also shown to other programs, as far as it fits the kernel's limit.
        let name = format!("{} {}", team::name(thread), members[at].name);
        let _ = rt::process::name_this_thread(&name);
        match &schedules[at] {
            Some(schedule) => paced_loop(&members[at], schedule, part),
            None => free_loop(&members[at], duration, part),
        }
    };
    let mut model = MixModel::of(members).map_err(Abort::Failed)?;
    let mut tracks = team::run(bench, &mut model, prepare)?;
    tracks.extend(paced::tracks_of(schedules.iter().flatten()));
    Ok(tracks)
}

fn paced_loop<'a>(member: &'a Member, schedule: &'a Schedule, part: MixPart<'a>) -> Loop<'a, 'a> {
    let tally = Tally::of(&member.run, schedule.periods(), rt::process::this());
    let ready = WarmUp::of(&member.run.parameters);
    let steps = paced::prepared(part, schedule, tally, ready);
    Box::new(move |start| {
        steps(start).map(|(part, brought)| (part, Came::Paced(Box::new(brought))))
    })
}

fn free_loop<'a>(member: &Member, duration: Nanos, mut part: MixPart<'a>) -> Loop<'a, 'a> {
    let limit_percent = member.limit_percent;
    Box::new(move |start| {
        let freely = run_freely(&mut part, start, duration, limit_percent)?;
        part.finish();
        Ok((part, Came::Freely(freely)))
    })
}
