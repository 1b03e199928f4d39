//! The complete specification of one run.

use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use base::{Nanos, Vicinity};

use crate::{Asked, Axis, FORMAT_VERSION, Imported, Link, NOWHERE, Parameters, Right, Value};

/// The default parameters of each measurement, by its name.
static USUAL: OnceLock<fn(&str) -> Parameters> = OnceLock::new();

/// Makes titles of runs leave out the parameters that have their default, as given by the table of
/// measurements. Call it once per program; without it, titles show all parameters.
pub fn leave_out_of_titles(usual: fn(&str) -> Parameters) {
    let _ = USUAL.set(usual);
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Must be [`FORMAT_VERSION`].
    pub format_version: u16,
    pub measurement: String,
    pub parameters: Parameters,
    pub asked: Asked,
    /// Work that takes longer than this from its due time on is late, and its cause is looked for;
    /// `None` looks for no causes.
    #[serde(rename = "blame_beyond_ns", default, skip_serializing_if = "Option::is_none")]
    pub blame_beyond: Option<Nanos>,
    /// Whether every mass is recorded after every step, in the measured loop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub record: bool,
    /// Whether its figures are shown while it measures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
    /// The run ends at the first sample that is later than this; `None` for one that lasts as long as planned.
    #[serde(rename = "stop_at_ns", default, skip_serializing_if = "Option::is_none")]
    pub stop_at: Option<Nanos>,
    /// The files that its parameters name, which are copied to wherever the run is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileAsked>,
    /// The axis on which the run is one place, if that is not the size of its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Axis>,
    /// Where its loads run relative to the measured CPUs, if that is what is varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vicinity: Option<Vicinity>,
    /// Hash of the run's experiment: of what is run, and of every knob with its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateRun>,
    /// The models of a mix, which run side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// The rights that the run does without, because the user lacks them where it is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Right>,
    /// The file of another tool whose figures the rows are; `None` for a run of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
}

/// The part that a run has in a gate, and how the gate decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateRun {
    /// Hash of both sides and of the machine: the same in all runs of a gate.
    pub id: String,
    pub side: GateSide,
    /// Name of the compared figure, such as `median`.
    pub figure: String,
    /// By how much B may be worse than A, in millionths of A's figure.
    pub margin_ppm: u32,
}

base::named! {
    /// The sides of a gate. The reference is measured twice in each round, which shows how often
    /// equal sides differ on this machine.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum GateSide {
        A = "A",
        AAgain = "A again",
        B = "B",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub name: String,
    /// The member, as the run that it would be alone: measurement, parameters, files, policy, CPUs.
    pub run: RunSpec,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Link>,
    /// Whether the member has no deadlines and does as many steps as it can in the time left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub best_effort: bool,
    /// The largest share of its CPU, in percent, that a best-effort member may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_percent: Option<u64>,
}

impl Member {
    pub fn threads(&self) -> usize {
        self.run.parameters.threads().max(1) as usize
    }

    /// Returns the members whose outputs it uses, each once, in the order of its inputs.
    pub fn sources(&self) -> Vec<&str> {
        crate::link::sources(&self.inputs)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileAsked {
    /// Its path when the run was requested: the value of a parameter.
    pub path: String,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

impl RunSpec {
    /// Returns how many whole periods of its rate a run lasts; 0 if its measurement has no rate.
    pub fn periods(&self) -> u64 {
        let rate = self.parameters.rate();
        rate.map_or(0, |rate| rate.periods_in(self.asked.duration))
    }

    /// Creates a specification in this version's format.
    pub fn new(measurement: &str, parameters: Parameters, asked: Asked) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            measurement: measurement.to_owned(),
            parameters,
            asked,
            blame_beyond: None,
            record: false,
            live: false,
            stop_at: None,
            files: Vec::new(),
            over: None,
            vicinity: None,
            experiment: None,
            gate: None,
            members: Vec::new(),
            without: Vec::new(),
            imported: None,
        }
    }

    /// Whether its samples are handed over while it measures.
    pub fn hands_over(&self) -> bool {
        self.live || self.stop_at.is_some()
    }

    /// Returns the options for which its samples are handed over, as they are typed; empty if they are not.
    pub fn options_to_follow(&self) -> &'static str {
        match (self.live, self.stop_at.is_some()) {
            (true, true) => "--live and --stop-at",
            (true, false) => "--live",
            (false, true) => "--stop-at",
            (false, false) => "",
        }
    }

    /// Whether a recording with the specification `done` may be one of this run: the same, or shorter if its own limit
    /// ended it.
    pub fn may_end_as(&self, done: &Self) -> bool {
        let is_shorter = self.stop_at.is_some() && done.asked.duration < self.asked.duration;
        let mut whole = done.clone();
        if is_shorter {
            whole.asked.duration = self.asked.duration;
        }
        whole == *self
    }

    /// Returns the same text for equal runs, and another for each other one.
    ///
    /// # Panics
    /// Never: a specification always serialises.
    pub fn key(&self) -> String {
        serde_json::to_string(self).expect("a specification is plain data")
    }

    /// Reads what [`RunSpec::key`] wrote.
    ///
    /// # Errors
    /// Fails if the text is damaged; the error says where.
    pub fn of_key(text: &str) -> Result<Self, String> {
        serde_json::from_str(text)
            .map_err(|error| format!("the run specification is damaged: {error}"))
    }

    /// How long the run may take before it is ended because it hangs.
    pub fn longest(&self) -> Duration {
        Duration::from_secs(60) + Duration::from(self.asked.duration).saturating_mul(5)
    }

    /// Returns the run in a few words, with the parameters that differ from their defaults: `wakeup
    /// fifo:80, period 2ms, load cpu`; an imported one is named by its tool and file.
    pub fn title(&self) -> String {
        if let Some(imported) = &self.imported {
            return format!("{}, `{}`", imported.tool_in_words(), imported.file);
        }
        let usual = USUAL.get().map(|usual| usual(&self.measurement)).unwrap_or_default();
        let mut words = vec![format!("{} {}", self.measurement, self.asked.policy)];
        let unusual = self
            .parameters
            .iter()
            .filter(|(name, value)| usual.get(name) != Some(value))
            .filter(|(_, value)| **value != Value::Word(NOWHERE.to_owned()));
        words.extend(unusual.map(|(name, value)| format!("{name} {value}")));
        words.extend(self.asked.loads.iter().map(|load| format!("load {load}")));
        words.extend(self.blame_beyond.map(|limit| format!("blame beyond {limit}")));
        words.extend(self.stop_at.map(|limit| format!("stop at {limit}")));
        words.extend(self.gate.as_ref().map(|gate| format!("side {}", gate.side.name())));
        words.extend(self.record.then(|| "every step recorded".to_owned()));
        words.join(", ")
    }
}
