//! A frontier in words.

use plan::Axis;
use stats::frontier::Criterion;
use stats::{Distribution, Tries};
use units::Nanos;

use super::Frontier;
use crate::capacity::{self, End, Ends, Line, Size, headroom_ns};
use crate::held::{Held, one_in};
use crate::words;

/// `1 000 Hz, balanced model, semaphore solver, fifo:80`.
pub fn caption(frontier: &Frontier) -> String {
    let (grid, spec) = (&frontier.grid, frontier.grid.spec);
    let rate = grid.rate();
    let conditions = capacity::conditions(spec);
    // A person's own model is one of its conditions: its file.
    let model = Some(grid.model()).filter(|model| !conditions.split(", ").any(|one| one == model));
    let words = rate.into_iter().chain(model).chain([conditions]);
    words.collect::<Vec<String>>().join(", ")
}

/// Both ends of where an edge lies: `17 920 .. 18 400`; an end that only seems so has `?`.
pub fn interval(axis: &Axis, ends: &Ends) -> String {
    let end = |end: Option<End>, none: &str| match end {
        Some(End { size, shown }) => {
            let doubt = if shown { "" } else { "?" };
            format!("{}{doubt}", words::bare(axis, size))
        }
        None => none.to_owned(),
    };
    format!("{} .. {}", end(ends.held(), "none"), end(ends.missed(), "?"))
}

/// What shows the frontier and what spoils it, in sentences.
pub fn notes(frontier: &Frontier) -> Vec<String> {
    let of_line = |line| {
        [holds, above, stalls, headroom]
            .into_iter()
            .filter_map(move |note: fn(&Frontier, &Line) -> Option<String>| note(frontier, line))
    };
    frontier.grid.lines.iter().flat_map(of_line).collect()
}

/// The most that any number of threads holds.
pub fn overall(frontier: &Frontier) -> String {
    let limits = frontier.limits.words(frontier.strictness);
    let Some((line, ends)) = frontier.best() else {
        let noun = frontier.grid.axis.noun();
        return format!("No {noun} that was tried holds in {limits}.");
    };
    let size = |size| format!("{}, on {}", frontier.grid.size_in_words(size), on(line));
    match (ends.shown.held, ends.so_far.held.unwrap_or_default()) {
        (Some(shown), _) => format!(
            "{} shown to hold: {}, in {limits}.",
            words::capital(furthest(&frontier.grid.axis)),
            size(shown)
        ),
        (None, seems) => format!(
            "No {} is shown to hold in {limits}. The {} that seems to: {}.",
            frontier.grid.axis.noun(),
            furthest(&frontier.grid.axis),
            size(seems)
        ),
    }
}

/// What the place farthest on is called among others.
fn furthest(axis: &Axis) -> &'static str {
    match axis {
        Axis::Masses | Axis::Instances => "largest",
        Axis::Rate => "highest",
        Axis::Setting(_) => "hardest",
    }
}

/// What a place farther on is called.
fn further(axis: &Axis) -> &'static str {
    match axis {
        Axis::Masses | Axis::Instances => "larger",
        Axis::Rate => "higher",
        Axis::Setting(_) => "harder",
    }
}

fn on(line: &Line) -> String {
    words::counted(line.threads as usize, "thread")
}

fn holds(frontier: &Frontier, line: &Line) -> Option<String> {
    let ends = frontier.ends(line, Criterion::InDeadlines);
    let missed_of = |end: End| {
        let counted = frontier.held(line, end.size).counted("");
        format!("{} {counted}", frontier.grid.size_in_words(end.size))
    };
    let Some(held) = ends.held() else {
        return Some(format!("On {}: nothing holds; {}.", on(line), missed_of(ends.missed()?)));
    };
    let missed = ends.missed().map(missed_of);
    Some(format!(
        "On {}: {} {}: {}; {}.",
        on(line),
        frontier.grid.size_in_words(held.size),
        standing(&frontier.grid.axis, held),
        claim(frontier, line, held.size),
        missed.unwrap_or_else(|| {
            let axis = &frontier.grid.axis;
            format!("no {} {} was tried", further(axis), axis.noun())
        }),
    ))
}

fn standing(axis: &Axis, end: End) -> &'static str {
    match (axis.size().is_some() && end.size != 1, end.shown) {
        (true, true) => "hold",
        (true, false) => "are not shown to hold",
        (false, true) => "holds",
        (false, false) => "is not shown to hold",
    }
}

/// `0 of 12 000 deadlines missed in 40 runs, so with 95 % confidence fewer than 1 in 2 184
/// are (1 650 an hour) if misses come one by one, and fewer than 11 % of such runs miss any`.
fn claim(frontier: &Frontier, line: &Line, size: u64) -> String {
    let Held { tries, bound, .. } = frontier.held(line, size);
    let an_hour = bound.upper * 3.6e12 / frontier.grid.period(size).0.max(1) as f64;
    format!(
        "{} of {} deadlines missed in {}, so with 95 % confidence (shared by {} tried) fewer than \
         {} are ({} an hour){}",
        words::grouped(tries.missed),
        words::grouped(tries.due),
        words::counted(tries.runs as usize, "run"),
        words::counted(line.claims(), frontier.grid.axis.noun()),
        one_in(bound.upper),
        words::quantity(an_hour),
        dependence(tries, line.claims()),
    )
}

