//! `steadfast quick`: the ready plan that answers the question.

use std::process::ExitCode;

use anyhow::Result;
use plan::RunSpec;

use crate::args::{IdleArg, QuickArgs};
use crate::ready;

/// The plan, each line as one would type it after `steadfast run`.
const LINES: &[&str] = &[
    "clock_overhead",
    "task_switch",
    "preemption",
    "semaphore_shuffle",
    "priority_inversion --trials 15",
    "deadlock_break --trials 10",
    "wakeup --cpus all --period 1ms --seconds 30",
    "wakeup --cpus all --period 1ms --seconds 10 --load cpu",
    "wakeup --cpus all --period 1ms --seconds 10 --policy other",
    "wakeup --cpus all --period 100us --seconds 10",
    "wakeup --cpus all --period 10ms --seconds 10",
    "tire --mode real-fast --masses 400,2000,5900,24000,57000 --threads 1,cpus --steps 300",
    "tire --mode real-time --masses 24000,57000,110000,220000,440000 --threads 1,cpus --steps 200",
    "tire --solver simd --mode real-fast --masses 5900,57000,1000000 --threads 1,cpus --steps 300",
    "tire --solver simd --mode real-time --masses 57000,1000000,2000000,4000000 --threads cpus --steps 200",
];

/// Measures this machine for about two minutes, and writes what it holds.
pub(crate) fn quick(args: &QuickArgs) -> Result<ExitCode> {
    let plan = plan(args.idle_states)?;
    ready::carry_through("quick", &plan, &args.out)?.exit_code()
}

fn plan(idle_states: IdleArg) -> Result<Vec<RunSpec>> {
    ready::read(LINES.iter().copied(), |typed| {
        if idle_states == IdleArg::Leave {
            typed.conditions.idle_states = Some(IdleArg::Leave);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Nanos;

    #[test]
    fn the_plan_is_about_two_minutes() {
        let plan = plan(IdleArg::Hold).unwrap();
        let planned: u64 = plan.iter().map(|spec| spec.asked.duration.0).sum();
        let minute = 60 * Nanos::SECOND.0;
        assert!(
            (minute..3 * minute).contains(&planned),
            "{}",
            Nanos(planned)
        );
    }
}
