//! The measurements of each family. `GOLDEN=write cargo test -p measure families` writes this file.

use super::Family;

impl Family {
    /// The measurements of the family, in the order in which they are shown.
    pub const fn measurements(self) -> &'static [&'static str] {
        match self {
            Self::Clock => &["clock_overhead"],
            Self::Platform => &["platform_gap"],
            Self::Services => &[
                "task_switch",
                "sleep_switch",
                "preemption",
                "semaphore_shuffle",
                "memory_allocation",
            ],
            Self::Locks => &["priority_inversion", "deadlock_break"],
            Self::Messages => &[
                "fifo_write",
                "fifo_roundtrip",
                "mailbox_post",
                "fifo_transfer",
                "mailbox_transfer",
                "mailbox_round_robin",
                "futex_transfer",
                "eventfd_transfer",
                "socket_transfer",
                "ring_transfer",
                "context_switch",
            ],
            Self::Wakeups => &["wakeup"],
            Self::Interrupts => &["interrupt"],
            Self::ModeSwitches => &["mode_switch"],
            Self::Frames => &["frame"],
            Self::Models => &["tire", "model"],
            Self::Mixes => &["mix"],
            Self::Ceilings => &["ceiling"],
        }
    }
}
