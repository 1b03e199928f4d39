//! The table of measurements, and the search in it by name.

use bench::Measurement;
use record::RunSpec;

#[cfg(test)]
use crate::made_up;
use crate::{
    ceiling, clock_overhead, deadlock_break, frame, interrupt, memory_allocation, messages,
    mode_switch, platform_gap, preemption, priority_inversion, self_test, semaphore_shuffle,
    task_switch, wakeup,
};

pub static MEASUREMENTS: &[&dyn Measurement] = &[
    &clock_overhead::ClockOverhead,
    &platform_gap::PlatformGap,
    &task_switch::TASK_SWITCH,
    &task_switch::SLEEP_SWITCH,
    &preemption::Preemption,
    &semaphore_shuffle::SemaphoreShuffle,
    &priority_inversion::PriorityInversion,
    &deadlock_break::DeadlockBreak,
    &memory_allocation::MemoryAllocation,
    &messages::FIFO_WRITE,
    &messages::FIFO_ROUNDTRIP,
    &messages::MAILBOX_POST,
    &messages::FIFO_TRANSFER,
    &messages::MAILBOX_TRANSFER,
    &messages::RoundRobin,
    &messages::FUTEX_TRANSFER,
    &messages::EVENTFD_TRANSFER,
    &messages::SOCKET_TRANSFER,
    &messages::RING_TRANSFER,
    &messages::ContextSwitch,
    &wakeup::Wakeup,
    &mode_switch::ModeSwitch,
    &frame::Frame,
    &interrupt::Interrupt,
    &simulate::Tire,
    &simulate::Own,
    &simulate::Mix,
    &ceiling::Ceiling,
];

/// Measurements that users do not name: the self-test, and a model that is used only in mixes.
static HIDDEN: &[&dyn Measurement] = &[
    &self_test::SelfTest,
    &simulate::Wait,
    #[cfg(test)]
    &made_up::SpinHint,
];

pub fn find(name: &str) -> Option<&'static dyn Measurement> {
    let mut all = MEASUREMENTS.iter().chain(HIDDEN).copied();
    all.find(|m| m.name() == name)
}

/// Says that the measurement of a run cannot be followed while it runs, as the run's options request, and which can.
pub fn cannot_be_followed(spec: &RunSpec) -> String {
    let others = MEASUREMENTS.iter().filter(|one| one.can_be_followed());
    let others = others.map(|one| one.name()).collect::<Vec<_>>().join(" or ");
    let (options, name) = (spec.options_to_follow(), &spec.measurement);
    format!("{options}: {name} cannot be followed while it runs; only {others} can")
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fact::{BLAME, COUNTED, IMPORTED};
    use record::{Kind, NOWHERE, PARAMETERS_READ, Parameter, Parameters};

    #[test]
    fn names_are_unique_and_found() {
        for measurement in MEASUREMENTS {
            let same = MEASUREMENTS.iter().filter(|m| m.name() == measurement.name());
            assert_eq!(same.count(), 1);
            assert!(find(measurement.name()).is_some());
        }
        assert!(find("nonsense").is_none());
    }

    #[test]
    fn every_fact_of_the_table_is_declared_by_a_measurement() {
        let declared: Vec<&str> = MEASUREMENTS
            .iter()
            .chain(HIDDEN)
            .flat_map(|m| m.description().facts())
            .map(|fact| fact.name)
            .collect();
        let elsewhere = [&[BLAME, COUNTED], IMPORTED].concat();
        for fact in record::fact::all().filter(|fact| !elsewhere.contains(fact)) {
            assert!(declared.contains(&fact.name), "{}", fact.name);
        }
    }

    #[test]
    fn every_default_parses() {
        for measurement in MEASUREMENTS {
            let defaults = Parameters::defaults(measurement.parameters());
            assert_eq!(defaults.iter().count(), measurement.parameters().len());
        }
    }

    #[test]
    fn every_parameter_that_is_read_by_its_own_function_has_a_value_of_that_kind() {
        let all: Vec<&Parameter> =
            MEASUREMENTS.iter().chain(HIDDEN).flat_map(|m| m.parameters()).collect();
        for (name, reader) in PARAMETERS_READ {
            let mut named = all.iter().filter(|parameter| parameter.name == *name);
            let is_read = |parameter: &&Parameter| match parameter.kind {
                Kind::Count(..) | Kind::Threads(_) => *reader == "count",
                Kind::Number(_) => *reader == "number",
                Kind::Percent(..) => *reader == "share",
                Kind::Time | Kind::Rate => *reader == "time",
                _ => *reader == "word",
            };
            assert!(named.any(is_read), "no parameter `{name}` is a {reader}");
        }
    }

    #[test]
    fn a_flag_has_the_same_type_everywhere() {
        let all: Vec<&Parameter> = MEASUREMENTS.iter().flat_map(|m| m.parameters()).collect();
        for first in &all {
            for other in all.iter().filter(|p| p.name == first.name) {
                // A measurement that may be without it takes it as text.
                let is_optional =
                    |p: &&Parameter| matches!(p.kind, Kind::Text(_)) && p.default == NOWHERE;
                let differs =
                    first.kind != other.kind && !is_optional(first) && !is_optional(other);
                assert!(!differs, "--{}: {:?}, {:?}", first.name, first.kind, other.kind);
            }
        }
    }
}
