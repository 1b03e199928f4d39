//! `steadfast full`: the ready plan with every measurement, alone and under every load.

use std::process::ExitCode;

use anyhow::Result;
use base::Nanos;
use clap::Args;
use record::RunSpec;

use super::ready::{ReadyArgs, carry_through};
use crate::options::plans::FULL;
use crate::session::plan_length::{planned, scale};
use crate::startup::output::tell;

#[derive(Debug, Args)]
pub(crate) struct FullArgs {
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
    /// Approximate total time, in seconds or with a unit. All runs without a fixed length are
    /// scaled by one factor, but not below a useful minimum; tires and lock contests keep their
    /// fixed lengths, which count towards the total. Use the same time to resume an interrupted
    /// session
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "30min")]
    seconds: Nanos,
}

pub(crate) fn full(args: &FullArgs) -> Result<ExitCode> {
    let plan = plan(args)?;
    let (asked, takes) = (args.seconds, planned(&plan));
    if takes > asked {
        tell(&format!(
            "The whole plan takes {takes}, not {asked}: runs have a useful minimum, and \
             tires and lock contests have fixed lengths."
        ));
    }
    carry_through(FULL.name, &plan, &args.ready)
}

/// Returns the runs that are possible on the target, scaled to the requested time.
fn plan(args: &FullArgs) -> Result<Vec<RunSpec>> {
    let rounds = args.ready.repeat.or(1) as u64;
    let round = Nanos(args.seconds.0 / rounds);
    args.ready.specs(&FULL, |specs| scale(specs, round))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60 * Nanos::SECOND.0;

    #[test]
    fn it_takes_as_long_as_asked_and_is_the_same_when_resumed() {
        for minutes in [20, 30, 120] {
            let seconds = Nanos(minutes * MINUTE);
            let ready = ReadyArgs::default();
            let args = FullArgs { ready, seconds };
            let plan = plan(&args).unwrap();
            assert_eq!(plan, super::plan(&args).unwrap());
            let differs = planned(&plan).0.abs_diff(seconds.0);
            assert!(differs < seconds.0 / 100, "{}", planned(&plan));
        }
    }
}
