//! The tire as a model: its solver threads, and the check of its final state.

use bench::Abort;
use record::{RunSpec, Track, fact};
use tire::{Observer, Phase, Setup, State, Worker};

use super::parameters::{setup, with_flag};
use super::recorder::Recorder;
use super::show::{Show, Witness};
use crate::model::phases::{PhaseKind, PhaseStamps};
use crate::model::team::ALONE;
use crate::model::{Model, Part, Stop};

/// Number of phases per sub-step in the solver with the most phases.
const MOST_PHASES: u64 = 6;

/// Phases of a step, in the order of the numbers of [`Phase`].
pub(crate) const PHASES: &[PhaseKind] = &[
    PhaseKind { name: "lock", mean: fact::LOCK_NS, waits_for: Some("lock") },
    PhaseKind { name: "compute", mean: fact::COMPUTE_NS, waits_for: None },
    PhaseKind { name: "integrate", mean: fact::INTEGRATE_NS, waits_for: None },
    PhaseKind { name: "wait", mean: fact::WAIT_NS, waits_for: Some("barrier") },
];

pub(super) struct TireModel<'a> {
    spec: &'a RunSpec,
    setup: Setup,
    show: Option<&'a Show<'a>>,
    start_energy: f64,
}

impl<'a> TireModel<'a> {
    pub(super) fn new(spec: &'a RunSpec, show: Option<&'a Show<'a>>) -> Result<Self, String> {
        Ok(Self { spec, setup: setup(spec)?, show, start_energy: 0.0 })
    }
}

/// The part that one solver thread steps, with what it shows and records after each step.
pub(super) struct TirePart<'a> {
    spec: &'a RunSpec,
    show: Option<&'a Show<'a>>,
    thread: usize,
    worker: Worker,
    witness: Option<Witness<'a>>,
    recorder: Option<Recorder>,
}

impl<'a> Model for TireModel<'a> {
    type Part = TirePart<'a>;

    const PHASES: &'static [PhaseKind] = PHASES;

    fn parts(&mut self) -> Result<Vec<TirePart<'a>>, Abort> {
        let wrong = |error| Abort::Failed(with_flag(&error));
        let workers = tire::prepare(&self.setup).map_err(wrong)?;
        self.start_energy = State::gather(&workers).energy();
        let part = |(thread, worker)| TirePart {
            spec: self.spec,
            show: self.show,
            thread,
            worker,
            witness: None,
            recorder: None,
        };
        Ok(workers.into_iter().enumerate().map(part).collect())
    }

    /// Returns the state with its hash; an error if it is invalid or differs from another solver's.
    fn state(&self, parts: Vec<TirePart<'a>>) -> Result<Track, Abort> {
        let setup = &self.setup;
        let state = State::gather(parts.iter().map(|part| &part.worker));
        state.check().map_err(|error| {
            Abort::Failed(format!("the simulation failed, so its time means nothing: {error}"))
        })?;
        let is_exact = setup.solver.is_exact(setup.threads);
        if is_exact && state.hash() != expected_hash(setup, parts[0].worker.steps())? {
            return Err(Abort::Failed(format!(
                "the {} solver computed a wrong state, so its time means nothing",
                setup.solver.name()
            )));
        }
        let mut track = Track::new("state")
            .with("hash", format!("{:016x}", state.hash()))
            .with(&fact::ENERGY_SHARE, state.energy() / self.start_energy)
            .with(&fact::IS_EXACT, is_exact);
        if setup.solver.has_vectors() {
            track = track.with(&fact::INSTRUCTIONS, setup.instructions.to_string());
        }
        Ok(track)
    }
}

impl Part for TirePart<'_> {
    fn settle(&mut self) -> Result<(), Stop> {
        self.worker.settle();
        let (thread, worker) = (self.thread, &self.worker);
        self.witness = self.show.map(|show| show.witness(thread, worker));
        self.recorder = Recorder::of(self.spec, worker);
        Ok(())
    }

    fn phases_per_step(&self) -> u64 {
        self.spec.parameters.substeps().saturating_mul(MOST_PHASES)
    }

    #[inline]
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop> {
        Ok(self.worker.step(phases)?)
    }

    #[inline]
    fn run(&mut self, steps: u64) -> Result<(), Stop> {
        Ok(self.worker.run(steps)?)
    }

    fn touch(&mut self) {
        self.worker.touch();
    }

    #[inline]
    fn after(&mut self, paced: Option<(u64, [u64; 3])>) {
        if let (Some(witness), Some((step, stamps))) = (&mut self.witness, paced) {
            witness.after(&self.worker, step, stamps);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.after(&self.worker);
        }
    }

    fn onto(&self, track: Track) -> Track {
        match &self.recorder {
            Some(recorder) => recorder.onto(track),
            None => track,
        }
    }
}

impl Observer for PhaseStamps {
    #[inline]
    fn phase(&mut self, phase: Phase) {
        self.end(phase as u64);
    }
}

/// Returns the hash of the same tire after the same steps, computed by another exact solver on one
/// thread: the fastest available, since it computes all steps too.
///
/// As a result, `simd` and `fused`, which share their inner loop, check each other. Their hash is
/// compared with that of the other solvers whenever one of these is run.
fn expected_hash(setup: &Setup, steps: u64) -> Result<u64, Abort> {
    let others = ["simd", "fused", "barrier", "semaphore-exact"].into_iter();
    let tire = |solver| Setup { solver, threads: 1, ..setup.clone() };
    let mut workers = others
        .filter(|name| *name != setup.solver.name())
        .filter_map(|name| tire::solver(name).ok())
        .find_map(|solver| tire::prepare(&tire(solver)).ok())
        .ok_or_else(|| Abort::Failed("no other solver can check the result".to_owned()))?;
    for worker in &mut workers {
        worker.run(steps).map_err(|_| Abort::Failed(ALONE.to_owned()))?;
    }
    Ok(State::gather(&workers).hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_have_the_positions_of_their_numbers() {
        let phases = [Phase::Lock, Phase::Compute, Phase::Integrate, Phase::Wait];
        let names = phases.map(|phase| TireModel::PHASES[phase as usize].name);
        assert_eq!(names, ["lock", "compute", "integrate", "wait"]);
        assert_eq!(TireModel::PHASES.len(), phases.len());
    }
}
