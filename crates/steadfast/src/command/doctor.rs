//! `steadfast doctor`.

use std::process::ExitCode;

use anyhow::Result;
use doctor::{Diagnosis, Tree, Turns};
use rt::topology;
use serde_json::json;
use terminal_size::{Width, terminal_size};

use crate::args::JsonArgs;
use crate::output::print;

/// Says whether this machine is set up for real-time work.
pub(crate) fn doctor(args: &JsonArgs) -> Result<ExitCode> {
    let diagnosis = diagnosis();
    if args.json {
        print(&format!("{:#}\n", json!(diagnosis)))?;
    } else {
        print(&diagnosis.text(width()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// About the CPU that measurements use where nobody names one.
fn diagnosis() -> Diagnosis {
    let cpus = topology::spread(&topology::cores(), &topology::usable(), 1);
    let turns = Turns::tried(probe::REAL_TIME);
    doctor::examine(&runner::fingerprint(), Tree::at("/"), &cpus, &turns)
}

/// Columns of the terminal; beyond the widest no eye finds the next line.
fn width() -> usize {
    const WIDEST: u16 = 100;
    const USUAL: u16 = 80;
    let width = terminal_size().map_or(USUAL, |(Width(width), _)| width);
    usize::from(width.min(WIDEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse_run_line;
    use crate::request;

    #[test]
    fn every_run_that_it_names_can_be_made() {
        for finding in diagnosis().findings {
            let line = finding.see.strip_prefix("steadfast run ");
            let line = line.unwrap_or_else(|| panic!("{}", finding.see));
            let typed = parse_run_line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            let specs = request::specs(&typed);
            assert!(specs.is_ok(), "{line}: {:#}", specs.unwrap_err());
        }
    }
}
