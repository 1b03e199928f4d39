//! The order of systems in the publications, and the order measured here.

use super::beside::{Beside, beside};
use super::columns::Comparison;
use crate::published::Latency;
use crate::survey::System;
use plan::Machine;

/// The publications' systems by the first word of their names.
pub const KINDS: [&str; 4] = ["RTAI", "Xenomai", "PREEMPT_RT", LINUX];
const LINUX: &str = "Linux";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kernel<'a> {
    /// Linux as distributions boot it.
    Stock,
    Linux,
    RealTime,
    /// A real-time core in addition to Linux: its name without the version.
    Core(&'a str),
}

impl<'a> Kernel<'a> {
    fn of(machine: &'a Machine) -> Self {
        match (machine.core_beside_linux(), machine.preemption.as_str()) {
            (Some(core), _) => Self::Core(core.split(' ').next().unwrap_or(core)),
            (None, "rt") => Self::RealTime,
            (None, "voluntary") => Self::Stock,
            (None, _) => Self::Linux,
        }
    }
}

/// The reference: the first system with a stock kernel, else without a real-time kernel.
pub(super) fn stock<'s, 'a>(systems: &[&'s System<'a>]) -> Option<&'s System<'a>> {
    let first = |kernel| {
        let mut systems = systems.iter().copied();
        systems.find(|system| Kernel::of(system.machine) == kernel)
    };
    first(Kernel::Stock).or_else(|| first(Kernel::Linux))
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
        let names: Vec<&str> = self.found.iter().map(|(name, _)| *name).collect();
        let after = |(place, less): (usize, &&'static str)| {
            let more = names[place + 1..].iter().copied();
            more.map(|more| (*less, more)).collect::<Vec<_>>()
        };
        names.iter().enumerate().flat_map(after).collect()
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
pub fn standing_for<'s, 'a>(
    systems: impl IntoIterator<Item = &'s System<'a>>,
) -> Vec<(&'static str, &'s System<'a>)>
where
    'a: 's,
{
    let systems: Vec<&System> = systems.into_iter().collect();
    let of = |kind: &'static str| {
        let alike = systems.iter().copied().filter(|system| kind_of(system.machine) == kind);
        let alike: Vec<&System> = alike.collect();
        let found = match kind {
            LINUX => stock(&alike),
            _ => alike.first().copied(),
        };
        found.map(|system| (kind, system))
    };
    KINDS.into_iter().filter_map(of).collect()
}

/// Returns the publications' name for a system; a core that they do not have keeps its own.
pub fn kind_of(machine: &Machine) -> &str {
    match Kernel::of(machine) {
        Kernel::Core(core) => core,
        Kernel::RealTime => "PREEMPT_RT",
        Kernel::Stock | Kernel::Linux => LINUX,
    }
}

pub fn orders(comparison: &Comparison) -> Vec<Order> {
    let systems = &*comparison.systems;
    let stand = standing_for(systems);
    let (names, tests) = beside(comparison);
    let published = |test: &Beside, kind: &str| {
        let there = names.iter().position(|name| name.starts_with(kind))?;
        test.published[there].clone()
    };
    let figures = |test: &Beside, kind: &str, system: &System| {
        let here = systems.iter().position(|other| std::ptr::eq(other, system))?;
        Some((test.measured[here]?, published(test, kind)?.figures()))
    };
    let order = |test: &Beside, place: usize, figure| {
        let both = stand.iter().filter_map(|(kind, system)| {
            let (here, there) = figures(test, kind, system)?;
            Some((*kind, here[place], there[place]?))
        });
        let both: Vec<(&str, f64, f64)> = both.collect();
        let is_bound = |latency: Latency| figure == "worst" && latency.worst_is_lower_bound;
        let bound = |kind: &&str| published(test, kind).is_some_and(is_bound);
        Order {
            test: test.test.clone(),
            figure,
            bounds: both.iter().map(|(kind, ..)| *kind).filter(bound).collect(),
            published: sorted(both.iter().map(|(kind, _, there)| (*kind, *there))),
            found: sorted(both.iter().map(|(kind, here, _)| (*kind, *here))),
        }
    };
    let all = tests.iter().flat_map(|test| {
        let figures = ["average", "worst"].into_iter().enumerate();
        figures.map(move |(place, figure)| order(test, place, figure))
    });
    all.filter(|order| order.found.len() > 1).collect()
}

fn sorted(figures: impl Iterator<Item = (&'static str, f64)>) -> Vec<(&'static str, f64)> {
    let mut figures: Vec<_> = figures.collect();
    figures.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    figures
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
