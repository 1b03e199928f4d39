//! The causes of lateness.

use serde::{Deserialize, Serialize};

/// Why something was late.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// Another task had the CPU.
    Task(SomeTask),
    /// Something else had the CPU; the counters do not tell which task.
    UnknownTask,
    /// An interrupt was served.
    Interrupt {
        /// Its name in the kernel.
        name: String,
    },
    /// Work that an interrupt left for later.
    Softirq {
        /// Its name in the kernel.
        name: String,
    },
    /// The thread's own memory was not there.
    PageFault,
    /// The thread itself waited for something within its work.
    Blocking {
        /// What for: `lock`, `barrier` or what else is known of it.
        on: String,
    },
    /// The thread asked the kernel for something within its work, and that worked for it.
    SystemCall {
        /// The call's name.
        name: String,
    },
    /// The thread was stopped: SIGSTOP, a debugger.
    Stopped,
    /// The thread moved to another CPU.
    Migration,
    /// The CPU left an idle state, within what that state is known to take.
    IdleExit,
    /// The kernel's timer was set to a later time than the due one.
    LateTimer,
    /// A control group's freezer held the whole process.
    Frozen,
    /// The quota on CPU time of its control group was used up.
    Quota,
    /// The kernel held the thread back: real-time throttling, the fair server, or a
    /// deadline thread's budget.
    Throttling,
    /// The thread ran at another priority than the one asked for, and less important
    /// tasks had the CPU.
    PriorityNotApplied,
    /// The CPU changed its frequency.
    Frequency,
    /// A hypervisor gave the CPU to somebody else, and says so.
    Steal,
    /// Nobody was on the CPU: a hypervisor or the firmware had it.
    PlatformGap,
    /// The interrupt that was to come came late while this task had the CPU: it was in the
    /// kernel and kept interrupts out, or the platform stood still.
    KernelOrPlatform(SomeTask),
    /// The thread's own work took longer than usual, and nothing else is known of it.
    OwnWork,
    /// Not known.
    Unknown {
        /// What could not be known, and why.
        why: String,
    },
}

/// A task by what the kernel calls it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SomeTask {
    /// Its name.
    pub name: String,
    /// Its number.
    pub pid: i64,
    /// Its policy and priority as they are typed (`fifo:90`); `real-time:90` where only
    /// the priority is known.
    pub policy: String,
}

impl SomeTask {
    pub(crate) fn words(&self) -> String {
        let Self { name, policy, pid } = self;
        format!("task `{name}` ({policy}, number {pid})")
    }
}

impl Cause {
    /// The cause in words that follow `by` or stand alone: ``task `hog` (fifo:90)``.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Task(task) => task.words(),
            Self::KernelOrPlatform(task) => {
                format!("the kernel at work for {}, or the platform (not told apart)", task.words())
            }
            Self::UnknownTask => "something else that ran on the CPU".to_owned(),
            Self::Interrupt { name } => format!("interrupt `{name}`"),
            Self::Softirq { name } => format!("softirq {name}"),
            Self::PageFault => "page faults of its own".to_owned(),
            Self::Blocking { on } => format!("its own waiting ({on})"),
            Self::SystemCall { name } => format!("its own system call `{name}`"),
            Self::Stopped => "being stopped (SIGSTOP or a debugger)".to_owned(),
            Self::Migration => "migration to another CPU".to_owned(),
            Self::IdleExit => "leaving an idle state".to_owned(),
            Self::LateTimer => "a timer that was set late".to_owned(),
            Self::Frozen => "being frozen (the freezer of its control group)".to_owned(),
            Self::Quota => "the quota on CPU time of its control group".to_owned(),
            Self::Throttling => "throttling or the fair server".to_owned(),
            Self::PriorityNotApplied => "a priority that was not applied".to_owned(),
            Self::Frequency => "a change of frequency".to_owned(),
            Self::Steal => "steal (the hypervisor ran somebody else)".to_owned(),
            Self::PlatformGap => "platform gaps (hypervisor or firmware)".to_owned(),
            Self::OwnWork => "its own work that took longer than usual".to_owned(),
            Self::Unknown { why } => format!("unknown causes ({why})"),
        }
    }

    /// The kind of cause as its JSON name says it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::UnknownTask => "unknown_task",
            Self::Interrupt { .. } => "interrupt",
            Self::Softirq { .. } => "softirq",
            Self::PageFault => "page_fault",
            Self::Blocking { .. } => "blocking",
            Self::SystemCall { .. } => "system_call",
            Self::Stopped => "stopped",
            Self::Migration => "migration",
            Self::IdleExit => "idle_exit",
            Self::LateTimer => "late_timer",
            Self::Frozen => "frozen",
            Self::Quota => "quota",
            Self::Throttling => "throttling",
            Self::PriorityNotApplied => "priority_not_applied",
            Self::Frequency => "frequency",
            Self::Steal => "steal",
            Self::PlatformGap => "platform_gap",
            Self::KernelOrPlatform(_) => "kernel_or_platform",
            Self::OwnWork => "own_work",
            Self::Unknown { .. } => "unknown",
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
            Cause::OwnWork,
            Cause::Unknown { why: "lost".into() },
        ] {
            let json = serde_json::to_value(&cause).unwrap();
            assert_eq!(json["kind"], cause.kind());
            assert_eq!(serde_json::from_value::<Cause>(json).unwrap(), cause);
        }
    }
}
