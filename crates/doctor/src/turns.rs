//! Tests whether threads get their turn on the CPUs.

use rt::turn::{LONGEST, NoTurn, try_turn};
use rt::{sched, topology};
use units::{CpuSet, Policy};

/// The result of letting a thread run on every CPU for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// The policy of the threads.
    pub policy: Policy,
    /// Where a thread waited in vain: the CPU, and the task that has it.
    pub in_vain: Vec<String>,
}

impl Turns {
    /// Tries it on this machine, on all CPUs that this thread may use, under a policy or, without
    /// the right to it, the default one. It takes four seconds for every CPU on which the thread
    /// does not get its turn, twelve if no task is seen that keeps it.
    pub fn tried(policy: Policy) -> Self {
        let policy = if sched::may_be_real_time() { policy } else { Policy::OTHER };
        let in_vain = |cpu| match try_turn(&CpuSet::one(cpu), policy, LONGEST) {
            Err(why @ NoTurn::Starved { .. }) => Some(why.to_string()),
            // Another check covers the right to the policy.
            _ => None,
        };
        Self { policy, in_vain: topology::usable().iter().filter_map(in_vain).collect() }
    }
}
