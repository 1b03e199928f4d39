//! Carrying a ready plan out: `steadfast quick` and its like.

use std::process::ExitCode;

use anyhow::Result;
use plan::RunSpec;

use crate::args::{IdleArg, ReadyArgs};
use crate::plans::Plan;
use crate::ready;

/// Measures what the plan says, stores it, and writes the report.
pub(crate) fn ready(plan: &Plan, args: &ReadyArgs) -> Result<ExitCode> {
    let specs = specs(plan, args.idle_states)?;
    ready::carry_through(plan.name, &specs, &args.out)?.exit_code()
}

/// The runs of a plan that this machine can make.
fn specs(plan: &Plan, idle_states: IdleArg) -> Result<Vec<RunSpec>> {
    ready::read(plan.lines.iter().copied(), |typed| {
        if idle_states == IdleArg::Leave {
            typed.conditions.idle_states = Some(IdleArg::Leave);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans;
    use units::Nanos;

    #[test]
    fn plans_take_about_as_long_as_they_say() {
        let minute = 60 * Nanos::SECOND.0;
        for (ready, minutes) in [(&plans::QUICK, 1..3), (&plans::FRAMES, 10..20)] {
            let plan = specs(ready, IdleArg::Hold).unwrap();
            let planned: u64 = plan.iter().map(|spec| spec.asked.duration.0).sum();
            let (from, to) = (minutes.start * minute, minutes.end * minute);
            assert!((from..to).contains(&planned), "{}", Nanos(planned));
        }
    }
}
