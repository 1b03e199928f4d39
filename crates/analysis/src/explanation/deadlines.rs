//! Periodic work with its deadlines, judged as hard real time for each kind and set of conditions.

use base::{Nanos, Policy};
use record::{Axis, Family, Outcome, Row, RunSpec, fact};
use stats::InOrder;

use super::worst_cpu::worst_cpu;
use super::worst_run::WorstRun;
use crate::capacity::Line;
use crate::finding::{AboutDeadlines, Finding, Job, Met, Periodic, Standing, WorstCpu};
use crate::frontier::Frontier;
use crate::held::Held;
use crate::lists::each_once;
use crate::spacing::{self, Spacing};
use crate::standards::{Limits, Strictness};
use crate::subject::{Named, named};
use crate::survey::{Series, System, loads};
use crate::{own_model, real_time, words};

pub struct Case<'a> {
    pub of: Periodic,
    pub policy: Policy,
    pub standing: Standing,
    pub held: Held,
    /// Median and latest response; `None` if responses were not timed.
    pub typical_ns: Option<i64>,
    pub latest_ns: Option<i64>,
    /// The latest response, or how far the largest size is from its deadline.
    pub(crate) late_ns: i64,
    /// Threads with the same release times, which experience the same events.
    pub(crate) at_once: u64,
    /// Deadlines that passed after the last recorded one of a run while its step was overdue.
    pub(crate) cut_off: u64,
    pub(crate) family: Option<Family>,
    /// The run that lost most; `None` if no run has a row.
    pub(crate) worst_run: Option<WorstRun<'a>>,
    /// The CPU that is shown to be worse than the others, if several were measured.
    pub(crate) worst_cpu: Option<WorstCpu>,
}

/// The periodic work of all machines.
#[derive(Default)]
pub struct Cases<'a> {
    /// Machine by machine; work without a real-time policy only where nothing else ran.
    pub judged: Vec<Case<'a>>,
    /// Work without a real-time policy, of machines with other work that has one.
    pub(crate) not_judged: Vec<Case<'a>>,
}

pub(crate) fn cases<'a>(
    systems: &[System<'a>],
    frontiers: &[Frontier<'a>],
    limits: &Limits,
) -> Cases<'a> {
    let of_machine = |machine: &Named<'_, 'a>| {
        let work = ["wakeup", "frame", own_model::MEASUREMENT].into_iter();
        let work = work.flat_map(|measurement| machine.system.of(measurement));
        // Each clock of a model has a row.
        let is_own = |series: &&Series| series.headline() || own_model::is_own(series.spec);
        let judged =
            work.filter(is_own).filter(|series| series.due() > 0 && series.probe.is_none());
        let judged = judged.filter_map(|series| of_series(machine, series, limits));
        let models = frontiers.iter().filter(|frontier| frontier.grid.is_shown_by_size());
        let models = models.filter_map(|frontier| of_model(machine, frontier));
        let work = judged.chain(models);
        work.partition::<Vec<Case>, _>(|case| case.policy.is_real_time())
    };
    let mut cases = Cases::default();
    for (real_time, other) in named(systems).iter().map(of_machine) {
        let (judged, not_judged) =
            if real_time.is_empty() { (other, real_time) } else { (real_time, other) };
        cases.judged.extend(judged);
        cases.not_judged.extend(not_judged);
    }
    cases
}

/// Reports the latest work that is not judged, and how much else is not.
pub(crate) fn not_judged(cases: &Cases) -> Option<Finding> {
    let case = cases.not_judged.iter().rev().max_by_key(|case| case.late_ns)?;
    Some(Finding::Deadlines(AboutDeadlines::NotJudged {
        of: case.of.clone(),
        policy: case.policy.to_string(),
        met: Met::from(&case.held),
        latest_ns: case.latest_ns,
        others: cases.not_judged.len() - 1,
    }))
}

