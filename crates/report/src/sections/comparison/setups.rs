//! Where the figures come from: what each system is, and the hash of every run.

use crate::document::{Block, Cell, Column, Line, Section, Table};
use plan::VirtualMachine;

use super::columns::breakable;
use analysis::comparison::{Comparison, Made, head, sittings};
use analysis::merit::{conditions, test};
use analysis::samples::short;
use analysis::survey::versions;
use analysis::survey::{self, System};
use analysis::words;

pub(super) fn shown(comparison: &Comparison) -> Option<Section> {
    let systems = &*comparison.systems;
    let setups = Block::Table(setups(systems));
    let samples = samples(systems).map(|table| {
        let title = "The hash of every run\u{2019}s samples";
        Block::folded(title, vec![Block::Table(table)])
    });
    comparison.is_of_lab().then(|| Section::of("setups", "Setups and samples: where these figures come from", "A setup is QEMU with its firmware and arguments, a kernel with its parameters, and an \
             initial file system with this program and the list of runs. Equal setups give equal \
             samples; a difference between equal setups is an error, and would stand on top of this \
             page.", std::iter::once(setups).chain(samples).collect()))
}

fn setups(systems: &[System]) -> Table {
    let heads = [
        "System",
        "Kernel",
        "Source",
        "SHA-256 of its image",
        "Parameters",
        "Preemption model",
        "QEMU",
        "steadfast",
    ];
    let of_lab = |system: &System, fact: fn(&VirtualMachine) -> &str| {
        let lab = system.machine.lab.as_ref();
        let fact = lab.map(fact).filter(|fact| !fact.is_empty());
        fact.unwrap_or("–").to_owned()
    };
    let hash = |system: &System| {
        let whole = of_lab(system, |lab| &lab.kernel_sha256);
        Cell { title: whole.clone(), ..Cell::text(short(&whole)) }
    };
    let line = |system: &System| {
        Line::of(vec![
            Cell::text(breakable(&system.name)),
            Cell::text(&system.machine.kernel_release),
            Cell::text(of_lab(system, |lab| &lab.kernel_source)),
            hash(system),
            Cell::text(of_lab(system, |lab| &lab.append)),
            Cell::text(survey::preemption(system.machine)),
            Cell::text(of_lab(system, |lab| &lab.qemu_version)),
            Cell::text(versions(system.outcomes.iter().copied()).join(", ")),
        ])
    };
    Table {
        caption: "Setups".to_owned(),
        columns: heads.map(Column::words).into(),
        rows: systems.iter().map(line).collect(),
        note: machines(systems),
        folded: false,
    }
}

/// QEMU's arguments and firmware, once where all have the same.
fn machines(systems: &[System]) -> String {
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for system in systems {
        let Some(lab) = &system.machine.lab else {
            continue;
        };
        let firmware = match lab.qemu_firmware_sha256.as_str() {
            "" => String::new(),
            hash => format!("; SHA-256 of its firmware: `{}`", short(hash)),
        };
        let machine = format!("`{}`{firmware}.", lab.qemu_arguments);
        match told.iter_mut().find(|(known, _)| *known == machine) {
            Some((_, names)) => names.push(system.name.clone()),
            None => told.push((machine, vec![system.name.clone()])),
        }
    }
    let sentence = |(machine, names): &(String, Vec<String>)| match told.len() {
        1 => format!("Arguments of QEMU: {machine}"),
        _ => format!("Arguments of QEMU for {}: {machine}", words::listed(names)),
    };
    told.iter().map(sentence).collect::<Vec<String>>().join(" ")
}

/// A line a run: the hash of its samples on each system; above each load's the hash of
/// the setup.
fn samples(systems: &[System]) -> Option<Table> {
    let mut rows = Vec::new();
    for sitting in sittings(systems) {
        let load = head(&sitting.load).to_owned();
        rows.push(line("machine", [load, "setup".to_owned()], &sitting.setups));
        let runs = sitting.runs.iter().zip(titles(&sitting.runs));
        rows.extend(runs.map(|(run, title)| line("", [String::new(), title], &run.samples)));
    }
    let names = systems.iter().map(|system| Column::words(&breakable(&system.name)));
    (!rows.is_empty()).then(|| Table {
        caption: String::new(),
        columns: ["Load", "Run"].into_iter().map(Column::words).chain(names).collect(),
        rows,
        note: "The first 16 digits of each SHA-256; report.json has all of them.".to_owned(),
        folded: false,
    })
}

fn line(class: &'static str, words: [String; 2], hashes: &[Vec<&str>]) -> Line {
    let hashes = hashes.iter().map(|hashes| {
        let all: Vec<String> = hashes.iter().map(|hash| format!("`{}`", short(hash))).collect();
        Cell::text(all.join(" "))
    });
    Line { class, cells: words.into_iter().map(Cell::text).chain(hashes).collect() }
}

/// Runs by their measurement and conditions; the load stands above them.
fn titles(runs: &[Made]) -> Vec<String> {
    let tests: Vec<_> = runs.iter().map(|run| test(run.spec)).collect();
    let conditions = conditions(tests.iter().collect());
    let title =
        |(run, conditions): (&Made, String)| format!("{}, {conditions}", run.spec.measurement);
    runs.iter().zip(conditions).map(title).collect()
}
