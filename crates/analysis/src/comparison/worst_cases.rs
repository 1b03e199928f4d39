//! Worst cases if every run is exact: which system is steadiest, where others are not, and what
//! that costs.

use super::price;
use super::wakeups::{
    LIMIT_NS, decides, head, is_real_time, loads_of, worst, worst_interrupt, worst_of_all,
    worst_under,
};
use crate::clock;
use crate::finding::{AboutEffects, LateWakeup, WorstCase};
use crate::lists::{each_once, filled};
use crate::survey::{NO_LOAD, Series, System, loads};

pub(super) fn findings(systems: &[System]) -> Vec<AboutEffects> {
    let ranked = ranked(systems);
    let price = ranked.first().and_then(|(_, first)| price::of_steadiness(systems, first));
    let found = [worst_wakeups(systems), late(systems), worst_interrupts(systems), price];
    missing(systems).into_iter().chain(found.into_iter().flatten()).collect()
}

pub(super) fn steadiest(systems: &[System]) -> Option<AboutEffects> {
    let ranked = ranked(systems);
    let [(best, system), (second, next), ..] = ranked.as_slice() else { return None };
    let ratio = |worst: f64| worst / best.max(1.0);
    let last = ranked.last().filter(|_| ranked.len() > 2);
    Some(AboutEffects::Steadiest {
        system: system.name.clone(),
        next: next.name.clone(),
        ratio: ratio(*second),
        last: last.map(|(worst, system)| (system.name.clone(), ratio(*worst))),
    })
}

/// The steadiest first; empty if clocks differ, because steadiness is then not comparable.
fn ranked<'s, 'a>(systems: &'s [System<'a>]) -> Vec<(f64, &'s System<'a>)> {
    if clock::differ(systems).is_some() {
        return Vec::new();
    }
    let worst = |system| Some((worst_of_all(system)?.0, system));
    let mut ranked: Vec<(f64, &System)> = systems.iter().filter_map(worst).collect();
    ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    ranked
}

fn worst_wakeups(systems: &[System]) -> Option<AboutEffects> {
    let (_, first) = systems.iter().find_map(worst_of_all)?;
    let all = loads_of(systems);
    let loaded = all.iter().filter(|load| *load != NO_LOAD).count();
    Some(AboutEffects::WorstWakeups {
        policy: first.spec.asked.policy,
        loads: loaded,
        without_load: loaded < all.len(),
        worst: shortest_first(systems, worst_of_all, |series| loads(&series.spec.asked)),
    })
}

/// Where interrupts have threads, these wait too.
fn worst_interrupts(systems: &[System]) -> Option<AboutEffects> {
    let worst = shortest_first(systems, worst_interrupt, |series| {
        format!("{}, {}", series.label, loads(&series.spec.asked))
    });
    (!worst.is_empty()).then_some(AboutEffects::WorstInterrupts { worst })
}

fn shortest_first<'s, 'a: 's>(
    systems: &'s [System<'a>],
    worst: impl Fn(&'s System<'a>) -> Option<(f64, &'s Series<'a>)>,
    under: impl Fn(&Series) -> String,
) -> Vec<WorstCase> {
    let found = systems.iter().filter_map(|system| {
        let (ns, series) = worst(system)?;
        Some(WorstCase { system: system.name.clone(), ns, under: under(series) })
    });
    let mut found: Vec<WorstCase> = found.collect();
    found.sort_by(|one, other| one.ns.total_cmp(&other.ns));
    found
}

/// Worst cases compare only over the same loads.
fn missing(systems: &[System]) -> Vec<AboutEffects> {
    let all = loads_of(systems);
    let missing = |system: &System| {
        let missing = all.iter().filter(|load| worst_under(system, load, decides).is_none());
        let loads = filled(missing.map(|load| head(load).to_owned()))?;
        Some(AboutEffects::WakeupsMissing { system: system.name.clone(), loads })
    };
    systems.iter().filter_map(missing).collect()
}

