//! Periodic work in few words: threads, frames and models with their deadlines, each judged as
//! hard real time.

use plan::{Axis, Family, RunSpec, fact};
use units::Nanos;

use super::parts::{Line, Standing};
use super::subject::Named;
use crate::frontier::Frontier;
use crate::held::{Held, one_in};
use crate::own_model;
use crate::real_time;
use crate::standards::{Limits, Strictness};
use crate::survey::{Series, System, loads};
use crate::words;

/// A case is one kind of periodic work under one set of conditions.
pub(super) struct Case {
    /// Its line of the answer.
    pub line: Line,
    /// What it shows.
    pub standing: Standing,
    /// What it shows, in a sentence.
    pub verdict: String,
    /// What its deadlines came to.
    pub held: Held,
    /// The time between two of them.
    pub period: Nanos,
    /// Threads that are due at the same time: each sees the same moments.
    pub at_once: u64,
    /// What came latest, in nanoseconds, where that is known.
    worst_ns: i64,
    family: Option<Family>,
    /// The machine, where there are several.
    pub machine: Option<String>,
}

/// Every case, machine by machine; what ran without a real-time policy only where nothing else
/// ran on the machine.
pub(super) fn cases(machines: &[Named], frontiers: &[Frontier], limits: &Limits) -> Vec<Case> {
    let of_machine = |machine| {
        let all: Vec<(Case, bool)> = periodic(machine, limits).collect();
        let is_any = all.iter().any(|(_, is_real_time)| *is_real_time);
        let all = all.into_iter();
        let cases = all.filter(move |(_, is_real_time)| *is_real_time || !is_any);
        let models = frontiers.iter().filter(|one| one.grid.is_of_sizes());
        let models = models.filter_map(|one| of_model(machine, one));
        cases.map(|(case, _)| case).chain(models)
    };
    machines.iter().flat_map(of_machine).collect()
}

/// Of each family the first case and the worst other one, in their order: these tell most. Of
/// several machines the worst of each.
pub(super) fn telling(cases: &[Case]) -> Vec<&Case> {
    let worse = |one: &&Case, other: &&Case| one.severity().cmp(&other.severity());
    let mut telling: Vec<&Case> = Vec::new();
    for family in [Family::Wakeups, Family::Frames, Family::Models] {
        let own = cases.iter().filter(|case| case.family == Some(family));
        let own: Vec<&Case> = own.collect();
        for alike in own.chunk_by(|one, other| one.machine == other.machine) {
            let is_alone = alike[0].machine.is_none();
            let (first, others) = alike.split_at(usize::from(is_alone));
            telling.extend(first);
            telling.extend(others.iter().copied().max_by(worse));
        }
    }
    telling.dedup_by(|one, other| one.line == other.line);
    telling
}

/// What of the periodic work nothing is known of, since each of its runs is INVALID, in a sentence.
pub(super) fn unknown(machines: &[Named]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for name in machines.iter().flat_map(unknown_of) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let (first, others) = names.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("NOT KNOWN of the {first}{others}: every such run is INVALID."))
}

fn unknown_of(machine: &Named) -> Vec<String> {
    let system = machine.system;
    let specs = || system.outcomes.iter().map(|outcome| &outcome.header.spec);
    let is_real_time = |spec: &&RunSpec| spec.asked.policy.is_real_time();
    let is_any = specs().any(|spec| is_real_time(&spec) && real_time::period(spec).is_some());
    let is_known = |spec: &RunSpec| system.series.iter().any(|series| series.is_of(spec));
    let all = specs().filter(|spec| is_real_time(spec) || !is_any);
    let unknown = all.filter(|spec| !is_known(spec));
    let name = |spec: &RunSpec| {
        let thing = match Family::of(&spec.measurement) {
            Some(Family::Wakeups) => "thread",
            Some(Family::Frames) => "frames",
            _ => &spec.measurement,
        };
        let rate = rate(real_time::period(spec)?);
        Some(machine.told(format!("{rate} {thing}{}", beside(spec))))
    };
    unknown.filter_map(name).collect()
}

