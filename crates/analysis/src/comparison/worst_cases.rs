//! What worst cases say where every run is exact: which system is steadier, where it is not,
//! and what that costs.

use super::cost::{self, Ranked};
use super::wakeups::{
    LIMIT_NS, head, is_real_time, loads_of, worst, worst_interrupt, worst_of_all, worst_under,
};
use crate::survey::{NO_LOAD, Series, System, loads};
use crate::{clock, words};

/// What the worst cases of systems side by side say, in sentences.
pub(super) fn sentences(systems: &[System]) -> Vec<String> {
    let mut sentences: Vec<String> = unfinished(systems);
    sentences.extend(worst_wakeups(systems));
    sentences.extend(above(systems));
    sentences.extend(worst_interrupts(systems));
    // Across clocks nothing is steadier than anything.
    if clock::differ(systems).is_none() {
        let ranked = ranked(systems);
        sentences.extend(steadiest(&ranked));
        sentences.extend(cost::of_steadiness(systems, &ranked));
    }
    sentences
}

/// Which system is the steadiest; nothing where their clocks differ.
pub(super) fn steadiest_of(systems: &[System]) -> Option<String> {
    let is_told = clock::differ(systems).is_none();
    is_told.then(|| steadiest(&ranked(systems))).flatten()
}

fn ranked<'s, 'a>(systems: &'s [System<'a>]) -> Ranked<'s, 'a> {
    let worst = |system| Some((worst_of_all(system)?.0, system));
    let mut ranked: Ranked = systems.iter().filter_map(worst).collect();
    ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    ranked
}

fn worst_wakeups(systems: &[System]) -> Option<String> {
    let policy = systems.iter().find_map(|system| {
        let (_, series) = worst_of_all(system)?;
        Some(series.spec.asked.policy)
    });
    let found = shortest_first(systems, worst_of_all, |series| loads(&series.spec.asked));
    Some(format!(
        "The worst wake-up of a thread under `{}` that asks for 1 ms, {}: {found}.",
        policy?,
        under(&loads_of(systems)),
    ))
}

/// A steady wake-up is not all: where interrupts have threads of their own, these wait too.
fn worst_interrupts(systems: &[System]) -> Option<String> {
    let found = shortest_first(systems, worst_interrupt, |series| {
        format!("{}, {}", series.label, loads(&series.spec.asked))
    });
    (!found.is_empty()).then(|| {
        format!(
            "The longest way of an interrupt to its real-time thread, from any source: {found}."
        )
    })
}

