//! Which measurements belong together wherever several are shown, compared or averaged.

mod members;

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
    pub fn of(measurement: &str) -> Option<Self> {
        let has = |family: &Self| family.measurements().contains(&measurement);
        Self::ALL.into_iter().find(has)
    }
}
