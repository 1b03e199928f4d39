//! The kinds of findings of an audit.

use record::Deed;
use serde::Serialize;

/// Declares the kinds: the name of each, its verb for one step and for several, and what to change.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident: $name:literal, [$one:literal, $several:literal], $remedy:expr;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum FindingKind {
            $($(#[$about])* $kind,)*
        }

        impl FindingKind {
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// Returns what one step does, and what several do; empty where it is not of steps.
            pub(super) fn verbs(self) -> [&'static str; 2] {
                match self { $(Self::$kind => [$one, $several]),* }
            }

            pub fn remedy(self) -> &'static str {
                match self { $(Self::$kind => $remedy),* }
            }
        }
    };
}

kinds! {
    Crash: "crash", ["", ""],
        "Run the step in a debugger up to that number; a library built with -g names the line.";
    /// The call never returned.
    Hang: "never returns", ["", ""],
        "Bound every loop of the step by a count, and do not wait in it.";
    Status: "step failed", ["fails", "fail"],
        "Read what the model printed and logged; an FMU logs more with `audit --log`.";
    OutputsDiffer: "outputs differ", ["", ""],
        "Look for what the step reads in addition to its inputs: time, random numbers, addresses, uninitialised memory.";
    /// An output is infinite or not a number.
    NotFinite: "NaN or infinity", ["returns NaN or infinity", "return NaN or infinity"],
        "Find the first calculation that gives NaN or infinity, and bound its inputs.";
    FloatMode: "floating-point mode",
        ["leaves the floating-point mode changed", "leave the floating-point mode changed"],
        "Restore the mode before the step returns: code called after it calculates differently.";
    Allocation: "allocation", ["allocates", "allocate"],
        KEEP_MEMORY;
    Release: "free", ["frees memory", "free memory"],
        KEEP_MEMORY;
    Lock: "lock", ["takes a lock", "take a lock"],
        "Take no lock in the step, or only one with priority inheritance that is held briefly; pass data in a ring \
         buffer instead.";
    SystemCall: "system call", ["makes a system call", "make a system call"],
        "Do it in another thread, or when the model is initialised.";
    /// A page had to be read from a device.
    MajorFault: "page from a device", ["waits for a page from a device", "wait for a page from a device"],
        TOUCH_MEMORY;
    /// A page was not mapped yet.
    MinorFault: "page fault", ["has a page fault", "have a page fault"],
        TOUCH_MEMORY;
    Switch: "voluntary switch", ["gives up its CPU to wait", "give up their CPU to wait"],
        "Do not wait in the step: its caller keeps the time.";
    /// A calculation with a subnormal number.
    Denormal: "denormals", ["calculates with denormals", "calculate with denormals"],
        "Flush denormals to zero when the model is initialised (MXCSR on x86, FPCR on Arm), or add a tiny constant where \
         values decay.";
    /// A calculation whose result is not a number.
    InvalidCalculation: "invalid calculation", ["calculates a NaN", "calculate a NaN"],
        BOUND_INPUTS;
    DivisionByZero: "division by zero", ["divides by zero", "divide by zero"],
        BOUND_INPUTS;
    Overflow: "overflow", ["overflows", "overflow"],
        BOUND_INPUTS;
    LogLine: "log line", ["logs", "log"],
        "Turn the log off for real time, or log to memory.";
    Thread: "thread", ["starts a thread", "start a thread"],
        "Threads of a model inherit the step's policy and CPUs; start none, or give them their own.";
    /// More stack was used than a run touches before it measures.
    Stack: "stack", ["", ""],
        "Use less stack, or static memory: untouched pages of it fault in the step.";
    /// The process's state was left changed.
    Change: "change", ["", ""],
        "Restore what the whole process shares.";
}

const KEEP_MEMORY: &str =
    "Allocate all memory when the model is initialised, and keep it to the end.";

const TOUCH_MEMORY: &str =
    "Touch the memory when the model is initialised; a run locks what exists then.";

const BOUND_INPUTS: &str = "Bound the inputs of the calculation.";

impl FindingKind {
    /// Whether the model did not do what it was called for.
    pub(super) fn is_failure(self) -> bool {
        matches!(self, Self::Crash | Self::Hang | Self::Status)
    }

    pub(super) fn of(deed: Deed) -> Self {
        macro_rules! same {
            ($($name:ident)*) => { match deed { $(Deed::$name => Self::$name),* } };
        }
        same! {
            Allocation Release Lock Thread SystemCall MinorFault MajorFault Switch Denormal
            InvalidCalculation DivisionByZero Overflow FloatMode NotFinite LogLine Status
        }
    }
}
