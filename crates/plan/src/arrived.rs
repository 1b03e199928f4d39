//! A received recording, in an envelope of what only the receiving side knows about it.

use crate::{LabFound, ModelAudited, Outcome, Recording, SelfTested, VirtualMachine};

/// A recording as it was received, and what the side that requested the run knows about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived {
    recording: Recording,
    envelope: Envelope,
}

/// What the side that requested a run knows about it and its runner cannot know.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Envelope {
    /// What a guest cannot know about its run; `None` for runs outside the lab.
    pub lab: Option<LabRun>,
    /// The newest self-test of the machine before the run.
    pub self_test: Option<SelfTested>,
    /// The newest audit of the run's model before the run.
    pub audit: Option<ModelAudited>,
}

/// A run in a machine of the lab, seen from its host.
#[derive(Debug, Clone, PartialEq)]
pub struct LabRun {
    /// A name that no other run has, chosen by the host: a guest has no source of randomness.
    pub run_id: String,
    /// When its recording arrived, in nanoseconds since 1970 (UTC), by the host's clock: a guest's
    /// time counts instructions.
    pub arrived_unix_ns: u64,
    pub machine: VirtualMachine,
    /// The setup that determines the samples, and a hash of the samples.
    pub found: LabFound,
}

impl Arrived {
    pub fn new(recording: Recording, envelope: Envelope) -> Self {
        Self { recording, envelope }
    }

    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}

impl From<Recording> for Arrived {
    fn from(recording: Recording) -> Self {
        Self::new(recording, Envelope::default())
    }
}

impl Envelope {
    /// Adds what the receiving side knows to the outcome of the recording inside.
    pub fn around(&self, mut outcome: Outcome) -> Outcome {
        if let Some(lab) = &self.lab {
            outcome.header.run_id.clone_from(&lab.run_id);
            outcome.header.started_unix_ns = lab.arrived_unix_ns;
            outcome.header.machine.lab = Some(lab.machine.clone());
            outcome.found.lab = Some(lab.found.clone());
        }
        if self.self_test.is_some() {
            outcome.found.self_test.clone_from(&self.self_test);
        }
        if self.audit.is_some() {
            outcome.found.audit.clone_from(&self.audit);
        }
        outcome
    }
}
