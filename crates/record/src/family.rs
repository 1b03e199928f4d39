//! Which measurements belong together wherever several are shown, compared or averaged.

base::named! {
    /// A group of measurements that answer the same question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Family {
        Clock = "clock",
        /// Time that the platform takes from the program.
        Platform = "platform",
        /// Single services of the kernel: switches and semaphores.
        Services = "services",
        Locks = "locks",
        /// Calls, and messages from one task to another.
        Messages = "messages",
        Wakeups = "wakeups",
        Interrupts = "interrupts",
        /// Transitions between Linux and a real-time core.
        ModeSwitches = "mode switches",
        Frames = "frames",
        Models = "models",
        Mixes = "mixes",
        /// The limits that the machine sets for a model.
        Ceilings = "ceilings",
    }
}

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

    pub fn of(measurement: &str) -> Option<Self> {
        let has = |family: &Self| family.measurements().contains(&measurement);
        Self::ALL.into_iter().find(has)
    }
}
