//! What was seen while a model was stepped under watch: a raw record, nothing judged.

use serde::{Deserialize, Serialize};

/// What two passes over the same steps saw, each in a process of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The file of the model.
    pub file: String,
    /// How the model is stepped, such as `library` or `FMI 3.0 Co-Simulation`.
    pub interface: String,
    /// Steps that were asked for.
    pub steps: u64,
    /// Calls, counts of the kernel, flags and times, seen from within the process.
    pub inside: Pass,
    /// System calls, seen from outside.
    pub outside: Pass,
}

/// What a later run says of the newest audit of its model's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAudited {
    /// SHA-256 of the file, in hexadecimal digits.
    pub file_sha256: String,
    /// When, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    /// Version of the program that audited.
    pub tool_version: String,
    /// How the model was stepped.
    pub interface: String,
    /// Steps that were made, twice.
    pub steps: u64,
    /// What its steps do that a real-time step must not, a sentence each, the worst first.
    pub found: Vec<String>,
    /// What could not be watched, and why.
    pub not_seen: Vec<String>,
}

/// What one pass saw.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// How it ended.
    pub end: PassEnd,
    /// What happened, one entry for each deed, name and place.
    pub occurrences: Vec<Occurrence>,
    /// Occurrences beyond the room for them, which are counted alone.
    pub lost: u64,
    /// Time of each step in nanoseconds, with what watching costs.
    pub step_ns: Vec<u64>,
    /// Outputs of the model whose values were looked at after each step.
    pub outputs: u64,
    /// Hash of all of them after all steps, sixteen hexadecimal digits; `None` without any.
    pub outputs_hash: Option<String>,
    /// The most stack that a step used, in bytes.
    pub stack_bytes: u64,
    /// Threads of the model when it was ready, by name.
    pub threads: Vec<ModelThread>,
    /// What else the process was given before the first step, or left changed after the last one.
    pub changes: Vec<Change>,
    /// What could not be watched, and why, in words.
    pub not_seen: Vec<String>,
}

/// How a pass ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassEnd {
    /// All steps were made.
    #[default]
    Whole,
    /// The model ended the process, or never returned.
    Broken {
        /// What it was asked to do, such as `step`.
        phase: String,
        /// The number of the step, where it was one.
        step: Option<u64>,
        /// What came of it, in words.
        what: String,
        /// Where the process was, as far as it is known.
        place: Option<CodePlace>,
    },
    /// It could not be made: why, in one line.
    NotMade(String),
}

/// Something that a step did, or that happened to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// What it is.
    pub deed: Deed,
    /// The function, the system call, or what else names it; may be empty.
    pub name: String,
    /// Where in the code it came from; `None` where that is not known.
    pub place: Option<CodePlace>,
    /// Whether the thread that steps did it, or one that the model has made.
    pub by_step: bool,
    /// Bytes, of all together, where it has any.
    pub bytes: u64,
    /// How often before the first step and after the last one.
    pub beside: u64,
    /// How often in which steps, in their order.
    pub runs: Vec<StepRun>,
}

/// Steps one after the other that did the same equally often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRun {
    /// The first of them; the first of all is number 0.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// How often each of them did it.
    pub each: u64,
}

/// What may happen in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Memory was asked for.
    Allocation,
    /// Memory was given back.
    Release,
    /// A lock was taken, or something waited for.
    Lock,
    /// A thread was started.
    Thread,
    /// A system call was made.
    SystemCall,
    /// A page was not there, and the kernel had it.
    MinorFault,
    /// A page was not there, and came from a device.
    MajorFault,
    /// The thread waited, and another one had the CPU.
    Switch,
    /// A calculation with a number below the normal range.
    Denormal,
    /// A calculation whose result is no number.
    InvalidCalculation,
    /// A division by zero.
    DivisionByZero,
    /// A result above the range.
    Overflow,
    /// The floating-point mode was left changed.
    FloatMode,
    /// An output is no number, or infinite.
    NotFinite,
    /// The model logged a line.
    LogLine,
    /// The model said that the step failed, or did only part of it.
    Status,
}

/// A place in code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CodePlace {
    /// The file of the library or the program.
    pub library: String,
    /// The offset in it, as addr2line and objdump count.
    pub offset: u64,
    /// The function that it lies in, with the distance from its start.
    pub symbol: Option<String>,
}

/// A thread that a model has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelThread {
    /// Its name.
    pub name: String,
    /// Whether it has the policy of the thread that steps.
    pub inherits_policy: bool,
}

/// Something of the process that the model has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What, in words.
    pub what: String,
    /// Whether it was changed in the steps, not before them.
    pub in_steps: bool,
}

impl Occurrence {
    /// How often in steps.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.runs.iter().map(|run| (run.last - run.first + 1) * run.each).sum()
    }
}
