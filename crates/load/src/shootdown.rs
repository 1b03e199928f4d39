//! Shootdown load: memory given back while other CPUs still know where it was, so that each of
//! them is interrupted to forget it (a TLB shootdown).
//!
//! Such an interrupt goes only to CPUs that a thread of the same process was on last. So the
//! process has a thread on each of the CPUs that are to be reached, which sleeps but for a moment
//! a millisecond.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rt::mapping::Mapping;
use rt::{sched, thread, topology};
use units::CpuSet;

use crate::{Argument, Load};

const ALL: &str = "all";
/// Two spans of page tables on x86-64 and on ARM with pages of 4 KiB: their tables go with them, of
/// which also a CPU that idles meanwhile must hear.
const BYTES: usize = 4 << 20;
/// Of each span a page is touched.
const SPAN: usize = 2 << 20;
/// Memory mapped and given back in one unit of work.
const ROUNDS: u64 = 20;
/// How long a thread sleeps on a CPU that is to be reached.
const REST: Duration = Duration::from_millis(1);

pub(crate) const LOAD: Load = Load {
    name: "shootdown",
    summary: "maps 4 MiB, touches two pages of it and gives it back, in a process that has a thread on \
              other CPUs too, so that these are interrupted (TLB shootdown)",
    unit: |_| "maps given back",
    argument: Some(Argument {
        name: "CPUS",
        default: Some(ALL),
        help: "CPUs that are to be interrupted, such as 1 or 0-3, or all",
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
                "no other CPU is to be interrupted: it works on CPU {own} and reaches {argument}; \
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

/// The CPUs that are to be interrupted.
fn reached(argument: &str) -> Result<CpuSet, String> {
    match argument {
        ALL => Ok(topology::online()),
        cpus => cpus.parse().map_err(|why| format!("{why}, or all")),
    }
}

/// Starts a thread that is on a CPU for a moment again and again, as long as the work lives.
fn stays_on(cpu: usize, lives: Weak<()>) -> std::io::Result<()> {
    let (told, hear) = std::sync::mpsc::channel();
    thread::start("shootdown", move || {
        let is_there = sched::set_affinity(&CpuSet::one(cpu));
        let stays = is_there.is_ok();
        // Nobody hears it where the process has given up.
        let _ = told.send(is_there);
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
    use testing::skip;

    #[test]
    fn cpus_that_cannot_be_meant_are_refused() {
        assert!((LOAD.check)("soon").unwrap_err().contains("or all"));
        assert!((LOAD.check)("0-1").is_ok() && (LOAD.check)(ALL).is_ok());
    }

    #[test]
    fn what_is_given_back_interrupts_another_cpu() {
        if let Some(why) = (LOAD.lacks)("") {
            return skip(&why);
        }
        // In a thread of its own: it stays on one CPU.
        let done = thread::start("shootdowns", || {
            let first = topology::usable().iter().next().unwrap();
            sched::set_affinity(&CpuSet::one(first)).unwrap();
            let mut work = (LOAD.prepare)(ALL, u64::MAX)?;
            let before = interrupts("TLB");
            let done: u64 = (0..50).map(|_| work().unwrap()).sum();
            Ok::<_, String>((done, before, interrupts("TLB")))
        });
        match done.unwrap().join().unwrap() {
            Err(why) => skip(&why),
            Ok((_, None, _) | (_, _, None)) => skip("the kernel counts no TLB shootdowns"),
            // Some processors tell each other without an interrupt.
            Ok((_, Some(before), Some(after))) if before == after => {
                skip("shootdowns need no interrupt here");
            }
            Ok((done, Some(before), Some(after))) => {
                assert_eq!(done, 50 * ROUNDS);
                assert!(after - before > done / 100, "{} of {done}", after - before);
            }
        }
    }
}
