//! Whether threads get their turn on the CPUs.

use rt::turn::{LONGEST, NoTurn, try_turn};
use rt::{sched, topology};
use units::{CpuSet, Policy};

/// What came of letting a thread have its turn on every CPU for a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// The policy that the threads had.
    pub policy: Policy,
    /// Where one waited in vain: which CPU, and who has it.
    pub in_vain: Vec<String>,
}

impl Turns {
    /// Tries it on this machine, on all CPUs that this thread may use, under a policy or,
    /// without the right to it, the default one. Takes two seconds for every CPU that cannot
    /// be had.
    #[must_use]
    pub fn tried(policy: Policy) -> Self {
        let policy = match sched::may_be_real_time() {
            true => policy,
            false => Policy::OTHER,
        };
        let in_vain = |cpu| match try_turn(&CpuSet::one(cpu), policy, LONGEST) {
            Err(why @ NoTurn::Starved { .. }) => Some(why.to_string()),
            // The right to the policy is another check's.
            _ => None,
        };
        Self { policy, in_vain: topology::usable().iter().filter_map(in_vain).collect() }
    }
}
