//! What a file states.

use record::{Machine, Parameters, Row};

/// What a reader of these figures must know, and what to do about it; both continue a list, without a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    pub what: String,
    pub advice: String,
}

/// The content of a file. Empty and absent values are not stated.
#[derive(Debug, Default)]
pub struct Stated {
    /// Name of the tool, such as `rtla timerlat hist`.
    pub tool: String,
    /// Under which name its figures are compared, such as `timerlat`.
    pub measurement: &'static str,
    /// Version of the tool.
    pub version: Option<String>,
    /// Facts about the machine.
    pub machine: Machine,
    /// Start in nanoseconds since 1970 (UTC).
    pub started_unix_ns: Option<u64>,
    /// How the tool was run.
    pub parameters: Parameters,
    /// Threads or CPUs, in the file's order; at least one.
    pub rows: Vec<Row>,
    /// Known traps of the tool that apply to this file.
    pub traps: Vec<Trap>,
}

/// A condition, and whether a file states it.
type Condition = (&'static str, fn(&Stated) -> bool);

const CONDITIONS: [Condition; 9] = [
    ("kernel", |stated| !stated.machine.kernel_release.is_empty()),
    ("policy", |stated| has(stated, &["policy", "priority"])),
    ("CPUs", |stated| stated.rows.iter().all(|row| row.fact(&record::fact::CPUS).is_some())),
    ("duration", |stated| has(stated, &["duration", "loops"])),
    ("load", |_| false),
    ("memory lock", |_| false),
    ("idle states", |_| false),
    ("settings of the machine", |_| false),
    ("order of the samples", |_| false),
];

fn has(stated: &Stated, parameters: &[&str]) -> bool {
    parameters.iter().any(|name| stated.parameters.get(name).is_some())
}

impl Stated {
    /// Names the conditions that the file does not state.
    pub fn not_stated(&self) -> Vec<String> {
        let absent = CONDITIONS.iter().filter(|(_, is_stated)| !is_stated(self));
        absent.map(|(name, _)| (*name).to_owned()).collect()
    }

    pub(crate) fn warn(&mut self, what: impl Into<String>, advice: impl Into<String>) {
        self.traps.push(Trap { what: what.into(), advice: advice.into() });
    }
}
