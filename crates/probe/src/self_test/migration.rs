//! The measured thread is moved from CPU to CPU.

use std::io;

use blame::Cause;
use plan::Asked;
use rt::{clock, sched, topology};
use units::CpuSet;

use super::LENGTH_NS;
use super::disturbance::{Disturbance, Notes, Within};

pub(super) struct Migration;

const CPUS: usize = 2;

impl Disturbance for Migration {
    fn name(&self) -> &'static str {
        "migration"
    }

    fn what(&self) -> &'static str {
        "the loop is moved to and fro between two CPUs"
    }

    fn cause(&self) -> &'static str {
        "migration"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        matches!(found, Cause::Migration)
    }

    /// The interrupts by which one CPU asks another to hand the thread over.
    fn takes_part(&self, found: &Cause) -> bool {
        let asks = ["call_function_single", "reschedule"];
        matches!(found, Cause::Interrupt { name } if asks.contains(&name.as_str()))
    }

    fn cpus(&self) -> usize {
        CPUS
    }

    fn conditions(&self, usual: Asked) -> Asked {
        Asked {
            cpus: topology::usable().iter().take(CPUS).collect(),
            ..usual
        }
    }

    fn within(&self, asked: &Asked) -> io::Result<Box<dyn Within>> {
        let each: Vec<CpuSet> = asked.cpus.iter().map(CpuSet::one).collect();
        Ok(Box::new(Move {
            all: asked.cpus.clone(),
            each,
            next: 0,
        }))
    }
}

struct Move {
    all: CpuSet,
    each: Vec<CpuSet>,
    next: usize,
}

impl Move {
    /// A CPU that goes away meanwhile shows as too few migrations.
    fn once(&mut self) {
        let _ = sched::set_affinity(&self.each[self.next]);
        self.next = (self.next + 1) % self.each.len();
    }
}

impl Within for Move {
    fn begin(&mut self) {
        self.once();
    }

    /// Ends on another CPU than it began on: counters see no more than that.
    fn disturb(&mut self, _: u64, notes: &mut Notes) {
        let from = clock::now();
        self.once();
        while clock::now() < from + LENGTH_NS {
            self.once();
            self.once();
        }
        notes.injected.push(from, clock::now());
    }

    fn end(&mut self, _: &mut Notes) {
        let _ = sched::set_affinity(&self.all);
    }
}
