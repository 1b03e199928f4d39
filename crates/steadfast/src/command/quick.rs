//! `steadfast quick`: the ready plan that answers the question.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use plan::RunSpec;
use store::{Session, Store};

use crate::args::{IdleArg, QuickArgs, parse_run_line};
use crate::files::{make_directory, write_reports};
use crate::output::{print, tell};
use crate::request;
use crate::session::{Ended, Keeping, carry_out};

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
    make_directory(&args.out)?;
    let mut store = Store::open(&args.out.join("results.db"))?;
    let session = session(&mut store, &plan)?;
    let id = session.id;
    let keeping = Keeping {
        store: &mut store,
        session,
        keep_samples: false,
    };
    let ended = carry_out(&plan, Some(keeping), &mut |_| Ok(()))?;
    let ended = Ended {
        outcomes: store.outcomes(id)?,
        ..ended
    };
    let written = write_reports(&args.out, &ended.outcomes);
    print(&report::terminal(&ended.outcomes))?;
    written?;
    print(&where_it_is(&args.out, &ended, plan.len()))?;
    ended.exit_code()
}

/// The session that was interrupted, else a new one.
fn session(store: &mut Store, plan: &[RunSpec]) -> Result<Session> {
    let machine = runner::fingerprint();
    match store.resumable("quick", plan, &machine)? {
        Some(session) => {
            let (done, all) = (session.done.len(), plan.len());
            tell(&format!(
                "Taking up the interrupted session: {done} of {all} runs are done."
            ));
            Ok(session)
        }
        None => Ok(store.begin_session("quick", plan, &machine)?),
    }
}

fn plan(idle_states: IdleArg) -> Result<Vec<RunSpec>> {
    let mut plan = Vec::new();
    for line in LINES {
        let mut typed = parse_run_line(line)?;
        if idle_states == IdleArg::Leave {
            typed.conditions.idle_states = Some(IdleArg::Leave);
        }
        match request::specs(&typed) {
            Ok(specs) => plan.extend(specs),
            Err(why) => tell(&format!("Left out `{line}`: {why:#}")),
        }
    }
    Ok(plan)
}

fn where_it_is(out: &Path, ended: &Ended, planned: usize) -> String {
    let report = out.join("report.html");
    let results = out.join("results.db");
    let mut text = format!(
        "\nReport:  {}\nResults: {}\n",
        report.display(),
        results.display()
    );
    if ended.trouble.is_some() {
        let kept = ended.outcomes.len();
        text +=
            &format!("{kept} of {planned} runs are kept; the same command goes on from here.\n");
    }
    text
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
