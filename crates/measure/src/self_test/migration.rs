//! Disturbance: the measured thread is moved from CPU to CPU.

use base::CpuSet;
use blame::Cause;
use record::Asked;
use rt::{clock, sched, topology};

use super::disturbance::{Disturbance, Notes, Within};
use super::timing::LENGTH_NS;

const CPUS: usize = 2;

pub(super) const MIGRATION: Disturbance = Disturbance {
    name: "migration",
    what: "the loop is moved back and forth between two CPUs",
    cause: "migration",
    is_cause: |found| matches!(found, Cause::Migration),
    takes_part: |found| {
        // The interrupts with which one CPU requests the thread from another.
        let asks = ["call_function_single", "reschedule"];
        matches!(found, Cause::Interrupt { name } if asks.contains(&name.as_str()))
    },
    cpus: CPUS,
    conditions: |usual| Asked { cpus: topology::usable().iter().take(CPUS).collect(), ..usual },
    within: |asked| {
        Ok(Box::new(Move {
            all: asked.cpus.clone(),
            each: asked.cpus.iter().map(CpuSet::one).collect(),
            next: 0,
        }))
    },
    ..Disturbance::NONE
};

struct Move {
    all: CpuSet,
    each: Vec<CpuSet>,
    next: usize,
}

impl Move {
    /// Moves the thread once. If a CPU goes offline, the result shows too few migrations.
    fn once(&mut self) {
        let _ = sched::set_affinity(&self.each[self.next]);
        self.next = (self.next + 1) % self.each.len();
    }
}

impl Within for Move {
    fn begin(&mut self) {
        self.once();
    }

    /// Ends on a different CPU than the one it began on, because counters see no more than that.
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
