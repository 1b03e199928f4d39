//! Tests for a moment whether a thread gets CPU time at all.

use std::fmt;
use std::io;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use base::{CpuSet, Policy};
use rustix::process::Pid;

use crate::occupant::{in_words, occupants};
use crate::process::{this, this_thread};
use crate::{ending, sched, thread};

/// The longest time that a thread may have to wait: longer than the pauses that throttling, the
/// fair server and a busy host cause.
pub const LONGEST: Duration = Duration::from_secs(4);

/// How many times as long a thread may wait while no task is seen that keeps it waiting: nothing
/// shows then that the wait will not end.
const WAITS_UNEXPLAINED: usize = 3;

/// How long the thread sleeps before its turn.
const WAKES_AFTER: Duration = Duration::from_micros(200);

/// Why a thread did not get its turn.
#[derive(Debug)]
pub enum NoTurn {
    /// No thread could be started.
    NoThread(io::Error),
    /// The kernel refused the policy.
    Refused(io::Error),
    /// The thread did not run in time.
    Starved {
        /// Its policy.
        policy: Policy,
        /// The CPUs to which it was confined.
        cpus: CpuSet,
        /// A description of the foremost real-time tasks there; `None` if /proc shows none.
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

const UNSEEN: &str = "/proc shows no real-time task there; a task of another container, or the \
                      hypervisor, may have it";

/// Starts a thread with a policy on the given CPUs, and waits until it has run: for `longest`
/// ([`LONGEST`] is long enough to be conclusive) if a real-time task is then seen there, otherwise
/// three times as long. If the kernel refuses the CPUs, the thread keeps its present ones.
///
/// # Errors
/// Fails if the policy is refused, or a task with precedence keeps the CPUs.
pub fn try_turn(cpus: &CpuSet, policy: Policy, longest: Duration) -> Result<(), NoTurn> {
    let (sender, events) = mpsc::channel();
    let wanted = cpus.clone();
    let thread = thread::start("turn", move || has_turn(&sender, &wanted, policy))
        .map_err(NoTurn::NoThread)?;
    let Ok(Event::Begins(task)) = events.recv() else {
        return Err(NoTurn::NoThread(io::Error::other("it ended at once")));
    };
    let mut who = None;
    for _ in 0..WAITS_UNEXPLAINED {
        if let Ok(Event::Had(outcome)) = events.recv_timeout(longest) {
            let _ = thread.join();
            return outcome.map_err(NoTurn::Refused);
        }
        who = in_words(&occupants(cpus, this()));
        if who.is_some() {
            break;
        }
    }
    // The thread ends when it can.
    ending::set_free([task], this());
    Err(NoTurn::Starved { policy, cpus: cpus.clone(), who })
}

enum Event {
    Begins(Pid),
    Had(io::Result<()>),
}

fn has_turn(sender: &Sender<Event>, cpus: &CpuSet, policy: Policy) {
    // Fails if the receiver has stopped waiting.
    let _ = sender.send(Event::Begins(this_thread()));
    let _ = sched::set_affinity(cpus);
    let outcome = sched::set_policy(policy);
    // The fair server may have lent the thread the CPU so far: only a wake-up is decided by policy.
    std::thread::sleep(WAKES_AFTER);
    let _ = sender.send(Event::Had(outcome));
}