/// The worst of each system with where it was found: `a 20 µs (load x); b 3 ms (load y)`.
fn shortest_first<'s, 'a: 's>(
    systems: &'s [System<'a>],
    worst: impl Fn(&'s System<'a>) -> Option<(f64, &'s Series<'a>)>,
    place: impl Fn(&Series) -> String,
) -> String {
    let mut found: Vec<(f64, String)> = Vec::new();
    for system in systems {
        if let Some((ns, series)) = worst(system) {
            let time = words::time(ns);
            found.push((ns, format!("{} {time} ({})", system.name, place(series))));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let found: Vec<String> = found.into_iter().map(|(_, words)| words).collect();
    found.join("; ")
}

/// `without load and under 7 loads`.
fn under(loads: &[String]) -> String {
    let loaded = loads.iter().filter(|load| *load != NO_LOAD).count();
    match (loaded, loaded == loads.len()) {
        (0, _) => "without load".to_owned(),
        (_, true) => format!("under {}", words::counted(loaded, "load")),
        (_, false) => format!("without load and under {}", words::counted(loaded, "load")),
    }
}

/// A worst case compares only over the same loads.
fn unfinished(systems: &[System]) -> Vec<String> {
    let all = loads_of(systems);
    let missing = |system: &System| {
        let missing = all.iter().filter(|load| worst_under(system, load).is_none());
        let missing: Vec<String> = missing.map(|load| head(load).to_owned()).collect();
        (!missing.is_empty()).then(|| {
            format!(
                "Not complete: {} has no valid wake-up at 1 ms under the load {}, and its worst \
                 case may be worse than it seems.",
                system.name,
                words::listed(&missing)
            )
        })
    };
    systems.iter().filter_map(missing).collect()
}

/// Under which loads real-time wake-ups of any period take longer than the limit.
fn above(systems: &[System]) -> Option<String> {
    let measured = systems.iter().filter(|s| s.series.iter().any(is_real_time));
    let (mut above, mut never) = (Vec::new(), Vec::new());
    for system in measured {
        let found: Vec<String> = loads_above(system);
        match found.as_slice() {
            [] => never.push(system.name.clone()),
            found => above.push(format!("{} under {}", system.name, words::listed(found))),
        }
    }
    let limit = words::time(LIMIT_NS);
    let never = match never.as_slice() {
        [] => None,
        names => Some(format!("Not seen above {limit}: {}.", words::listed(names))),
    };
    let above = match above.as_slice() {
        [] => None,
        systems => Some(format!(
            "Real-time wake-ups above {limit}, at any period: {}.",
            systems.join("; ")
        )),
    };
    let both: Vec<String> = above.into_iter().chain(never).collect();
    (!both.is_empty()).then(|| both.join(" "))
}

fn loads_above(system: &System) -> Vec<String> {
    let wakeups = || system.series.iter().filter(|series| is_real_time(series));
    let mut all: Vec<String> = Vec::new();
    for load in wakeups().map(|series| loads(&series.spec.asked)) {
        if !all.contains(&load) {
            all.push(load);
        }
    }
    let above = |load: &String| {
        let under = wakeups().filter(|series| loads(&series.spec.asked) == *load);
        let (ns, series) = worst(under)?;
        let period = words::time(series.spec.parameters.time("period").0 as f64);
        let told = format!("{load} ({}, asked for {period})", words::time(ns));
        (ns > LIMIT_NS).then_some(told)
    };
    all.iter().filter_map(above).collect()
}

fn steadiest(ranked: &Ranked) -> Option<String> {
    let [(best, system), (second, next), ..] = ranked.as_slice() else {
        return None;
    };
    let times = second / best.max(1.0);
    let beyond = match ranked.last() {
        Some((last, least)) if ranked.len() > 2 => format!(
            ", and that of {}, the least steady, {} times",
            least.name,
            words::quantity(last / best.max(1.0)),
        ),
        _ => String::new(),
    };
    Some(match times {
        ..1.005 => {
            format!("No system is the steadiest: {} and {} are alike.", system.name, next.name)
        }
        _ => format!(
            "The steadiest system is {}: the worst case of the next, {}, is {} times as long{beyond}.",
            system.name,
            next.name,
            words::quantity(times),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, lab, wakeup};
    use crate::survey::systems;
    use units::Policy;

    #[test]
    fn the_steadiest_is_named_with_its_price() {
        let runs = lab();
        let told = sentences(&systems(&runs)).join("\n");
        for words in [
            "The steadiest system is stock-rt",
            "Not seen above 1 ms: stock-rt.",
            "against stock+preempt=voluntary",
            "an interrupt of the timer reaches its thread in",
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
        let above = told.lines().find(|line| line.contains("at any period"));
        assert!(above.unwrap().contains("stock+preempt=none under load files"));
        assert!(above.unwrap().contains("load paging"));
        assert!(!told.contains("Not complete"));
    }

    #[test]
    fn interrupts_are_told_beside_wakeups() {
        let runs = lab();
        let told = sentences(&systems(&runs));
        let interrupts = told.iter().find(|line| line.contains("of an interrupt")).unwrap();
        let last = interrupts.rsplit("; ").next().unwrap();
        assert!(last.starts_with("stock-rt 2."), "{last}");
        assert!(last.contains(" ms (timer, load"), "{last}");
    }

    #[test]
    fn a_load_that_one_system_lacks_is_told() {
        let fifo = Policy::Fifo(80);
        let runs = [
            in_lab("a", "rt", wakeup(fifo, None, 8e3, 6e4)),
            in_lab("a", "rt", wakeup(fifo, Some("cpu"), 8e3, 6e4)),
            in_lab("b", "rt", wakeup(fifo, None, 8e3, 6e4)),
        ];
        let told = sentences(&systems(&runs));
        assert!(told[0].contains("b has no valid wake-up at 1 ms under the load cpu"));
    }

    #[test]
    fn systems_with_different_clocks_are_not_ranked() {
        let fifo = Policy::Fifo(80);
        let local = wakeup(fifo, None, 8e3, 6e4);
        let runs = [in_lab("rt", "rt", wakeup(fifo, None, 3e3, 2e4)), local];
        let told = sentences(&systems(&runs)).join("\n");
        assert!(told.contains("The worst wake-up"));
        assert!(!told.contains("steadiest"), "{told}");
    }

    #[test]
    fn without_wakeups_nothing_is_claimed() {
        assert!(sentences(&systems(&[])).is_empty());
    }
}
