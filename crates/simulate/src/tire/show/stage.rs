//! The data that a run shows, and the address to which it is sent.

use std::net::SocketAddr;

use bench::Abort;
use bench::address::resolved;
use record::live::About;
use record::{NOWHERE, Parameters, RunSpec, Size};
use tire::{Sample, Worker};

use super::window::{Masses, Window, Witness};
use crate::model::schedule::Schedule;
use crate::tire::parameters::{setup, with_flag};

/// Time from one frame to the next, in nanoseconds; a step is shown at most once.
pub(super) const FRAME: u64 = 20_000_000;
/// Shown positions of the ring; at most three times as many masses are copied.
pub(super) const PLACES: usize = 200;
pub(super) const FLAG: &str = "watch";

pub(in crate::tire) struct Show<'a> {
    pub(super) schedule: &'a Schedule,
    pub(super) about: About,
    pub(super) sample: Sample,
    pub(super) windows: Vec<Window>,
    pub(super) masses: Masses,
    pub(super) every: u64,
    pub(super) to: SocketAddr,
}

pub(super) fn viewer(parameters: &Parameters) -> Option<&str> {
    let address = parameters.word(FLAG);
    (!address.is_empty() && address != NOWHERE).then_some(address)
}

impl<'a> Show<'a> {
    pub(in crate::tire) fn of(
        spec: &RunSpec,
        schedule: &'a Schedule,
    ) -> Result<Option<Self>, Abort> {
        let Some(address) = viewer(&spec.parameters) else {
            return Ok(None);
        };
        let setup = setup(spec).map_err(Abort::Failed)?;
        let sample = Sample::new(&setup, PLACES).map_err(|e| Abort::Failed(with_flag(&e)))?;
        let parameters = &spec.parameters;
        let step_ns = setup.parameters.step * 1e9;
        let size = Size::MASSES.count(&spec.parameters);
        Ok(Some(Self {
            about: About {
                period_ns: schedule.period(),
                periods: schedule.periods(),
                step_ns: step_ns.round() as u64,
                size,
                threads: setup.threads as u32,
                unit: Size::MASSES.unit(size).to_owned(),
                model: parameters.model().to_owned(),
                solver: parameters.solver().to_owned(),
                precision: parameters.precision().to_owned(),
                policy: spec.asked.policy.to_string(),
            },
            windows: (0..setup.threads).map(|_| Window::new()).collect(),
            masses: Masses::new(sample.seen().len()),
            sample,
            every: FRAME.div_ceil(schedule.period()),
            to: resolved(FLAG, address).map_err(Abort::Failed)?,
            schedule,
        }))
    }

    /// Creates the part of a solver thread in the show, once its worker is settled.
    pub(in crate::tire) fn witness(&self, thread: usize, worker: &Worker) -> Witness<'_> {
        let pace = (self.every, self.schedule.period());
        let seen = self.sample.seen();
        Witness::new(&self.windows[thread], &self.masses, seen, pace, worker)
    }
}
