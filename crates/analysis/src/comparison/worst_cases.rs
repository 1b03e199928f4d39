//! Worst cases in the lab: which system is steadiest, where others are not, and what that costs. A
//! worst case is a matter of chance, so each has a range over draws: over machines that differ in
//! nothing else.

use super::price;
use super::wakeups::{
    LIMIT_NS, decides, is_real_time_interrupt, is_real_time_wakeup, load_name, loads_of,
    worst_of_all, worst_under,
};
use super::worst::worst;
use crate::clock;
use crate::draws::{self, are_shorter};
use crate::finding::{AboutComparison, LateWakeup, WorstCase};
use crate::lists::{each_once, filled};
use crate::survey::{NO_LOAD, Series, System, loads};

pub(super) fn findings(systems: &[System]) -> Vec<AboutComparison> {
    let steadiest = first_of_all(systems).map(|(first, _)| first.system);
    let price = steadiest.and_then(|steadiest| price::of_steadiness(systems, steadiest));
    let found = [
        worst_wakeups(systems),
        fewest_draws(systems),
        late(systems),
        worst_interrupts(systems),
        price,
    ];
    missing(systems).into_iter().chain(found.into_iter().flatten()).collect()
}

pub(super) fn steadiest(systems: &[System]) -> Option<AboutComparison> {
    let (first, others) = first_of_all(systems)?;
    let ratio = |other: &Drawn| other.least() / first.longest().max(1.0);
    let last = others.last().filter(|_| others.len() > 1);
    Some(AboutComparison::Steadiest {
        system: first.system.name.clone(),
        next: others[0].system.name.clone(),
        ratio: ratio(&others[0]),
        last: last.map(|last| (last.system.name.clone(), ratio(last))),
    })
}

/// The worst deciding wake-up of a system in each of its draws, in nanoseconds.
struct Drawn<'s, 'a> {
    system: &'s System<'a>,
    worst: Vec<f64>,
}

impl Drawn<'_, '_> {
    fn least(&self) -> f64 {
        draws::least(&self.worst)
    }

    fn longest(&self) -> f64 {
        draws::longest(&self.worst)
    }
}

/// Returns the system that is steadier than every other, and the others, the steadiest first; `None`
/// if no system is, or if clocks differ, because steadiness is then not comparable.
fn first_of_all<'s, 'a>(systems: &'s [System<'a>]) -> Option<(Drawn<'s, 'a>, Vec<Drawn<'s, 'a>>)> {
    let drawn = |system| Some(Drawn { system, worst: worst_of_all(system)?.of_draws_ns });
    let all = systems.iter().filter_map(drawn).filter(|drawn| !drawn.worst.is_empty());
    let mut all: Vec<Drawn> = all.collect();
    all.sort_by(|a, b| a.least().total_cmp(&b.least()));
    if clock::differ(systems).is_some() || all.len() < 2 {
        return None;
    }
    let others = all.split_off(1);
    let first = all.pop()?;
    let is_first = others.iter().all(|other| are_shorter(&first.worst, &other.worst));
    is_first.then_some((first, others))
}

/// Reports the number of draws of the system with the fewest.
fn fewest_draws(systems: &[System]) -> Option<AboutComparison> {
    let of_system = |system| Some(worst_of_all(system)?.of_draws_ns.len());
    let draws = systems.iter().filter_map(of_system).filter(|draws| *draws > 0).min()?;
    Some(AboutComparison::Draws { draws })
}

fn worst_wakeups(systems: &[System]) -> Option<AboutComparison> {
    let first = systems.iter().find_map(worst_of_all)?.series;
    let all = loads_of(systems);
    let loaded = all.iter().filter(|load| *load != NO_LOAD).count();
    Some(AboutComparison::WorstWakeups {
        policy: first.spec.asked.policy,
        loads: loaded,
        without_load: loaded < all.len(),
        worst: shortest_first(systems, decides, |series| loads(&series.spec.asked)),
    })
}

/// Where interrupts have threads, these wait too.
fn worst_interrupts(systems: &[System]) -> Option<AboutComparison> {
    let worst = shortest_first(systems, is_real_time_interrupt, |series| {
        format!("{}, {}", series.label, loads(&series.spec.asked))
    });
    (!worst.is_empty()).then_some(AboutComparison::WorstInterrupts { worst })
}

