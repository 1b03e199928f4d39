//! The specification of one run, complete in itself.

use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use units::{Nanos, Vicinity};

use crate::{Asked, Axis, FORMAT_VERSION, NOWHERE, Parameters, Value};

/// What measurements take where nothing else is typed, by their names.
static USUAL: OnceLock<fn(&str) -> Parameters> = OnceLock::new();

/// Has titles of runs leave out the parameters that are as usual, which the table of measurements
/// knows. Said once in a program; without it, titles tell all parameters.
pub fn leave_out_of_titles(usual: fn(&str) -> Parameters) {
    let _ = USUAL.set(usual);
}

/// Everything a runner needs to know to make one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Must be [`FORMAT_VERSION`].
    pub format_version: u16,
    /// Name in the table of measurements.
    pub measurement: String,
    /// Every parameter that the measurement declares.
    pub parameters: Parameters,
    /// Conditions to set up and to read back.
    pub asked: Asked,
    /// What takes longer than this from its due time on is late, and its cause is looked
    /// for; `None` looks for none.
    #[serde(rename = "blame_beyond_ns", default, skip_serializing_if = "Option::is_none")]
    pub blame_beyond: Option<Nanos>,
    /// Whether every mass is recorded after every step, in the measured loop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub record: bool,
    /// The files that its parameters name, which go wherever the run is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileAsked>,
    /// What it is one place of, where that is not the size of its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Axis>,
    /// Where its loads work, seen from the measured CPUs, where that is what is tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vicinity: Option<Vicinity>,
    /// Hash of the experiment that it belongs to: of what is run, and of every knob with its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// The models of a mix, which run side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
}

/// One model of a mix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name in the mix.
    pub name: String,
    /// What it is, as the run that it would be alone: measurement, parameters, files, policy,
    /// CPUs.
    pub run: RunSpec,
    /// The inputs that are outputs of others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Link>,
    /// Whether nothing of it is due: it does as many steps as it can in the time that is left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub best_effort: bool,
    /// The share of its CPU, in percent, of which such a member uses no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_percent: Option<u64>,
}

/// An input of a member that is an output of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The name of the input.
    pub input: String,
    /// The name of the other member.
    pub from: String,
    /// The name of its output.
    pub output: String,
}

impl Member {
    /// How many threads step it.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.run.parameters.count("threads").max(1) as usize
    }

    /// The members from whose outputs it has inputs, each once, in the order of its inputs.
    #[must_use]
    pub fn sources(&self) -> Vec<&str> {
        let mut sources: Vec<&str> = Vec::new();
        for link in &self.inputs {
            if !sources.contains(&&*link.from) {
                sources.push(&link.from);
            }
        }
        sources
    }
}

/// A file of a person's that a run reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileAsked {
    /// Where it was when the run was asked for: the value of a parameter.
    pub path: String,
    /// SHA-256 of what is in it, in hexadecimal digits.
    pub sha256: String,
}

impl RunSpec {
    /// A specification in this version's format.
    #[must_use]
    pub fn new(measurement: &str, parameters: Parameters, asked: Asked) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            measurement: measurement.to_owned(),
            parameters,
            asked,
            blame_beyond: None,
            record: false,
            files: Vec::new(),
            over: None,
            vicinity: None,
            experiment: None,
            members: Vec::new(),
        }
    }

    /// How long the run may take before it is ended as hung.
    #[must_use]
    pub fn longest(&self) -> Duration {
        Duration::from_secs(60) + Duration::from(self.asked.duration).saturating_mul(5)
    }

    /// The run in a few words, with the parameters that are not as usual: `wakeup fifo:80, period
    /// 2ms, load cpu`.
    #[must_use]
    pub fn title(&self) -> String {
        let usual = USUAL.get().map(|usual| usual(&self.measurement));
        self.title_without(&usual.unwrap_or_default())
    }

    fn title_without(&self, usual: &Parameters) -> String {
        let mut words = vec![format!("{} {}", self.measurement, self.asked.policy)];
        let unusual = self
            .parameters
            .iter()
            .filter(|(name, value)| usual.get(name) != Some(value))
            .filter(|(_, value)| **value != Value::Word(NOWHERE.to_owned()));
        words.extend(unusual.map(|(name, value)| format!("{name} {value}")));
        words.extend(self.asked.loads.iter().map(|load| format!("load {load}")));
        words.extend(self.blame_beyond.map(|limit| format!("blame beyond {limit}")));
        words.extend(self.record.then(|| "every step recorded".to_owned()));
        words.join(", ")
    }
}
