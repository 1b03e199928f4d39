//! Tries what no file shows: whether threads get their turn, and the rights of this process.

use rt::turn::{LONGEST, NoTurn, try_turn};
use rt::{memory, sched, topology};
use units::{CpuSet, Policy};

/// The results of what was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The policy that a thread asked for.
    pub policy: Policy,
    /// Why the kernel refused it, in its words; threads then ran under the default policy.
    pub policy_refused: Option<String>,
    /// Why the kernel refused to lock memory, in its words.
    pub lock_refused: Option<String>,
    /// Where a thread waited in vain: the CPU, and the task that has it.
    pub in_vain: Vec<String>,
}

impl Tried {
    /// Tries it on this machine, on all CPUs that this thread may use. It takes four seconds for every
    /// CPU on which the thread does not get its turn, twelve if no task is seen that keeps it.
    pub fn under(policy: Policy) -> Self {
        let policy_refused = sched::try_policy(policy).err().map(|error| error.to_string());
        let granted = if policy_refused.is_none() { policy } else { Policy::OTHER };
        let in_vain = |cpu| match try_turn(&CpuSet::one(cpu), granted, LONGEST) {
            Err(why @ NoTurn::Starved { .. }) => Some(why.to_string()),
            // Another check covers the right to the policy.
            _ => None,
        };
        Self {
            policy,
            policy_refused,
            lock_refused: memory::try_lock_all().err().map(|error| error.to_string()),
            in_vain: topology::usable().iter().filter_map(in_vain).collect(),
        }
    }

    /// Returns the policy under which threads were tried.
    pub(crate) fn granted(&self) -> Policy {
        if self.policy_refused.is_none() { self.policy } else { Policy::OTHER }
    }
}
