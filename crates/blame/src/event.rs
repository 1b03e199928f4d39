//! Kernel trace events, as numbers that fit the columns of a track.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    /// Time, `CLOCK_MONOTONIC`, in nanoseconds.
    pub at: i64,
    pub cpu: i64,
    pub what: What,
}

/// The kinds of events. Tasks are numbers, and 0 is the idle task. Priorities are the kernel's: 99
/// minus the real-time priority, or 120 plus the nice value, and -1 for a deadline task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What {
    /// Another task got the CPU. `state` is that in which the last one left, as the kernel's bits.
    Switch { from: i64, state: i64, to: i64, priority: i64 },
    /// A task was made runnable: by an interrupt, such as that of its timer, or by another task.
    Waking { task: i64, priority: i64, by_interrupt: bool },
    /// A task has a different priority from the one last known.
    Priority { task: i64, priority: i64 },
    /// A task was moved to this CPU.
    Migrate { task: i64, to: i64 },
    /// The CPU began to serve an interruption.
    Enter(Interruption),
    /// The CPU finished an interruption.
    Leave(Interruption),
    /// An interrupt came while a requested task switch had not happened yet.
    ToldToSwitch,
    /// The CPU entered this idle state; -1 means that it left it.
    Idle { state: i64 },
    /// The frequency of the CPU changed.
    Frequency { khz: i64 },
    /// A task set a kernel timer, which expires at this time of `CLOCK_MONOTONIC`.
    Timer { task: i64, expires: i64 },
    /// A task started a system call.
    Call { task: i64, number: i64 },
    /// A task's system call returned.
    Return { task: i64 },
    /// The first event of a task on a CPU that was idle. The task got that CPU at some time since
    /// the event before; no event says when.
    Untold { task: i64 },
    /// This many events before this one are missing; 0 if the kernel does not report how many.
    Lost { count: i64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interruption {
    /// Interrupt of a device, by number.
    Device(i64),
    /// Softirq, by vector.
    Soft(i64),
    /// Interrupt of the CPU itself, by its index in [`crate::trace::VECTORS`].
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
    /// Whether an interrupt begins, of a device or of the CPU itself.
    pub fn is_interrupt(self) -> bool {
        matches!(self, Self::Enter(by) if !matches!(by, Interruption::Soft(_)))
    }

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
            Self::Priority { task, priority } => two(12, [task, priority]),
            Self::Untold { task } => two(13, [task, 0]),
        }
    }

    /// Reverses [`Self::numbers`]; `None` for numbers that no version of this program wrote.
    pub(crate) fn of([kind, a, b, c, d]: [i64; 5]) -> Option<Self> {
        Some(match kind {
            0 => Self::Switch { from: a, state: b, to: c, priority: d },
            // Older versions did not record the waker and wrote 0: then it was mostly the timer.
            1 => Self::Waking { task: a, priority: b, by_interrupt: c == 0 },
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
            12 => Self::Priority { task: a, priority: b },
            13 => Self::Untold { task: a },
            _ => return None,
        })
    }
}
