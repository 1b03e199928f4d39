//! What was observed while a model was stepped under watch: a raw record, without judgement.

use serde::{Deserialize, Serialize};

/// What two passes over the same steps observed, each in a separate process.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    pub file: String,
    /// How the model is stepped, such as `library` or `FMI 3.0 Co-Simulation`.
    pub interface: String,
    pub steps: u64,
    /// Whether the model is a separate program, which can be watched only from outside.
    #[serde(default)]
    pub is_program: bool,
    /// The pass watched from inside: calls, the kernel's counters, floating-point flags and times.
    pub inside: Pass,
    pub outside: Pass,
}

/// What a later run reports about the newest audit of its model's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelAudited {
    /// SHA-256 of the file, in hexadecimal digits.
    pub file_sha256: String,
    /// Time of the audit, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    /// Version of Steadfast that ran the audit.
    pub tool_version: String,
    /// How the model was stepped.
    pub interface: String,
    /// Steps in each of the two passes.
    pub steps: u64,
    /// What the model's steps do that a real-time step must not: one sentence each, the worst
    /// first; empty if nothing was found.
    pub found: Vec<String>,
    /// What could not be watched, and why.
    pub not_seen: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    pub end: PassEnd,
    /// What happened: one entry for each combination of deed, name and place.
    pub occurrences: Vec<Occurrence>,
    pub lost: u64,
    /// Time of each step in nanoseconds, including the cost of watching.
    pub step_ns: Vec<u64>,
    /// Number of the model's outputs whose values were read after each step.
    pub outputs: u64,
    /// Hash of their values over all steps, sixteen hexadecimal digits; `None` without outputs.
    pub outputs_hash: Option<String>,
    /// The most stack that a step used, in bytes.
    pub stack_bytes: u64,
    /// Threads that the model had when it was ready.
    pub threads: Vec<ModelThread>,
    /// Other changes to the process, before the first step or still there after the last one.
    pub changes: Vec<Change>,
    /// What could not be watched, and why, in words.
    pub not_seen: Vec<String>,
    /// The last lines that the model printed or logged.
    #[serde(default)]
    pub printed: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassEnd {
    /// All steps were done.
    #[default]
    Whole,
    /// The model ended the process, or never returned: in this call (such as `step`), in this step if
    /// it was in one, and at this place as far as known.
    Broken { phase: String, step: Option<u64>, what: String, place: Option<CodePlace> },
    /// The pass could not be done, with the reason in one line.
    NotMade(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    pub deed: Deed,
    /// The function, the system call, or whatever else identifies it; may be empty.
    pub name: String,
    pub place: Option<CodePlace>,
    /// Whether the stepping thread did it, rather than a thread that the model created.
    pub by_step: bool,
    /// Total bytes, for deeds that have a size; 0 for others.
    pub bytes: u64,
    /// How often it happened before the first step and after the last one.
    pub beside: u64,
    /// How often it happened in which steps, in their order.
    pub runs: Vec<StepRun>,
}

/// Consecutive steps that did the same thing equally often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepRun {
    /// First step of the entry.
    pub first: u64,
    /// Last step of the entry, included.
    pub last: u64,
    /// Number of occurrences in each of these steps.
    pub each: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    Allocation,
    Release,
    /// A lock was taken, or the thread waited for something.
    Lock,
    Thread,
    SystemCall,
    /// A page fault that the kernel served from memory.
    MinorFault,
    /// A page fault that had to read from a device.
    MajorFault,
    /// A context switch: the thread waited, and another one ran on the CPU.
    Switch,
    Denormal,
    /// A calculation whose result is not a number.
    InvalidCalculation,
    DivisionByZero,
    Overflow,
    /// A step left the floating-point mode changed.
    FloatMode,
    NotFinite,
    LogLine,
    /// The model reported that the step failed, or that it did only part of it.
    Status,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodePlace {
    /// Path of the library or program.
    pub library: String,
    /// Offset in that file, as `addr2line` and `objdump` count it.
    pub offset: u64,
    /// Enclosing function, with the distance from its start; null if the file does not name it.
    pub symbol: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelThread {
    pub name: String,
    /// Whether it has the same policy as the stepping thread.
    pub inherits_policy: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub what: String,
    pub when: ChangedWhen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangedWhen {
    /// While it was set up.
    BeforeSteps,
    InSteps,
    /// While it was terminated.
    AfterSteps,
    /// While its library was unloaded: in its destructors.
    AtUnloading,
}

impl Occurrence {
    pub fn count(&self) -> u64 {
        self.runs.iter().map(|run| (run.last - run.first + 1) * run.each).sum()
    }
}
