//! The causes of lateness.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// Another task had the CPU.
    Task(SomeTask),
    /// Something else had the CPU; the counters do not show which task.
    UnknownTask,
    /// An interrupt was served; the name is the kernel's, or empty if only a counter shows it.
    Interrupt {
        /// Name of the interrupt.
        name: String,
    },
    /// Deferred work of an interrupt ran; the name is the kernel's, or empty if only a counter shows
    /// it.
    Softirq {
        /// Name of the softirq.
        name: String,
    },
    /// A page of the thread's own memory was not present.
    PageFault,
    /// The thread itself waited within its work: for a `lock`, a `barrier`, or whatever is known.
    Blocking {
        /// What the thread waited for.
        on: String,
    },
    /// The thread made a system call within its work, and the kernel worked for it.
    SystemCall {
        /// Name of the system call.
        name: String,
    },
    /// The thread was stopped, by SIGSTOP or a debugger.
    Stopped,
    /// The thread moved to another CPU.
    Migration,
    /// The CPU left an idle state, within the exit time that is declared for that state.
    IdleExit,
    /// The thread's timer was set to a later time than its due time.
    LateTimer,
    /// A control group's freezer stopped the whole process.
    Frozen,
    /// The CPU-time quota of its control group was used up.
    Quota,
    /// The kernel held the thread back: real-time throttling, the fair server, or a deadline
    /// thread's budget.
    Throttling,
    /// The thread ran at a priority other than the requested one, and less important tasks had the
    /// CPU.
    PriorityNotApplied,
    /// The CPU changed its frequency.
    Frequency,
    /// A hypervisor gave the CPU to something else, and reports so.
    Steal,
    /// No task had the CPU: a hypervisor or the firmware had it.
    PlatformGap,
    /// The expected interrupt came late while this task had the CPU: either the task was in the
    /// kernel with interrupts disabled, or the platform stalled.
    KernelOrPlatform(SomeTask),
    /// The thread's own work usually takes longer than it may.
    OwnLength,
    /// The thread's own work took longer than usual, and nothing else is known about it.
    OwnWork,
    /// The cause is unknown; it says what is missing, and why.
    Unknown {
        /// What is missing, and why.
        why: String,
    },
}

base::named! {
    /// The kind of a cause, with its name in JSON.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CauseKind {
        Task = "task",
        UnknownTask = "unknown_task",
        Interrupt = "interrupt",
        Softirq = "softirq",
        PageFault = "page_fault",
        Blocking = "blocking",
        SystemCall = "system_call",
        Stopped = "stopped",
        Migration = "migration",
        IdleExit = "idle_exit",
        LateTimer = "late_timer",
        Frozen = "frozen",
        Quota = "quota",
        Throttling = "throttling",
        PriorityNotApplied = "priority_not_applied",
        Frequency = "frequency",
        Steal = "steal",
        PlatformGap = "platform_gap",
        KernelOrPlatform = "kernel_or_platform",
        OwnLength = "own_length",
        OwnWork = "own_work",
        Unknown = "unknown",
    }
}

/// A task as the kernel names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SomeTask {
    /// Name of the task.
    pub name: String,
    /// Its number.
    pub pid: i64,
    /// Policy and priority as typed (`fifo:90`); `real-time:90` if only the priority is known.
    pub policy: String,
}

impl SomeTask {
    /// Describes this number of tasks of its name and policy; 0 is any number.
    pub(crate) fn words(&self, tasks: usize) -> String {
        let Self { name, policy, pid } = self;
        match tasks {
            0 => format!("task `{name}` ({policy})"),
            1 => format!("task `{name}` ({policy}, number {pid})"),
            _ => format!("{tasks} tasks `{name}` ({policy})"),
        }
    }

    fn is_alike(&self, other: &Self) -> bool {
        (&self.name, &self.policy) == (&other.name, &other.policy)
    }
}

impl Cause {
    /// Describes the cause, in words that can follow `by`: ``task `hog` (fifo:90)``.
    pub fn words(&self) -> String {
        self.words_for(1)
    }

    /// Describes the cause when this number of tasks alike share it; 0 is any number.
    pub fn words_for(&self, tasks: usize) -> String {
        self.told(tasks).1
    }

    pub fn kind(&self) -> CauseKind {
        self.told(1).0
    }

