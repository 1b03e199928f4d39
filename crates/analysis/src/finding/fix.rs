//! What to change so that less is late.

use base::CpuSet;
use serde::Serialize;

use crate::phrases::maybe;

/// Something to change so that less is late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fix {
    /// The remedy of INVALID runs.
    Remedy {
        /// The remedy in words.
        remedy: String,
    },
    /// The runs requested no real-time policy.
    RealTimePolicy,
    /// What the doctor advises for one of its checks.
    Advice {
        /// Name of the check.
        check: String,
        /// The change in words.
        change: String,
    },
    /// A kernel thread that serves a single CPU: only its work can move.
    MoveWorkOf {
        /// Name of the thread.
        task: String,
        /// CPUs to keep its work off.
        cpus: CpuSet,
    },
    /// A task that cannot move for lack of another CPU.
    StopTask {
        /// Name of the task.
        task: String,
        /// Its number; null for several tasks of that name.
        pid: Option<i64>,
        /// The only CPUs that it has.
        cpus: CpuSet,
    },
    /// A task that can move.
    MoveTask {
        /// Name of the task.
        task: String,
        /// Its number; null for several tasks of that name.
        pid: Option<i64>,
        /// CPUs to keep it off.
        cpus: CpuSet,
        /// CPUs that it may use instead.
        to: CpuSet,
    },
    /// An interrupt of a device.
    MoveInterrupt {
        /// Name of the interrupt.
        interrupt: String,
        /// Its number.
        number: u32,
        /// CPUs to keep it off.
        cpus: CpuSet,
        /// CPUs that may serve it instead.
        to: CpuSet,
    },
    /// The same run with a search for causes.
    LookForCause {
        /// Command of that run.
        command: String,
    },
    /// A run that shows whether the platform stops a CPU, where kernel and platform look alike.
    FindGaps {
        /// Command of that run.
        command: String,
    },
    /// A run without locked memory has page faults.
    LockMemory,
    /// A step of a user's own model that touches new memory.
    TouchMemory {
        /// Command that shows where.
        audit: String,
    },
    /// A step that blocks or calls the kernel.
    RemoveWait {
        /// Command that shows where; null if none does.
        audit: Option<String>,
    },
    /// A step that is too long by itself.
    ShortenStep,
    /// Something stops the process: a signal or a debugger.
    KeepFromStopping,
    /// The freezer of the process's control group stops it.
    Thaw,
}

/// Maximum number of characters for all fixes of an answer: two lines of a terminal.
const FIXES: usize = 130;

impl Fix {
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Remedy { remedy } => remedy.clone(),
            Self::RealTimePolicy => {
                "run it at a real-time priority: `sudo steadfast ... --policy fifo:80`".to_owned()
            }
            Self::Advice { check, change } => short_change(check, change, FIXES),
            Self::MoveWorkOf { task, cpus } => format!(
                "find what gives task `{task}` its work, and keep that off {}: the task cannot leave its CPU",
                cpus.in_words()
            ),
            Self::StopTask { task, pid, cpus } => {
                let number = maybe(*pid, |pid| format!(" (number {pid})"));
                format!(
                    "stop task `{task}`{number}, or give it less to do: it has no CPU but {}",
                    cpus.in_words()
                )
            }
            Self::MoveTask { task, pid: Some(pid), cpus, to } => format!(
                "keep task `{task}` off {}: `sudo taskset -cp {to} {pid}` while it runs",
                cpus.in_words()
            ),
            Self::MoveTask { task, pid: None, cpus, to } => format!(
                "keep every task `{task}` off {}: start them with `taskset -c {to}`",
                cpus.in_words()
            ),
            Self::MoveInterrupt { interrupt, number, cpus, to } => format!(
                "keep interrupt `{interrupt}` off {}: `echo {to} | sudo tee \
                 /proc/irq/{number}/smp_affinity_list`",
                cpus.in_words()
            ),
            Self::LookForCause { command } => format!("`{command}`"),
            Self::FindGaps { command } => {
                format!("find out which: `{command}` shows whether the platform stops the CPU")
            }
            Self::LockMemory => "lock memory: leave out `--memory unlocked`".to_owned(),
            Self::TouchMemory { audit } => {
                format!(
                    "touch all memory before the first step; `{audit}` shows where a step faults"
                )
            }
            Self::RemoveWait { audit } => format!(
                "take the wait out of the step{}",
                maybe(audit.as_ref(), |audit| format!("; `{audit}` shows where it is"))
            ),
            Self::KeepFromStopping => {
                "keep what stops the process (a debugger, SIGSTOP) away from it".to_owned()
            }
            Self::Thaw => "keep its control group from being frozen".to_owned(),
            Self::ShortenStep => "make the step shorter or the period longer".to_owned(),
        }
    }
}

/// Returns a change of at most `most` characters; if it is longer, where to read it.
pub fn short_change(check: &str, change: &str, most: usize) -> String {
    match change.chars().count() {
        all if all <= most => change.to_owned(),
        _ => format!("{check}: see steadfast doctor --verbose"),
    }
}

/// Returns as many fixes as there is room for; none is cut, because half a command does harm.
pub(super) fn numbered(fixes: &[Fix]) -> String {
    if let [only] = fixes {
        return only.words();
    }
    let mut text = String::new();
    for (place, fix) in fixes.iter().enumerate() {
        let separator = if place == 0 { "" } else { ";  " };
        let more = format!("{separator}{}. {}", place + 1, fix.words());
        if place > 0 && text.chars().count() + more.chars().count() > FIXES {
            break;
        }
        text += &more;
    }
    text
}
