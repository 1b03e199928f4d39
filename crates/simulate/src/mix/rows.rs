//! The contents of the recording of a mix, and its rows: one per member.

use bench::columns::Kinds;
use bench::late::EachThread;
use bench::shape::{Holds, MOST_COUNTED, TrackShape};
use record::shape::AgeOfInputs;
use record::{Member, Recording, Row, RunSpec, Track, fact};
use serde_json::json;

use super::kinds;
use crate::model::paced::{self, NOT_MADE, Paced};
use crate::model::{steps, team};

/// The column with the CPU time of each step in a thread.
pub(super) const COST: &str = "cost_ns";
/// A step's inputs: their source, when they were used, and when their step ended (0 if none did).
pub(super) const USES: Kinds<3> = [
    ("source", Holds::UpTo(MOST_COUNTED)),
    ("taken_ns", Holds::Stamps),
    ("made_ns", Holds::StampsOrNone),
];
/// Facts of a state that rows contain.
const OF_STATE: &[(&str, record::Fact)] = &[
    ("hash", fact::STATE_HASH),
    ("output_hash", fact::OUTPUT_HASH),
    ("not_made", fact::NOT_MADE),
    ("discarded", fact::DISCARDED),
    ("early_returns", fact::EARLY_RETURNS),
    ("other_times", fact::OTHER_TIMES),
    ("log_lines", fact::LOG_LINES),
    ("model_warnings", fact::MODEL_WARNINGS),
];

pub(super) fn shapes(spec: &RunSpec) -> Vec<TrackShape> {
    let mut shapes = Vec::new();
    for member in &spec.members {
        for _ in 0..member.threads() {
            let shape = TrackShape::named(team::name(shapes.len()));
            shapes.push(of_thread(member, shape));
        }
    }
    shapes.push(TrackShape::named("state"));
    let paces = spec.members.iter().filter(|member| !member.best_effort);
    let paces = paces.map(|member| paced::pace(&member.run)).enumerate();
    shapes.extend(paces.map(|(at, pace)| paced::shape_of_schedule(at, &pace)));
    shapes
}

fn of_thread(member: &Member, shape: TrackShape) -> TrackShape {
    let (shape, most) = if member.best_effort {
        let shape = shape
            .fact("start_ns", Holds::Stamps)
            .fact("stop_ns", Holds::Stamps)
            .fact(&fact::CPU_TIME_NS, Holds::Times)
            .fact("steps", Holds::UpTo(MOST_COUNTED))
            .rows_if_any(steps(&member.run), &[(NOT_MADE, Holds::RisingUpTo(MOST_COUNTED))]);
        (shape, 0)
    } else {
        let pace = paced::pace(&member.run);
        (paced::shape(&member.run, &pace, kinds::phases(&member.run), shape), pace.periods)
    };
    shape
        .rows_or_none(most.saturating_mul(member.sources().len() as u64), &USES)
        .rows_or_none(most, &[(COST, Holds::Times)])
}

struct Part<'t> {
    at: usize,
    member: &'t Member,
    threads: &'t [Track],
    schedule: Option<&'t Track>,
}

impl<'t> Part<'t> {
    /// Returns all members in order, or nothing if the recording does not match them.
    fn all(recording: &'t Recording) -> Vec<Self> {
        let members = &recording.header.spec.members;
        let counts = members.iter().map(Member::threads).sum();
        let Some((mut left, rest)) = recording.tracks.split_at_checked(counts) else {
            return Vec::new();
        };
        let mut schedules = rest.iter().skip(1);
        let part = |(at, member): (usize, &'t Member)| {
            let (threads, others) = left.split_at(member.threads());
            left = others;
            let schedule = (!member.best_effort).then(|| schedules.next()).flatten();
            Self { at, member, threads, schedule }
        };
        members.iter().enumerate().map(part).collect()
    }

    fn paced(&self) -> Option<Paced<'t>> {
        Some(Paced { spec: &self.member.run, threads: self.threads, schedule: self.schedule? })
    }
}

pub(super) fn rows(recording: &Recording) -> Vec<Row> {
    let parts = Part::all(recording);
    let row = |part: &Part| {
        let row = match part.paced() {
            Some(paced) => of_paced(recording, &parts, part, paced),
            None => of_best_effort(part),
        };
        let state = recording.tracks.iter().find(|track| track.name == "state");
        let add = |row: Row, (name, fact): &(&str, record::Fact)| {
            let value = state?.attributes.get(&format!("{} {name}", part.at));
            Some(row.with(fact, value?.clone()))
        };
        let row = OF_STATE.iter().fold(row, |row, fact| add(row.clone(), fact).unwrap_or(row));
        let asked = &part.member.run.asked;
        let cpu_times = part.threads.iter().map(|track| track.number(&fact::CPU_TIME_NS));
        row.with(&fact::MEMBER, &*part.member.name)
            .with(&fact::MEMBER_POLICY, asked.policy.to_string())
            .with(&fact::MEMBER_CPUS, asked.cpus.to_string())
            .with(&fact::THREADS, part.threads.len())
            .with(&fact::BEST_EFFORT, part.member.best_effort)
            .with(&fact::CPU_TIME_NS, cpu_times.sum::<i64>())
    };
    parts.iter().map(row).collect()
}

