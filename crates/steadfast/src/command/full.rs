//! `steadfast full`: the ready plan with every measurement, alone and under every load.

use std::process::ExitCode;
use std::slice;

use anyhow::Result;
use load::{LOADS, Processes};
use plan::RunSpec;

use super::ready::{carry_through, specs};
use crate::args::FullArgs;
use crate::output::tell;
use crate::scale::{planned, scale};

/// Made once, each line as one would type it after `steadfast run`. Times are in
/// proportion to each other; the whole is made as long as asked.
const ALONE: &[&str] = &[
    "clock_overhead --seconds 2",
    "platform_gap --cpus all --seconds 10",
    "mode_switch",
    "priority_inversion --trials 30",
    "wakeup --cpus all --period 1ms,100us --seconds 60",
    "interrupt --seconds 10",
    "frame --processes 1,cores,cpus --affinity locked,free --seconds 30",
    "frame --processes 1,cpus --start spin,hybrid --seconds 20",
    "frame --processes 1 --overrun catch-up,skip,slip,stop --load cpu --seconds 10",
    "ceiling --threads 1,cores --precision f64,f32 --seconds 2",
    // As the papers: both models, threads up to two a hardware thread.
    "tire --mode real-fast --masses 400,2000,5900,24000,57000 --threads 1,cores,cpus,2xcpus \
     --steps 600",
    "tire --mode real-fast --model central --masses 8,1200 --threads 1,cpus --steps 6000",
    "tire --mode real-time --masses 5900,24000,57000,110000,220000,440000 \
     --threads 1,cores,cpus,2xcpus --steps 200",
    "tire --mode real-time --model central --masses 8,1200 --threads 1,cpus --steps 200",
    // Their pretest.
    "tire --mode real-time --rate 2kHz --masses 400,2000 --threads 1,cores,cpus --steps 4000",
    // Every solver.
    "tire --mode real-fast --solver semaphore-exact,barrier --masses 5900,57000 \
     --threads 1,cores --steps 300",
    "tire --mode real-fast --solver simd,fused --precision f64,f32 \
     --masses 5900,57000,1000000 --threads 1,cores --steps 640",
    "tire --mode real-time --solver semaphore-exact,barrier --masses 57000,110000 \
     --threads 1,cores --steps 200",
    "tire --mode real-time --solver simd,fused --masses 57000,1000000,4000000 \
     --threads 1,cores --steps 200",
];

/// Made without load, and under each one.
const UNDER_EACH_LOAD: &[&str] = &[
    "wakeup --cpus all --period 10ms,1ms,100us --seconds 12",
    "wakeup --cpus all --period 10ms,1ms,100us --seconds 12 --policy other",
    "task_switch preemption semaphore_shuffle --seconds 3",
    "deadlock_break --trials 10",
    "interrupt --source timer --seconds 5",
    "fifo_write fifo_roundtrip mailbox_post --seconds 2",
    "fifo_transfer mailbox_transfer futex_transfer eventfd_transfer socket_transfer \
     ring_transfer context_switch --seconds 3",
];

/// Measures everything in the time asked for.
pub(crate) fn full(args: &FullArgs) -> Result<ExitCode> {
    let plan = plan(args)?;
    let (asked, takes) = (args.seconds, planned(&plan));
    if takes > asked {
        tell(&format!(
            "The whole takes {takes}, not {asked}: no run gets shorter than makes sense, and \
             tires and contests for locks have a length of their own."
        ));
    }
    carry_through("full", &plan, &args.ready)
}

/// The runs that the machine can make, as long as asked.
fn plan(args: &FullArgs) -> Result<Vec<RunSpec>> {
    let lines = lines();
    let mut plan = specs(lines.iter().map(String::as_str), &args.ready)?;
    scale(&mut plan, args.seconds);
    // What became longer may not fit the memory any more.
    plan.retain(
        |spec| match args.ready.target.check(slice::from_ref(spec)) {
            Ok(()) => true,
            Err(why) => {
                tell(&format!("Left out: {why}"));
                false
            }
        },
    );
    Ok(plan)
}

fn lines() -> Vec<String> {
    let alone = ALONE.iter().map(|line| (*line).to_owned());
    // A guarded program may not be installed, and its arguments are a person's choice.
    let loads = LOADS.iter().filter(|l| l.processes != Processes::Guard);
    let loaded = loads.flat_map(|load| {
        let under = |line: &&str| format!("{line} --load {}", load.name);
        UNDER_EACH_LOAD.iter().map(under)
    });
    alone.chain(loaded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::ReadyArgs;
    use probe::MEASUREMENTS;
    use std::collections::BTreeSet;
    use units::{Nanos, Policy};

    const MINUTE: u64 = 60 * Nanos::SECOND.0;

    fn plan_of(seconds: Nanos) -> Vec<RunSpec> {
        let ready = ReadyArgs::default();
        plan(&FullArgs { ready, seconds }).unwrap()
    }

    #[test]
    fn every_measurement_every_solver_and_every_load_is_in_it() {
        let plan = plan_of(Nanos(30 * MINUTE));
        let made: BTreeSet<&str> = plan.iter().map(|s| &*s.measurement).collect();
        assert_eq!(made, MEASUREMENTS.iter().map(|m| m.name()).collect());
        let tires: BTreeSet<[&str; 2]> = plan
            .iter()
            .filter(|spec| spec.measurement == "tire")
            .map(|spec| ["mode", "solver"].map(|name| spec.parameters.word(name)))
            .collect();
        assert_eq!(tires.len(), 2 * tire_solvers(), "{tires:?}");
        let loads = LOADS.iter().map(|load| load.name);
        for load in loads.filter(|name| !["none", "stress-ng"].contains(name)) {
            for transfer in ["fifo_transfer", "context_switch"] {
                assert_eq!(under(&plan, load, transfer).count(), 1, "{load}");
            }
            for name in (analysis::views::view("rhealstone").unwrap().measurements)() {
                assert_eq!(under(&plan, load, name).count(), 1, "{name}, {load}");
            }
            let wakeups: BTreeSet<(u64, bool)> = under(&plan, load, "wakeup")
                .map(|s| {
                    (
                        s.parameters.time("period").0,
                        s.asked.policy == Policy::OTHER,
                    )
                })
                .collect();
            assert_eq!(wakeups.len(), 3 * 2, "{load}");
        }
    }

    fn under<'a>(
        plan: &'a [RunSpec],
        load: &'a str,
        measurement: &'a str,
    ) -> impl Iterator<Item = &'a RunSpec> {
        plan.iter().filter(move |spec| {
            spec.measurement == measurement && spec.asked.loads.iter().any(|l| l.name == load)
        })
    }

    fn tire_solvers() -> usize {
        let declared = probe::find("tire").unwrap().parameters();
        let solver = declared.iter().find(|p| p.name == "solver").unwrap();
        match solver.kind {
            plan::Kind::Choice(all) => all.len(),
            _ => panic!("solvers have names"),
        }
    }

    #[test]
    fn it_takes_as_long_as_asked_and_is_the_same_when_resumed() {
        for minutes in [20, 30, 120] {
            let whole = minutes * MINUTE;
            let plan = plan_of(Nanos(whole));
            assert_eq!(plan, plan_of(Nanos(whole)));
            let differs = planned(&plan).0.abs_diff(whole);
            assert!(differs < whole / 100, "{}", planned(&plan));
        }
    }
}
