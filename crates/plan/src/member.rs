//! Members of a mix: models that run side by side, each at its own rate.

use serde::{Deserialize, Serialize};

use crate::RunSpec;

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
