//! `steadfast doctor`: checks whether this machine is set up for real-time work.

use anyhow::{Result, ensure};
use base::CpuSet;
use clap::Args;
use doctor::{Diagnosis, Tree, Tried};
use record::Machine;
use rt::topology;
use serde_json::json;
use terminal_size::{Width, terminal_size};

use crate::options::WordsArgs;
use crate::startup::latest_findings;
use crate::startup::output::WIDTH;

#[derive(Debug, Clone, Args)]
pub(crate) struct DoctorArgs {
    /// CPUs for real-time work: a list such as 1 or 0-3,5; default: the CPU that measurements use by
    /// default
    #[arg(long, value_name = "LIST")]
    cpus: Option<CpuSet>,
    #[command(flatten)]
    words: WordsArgs,
}

pub(crate) fn doctor(args: &DoctorArgs) -> Result<()> {
    let cpus = args.cpus.clone().unwrap_or_else(|| topology::spread_here(1));
    let online = topology::online();
    let offline = cpus.without(&online);
    ensure!(offline.is_empty(), "--cpus: there is no CPU {offline} online here; online: {online}");
    let machine = runner::fingerprint();
    let diagnosis = diagnosis(&machine, &cpus).with_worth(&latest_findings::worth(&machine));
    args.words.print(
        || json!(diagnosis),
        || diagnosis.text(width()),
        || report::doctor(&diagnosis, &machine),
        "steadfast doctor --verbose (reasons, and all other checks)",
    )
}

/// Examines the machine, for work on these CPUs.
fn diagnosis(machine: &Machine, cpus: &CpuSet) -> Diagnosis {
    let tried = Tried::under(measure::REAL_TIME);
    doctor::examine(machine, Tree::at("/"), cpus, &tried)
}

fn width() -> usize {
    let width = terminal_size().map_or(WIDTH, |(Width(width), _)| usize::from(width));
    width.min(WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;

    #[test]
    fn every_run_that_it_names_is_possible_and_every_knob_in_the_table() {
        for finding in diagnosis(&runner::fingerprint(), &topology::spread_here(1)).findings {
            let line = finding.see.strip_prefix("steadfast run ");
            let specs = specs_of(line.unwrap_or_else(|| panic!("{}", finding.see)));
            assert!(specs.is_ok(), "{}: {:#}", finding.see, specs.unwrap_err());
            for name in finding.knobs {
                assert!(knob::find(name).is_some(), "{}: {name}", finding.name);
            }
        }
    }
}
