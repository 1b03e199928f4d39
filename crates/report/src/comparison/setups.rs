//! The source of the figures: the setup of each system, and the hash of every run.

use analysis::comparison::{Comparison, lab_runs, load_name};
use analysis::lists::groups;
use analysis::merit::{conditions, test};
use analysis::phrases::{maybe, some};
use analysis::samples::short;
use analysis::survey::{self, System, versions};
use analysis::words;
use record::VirtualMachine;

use super::columns::breakable;
use crate::document::{Block, Cell, Section, Table, TableOf};

pub(super) fn shown(comparison: &Comparison) -> Option<Section> {
    let systems = &*comparison.systems;
    if !comparison.is_of_lab() {
        return None;
    }
    let mut blocks = vec![Block::Table(setups(systems))];
    if let Some(samples) = Block::Table(samples(systems)).filled() {
        blocks.push(Block::folded("The hash of every run\u{2019}s samples", vec![samples]));
    }
    let introduction = "A setup is QEMU with its firmware and arguments, a kernel with its parameters, and an \
                        initial file system with this program and the list of runs. Equal setups give equal \
                        samples; a difference between equal setups is an error, and would be at the top of this \
                        page.";
    let title = "Setups and samples: where these figures come from";
    Some(Section::of("setups", title, introduction, blocks))
}

fn setups(systems: &[System]) -> Table {
    let of_lab = |system: &System, fact: fn(&VirtualMachine) -> &str| {
        let lab = system.machine.lab.as_ref();
        let fact = lab.map(fact).filter(|fact| !fact.is_empty());
        fact.unwrap_or("–").to_owned()
    };
    TableOf::of(systems)
        .text("System", |system| breakable(&system.name))
        .text("Kernel", |system| &system.machine.kernel_release)
        .text("Source", move |system| of_lab(system, |lab| &lab.kernel_source))
        .text("SHA-256 of its image", move |system| {
            let whole = of_lab(system, |lab| &lab.kernel_sha256);
            Cell::text(short(&whole)).titled(whole)
        })
        .text("Parameters", move |system| of_lab(system, |lab| &lab.append))
        .text("Preemption model", |system| survey::preemption(system.machine))
        .text("QEMU", move |system| of_lab(system, |lab| &lab.qemu_version))
        .text("steadfast", |system| versions(system.outcomes.iter().copied()).join(", "))
        .note(machines(systems))
        .table("Setups")
}

/// Returns QEMU's arguments and firmware, only once if they are the same for all systems.
fn machines(systems: &[System]) -> String {
    let machine = |system: &System| {
        let lab = system.machine.lab.as_ref()?;
        let firmware = maybe(some(lab.qemu_firmware_sha256.as_str()), |hash| {
            format!("; SHA-256 of its firmware: `{}`", short(hash))
        });
        Some((format!("`{}`{firmware}.", lab.qemu_arguments), system.name.clone()))
    };
    let found = groups(systems.iter().filter_map(machine), |a, b| a.0 == b.0);
    let sentence = |alike: &Vec<(String, String)>| {
        let machine = &alike[0].0;
        let names: Vec<String> = alike.iter().map(|(_, name)| name.clone()).collect();
        match found.len() {
            1 => format!("Arguments of QEMU: {machine}"),
            _ => format!("Arguments of QEMU for {}: {machine}", words::listed(&names)),
        }
    };
    found.iter().map(sentence).collect::<Vec<String>>().join(" ")
}

/// Returns a line per run with the hash of its samples on each system; the hash of the setup is
/// above the runs of each load.
fn samples(systems: &[System]) -> Table {
    let mut rows: Vec<[Vec<String>; 2]> = Vec::new();
    for of_load in lab_runs(systems) {
        let load = load_name(&of_load.load).to_owned();
        rows.push([vec![load, "setup".to_owned()], hashes(&of_load.setups)]);
        let tests: Vec<_> = of_load.runs.iter().map(|run| test(run.spec)).collect();
        // The load is above them.
        let runs = of_load.runs.iter().zip(conditions(tests.iter().collect()));
        rows.extend(runs.map(|(run, conditions)| {
            let title = format!("{}, {conditions}", run.spec.measurement);
            [vec![String::new(), title], hashes(&run.samples)]
        }));
    }
    TableOf::of(&rows)
        .text("Load", |[words, _]| &words[0])
        .text("Run", |[words, _]| &words[1])
        .each(systems.iter().enumerate(), |table, (place, system)| {
            table.text(&breakable(&system.name), move |[_, hashes]| &hashes[place])
        })
        .marked(|[words, _]| !words[0].is_empty())
        .note("The first 16 digits of each SHA-256; report.json has all of them.")
        .table("")
}

fn hashes(of_systems: &[Vec<&str>]) -> Vec<String> {
    let of_system = |hashes: &Vec<&str>| {
        let hashes = hashes.iter().map(|hash| format!("`{}`", short(hash)));
        hashes.collect::<Vec<_>>().join(" ")
    };
    of_systems.iter().map(of_system).collect()
}