/// What the bound takes misses for, and what runs say of that.
fn dependence(tries: Tries, claims: usize) -> String {
    match tries.bad_runs(claims) {
        Some(share) => format!(
            " if misses come one by one, and fewer than {} of such runs miss any",
            words::percent(share)
        ),
        None if tries.runs_differ() => {
            ", as runs differ more than chance allows and misses of one count together".to_owned()
        }
        None => String::new(),
    }
}

/// The machine was not equally steady all the time.
fn above(frontier: &Frontier, line: &Line) -> Option<String> {
    let ends = frontier.ends(line, Criterion::InDeadlines);
    let above: Vec<String> =
        ends.shown.held_above.iter().map(|m| words::bare(&frontier.grid.axis, *m)).collect();
    let axis = &frontier.grid.axis;
    let (noun, further) = (axis.noun(), further(axis));
    let below = match axis {
        Axis::Masses | Axis::Instances => "a smaller size",
        Axis::Rate => "a lower rate",
        Axis::Setting(_) => "an easier value",
    };
    let above_in_words = match axis {
        Axis::Setting(_) => format!("{} = {}", axis.unit(2), words::listed(&above)),
        _ => format!("{} {}", words::listed(&above), axis.unit(2)),
    };
    (!above.is_empty()).then(|| {
        format!(
            "On {}: {above_in_words} hold although {below} missed; {further} {noun}s than the first \
             one that missed do not count.",
            on(line),
        )
    })
}

/// Misses that the size is not to blame for.
fn stalls(frontier: &Frontier, line: &Line) -> Option<String> {
    let fits = frontier.ends(line, Criterion::InSteps).held()?.size;
    let fitting = || line.sizes.range(..=fits).map(|(_, size)| size);
    let total = |of: fn(&Size) -> u64| fitting().map(of).sum::<u64>();
    let [missed, due] = [total(|s| s.deadlines.missed), total(|s| s.deadlines.due)];
    if missed == 0 {
        return None;
    }
    let mut sentence = format!(
        "On {}: up to {} a step usually fits into its period; there, {} of {} deadlines were \
         missed, in {}",
        on(line),
        frontier.grid.size_in_words(fits),
        words::grouped(missed),
        words::grouped(due),
        words::counted(total(|s| s.steps.missed) as usize, "step"),
    );
    match total(|s| s.blamed) {
        0 => sentence += ". What held these up, `--blame` tells",
        _ => sentence += &but_for_the_platform(frontier, line, total(|s| s.excused)),
    }
    if let steal @ 1.. = total(|s| s.steal_ns) {
        sentence +=
            &format!(". The hypervisor says that it took {} there", words::time(steal as f64));
    }
    Some(sentence + ".")
}

fn but_for_the_platform(frontier: &Frontier, line: &Line, excused: u64) -> String {
    if excused == 0 {
        return ", none of them because the platform stood still".to_owned();
    }
    let own = frontier.ends(line, Criterion::ButForPlatform);
    format!(
        "; {} of these would have been met if the platform had not stood still (platform gaps, \
         steal). Without those the frontier lies at {}",
        words::grouped(excused),
        interval(&frontier.grid.axis, &own),
    )
}

fn headroom(frontier: &Frontier, line: &Line) -> Option<String> {
    let held = frontier.ends(line, Criterion::InDeadlines).held()?;
    room(frontier, line, held.size)
}

/// How much longer steps of a size can take; `None` of a size that was not tried.
pub fn room(frontier: &Frontier, line: &Line, size: u64) -> Option<String> {
    let tried = line.sizes.get(&size)?;
    let ended = ended(&tried.latency()?, frontier.grid.period(size))?;
    let mut sentence =
        format!("Headroom of {} on {}: {ended}", frontier.grid.size_in_words(size), on(line),);
    let larger = frontier.ends(line, Criterion::InDeadlines).held();
    let larger = larger.filter(|held| held.size > size && frontier.grid.axis != Axis::Rate);
    if let Some((held, longer)) = larger.and_then(|held| {
        let longer = line.sizes[&held.size].usual_ns() - tried.usual_ns();
        Some((held, longer)).filter(|_| longer > 0.0)
    }) {
        sentence += &format!(
            ". Tried: {}, whose steps take {} longer, {}",
            frontier.grid.size_in_words(held.size),
            words::time(longer),
            standing(&frontier.grid.axis, held),
        );
    }
    Some(sentence + ".")
}

/// `the worst of 60 000 steps ended 929 µs before their deadline, and 99 of 100 957 µs before it`;
/// `None` of too few steps.
pub(crate) fn ended(latency: &Distribution, period: Nanos) -> Option<String> {
    let [p99, worst] = headroom_ns(Some(latency), period);
    Some(format!(
        "the worst of {} steps ended {}, and 99 of 100 {}",
        words::grouped(latency.count()),
        before_or_after(worst?),
        before_or_after(p99?),
    ))
}

fn before_or_after(headroom_ns: i64) -> String {
    let time = words::time(headroom_ns.unsigned_abs() as f64);
    match headroom_ns {
        0.. => format!("{time} before their deadline"),
        _ => format!("{time} after their deadline"),
    }
}