/// The loads of a run, after what was measured.
fn beside(spec: &RunSpec) -> String {
    match spec.asked.loads.is_empty() {
        true => String::new(),
        false => format!(", {}", loads(&spec.asked)),
    }
}

impl Case {
    /// How bad it is: what decides which of several cases is told.
    pub(super) fn severity(&self) -> (Standing, i64) {
        (self.standing, self.worst_ns)
    }
}

/// Threads, frames and a person's own models of a machine, each with whether it had a real-time policy.
fn periodic<'s>(
    machine: &'s Named,
    limits: &'s Limits,
) -> impl Iterator<Item = (Case, bool)> + use<'s> {
    let system = machine.system;
    let wakeups = system.of("wakeup").chain(system.of("frame"));
    let all = wakeups.chain(system.of(own_model::MEASUREMENT));
    let own = all.filter(|series| series.headline && series.due() > 0);
    own.filter_map(move |series| {
        let is_real_time = series.spec.asked.policy.is_real_time();
        Some((of_series(machine, series, limits)?, is_real_time))
    })
}

fn of_series(machine: &Named, first: &Series, limits: &Limits) -> Option<Case> {
    let system = machine.system;
    let family = Family::of(&first.spec.measurement);
    // Processes of one run are judged together; one thread's CPUs are in its headline.
    let is_part = |series: &&Series| match family {
        Some(Family::Frames) => series.spec == first.spec,
        _ => std::ptr::eq(*series, first),
    };
    let parts: Vec<&Series> = system.of(&first.spec.measurement).filter(is_part).collect();
    let rows: Vec<_> = parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
    let rows: Vec<_> = rows.into_iter().filter(|row| judged(family, row)).collect();
    let (tries, period) = real_time::tries(first.spec, &rows)?;
    let held = Held::of(tries, limits.demand(Strictness::Hard, period), 1);
    let latency = parts.iter().filter_map(|part| part.latency.as_ref());
    let worst_ns = latency.map(|latency| latency.max.value_ns).max().unwrap_or(0);
    let rate = rate(period);
    let place = machine.place();
    let (thing, late) = match family {
        Some(Family::Frames) => ("frames", format!("the longest took {}", time(worst_ns))),
        Some(Family::Models) => {
            ("steps", format!("the worst ended {} after it was due", time(worst_ns)))
        }
        _ => ("wake-ups", format!("the latest came {} late", time(worst_ns))),
    };
    let load = beside(first.spec);
    let verdict = match standing(&held) {
        Standing::Bad => format!(
            "NOT READY for hard real time at {rate}{place}: {} of {} {thing} missed; {late}{load}.",
            words::grouped(held.tries.missed),
            words::grouped(held.tries.due),
        ),
        _ => unmissed(&held, &format!("at {rate}{place}"), thing),
    };
    let what = match family {
        Some(Family::Frames) => format!("{rate} frames{}{load}", apart(system, first)),
        Some(Family::Models) => format!("{rate} model {}{load}", own_model::name(first)),
        _ => format!("{rate} thread{load}"),
    };
    Some(Case {
        line: Line { what: machine.told(what), figures: figures(&held, first, worst_ns) },
        standing: standing(&held),
        verdict,
        held,
        period,
        at_once: match family {
            Some(Family::Models) => 1,
            _ => first.spec.asked.cpus.len().max(1) as u64,
        },
        worst_ns,
        family,
        machine: machine.name.clone(),
    })
}

/// How its processes start and how many there are, where that tells a run of frames from others.
fn apart(system: &System, first: &Series) -> String {
    let told = ["processes", "start"].iter().filter_map(|name| {
        let of = |series: &Series| series.spec.parameters.get(name).map(words::value);
        let own = of(first)?;
        let differs = system.of("frame").any(|other| of(other).as_ref() != Some(&own));
        differs.then(|| match *name {
            "start" => format!(", start {own}"),
            _ => format!(" x {own}"),
        })
    });
    told.collect()
}

