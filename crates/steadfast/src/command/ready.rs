//! Carrying a ready plan out: `steadfast quick` and its like.

use std::process::ExitCode;

use anyhow::Result;
use plan::RunSpec;

use crate::args::{IdleArg, ReadyArgs};
use crate::files::make_directory;
use crate::plans::Plan;
use crate::ready;

/// Measures what the plan says, stores it, and writes the report.
pub(crate) fn ready(plan: &Plan, args: &ReadyArgs) -> Result<ExitCode> {
    let specs = specs(plan.lines.iter().copied(), args)?;
    carry_through(plan.name, &specs, args)
}

/// Carries a plan of this name out, and answers people and programs.
pub(super) fn carry_through(name: &str, plan: &[RunSpec], args: &ReadyArgs) -> Result<ExitCode> {
    let (checks, standards) = (&args.checks, args.standards());
    // A file that was asked for may be in it.
    make_directory(&args.out)?;
    checks.check(plan)?;
    let ended = ready::carry_through(name, plan, &args.target, &args.out, &standards)?;
    checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&checks.fail_if)
}

/// The runs of a plan's lines that the machine can make.
pub(super) fn specs<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    args: &ReadyArgs,
) -> Result<Vec<RunSpec>> {
    ready::read(lines, |typed| {
        typed.target = args.target.clone();
        if args.idle_states == IdleArg::Leave {
            typed.conditions.idle_states = Some(IdleArg::Leave);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{plans, scale};
    use units::{Nanos, Policy};

    #[test]
    fn plans_take_about_as_long_as_they_say() {
        for (ready, seconds) in [(&plans::QUICK, 90..150), (&plans::FRAMES, 600..1200)] {
            let plan = specs(ready.lines.iter().copied(), &ReadyArgs::default()).unwrap();
            let planned = scale::planned(&plan);
            let whole_seconds = planned.0 / Nanos::SECOND.0;
            assert!(seconds.contains(&whole_seconds), "{planned}");
        }
    }

    #[test]
    fn quick_makes_every_time_of_rhealstone_under_equal_conditions() {
        let plan = specs(plans::QUICK.lines.iter().copied(), &ReadyArgs::default()).unwrap();
        let rhealstone = analysis::views::view("rhealstone").unwrap();
        let policies = |name: &str| {
            let of_name = plan.iter().filter(|spec| spec.measurement == name);
            of_name.map(|spec| spec.asked.policy).collect::<Vec<_>>()
        };
        for name in (rhealstone.measurements)() {
            assert_eq!(policies(name), [Policy::Fifo(80)], "{name}");
        }
    }
}
