//! What the kernel wrote down: one event, as numbers that fit the columns of a track.

/// Something that happened on a CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    pub at: i64,
    /// The CPU.
    pub cpu: i64,
    /// What happened.
    pub what: What,
}

/// What happened. Tasks are numbers, 0 is the idle task; priorities are the kernel's:
/// 99 minus the real-time priority, or 120 plus the nice value, and -1 for a deadline task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Another task got the CPU.
    Switch {
        /// Who had it.
        from: i64,
        /// In which state that one left, by the kernel's bits.
        state: i64,
        /// Who has it now.
        to: i64,
        /// Its priority.
        priority: i64,
    },
    /// A task was made runnable.
    Waking {
        /// The task.
        task: i64,
        /// Its priority.
        priority: i64,
        /// Whether an interrupt did it, such as that of its timer; else a task did.
        by_interrupt: bool,
    },
    /// A task was moved.
    Migrate {
        /// The task.
        task: i64,
        /// The CPU that it is moved to.
        to: i64,
    },
    /// The CPU began to serve an interruption.
    Enter(Interruption),
    /// The CPU ended it.
    Leave(Interruption),
    /// When an interrupt came, the CPU had been told before to switch to another task, and
    /// had not yet.
    ToldToSwitch,
    /// The CPU entered this idle state; -1: it left it.
    Idle {
        /// The state.
        state: i64,
    },
    /// The CPU has another frequency.
    Frequency {
        /// In kHz.
        khz: i64,
    },
    /// A task set a timer of the kernel.
    Timer {
        /// The task.
        task: i64,
        /// When it is to expire, by `CLOCK_MONOTONIC`.
        expires: i64,
    },
    /// A task asked the kernel for something.
    Call {
        /// The task.
        task: i64,
        /// The number of the system call.
        number: i64,
    },
    /// A task has what it asked for.
    Return {
        /// The task.
        task: i64,
    },
    /// Events before this one are missing.
    Lost {
        /// How many; 0 where the kernel does not tell.
        count: i64,
    },
}

/// What interrupts tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// A device's interrupt, by number.
    Device(i64),
    /// A softirq, by vector.
    Soft(i64),
    /// An interrupt of the CPU itself, by its place in [`crate::trace::VECTORS`].
    Cpu(i64),
}

impl Interruption {
    fn numbers(self) -> [i64; 2] {
        match self {
            Self::Device(number) => [0, number],
            Self::Soft(number) => [1, number],
            Self::Cpu(number) => [2, number],
        }
    }

    fn of([class, number]: [i64; 2]) -> Option<Self> {
        match class {
            0 => Some(Self::Device(number)),
            1 => Some(Self::Soft(number)),
            2 => Some(Self::Cpu(number)),
            _ => None,
        }
    }
}

impl What {
    /// Whether an interrupt begins, be it a device's or the CPU's own.
    #[must_use]
    pub fn is_interrupt(self) -> bool {
        matches!(self, Self::Enter(by) if !matches!(by, Interruption::Soft(_)))
    }

    /// As numbers: what kind of event, then what belongs to it.
    pub(crate) fn numbers(self) -> [i64; 5] {
        let two = |kind, [a, b]: [i64; 2]| [kind, a, b, 0, 0];
        match self {
            Self::Switch { from, state, to, priority } => [0, from, state, to, priority],
            Self::Waking { task, priority, by_interrupt } => {
                [1, task, priority, i64::from(!by_interrupt), 0]
            }
            Self::Migrate { task, to } => two(2, [task, to]),
            Self::Enter(interruption) => two(3, interruption.numbers()),
            Self::Leave(interruption) => two(4, interruption.numbers()),
            Self::Idle { state } => two(5, [state, 0]),
            Self::Frequency { khz } => two(6, [khz, 0]),
            Self::Timer { task, expires } => two(7, [task, expires]),
            Self::Lost { count } => two(8, [count, 0]),
            Self::ToldToSwitch => two(9, [0, 0]),
            Self::Call { task, number } => two(10, [task, number]),
            Self::Return { task } => two(11, [task, 0]),
        }
    }

    /// From [`Self::numbers`]; `None` for what no version of this program wrote.
    pub(crate) fn of([kind, a, b, c, d]: [i64; 5]) -> Option<Self> {
        Some(match kind {
            0 => Self::Switch { from: a, state: b, to: c, priority: d },
            1 => Self::Waking {
                task: a,
                priority: b,
                // Versions that did not tell wrote 0: then it was mostly the timer.
                by_interrupt: c == 0,
            },
            2 => Self::Migrate { task: a, to: b },
            3 => Self::Enter(Interruption::of([a, b])?),
            4 => Self::Leave(Interruption::of([a, b])?),
            5 => Self::Idle { state: a },
            6 => Self::Frequency { khz: a },
            7 => Self::Timer { task: a, expires: b },
            8 => Self::Lost { count: a },
            9 => Self::ToldToSwitch,
            10 => Self::Call { task: a, number: b },
            11 => Self::Return { task: a },
            _ => return None,
        })
    }
}