/// Rows that are frames, and not what led to one.
fn judged(family: Option<Family>, row: &plan::Row) -> bool {
    family != Some(Family::Frames) || row.fact(&fact::OVERRUNS).is_some()
}

fn figures(held: &Held, series: &Series, worst_ns: i64) -> Vec<String> {
    let latency = series.latency.as_ref();
    let typical = latency.map(|latency| latency.quantile_ns(0.5));
    let worst = Some(worst_ns).filter(|_| typical.is_some());
    let share = Some(held.tries.share()).filter(|share| *share > 0.0);
    let figures = [
        Some(held.missed("")),
        worst.map(|ns| format!("worst {}", time(ns))),
        typical.map(|ns| format!("typical {}", time(ns))),
        share.map(|share| format!("({})", one_in(share))),
    ];
    figures.into_iter().flatten().collect()
}

/// A model at a rate, where it ran on the machine: the largest size that holds, or so far seems to.
fn of_model(machine: &Named, frontier: &Frontier) -> Option<Case> {
    (frontier.grid.system == machine.system.name).then_some(())?;
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
    let period = frontier.grid.period(largest);
    let size = &line.sizes[&largest];
    let held = frontier.held(line, largest);
    let rate = rate(period);
    let place = machine.place();
    let threads = words::counted(line.threads as usize, "thread");
    let grid = &frontier.grid;
    let what = match grid.axis {
        Axis::Rate => format!("{} on {threads}", grid.model()),
        _ => format!("{} on {threads}", grid.size_in_words(largest)),
    };
    let worst_ns = size.headroom_ns(period)[1].map_or(0, |ns| period.0 as i64 - ns);
    let is_only = frontier.grid.lines.iter().map(|line| line.sizes.len()).sum::<usize>() == 1;
    let verdict = match (standing, is_only) {
        (Standing::Bad, _) => format!(
            "NOT READY for hard real time at {rate}{place}: {what} {}.",
            held.counted("steps")
        ),
        (Standing::Good, _) => format!("SHOWN to hold at {rate}{place}: {what}."),
        _ => unmissed(&held, &format!("at {rate}{place} with {what}"), "steps"),
    };
    Some(Case {
        line: Line {
            what: machine.told(format!("{rate} {}", frontier.grid.spec.measurement)),
            figures: vec![format!("{what}: {}", held.missed(""))],
        },
        standing,
        verdict,
        held,
        period,
        at_once: 1,
        worst_ns,
        family: Some(Family::Models),
        machine: machine.name.clone(),
    })
}

/// The verdict where no deadline was missed.
fn unmissed(held: &Held, at: &str, thing: &str) -> String {
    let bound = one_in(held.bound.upper);
    let (due, runs) = (words::grouped(held.tries.due), held.tries.runs);
    match held.is_shown() {
        true => format!(
            "SHOWN to hold {at}: no miss in {due} {thing} of {} (fewer than {bound}).",
            words::counted(runs as usize, "run")
        ),
        false => format!("NO MISS SEEN {at} in {due} {thing}; not yet shown to hold."),
    }
}

fn standing(held: &Held) -> Standing {
    match (held.tries.missed, held.is_shown()) {
        (0, true) => Standing::Good,
        (0, false) => Standing::Open,
        _ => Standing::Bad,
    }
}

/// `1 kHz`, `100 Hz`.
fn rate(period: Nanos) -> String {
    let hertz = 1e9 / period.0 as f64;
    match hertz {
        1e3.. => format!("{} kHz", words::quantity(hertz / 1e3)),
        _ => format!("{} Hz", words::quantity(hertz)),
    }
}

fn time(ns: i64) -> String {
    words::time(ns as f64)
}