fn shortest_first<'s, 'a: 's>(
    systems: &'s [System<'a>],
    is_meant: fn(&Series) -> bool,
    under: impl Fn(&Series) -> String,
) -> Vec<WorstCase> {
    let found = systems.iter().filter_map(|system| {
        let worst = worst(system.series.iter().filter(|series| is_meant(series)))?;
        let [least_ns, ns] = worst.range_ns();
        Some(WorstCase { system: system.name.clone(), ns, least_ns, under: under(worst.series) })
    });
    let mut found: Vec<WorstCase> = found.collect();
    found.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    found
}

/// Worst cases compare only over the same loads.
fn missing(systems: &[System]) -> Vec<AboutComparison> {
    let all = loads_of(systems);
    let missing = |system: &System| {
        let missing = all.iter().filter(|load| worst_under(system, load, decides).is_none());
        let loads = filled(missing.map(|load| load_name(load).to_owned()))?;
        Some(AboutComparison::WakeupsMissing { system: system.name.clone(), loads })
    };
    systems.iter().filter_map(missing).collect()
}

fn late(systems: &[System]) -> Option<AboutComparison> {
    let measured = systems.iter().filter(|system| system.series.iter().any(is_real_time_wakeup));
    let (mut late, mut never) = (Vec::new(), Vec::new());
    for system in measured {
        match late_under_loads(system) {
            Some(found) => late.push((system.name.clone(), found)),
            None => never.push(system.name.clone()),
        }
    }
    let is_any = !late.is_empty() || !never.is_empty();
    is_any.then_some(AboutComparison::LateWakeups { limit_ns: LIMIT_NS, late, never })
}

fn late_under_loads(system: &System) -> Option<Vec<LateWakeup>> {
    let wakeups = || system.series.iter().filter(|series| is_real_time_wakeup(series));
    let all = each_once(wakeups().map(|series| loads(&series.spec.asked)));
    let late = |load: String| {
        let under = wakeups().filter(|series| loads(&series.spec.asked) == load);
        let worst = worst(under)?;
        let [least_ns, ns] = worst.range_ns();
        let period_ns = worst.series.spec.parameters.period().0 as f64;
        (ns > LIMIT_NS).then_some(LateWakeup { load, ns, least_ns, period_ns })
    };
    filled(all.into_iter().filter_map(late))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, lab, wakeup};
    use crate::survey::systems;
    use base::Policy;

    #[test]
    fn the_steadiest_is_found_with_its_price() {
        let runs = lab();
        let systems = systems(&runs);
        let found = findings(&systems);
        let Some(AboutComparison::Steadiest { system, .. }) = steadiest(&systems) else {
            panic!("three systems have a steadiest one")
        };
        assert_eq!(system, "stock-rt");
        let late = found.iter().find_map(|finding| match finding {
            AboutComparison::LateWakeups { late, never, .. } => Some((late, never)),
            _ => None,
        });
        let (late, never) = late.unwrap();
        assert_eq!(*never, ["stock-rt"]);
        let (system, loads) = &late[0];
        let loads: Vec<&str> = loads.iter().map(|missing| missing.load.as_str()).collect();
        assert_eq!(
            (system.as_str(), loads),
            ("stock+preempt=none", vec!["load files", "load paging"])
        );
        let is_price = |finding: &AboutComparison| {
            matches!(finding, AboutComparison::PriceOfSteadiness { stock, prices, .. }
                if stock == "stock+preempt=voluntary" && prices.len() == 3)
        };
        assert!(found.iter().any(is_price), "{found:?}");
        let is_missing =
            |finding: &AboutComparison| matches!(finding, AboutComparison::WakeupsMissing { .. });
        assert!(!found.iter().any(is_missing));
        let interrupts = found.iter().find_map(|finding| match finding {
            AboutComparison::WorstInterrupts { worst } => worst.last(),
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
            AboutComparison::WakeupsMissing { system: "b".into(), loads: vec!["cpu".into()] };
        assert_eq!(findings(&systems(&runs))[0], missing);
    }

    #[test]
    fn systems_with_different_clocks_are_not_ranked() {
        let fifo = Policy::Fifo(80);
        let local = wakeup(fifo, None, 8e3, 6e4);
        let runs = [in_lab("rt", "rt", wakeup(fifo, None, 3e3, 2e4)), local];
        let systems = systems(&runs);
        assert_eq!(steadiest(&systems), None);
        assert!(matches!(findings(&systems)[0], AboutComparison::WorstWakeups { .. }));
    }

    #[test]
    fn without_wakeups_nothing_is_found() {
        assert!(findings(&systems(&[])).is_empty());
    }
}
