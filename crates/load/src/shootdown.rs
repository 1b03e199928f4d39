//! Shootdown load: unmaps memory whose addresses other CPUs still have cached, so that each of them
//! is interrupted to forget them (a TLB shootdown).
//!
//! Such an interrupt goes only to CPUs on which a thread of the same process ran last. So the
//! process has a thread on each of the CPUs to interrupt; each thread sleeps and wakes briefly once
//! per millisecond.

use std::sync::{Arc, Weak};
use std::time::Duration;

use base::CpuSet;
use rt::mapping::Mapping;
use rt::{sched, thread, topology};

use crate::{Argument, Load};

const ALL: &str = "all";
/// Two spans of page tables on x86-64 and on ARM with pages of 4 KiB: their tables are freed with
/// them, of which even an idle CPU must be informed.
const BYTES: usize = 4 << 20;
/// In each span one page is touched.
const SPAN: usize = 2 << 20;
/// Maps and unmaps per unit of work.
const ROUNDS: u64 = 20;
/// Time that a thread on a CPU to interrupt sleeps.
const REST: Duration = Duration::from_millis(1);

pub(crate) const LOAD: Load = Load {
    name: "shootdown",
    summary: "interrupts other CPUs by TLB shootdowns: maps 4 MiB, touches two pages and gives it back, in a process that has a thread on those CPUs too",
    unit: |_| "maps given back",
    argument: Some(Argument {
        name: "CPUS",
        default: Some(ALL),
        help: "CPUs to interrupt, such as 1 or 0-3, or all",
    }),
    needs: Some("two CPUs"),
    is_aggressor: true,
    lacks: |_| (topology::online().len() < 2).then(|| "it needs two CPUs".to_owned()),
    check: |argument| reached(argument).map(drop),
    prepare: |argument, _| {
        let lives = Arc::new(());
        let own = sched::affinity().map_err(|error| error.to_string())?;
        let others = reached(argument)?.without(&own);
        let stay = |cpu| stays_on(cpu, Arc::downgrade(&lives));
        let staying = others.iter().map(stay).filter(Result::is_ok).count();
        if staying == 0 {
            return Err(format!(
                "it has no other CPU to interrupt: it works on CPU {own} and reaches {argument}; \
                 name another CPU after `:`, as in shootdown@0:1"
            ));
        }
        Ok(Box::new(move || {
            let _lives = &lives;
            for _ in 0..ROUNDS {
                let mut map = Mapping::new(BYTES).map_err(|error| format!("mmap: {error}"))?;
                map.touch(0..1);
                map.touch(SPAN..SPAN + 1);
            }
            Ok(ROUNDS)
        }))
    },
    ..Load::PLAIN
};

fn reached(argument: &str) -> Result<CpuSet, String> {
    match argument {
        ALL => Ok(topology::online()),
        cpus => cpus.parse().map_err(|why| format!("{why}, or all")),
    }
}

/// Starts a thread that runs briefly on a CPU again and again, as long as the work lives.
fn stays_on(cpu: usize, lives: Weak<()>) -> std::io::Result<()> {
    let (report, hear) = std::sync::mpsc::channel();
    thread::start("shootdown", move || {
        let is_there = sched::set_affinity(&CpuSet::one(cpu));
        let stays = is_there.is_ok();
        // If the process has given up, nothing receives this.
        let _ = report.send(is_there);
        while stays && lives.upgrade().is_some() {
            std::thread::sleep(REST);
        }
    })?;
    hear.recv().unwrap_or(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel_counts::interrupts;
    use testing::{measure_alone, refuses, skip};

    #[test]
    fn invalid_cpus_are_refused() {
        refuses((LOAD.check)("soon"), "or all");
        assert!((LOAD.check)("0-1").is_ok() && (LOAD.check)(ALL).is_ok());
    }

    /// Returns the most interrupts of several batches of shootdowns, up to the first batch with one
    /// in a hundred: other work on the other CPU can keep the load's thread away for whole batches.
    fn interrupts_of_the_best_batch() -> Result<Option<u64>, String> {
        let first = topology::usable().iter().next().unwrap();
        sched::set_affinity(&CpuSet::one(first)).unwrap();
        let mut work = (LOAD.prepare)(ALL, u64::MAX)?;
        let mut most = 0;
        for _ in 0..MOST_BATCHES {
            let before = interrupts("TLB");
            let done: u64 = (0..BATCH).map(|_| work().unwrap()).sum();
            assert_eq!(done, BATCH * ROUNDS);
            let Some((before, after)) = before.zip(interrupts("TLB")) else {
                return Ok(None);
            };
            most = most.max(after - before);
            if most > ENOUGH {
                break;
            }
        }
        Ok(Some(most))
    }

    const MOST_BATCHES: u32 = 300;
    const BATCH: u64 = 50;
    const ENOUGH: u64 = BATCH * ROUNDS / 100;

    #[test]
    fn unmapped_memory_interrupts_another_cpu() {
        if let Some(why) = (LOAD.lacks)("") {
            return skip(&why);
        }
        measure_alone();
        // In a separate thread, which stays on one CPU.
        let counted = thread::start("shootdowns", interrupts_of_the_best_batch);
        match counted.unwrap().join().unwrap() {
            Err(why) => skip(&why),
            Ok(None) => skip("the kernel counts no TLB shootdowns"),
            // Some processors inform each other without an interrupt.
            Ok(Some(0)) => skip("shootdowns need no interrupt here"),
            Ok(Some(most)) => assert!(most > ENOUGH, "{most}"),
        }
    }
}
