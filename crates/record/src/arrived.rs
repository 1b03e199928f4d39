//! A received recording, in an envelope of what only the receiving side knows about it.

use crate::{LabFound, ModelAudited, Outcome, Recording, SelfTested, VirtualMachine};

/// A recording as it was received, and what the side that requested the run knows about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived {
    pub recording: Recording,
    pub envelope: Envelope,
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
    pub found: LabFound,
}

impl From<Recording> for Arrived {
    fn from(recording: Recording) -> Self {
        Self { recording, envelope: Envelope::default() }
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
        let found = &mut outcome.found;
        found.self_test = self.self_test.clone().or(found.self_test.take());
        found.audit = self.audit.clone().or(found.audit.take());
        outcome
    }
}