fn late(systems: &[System]) -> Option<AboutEffects> {
    let measured = systems.iter().filter(|system| system.series.iter().any(is_real_time));
    let (mut late, mut never) = (Vec::new(), Vec::new());
    for system in measured {
        match late_under_loads(system) {
            Some(found) => late.push((system.name.clone(), found)),
            None => never.push(system.name.clone()),
        }
    }
    let is_any = !late.is_empty() || !never.is_empty();
    is_any.then_some(AboutEffects::LateWakeups { limit_ns: LIMIT_NS, late, never })
}

fn late_under_loads(system: &System) -> Option<Vec<LateWakeup>> {
    let wakeups = || system.series.iter().filter(|series| is_real_time(series));
    let all = each_once(wakeups().map(|series| loads(&series.spec.asked)));
    let late = |load: String| {
        let under = wakeups().filter(|series| loads(&series.spec.asked) == load);
        let (ns, series) = worst(under)?;
        let period_ns = series.spec.parameters.time("period").0 as f64;
        (ns > LIMIT_NS).then_some(LateWakeup { load, ns, period_ns })
    };
    filled(all.into_iter().filter_map(late))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, lab, wakeup};
    use crate::survey::systems;
    use units::Policy;

    #[test]
    fn the_steadiest_is_found_with_its_price() {
        let runs = lab();
        let systems = systems(&runs);
        let found = findings(&systems);
        let Some(AboutEffects::Steadiest { system, .. }) = steadiest(&systems) else {
            panic!("three systems have a steadiest one")
        };
        assert_eq!(system, "stock-rt");
        let late = found.iter().find_map(|one| match one {
            AboutEffects::LateWakeups { late, never, .. } => Some((late, never)),
            _ => None,
        });
        let (late, never) = late.unwrap();
        assert_eq!(*never, ["stock-rt"]);
        let (system, loads) = &late[0];
        let loads: Vec<&str> = loads.iter().map(|one| one.load.as_str()).collect();
        assert_eq!(
            (system.as_str(), loads),
            ("stock+preempt=none", vec!["load files", "load paging"])
        );
        let is_price = |one: &AboutEffects| {
            matches!(one, AboutEffects::PriceOfSteadiness { stock, prices, .. }
                if stock == "stock+preempt=voluntary" && prices.len() == 3)
        };
        assert!(found.iter().any(is_price), "{found:?}");
        let is_missing = |one: &AboutEffects| matches!(one, AboutEffects::WakeupsMissing { .. });
        assert!(!found.iter().any(is_missing));
        let interrupts = found.iter().find_map(|one| match one {
            AboutEffects::WorstInterrupts { worst } => worst.last(),
            _ => None,
        });
        let longest = interrupts.unwrap();
        assert!(longest.system == "stock-rt" && longest.under.starts_with("timer, load"));
    }

    #[test]
    fn a_load_that_one_system_lacks_is_found() {
        let fifo = Policy::Fifo(80);
        let runs = [
            in_lab("a", "rt", wakeup(fifo, None, 8e3, 6e4)),
            in_lab("a", "rt", wakeup(fifo, Some("cpu"), 8e3, 6e4)),
            in_lab("b", "rt", wakeup(fifo, None, 8e3, 6e4)),
        ];
        let missing =
            AboutEffects::WakeupsMissing { system: "b".into(), loads: vec!["cpu".into()] };
        assert_eq!(findings(&systems(&runs))[0], missing);
    }

    #[test]
    fn systems_with_different_clocks_are_not_ranked() {
        let fifo = Policy::Fifo(80);
        let local = wakeup(fifo, None, 8e3, 6e4);
        let runs = [in_lab("rt", "rt", wakeup(fifo, None, 3e3, 2e4)), local];
        let systems = systems(&runs);
        assert_eq!(steadiest(&systems), None);
        assert!(matches!(findings(&systems)[0], AboutEffects::WorstWakeups { .. }));
    }

    #[test]
    fn without_wakeups_nothing_is_found() {
        assert!(findings(&systems(&[])).is_empty());
    }
}
