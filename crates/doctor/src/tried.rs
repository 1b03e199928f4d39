//! Tries what no file shows: whether threads get their turn, and the rights of this process.

use std::io;

use base::{CpuSet, Nanos, Policy};
use rt::idle::IdleHold;
use rt::starvation::{LONGEST, NoTurn, try_turn};
use rt::{memory, sched, thread, topology};

/// A deadline policy that asks for little.
const DEADLINE: Policy = Policy::Deadline { runtime: Nanos(100_000), period: Nanos(10_000_000) };

/// The results of what was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The policy that a thread asked for.
    pub policy: Policy,
    /// Why the kernel refused it, in its words; threads then ran under the default policy.
    pub policy_refused: Option<String>,
    /// Why the kernel refused a deadline policy, in its words.
    pub deadline_refused: Option<String>,
    /// Why the kernel refused to lock memory, in its words.
    pub lock_refused: Option<String>,
    /// Why idle states cannot be held off, in the kernel's words.
    pub hold_refused: Option<String>,
    /// The CPUs that a thread was granted which asked for all.
    pub reachable: CpuSet,
    /// Where a thread waited in vain: the CPU, and the task that has it.
    pub in_vain: Vec<String>,
}

impl Tried {
    /// Tries it on this machine, on all CPUs that this thread may use. It takes four seconds for every
    /// CPU on which the thread does not get its turn, twelve if no task is seen that keeps it.
    pub fn under(policy: Policy) -> Self {
        let refused = |result: io::Result<()>| result.err().map(|error| error.to_string());
        let policy_refused = refused(sched::try_policy(policy));
        let granted = if policy_refused.is_none() { policy } else { Policy::OTHER };
        let in_vain = |cpu| match try_turn(&CpuSet::one(cpu), granted, LONGEST) {
            Err(why @ NoTurn::Starved { .. }) => Some(why.to_string()),
            // Another check covers the right to the policy.
            _ => None,
        };
        Self {
            policy,
            policy_refused,
            deadline_refused: refused(sched::try_policy(DEADLINE)),
            lock_refused: refused(memory::try_lock_all()),
            hold_refused: refused(IdleHold::try_one()),
            reachable: reachable(),
            in_vain: topology::usable().iter().filter_map(in_vain).collect(),
        }
    }

    /// Returns the policy under which threads were tried.
    pub(crate) fn granted(&self) -> Policy {
        if self.policy_refused.is_none() { self.policy } else { Policy::OTHER }
    }
}

/// Returns the CPUs that a thread is granted if it asks for all: those of its cpuset.
fn reachable() -> CpuSet {
    let ask = || {
        // Refused if the cpuset has none of them; the thread then keeps its present ones.
        let _ = sched::set_affinity(&topology::online());
        sched::affinity().unwrap_or_default()
    };
    let thread = thread::start("reach", ask);
    thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
}
