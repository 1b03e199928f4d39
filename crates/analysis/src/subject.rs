//! What an answer is about, and the work behind it.

use record::{Machine, Mode, Outcome, Row, fact};

use crate::phrases::some;
use crate::survey::{System, distinct, kernel, wall_ns};
use crate::words;

/// Names the machine with its kernel, or several; if its settings changed, all variants.
pub fn subject(systems: &[System]) -> String {
    let Some((first, others)) = systems.split_first() else { return "nothing measured".to_owned() };
    let machine = of_machine(first.machine);
    let names: Vec<String> = named(systems).into_iter().filter_map(|m| m.name).collect();
    let is_one = |other: &System| of_machine(other.machine) == machine;
    match names.as_slice() {
        [] => match first.measured_kinds().as_slice() {
            [] => machine,
            kinds => format!("{machine}; measured: {}", words::listed(kinds)),
        },
        names if others.iter().all(is_one) => format!("{machine}: {}", words::listed(names)),
        names => words::listed(names),
    }
}

pub struct Named<'s, 'a> {
    pub system: &'s System<'a>,
    /// The name that distinguishes it from the others; `None` for a single machine.
    pub name: Option<String>,
}

/// Names the machines as tables do, as short as possible.
pub fn named<'s, 'a>(systems: &'s [System<'a>]) -> Vec<Named<'s, 'a>> {
    let shortened = systems.iter().map(|system| {
        let model = &system.machine.cpu_model;
        system.name.replace(model.as_str(), &short(model))
    });
    let shortened: Vec<String> = shortened.collect();
    let are_apart = distinct(&shortened) == systems.len();
    let named = |(system, short): (&'s System<'a>, String)| Named {
        system,
        name: (systems.len() > 1).then(|| if are_apart { short } else { system.name.clone() }),
    };
    systems.iter().zip(shortened).map(named).collect()
}

/// `AMD EPYC 9B45, 2 CPUs, Linux 6.18.44 (none), KVM guest`.
pub fn of_machine(machine: &Machine) -> String {
    let place = match (&machine.lab, &machine.hypervisor) {
        (Some(lab), _) => Some(format!("{} in the lab", lab.kernel)),
        (None, Some(hypervisor)) => Some(format!("{hypervisor} guest")),
        (None, None) => None,
    };
    let cpus = Some(machine.cpus.len()).filter(|cpus| *cpus > 0);
    let cpus = cpus.map(|cpus| words::counted(cpus, "CPU"));
    let imported = machine.imported_as.clone();
    let words = [imported, Some(short(&machine.cpu_model)), cpus, Some(kernel(machine)), place];
    let words = words.into_iter().flatten().filter(|word| !word.is_empty());
    words.collect::<Vec<String>>().join(", ")
}

/// Drops the generic ending: `AMD EPYC 9B45 96-Core Processor` becomes `AMD EPYC 9B45`.
fn short(model: &str) -> String {
    const ENDS: [&str; 4] = [" @ ", " CPU", " Processor", "-Core"];
    let end = ENDS.iter().filter_map(|end| model.find(end)).min();
    let head = &model[..end.unwrap_or(model.len())];
    // The number before `-Core` is dropped too.
    let counted = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let head = match head.rsplit_once(' ') {
        Some((name, number)) if counted(number) && model[head.len()..].starts_with("-Core") => name,
        _ => head,
    };
    head.replace("(R)", "").replace("(TM)", "")
}

/// `46 runs, all valid, 2 min 14 s`, with the time that they measured, if they did.
pub fn effort<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> String {
    let outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
    let (imported, outcomes): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.into_iter().partition(|outcome| outcome.header.spec.imported.is_some());
    let files = some(imported.len()).map(|files| words::counted(files, "imported file"));
    let runs = (files.is_none() || !outcomes.is_empty()).then(|| effort_of_runs(&outcomes));
    files.into_iter().chain(runs).collect::<Vec<_>>().join("; ")
}

/// `2 runs`, `1 imported file and 1 run`.
pub(crate) fn sources(outcomes: &[&Outcome]) -> String {
    let is_file = |outcome: &&&Outcome| outcome.header.spec.imported.is_some();
    let files = outcomes.iter().filter(is_file).count();
    let counts = [(files, "imported file"), (outcomes.len() - files, "run")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    words::listed(&counts.map(|(count, what)| words::counted(count, what)).collect::<Vec<_>>())
}

fn effort_of_runs(outcomes: &[&Outcome]) -> String {
    let invalid = outcomes.iter().filter(|outcome| !outcome.is_valid()).count();
    let validity = match (invalid, outcomes.len()) {
        (0, 1) => "valid".to_owned(),
        (0, _) => "all valid".to_owned(),
        (1, 1) => "INVALID".to_owned(),
        (some, _) => format!("{some} INVALID"),
    };
    let runs = words::counted(outcomes.len(), "run");
    match outcomes.iter().map(|outcome| measured_ns(outcome)).sum() {
        0 if invalid == 0 => runs,
        0 => format!("{runs}, {validity}"),
        measured => format!("{runs}, {validity}, {}", words::time(measured as f64)),
    }
}

/// Returns how long a run measured, in nanoseconds; an INVALID one may have ended before it began, and the requested
/// time of a real-fast one is model time.
pub fn measured_ns(outcome: &Outcome) -> u64 {
    if !outcome.is_valid() {
        return wall_ns(outcome);
    }
    let spec = &outcome.header.spec;
    let of_steps = |row: &Row| row.fact(&fact::WALL_NS)?.as_u64();
    let is_model_time = spec.parameters.mode() == Some(Mode::RealFast);
    let measured = is_model_time.then(|| outcome.rows.iter().find_map(of_steps)).flatten();
    measured.unwrap_or(spec.asked.duration.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_is_named_without_what_all_of_its_kind_bear() {
        for (model, name) in [
            ("AMD EPYC 9B45 96-Core Processor", "AMD EPYC 9B45"),
            ("Intel(R) Xeon(R) CPU E5-2697 v3 @ 2.60GHz", "Intel Xeon"),
            ("Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz", "Intel Core i7-9700K"),
            ("AMD EPYC", "AMD EPYC"),
            ("", ""),
        ] {
            assert_eq!(short(model), name);
        }
    }
}
