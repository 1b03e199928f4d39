//! `steadfast doctor`: checks whether this machine is set up for real-time work.

use anyhow::Result;
use doctor::{Diagnosis, Tree, Tried};
use plan::Machine;
use rt::topology;
use serde_json::json;
use terminal_size::{Width, terminal_size};

use crate::args::WordsArgs;
use crate::newest;
use crate::output::WIDTH;

pub(crate) fn doctor(args: &WordsArgs) -> Result<()> {
    let machine = runner::fingerprint();
    let diagnosis = diagnosis(&machine).with_worth(&newest::worth(&machine));
    args.print(
        || json!(diagnosis),
        || diagnosis.text(width()),
        || report::doctor(&diagnosis, &machine),
        "steadfast doctor --verbose (reasons, and all other checks)",
    )
}

/// Examines the machine, with the CPU that measurements use by default.
fn diagnosis(machine: &Machine) -> Diagnosis {
    let cpus = topology::spread_here(1);
    let tried = Tried::under(probe::REAL_TIME);
    doctor::examine(machine, Tree::at("/"), &cpus, &tried)
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
        for finding in diagnosis(&runner::fingerprint()).findings {
            let line = finding.see.strip_prefix("steadfast run ");
            let specs = specs_of(line.unwrap_or_else(|| panic!("{}", finding.see)));
            assert!(specs.is_ok(), "{}: {:#}", finding.see, specs.unwrap_err());
            for name in finding.knobs {
                assert!(knob::find(name).is_some(), "{}: {name}", finding.name);
            }
        }
    }
}