pub(super) fn each_thread(recording: &Recording, each: EachThread) {
    for part in Part::all(recording) {
        if let Some(paced) = part.paced() {
            paced::each_of(paced, kinds::phases(&part.member.run), each);
        }
    }
}

fn of_paced(recording: &Recording, all: &[Part], part: &Part, paced: Paced) -> Row {
    let phases = kinds::phases(&part.member.run);
    let row = paced::row_of(recording, paced, phases, part.member.name.clone());
    let costs: Vec<i64> = part.threads.iter().flat_map(|t| t.values(COST)).copied().collect();
    let longest = |from: &str, to: &str| {
        let of = |track: &Track| differences(track, from, to).max();
        part.threads.iter().filter_map(of).max()
    };
    row.with(&fact::MEMBER_PERIOD_NS, paced.schedule.number("period_ns"))
        .with(&fact::STEP_RUN_MAX_NS, longest("start_ns", "end_ns"))
        .with(&fact::START_LATE_MAX_NS, longest("due_ns", "start_ns"))
        .with(&fact::STEP_COST_NS, stats::median(&costs))
        .with(&fact::STEP_COST_MAX_NS, costs.iter().max().copied())
        .with(&fact::AGES, json!(ages(all, part)))
}

fn differences<'t>(track: &'t Track, from: &str, to: &str) -> impl Iterator<Item = i64> + use<'t> {
    track.values(from).iter().zip(track.values(to)).map(|(from, to)| to - from)
}

/// Returns how old the values of each source were when they were used. `bound_ns` is the source's
/// period plus the longest time from the due time to the end of one of its steps. Until its last
/// step has ended, values are older than that only if a period of the source had no step.
fn ages<'a>(all: &[Part], part: &'a Part) -> Vec<AgeOfInputs<'a>> {
    let Some(track) = part.threads.first() else {
        return Vec::new();
    };
    let sources = part.member.sources().into_iter().enumerate();
    let age = |(number, name): (usize, &'a str)| {
        let uses = track.values("source").iter().zip(track.values("taken_ns"));
        let uses = uses.zip(track.values("made_ns"));
        let of_source = uses.filter(|((source, _), _)| **source == number as i64);
        let (made, unmade): (Vec<_>, Vec<_>) = of_source.partition(|(_, made)| **made > 0);
        let age_at_use = |((_, used), made): &((_, &i64), &i64)| (**used, **used - **made);
        let made: Vec<(i64, i64)> = made.iter().map(age_at_use).collect();
        let mut ages: Vec<i64> = made.iter().map(|(_, age)| *age).collect();
        ages.sort_unstable();
        let source = all.iter().find(|other| other.member.name == name);
        let source = source.and_then(|other| Some((other.threads.first()?, other.schedule?)));
        let period = source.map(|(_, schedule)| schedule.number("period_ns"));
        let delay = source.and_then(|(track, _)| differences(track, "due_ns", "end_ns").max());
        let bound = period.zip(delay).map(|(period, delay)| period + delay);
        let end = source.and_then(|(_, schedule)| {
            Some(schedule.number("t0_ns") + schedule.number("periods") * period? + delay?)
        });
        let is_beyond = |(used, age): &&(i64, i64)| Some(*age) > bound && Some(*used) < end;
        let beyond = made.iter().filter(is_beyond);
        AgeOfInputs {
            from: name,
            uses: ages.len() + unmade.len(),
            before_the_first: unmade.len(),
            p50_ns: stats::median(&ages),
            max_ns: ages.last().copied(),
            period_ns: period,
            bound_ns: bound,
            beyond: beyond.count(),
        }
    };
    sources.map(age).collect()
}

fn of_best_effort(part: &Part) -> Row {
    let Some(track) = part.threads.first() else {
        return Row::default();
    };
    let steps = track.number("steps").unsigned_abs();
    let time = (track.number("stop_ns") - track.number("start_ns")).max(1) as f64;
    let share = track.number(&fact::CPU_TIME_NS) as f64 / time;
    let share = (!kinds::is_program(&part.member.run)).then_some(share);
    let row =
        Row { label: part.member.name.clone(), due: steps, executed: steps, ..Row::default() };
    row.with(&fact::STEPS_PER_S, steps as f64 * 1e9 / time)
        .with(&fact::CPU_SHARE, share)
        .with(&fact::LIMIT_PERCENT, part.member.limit_percent)
}
