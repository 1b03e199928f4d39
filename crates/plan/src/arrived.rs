//! A recording that has arrived, in the envelope of what only the near side knows of it.

use crate::{LabFound, ModelAudited, Outcome, Recording, SelfTested, VirtualMachine};

/// A recording as it came, which never changes, and what the side that asked for the run
/// knows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived {
    recording: Recording,
    envelope: Envelope,
}

/// What the side that asked for a run knows of it and its runner cannot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Envelope {
    /// What a guest cannot know of its run, where a machine of the lab made it.
    pub lab: Option<LabRun>,
    /// The newest self-test of the machine before the run.
    pub self_test: Option<SelfTested>,
    /// The newest audit of the run's model before the run.
    pub audit: Option<ModelAudited>,
}

/// A run of a machine of the lab, seen from its host.
#[derive(Debug, Clone, PartialEq)]
pub struct LabRun {
    /// A name that no other run has: a guest has no randomness of its own.
    pub run_id: String,
    /// When its recording arrived, in nanoseconds since 1970 (UTC): a guest counts its own time.
    pub arrived_unix_ns: u64,
    /// What the machine is made of.
    pub machine: VirtualMachine,
    /// What decided the samples, and what they were.
    pub found: LabFound,
}

impl Arrived {
    /// A recording in its envelope.
    #[must_use]
    pub fn new(recording: Recording, envelope: Envelope) -> Self {
        Self { recording, envelope }
    }

    /// The recording, as it came.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// What the near side knows.
    #[must_use]
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}

impl From<Recording> for Arrived {
    /// A recording of which the near side knows nothing else.
    fn from(recording: Recording) -> Self {
        Self::new(recording, Envelope::default())
    }
}

impl Envelope {
    /// The outcome of the recording inside, with what the near side knows.
    #[must_use]
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
