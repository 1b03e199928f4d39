//! The order of systems in the publications, and the order measured here.

use record::Machine;

use super::columns::Comparison;
use super::measured_and_published::{TestFigures, measured_and_published};
use crate::survey::System;

/// The publications' systems by the first word of their names.
pub const KINDS: [&str; 4] = ["RTAI", "Xenomai", "PREEMPT_RT", LINUX];
const LINUX: &str = "Linux";
/// The preemption model of Linux as most distributions boot it, if the kernel's is unknown.
const STOCK: &str = "voluntary";

/// Returns the publications' name for a system; a core that they do not have keeps its own.
pub fn kind_of(machine: &Machine) -> &str {
    match machine.core_beside_linux() {
        Some(core) => core.split(' ').next().unwrap_or(core),
        None if machine.preemption == "rt" => "PREEMPT_RT",
        None => LINUX,
    }
}

/// The reference: the first system with the preemption model that its kernel has without a parameter
/// at boot, else without a real-time kernel.
pub(super) fn stock<'s, 'a>(systems: &[&'s System<'a>]) -> Option<&'s System<'a>> {
    let mut linux = systems.iter().copied().filter(|system| kind_of(system.machine) == LINUX);
    let first = linux.clone().next();
    let is_stock = |system: &&System| {
        let model = doctor::model_at_boot(system.machine).unwrap_or(STOCK);
        system.machine.preemption == model
    };
    linux.find(is_stock).or(first)
}

/// A figure of a test that at least two systems have both here and in a publication.
#[derive(Debug, PartialEq)]
pub struct Order {
    pub test: String,
    /// `average` or `worst`.
    pub figure: &'static str,
    /// Systems with their published figures in nanoseconds, rising.
    pub published: Vec<(&'static str, f64)>,
    /// Systems whose published figure is only a lower bound.
    pub bounds: Vec<&'static str>,
    /// The same systems with their measured figures, rising.
    pub found: Vec<(&'static str, f64)>,
}

impl Order {
    /// Returns the lower system of every pair here.
    pub fn pairs(&self) -> Vec<(&'static str, &'static str)> {
        let names = self.found.iter().map(|(name, _)| *name);
        let after = |(place, less)| names.clone().skip(place + 1).map(move |more| (less, more));
        names.clone().enumerate().flat_map(after).collect()
    }

    /// Returns the pairs in which the publication has the opposite order.
    pub fn turned(&self) -> Vec<(&'static str, &'static str)> {
        let place = |name: &str| self.published.iter().position(|(other, _)| *other == name);
        let mut pairs = self.pairs();
        pairs.retain(|(less, more)| place(less) > place(more));
        pairs
    }
}

/// The system here for each kind of the publications: for Linux the stock one, else the first.
pub fn standing_for<'s, 'a: 's>(
    systems: impl IntoIterator<Item = &'s System<'a>>,
) -> Vec<(&'static str, &'s System<'a>)> {
    let systems: Vec<&System> = systems.into_iter().collect();
    let of = |kind: &'static str| {
        let alike = systems.iter().copied().filter(|system| kind_of(system.machine) == kind);
        let alike: Vec<&System> = alike.collect();
        Some((kind, stock(&alike).or(alike.first().copied())?))
    };
    KINDS.into_iter().filter_map(of).collect()
}

pub fn orders(comparison: &Comparison) -> Vec<Order> {
    let systems = &*comparison.systems;
    let (names, tests) = measured_and_published(comparison);
    let places = standing_for(systems).into_iter().filter_map(|(kind, system)| {
        let here = systems.iter().position(|other| std::ptr::eq(other, system))?;
        Some((kind, here, names.iter().position(|name| name.starts_with(kind))?))
    });
    let places: Vec<(&str, usize, usize)> = places.collect();
    let order = |test: &TestFigures, place: usize, figure: &'static str| {
        let (mut published, mut bounds, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for &(kind, here, there) in &places {
            let (Some(here), Some(latency)) = (test.measured[here], &test.published[there]) else {
                continue;
            };
            if let Some(ns) = latency.figures()[place] {
                published.push((kind, ns));
                found.push((kind, here[place]));
                bounds.extend((figure == "worst" && latency.worst_is_lower_bound).then_some(kind));
            }
        }
        published.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        found.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        Order { test: test.test.clone(), figure, published, bounds, found }
    };
    let all = tests.iter().flat_map(|test| [order(test, 0, "average"), order(test, 1, "worst")]);
    all.filter(|order| order.found.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_is_found_pair_by_pair() {
        let order = Order {
            test: "preemption".into(),
            figure: "average",
            published: vec![("RTAI", 737.0), ("Xenomai", 1422.0), ("Linux", 33347.0)],
            bounds: vec![],
            found: vec![("Xenomai", 3.0), ("Linux", 4.0), ("RTAI", 5.0)],
        };
        assert_eq!(order.pairs().len(), 3);
        assert_eq!(order.turned(), [("Xenomai", "RTAI"), ("Linux", "RTAI")]);
    }
}