/// Returns the worst case; of equal cases the first, which is the one among the figures.
pub(crate) fn worst<'c, 'a>(cases: &'c [Case<'a>]) -> Option<&'c Case<'a>> {
    cases.iter().rev().max_by_key(|case| case.severity())
}

/// Returns the case of the verdict, then the first, the worst other and the latest other case of each
/// family; of several machines, each one's worst and latest.
pub fn telling<'c, 'a>(cases: &'c [Case<'a>]) -> Vec<&'c Case<'a>> {
    let mut telling: Vec<&Case> = worst(cases).into_iter().collect();
    for family in [Family::Wakeups, Family::Frames, Family::Models] {
        let of_family: Vec<&Case> =
            cases.iter().filter(|case| case.family == Some(family)).collect();
        for alike in of_family.chunk_by(|a, b| a.of.machine == b.of.machine) {
            let is_alone = alike[0].of.machine.is_none();
            let (first, others) = alike.split_at(usize::from(is_alone));
            telling.extend(first);
            telling.extend(others.iter().max_by_key(|case| case.severity()));
            telling.extend(others.iter().max_by_key(|case| case.late_ns));
        }
    }
    let is_first =
        |at: &usize| !telling[..*at].iter().any(|earlier| std::ptr::eq(*earlier, telling[*at]));
    (0..telling.len()).filter(is_first).map(|at| telling[at]).collect()
}

impl Case<'_> {
    /// Returns how bad it is, which decides the case of the verdict: among cases with misses, the
    /// one with the lowest rate, because a verdict about a higher rate reads as if the lower one
    /// held; of these the one that missed most, then the latest.
    pub(crate) fn severity(&self) -> (Standing, Nanos, u64, i64) {
        let is_bad = self.standing == Standing::Bad;
        let period = Nanos(if is_bad { self.of.period_ns } else { 0 });
        (self.standing, period, self.held.tries.missed, self.late_ns)
    }

    pub(crate) fn verdict(&self) -> Finding {
        let is_step = matches!(self.of.job, Job::Step { .. });
        Finding::Deadlines(AboutDeadlines::Deadlines {
            of: self.of.clone(),
            met: Met::from(&self.held),
            standing: self.standing,
            latest_ns: (!is_step).then_some(self.late_ns),
        })
    }
}

/// Reports the periodic work of which nothing is known because all its runs are INVALID.
pub(crate) fn unknown(machines: &[Named]) -> Option<Finding> {
    let all = each_once(machines.iter().flat_map(unknown_of));
    let (first, others) = all.split_first()?;
    Some(Finding::Deadlines(AboutDeadlines::Unknown { of: first.clone(), others: others.len() }))
}

fn unknown_of(machine: &Named) -> Vec<Periodic> {
    let system = machine.system;
    let specs = || system.outcomes.iter().map(|outcome| &outcome.header.spec);
    let is_real_time = |spec: &&RunSpec| spec.asked.policy.is_real_time();
    let is_any = specs().any(|spec| is_real_time(&spec) && spacing::period(spec).is_some());
    let is_known = |spec: &RunSpec| system.series.iter().any(|series| series.is_of(spec));
    let unknown = specs().filter(|spec| (is_real_time(spec) || !is_any) && !is_known(spec));
    let work = |spec: &RunSpec| {
        let job = match Family::of(&spec.measurement) {
            Some(Family::Wakeups) => Job::Thread,
            Some(Family::Frames) => Job::Frames { processes: None, start: None, fill: None },
            _ => Job::Step { measurement: spec.measurement.clone(), size: None, threads: 0 },
        };
        Some(of_spec(machine, spec, spacing::period(spec)?, job))
    };
    unknown.filter_map(work).collect()
}

fn of_spec(machine: &Named, spec: &RunSpec, period: Nanos, job: Job) -> Periodic {
    Periodic {
        machine: machine.name.clone(),
        period_ns: period.0,
        job,
        loads: loads_of(spec),
        is_searched: is_also_without_search(machine.system, spec),
        stop_at_ns: spec
            .stop_at
            .filter(|_| differs_in_stop(machine.system, spec))
            .map(|stop| stop.0),
    }
}

