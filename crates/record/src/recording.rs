//! What a runner returns: raw stamps and counters, nothing computed.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Found, Machine, RunSpec, Shared, Warning};

#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    pub header: Header,
    pub found: Found,
    /// What differed from the request, and what else a reader must know.
    pub warnings: Vec<Warning>,
    pub tracks: Vec<Track>,
    /// What the kernel counted, in runs with deadlines, and what it traced, in runs that search for
    /// causes.
    pub evidence: Vec<Track>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub run_id: String,
    pub tool_version: String,
    pub spec: RunSpec,
    /// The machine; all runs of a store share it.
    pub machine: Shared<Machine>,
    /// Start in nanoseconds since 1970 (UTC); 0 if an imported file does not state it.
    pub started_unix_ns: u64,
}

impl Header {
    /// Returns the start in nanoseconds since 1970 (UTC); `None` if an imported file does not state it.
    pub fn known_start_unix_ns(&self) -> Option<u64> {
        Some(self.started_unix_ns).filter(|ns| *ns > 0 || self.spec.imported.is_none())
    }
}

impl Recording {
    /// Returns a recording without results, of an unknown machine and version.
    pub fn empty(run_id: impl Into<String>, spec: RunSpec) -> Self {
        let header = Header {
            run_id: run_id.into(),
            tool_version: String::new(),
            spec,
            machine: Machine::default().into(),
            started_unix_ns: 0,
        };
        let (tracks, evidence) = (Vec::new(), Vec::new());
        Self { header, found: Found::default(), warnings: Vec::new(), tracks, evidence }
    }
}

/// Columns of equal meaning for one thread or one case of a measurement.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// Name within the measurement, such as `cpu 1`.
    pub name: String,
    /// Single facts, such as the start stamp `t0_ns`.
    pub attributes: BTreeMap<String, Value>,
    pub columns: Vec<Column>,
}

/// A named sequence of whole numbers; the name carries the unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Values in the order in which they were recorded.
    pub values: Vec<i64>,
}

impl Recording {
    /// Passes everything around the samples through `change`, as JSON with its name.
    ///
    /// # Errors
    /// Fails if `change` does, or if its result has another structure.
    pub fn changed(
        mut self,
        change: &dyn Fn(&str, &mut Value) -> Result<(), String>,
    ) -> Result<Self, String> {
        let header = &mut self.header;
        header.run_id = changed("name", &header.run_id, change)?;
        header.tool_version = changed("version", &header.tool_version, change)?;
        header.machine = changed("machine", &header.machine, change)?;
        self.found = changed("conditions", &self.found, change)?;
        self.warnings = changed("warnings", &self.warnings, change)?;
        for track in self.tracks.iter_mut().chain(&mut self.evidence) {
            track.attributes = changed("tracks", &track.attributes, change)?;
        }
        Ok(self)
    }
}

fn changed<T: Serialize + DeserializeOwned>(
    name: &str,
    content: &T,
    change: &dyn Fn(&str, &mut Value) -> Result<(), String>,
) -> Result<T, String> {
    let mut value = serde_json::to_value(content).map_err(|error| error.to_string())?;
    change(name, &mut value)?;
    serde_json::from_value(value).map_err(|error| error.to_string())
}

impl Track {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.attributes.insert(name.to_owned(), value.into());
        self
    }

    pub fn column(mut self, name: &str, values: Vec<i64>) -> Self {
        self.columns.push(Column { name: name.to_owned(), values });
        self
    }

    /// Returns the values of a column; empty if there is no such column.
    pub fn values(&self, name: &str) -> &[i64] {
        self.columns.iter().find(|column| column.name == name).map_or(&[], |column| &column.values)
    }

    /// Returns a single whole-number fact; 0 if there is no such fact.
    pub fn number(&self, name: &str) -> i64 {
        self.attributes.get(name).and_then(Value::as_i64).unwrap_or(0)
    }
}

/// Returns the SHA-256 over everything recorded (names, facts and values), in hexadecimal digits.
pub fn samples_hash(tracks: &[Track]) -> String {
    let mut hash = Sha256::new();
    for track in tracks {
        text(&mut hash, &track.name);
        for (name, value) in &track.attributes {
            text(&mut hash, name);
            text(&mut hash, &value.to_string());
        }
        for column in &track.columns {
            text(&mut hash, &column.name);
            hash.update((column.values.len() as u64).to_le_bytes());
            let values = column.values.iter().flat_map(|value| value.to_le_bytes());
            hash.update(values.collect::<Vec<u8>>());
        }
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_depends_on_every_name_fact_and_value() {
        let track = |name: &str, fact: i64, value: i64| {
            [Track::new(name).with("t0_ns", fact).column("wake_ns", vec![1, value])]
        };
        let one = samples_hash(&track("cpu 1", 2, 3));
        assert_eq!(one, samples_hash(&track("cpu 1", 2, 3)));
        for other in [track("cpu 0", 2, 3), track("cpu 1", 3, 3), track("cpu 1", 2, 4)] {
            assert_ne!(one, samples_hash(&other));
        }
    }
}