    /// Returns the name of the task, interrupt, system call or other thing that is the cause.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Task(task) | Self::KernelOrPlatform(task) => Some(&task.name),
            Self::Interrupt { name } | Self::Softirq { name } | Self::SystemCall { name } => {
                Some(name)
            }
            Self::Blocking { on } => Some(on),
            _ => None,
        }
    }

    fn told(&self, tasks: usize) -> (CauseKind, String) {
        let (kind, words) = match self {
            Self::Task(task) => return (CauseKind::Task, task.words(tasks)),
            Self::KernelOrPlatform(task) => {
                let task = task.words(tasks);
                let words = "or the platform (indistinguishable)";
                return (
                    CauseKind::KernelOrPlatform,
                    format!("the kernel at work for {task}, {words}"),
                );
            }
            Self::Interrupt { name } if name.is_empty() => (CauseKind::Interrupt, "interrupts"),
            Self::Softirq { name } if name.is_empty() => (CauseKind::Softirq, "softirqs"),
            Self::Interrupt { name } => {
                return (CauseKind::Interrupt, format!("interrupt `{name}`"));
            }
            Self::Softirq { name } => return (CauseKind::Softirq, format!("softirq {name}")),
            Self::Blocking { on } => {
                return (CauseKind::Blocking, format!("its own waiting ({on})"));
            }
            Self::SystemCall { name } => {
                return (CauseKind::SystemCall, format!("its own system call `{name}`"));
            }
            Self::Unknown { why } => {
                return (CauseKind::Unknown, format!("unknown causes ({why})"));
            }
            Self::UnknownTask => (CauseKind::UnknownTask, "something else that ran on the CPU"),
            Self::PageFault => (CauseKind::PageFault, "its own page faults"),
            Self::Stopped => (CauseKind::Stopped, "being stopped (SIGSTOP or a debugger)"),
            Self::Migration => (CauseKind::Migration, "migration to another CPU"),
            Self::IdleExit => (CauseKind::IdleExit, "leaving an idle state"),
            Self::LateTimer => (CauseKind::LateTimer, "a timer that was set late"),
            Self::Frozen => {
                (CauseKind::Frozen, "being frozen (by the freezer of its control group)")
            }
            Self::Quota => (CauseKind::Quota, "the CPU quota of its control group"),
            Self::Throttling => (CauseKind::Throttling, "throttling or the fair server"),
            Self::PriorityNotApplied => {
                (CauseKind::PriorityNotApplied, "a priority that was not applied")
            }
            Self::Frequency => (CauseKind::Frequency, "a change of CPU frequency"),
            Self::Steal => (CauseKind::Steal, "steal (the hypervisor ran something else)"),
            Self::PlatformGap => (CauseKind::PlatformGap, "platform gaps (hypervisor or firmware)"),
            Self::OwnLength => {
                (CauseKind::OwnLength, "its own length (its work usually takes longer than it may)")
            }
            Self::OwnWork => (CauseKind::OwnWork, "its own work that took longer than usual"),
        };
        (kind, words.to_owned())
    }

    /// Whether a task had the CPU, by name or not.
    pub fn is_task(&self) -> bool {
        matches!(self, Self::Task(_) | Self::UnknownTask)
    }

    /// Whether it is the same cause, or another task of the same name and policy in the same role.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Task(one), Self::Task(other))
            | (Self::KernelOrPlatform(one), Self::KernelOrPlatform(other)) => one.is_alike(other),
            _ => self == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_the_names_in_json() {
        let task = SomeTask { name: "hog".into(), pid: 7, policy: "fifo:90".into() };
        for cause in [
            Cause::Task(task.clone()),
            Cause::KernelOrPlatform(task),
            Cause::UnknownTask,
            Cause::Interrupt { name: "eth0".into() },
            Cause::Softirq { name: "TIMER".into() },
            Cause::PageFault,
            Cause::Blocking { on: "lock".into() },
            Cause::SystemCall { name: "mmap".into() },
            Cause::Stopped,
            Cause::Migration,
            Cause::IdleExit,
            Cause::LateTimer,
            Cause::Frozen,
            Cause::Quota,
            Cause::Throttling,
            Cause::PriorityNotApplied,
            Cause::Frequency,
            Cause::Steal,
            Cause::PlatformGap,
            Cause::OwnLength,
            Cause::OwnWork,
            Cause::Unknown { why: "lost".into() },
        ] {
            let json = serde_json::to_value(&cause).unwrap();
            assert_eq!(json["kind"], cause.kind().name());
            assert_eq!(serde_json::from_value::<Cause>(json).unwrap(), cause);
        }
    }
}