/// Whether another series has the same conditions, except when it ends.
fn differs_in_stop(system: &System, spec: &RunSpec) -> bool {
    let others = system.series.iter().filter(|series| series.spec.stop_at != spec.stop_at);
    let mut alike = others.map(|series| RunSpec { stop_at: spec.stop_at, ..series.spec.clone() });
    alike.any(|alike| alike == *spec)
}

fn is_also_without_search(system: &System, spec: &RunSpec) -> bool {
    let without = RunSpec { blame_beyond: None, ..spec.clone() };
    spec.blame_beyond.is_some() && system.series.iter().any(|series| *series.spec == without)
}

fn loads_of(spec: &RunSpec) -> Option<String> {
    (!spec.asked.loads.is_empty()).then(|| loads(&spec.asked))
}

fn of_series<'a>(machine: &Named<'_, 'a>, first: &Series<'a>, limits: &Limits) -> Option<Case<'a>> {
    let system = machine.system;
    let family = Family::of(&first.spec.measurement);
    let parts = parts(system, first, family);
    // Processes of one run are judged together; a thread's CPUs are in its headline.
    let tries = match family {
        Some(Family::Frames) => {
            let runs = system.runs_of(first).filter_map(real_time::of_run);
            runs.collect::<InOrder>().together()
        }
        _ => real_time::tries(first.spec, &first.rows)?,
    };
    let period = spacing::row_period(first.spec, first.place)?;
    // The deadlines of all processes, and of all CPUs, are together.
    let due = Spacing::of_run(first.spec).filter(|_| family != Some(Family::Models));
    let due = due.unwrap_or(period.into());
    let held = Held::of(tries, limits.demand(Strictness::Hard, due), 1);
    let labels: Vec<&str> = parts.iter().map(|part| part.label).collect();
    let rows = |run: &'a Outcome| {
        let named = |labels: &[&str]| -> Vec<&'a Row> {
            run.rows.iter().filter(|row| labels.contains(&row.label.as_str())).collect()
        };
        let missed = match family {
            Some(Family::Frames) => real_time::of_run(run),
            _ => real_time::together(&first.spec.measurement, &named(&[first.label])),
        };
        (run, named(&labels), missed.map_or(0, |tries| tries.missed))
    };
    let worst_run = WorstRun::among(system.runs_of(first).map(rows));
    // What passes after the end of an interval counts in the next one.
    let is_soak = system.runs_of(first).any(|run| run.found.interval.is_some());
    let responses = parts.iter().flat_map(|part| &part.rows);
    let late_ns = responses.filter_map(|row| real_time::response_ns(row)).max().unwrap_or(0);
    let typical_ns = first.latency.as_ref().map(|latency| latency.quantile_ns(0.5));
    let job = match family {
        Some(Family::Frames) => frames(system, first),
        Some(Family::Models) => Job::Model { name: own_model::name(first) },
        _ => Job::Thread,
    };
    Some(Case {
        of: of_spec(machine, first.spec, period, job),
        policy: first.spec.asked.policy,
        standing: standing(&held),
        held,
        typical_ns,
        latest_ns: typical_ns.map(|_| late_ns),
        late_ns,
        at_once: match family {
            Some(Family::Models) => 1,
            _ => first.spec.asked.cpus.len().max(1) as u64,
        },
        cut_off: if is_soak { 0 } else { cut_off(&parts, period) },
        family,
        worst_run,
        worst_cpu: match family {
            Some(Family::Wakeups) => worst_cpu(system, &parts),
            _ => None,
        },
    })
}

