//! Whether a thread gets its turn on a CPU at all, tried for a moment.

use std::fmt;
use std::io;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use rustix::process::Pid;
use units::{CpuSet, Policy};

use crate::occupant::{in_words, occupants};
use crate::process::{this, this_thread};
use crate::{ending, sched, thread};

/// How long a thread may have to wait: longer than the pauses that throttling, the fair
/// server and a busy host make.
pub const LONGEST: Duration = Duration::from_secs(2);

/// How long it sleeps before its turn.
const WAKES_AFTER: Duration = Duration::from_micros(200);

/// Why a thread did not get its turn.
#[derive(Debug)]
pub enum NoTurn {
    /// No thread could be started.
    NoThread(io::Error),
    /// The kernel refused the policy.
    Refused(io::Error),
    /// It waited in vain.
    Starved {
        /// Its policy.
        policy: Policy,
        /// The CPUs that it was confined to.
        cpus: CpuSet,
        /// The foremost real-time tasks there, in words; `None` where /proc shows none.
        who: Option<String>,
    },
}

impl fmt::Display for NoTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThread(error) | Self::Refused(error) => write!(f, "{error}"),
            Self::Starved { policy, cpus, who } => write!(
                f,
                "a thread of policy {policy} waited for CPU {cpus} in vain: {}",
                who.as_deref().unwrap_or(UNSEEN)
            ),
        }
    }
}

impl std::error::Error for NoTurn {}

const UNSEEN: &str = "/proc shows no real-time task there; one of another container, or the \
                      hypervisor, may have it";

/// Lets a thread of its own have its turn on the CPUs under a policy, and waits for it, at
/// most `longest` ([`LONGEST`] tells something).
/// CPUs that the kernel refuses are those that the thread has anyway.
///
/// # Errors
/// Where the policy is refused, or a task that comes first keeps the CPUs.
pub fn try_turn(cpus: &CpuSet, policy: Policy, longest: Duration) -> Result<(), NoTurn> {
    let (tell, told) = mpsc::channel();
    let wanted = cpus.clone();
    let thread = thread::start("turn", move || has_turn(&tell, &wanted, policy))
        .map_err(NoTurn::NoThread)?;
    let Ok(Told::Begins(task)) = told.recv() else {
        return Err(NoTurn::NoThread(io::Error::other("it ended at once")));
    };
    match told.recv_timeout(longest) {
        Ok(Told::Had(outcome)) => {
            let _ = thread.join();
            outcome.map_err(NoTurn::Refused)
        }
        // It ends when it can.
        _ => {
            let who = in_words(&occupants(cpus, this()));
            ending::set_free([task], this());
            Err(NoTurn::Starved { policy, cpus: cpus.clone(), who })
        }
    }
}

enum Told {
    Begins(Pid),
    Had(io::Result<()>),
}

fn has_turn(tell: &Sender<Told>, cpus: &CpuSet, policy: Policy) {
    // Nobody listens any more where it took too long.
    let _ = tell.send(Told::Begins(this_thread()));
    let _ = sched::set_affinity(cpus);
    let outcome = sched::set_policy(policy);
    // The fair server may have lent it the CPU so far: only a wake-up is decided by policy.
    std::thread::sleep(WAKES_AFTER);
    let _ = tell.send(Told::Had(outcome));
}