/// The series of its processes, or of its CPUs if several were measured at once, else the series
/// itself: each counts its own periods.
fn parts<'s, 'a>(
    system: &'s System<'a>,
    first: &'s Series<'a>,
    family: Option<Family>,
) -> Vec<&'s Series<'a>> {
    let is_part = |series: &&Series| match family {
        Some(Family::Frames) => series.total(&fact::MISSED).is_some(),
        Some(Family::Wakeups) => !series.headline(),
        _ => false,
    };
    let alike = system.of(&first.spec.measurement).filter(|series| series.spec == first.spec);
    let parts: Vec<&Series> = alike.filter(is_part).collect();
    if parts.is_empty() { vec![first] } else { parts }
}

/// Counts deadlines that passed after a run's last one, until the overdue thread ran.
fn cut_off(parts: &[&Series], period: Nanos) -> u64 {
    let hidden = |row: &&Row| {
        let max = row.latency.as_ref()?.max;
        let passed = max.value_ns.max(0).cast_unsigned() / period.0.max(1);
        (max.index + passed).checked_sub(row.due.saturating_sub(1))
    };
    parts.iter().flat_map(|series| &series.rows).filter_map(hidden).sum()
}

/// Names the fill of frames, and the start and number of processes where these differ between runs.
fn frames(system: &System, first: &Series) -> Job {
    let differing = |name| {
        let value = |series: &Series| series.spec.parameters.get(name).map(words::value);
        let setting = value(first)?;
        system.of("frame").any(|other| value(other).as_ref() != Some(&setting)).then_some(setting)
    };
    Job::Frames {
        processes: differing("processes"),
        start: differing("start"),
        fill: first.spec.parameters.get("fill").map(words::value),
    }
}

/// Judges a model by its largest size that holds; `None` if it did not run on the machine.
fn of_model<'a>(machine: &Named, frontier: &Frontier<'a>) -> Option<Case<'a>> {
    let (line, standing, largest) = match frontier.best() {
        Some((line, ends)) => {
            let end = ends.held()?;
            let standing = if end.shown { Standing::Good } else { Standing::Open };
            (line, standing, end.size)
        }
        None => {
            let line = frontier.grid.lines.last()?;
            (line, Standing::Bad, *line.sizes.keys().next()?)
        }
    };
    of_size(machine, frontier, (line, largest), standing)
}

/// Judges one size of a model, on one number of threads; `None` if it did not run on the machine.
pub(crate) fn of_size<'a>(
    machine: &Named,
    frontier: &Frontier<'a>,
    (line, size): (&Line<'a>, u64),
    standing: Standing,
) -> Option<Case<'a>> {
    let grid = &frontier.grid;
    (grid.system == machine.system.name).then_some(())?;
    let period = grid.period(size);
    let is_rate = grid.axis == Axis::Rate;
    let named = Some(if is_rate { grid.model() } else { grid.size_in_words(size) });
    let measurement = grid.spec.measurement.clone();
    let job = Job::Step { measurement, size: named, threads: line.threads };
    let size_runs = &line.sizes[&size];
    let headroom_ns = size_runs.headroom_ns(period)[1];
    let rows = |run: &&'a Outcome| {
        let missed = real_time::of_run(run).map_or(0, |tries| tries.missed);
        (*run, run.rows.iter().take(1).collect(), missed)
    };
    Some(Case {
        of: of_spec(machine, grid.spec, period, job),
        policy: grid.spec.asked.policy,
        standing,
        held: frontier.held(line, size),
        typical_ns: None,
        latest_ns: None,
        late_ns: headroom_ns.map_or(0, |ns| period.0 as i64 - ns),
        at_once: 1,
        cut_off: 0,
        family: Some(Family::Models),
        worst_run: WorstRun::among(size_runs.runs.iter().map(rows)),
        worst_cpu: None,
    })
}

fn standing(held: &Held) -> Standing {
    match (held.tries.missed, held.is_shown()) {
        (0, true) => Standing::Good,
        (0, false) => Standing::Open,
        _ => Standing::Bad,
    }
}
