//! The papers' solver: one binary semaphore per mass (MPE algorithm 1).

use std::ops::Range;
use std::sync::Arc;

use rt::simd::Real;
use rt::sync::{Barrier, Guarded, Stopped};

use super::ring::Ring;
use crate::Error;
use crate::physics::{Force, Raw};
use crate::problem::Problem;
use crate::setup::Precision;
use crate::worker::{Observer, Phase, Work};

/// MPE algorithm 1 as published.
pub fn work(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    divide(problem, None)
}

/// MPE algorithm 1 with barriers: no thread writes before all have read, and none reads before all
/// have written.
pub fn work_exactly(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    divide(problem, Some(problem.barrier()))
}

/// Creates one worker per thread. The threads wait for each other only if there is a barrier.
fn divide(
    problem: &Problem,
    barrier: Option<Box<dyn Barrier>>,
) -> Result<Vec<Box<dyn Work>>, Error> {
    match problem.setup.precision {
        Precision::F64 => divide_as::<f64>(problem, barrier),
        Precision::F32 => divide_as::<f32>(problem, barrier),
    }
}

fn divide_as<T: Real>(
    problem: &Problem,
    barrier: Option<Box<dyn Barrier>>,
) -> Result<Vec<Box<dyn Work>>, Error> {
    let masses = Guarded::new((0..problem.masses()).map(|i| problem.start::<T>(i)));
    let shared = Arc::new(Shared {
        ring: Ring::new(problem),
        masses: masses.map_err(|error| Error::Semaphores {
            masses: problem.masses(),
            needs: error.to_string(),
        })?,
        barrier,
    });
    let part = |thread| -> Box<dyn Work> {
        Box::new(Part::new(Arc::clone(&shared), problem.share(thread)))
    };
    Ok((0..problem.setup.threads).map(part).collect())
}

/// The state that all threads share.
#[derive(Debug)]
struct Shared<T: Real> {
    ring: Ring<T>,
    masses: Guarded<Raw<T>>,
    barrier: Option<Box<dyn Barrier>>,
}

/// The part of one thread.
#[derive(Debug)]
struct Part<T: Real> {
    shared: Arc<Shared<T>>,
    own: Range<usize>,
    /// Neighbours of own masses that belong to other threads.
    foreign: Box<[usize]>,
    /// The ring as this thread knows it: its own masses, and others as last read.
    view: Box<[Raw<T>]>,
    forces: Vec<Force<T::Scalar>>,
}

impl<T: Real> Part<T> {
    fn new(shared: Arc<Shared<T>>, own: Range<usize>) -> Self {
        Self {
            foreign: shared.ring.neighbours_of(&own).into(),
            view: Box::default(),
            forces: Vec::new(),
            shared,
            own,
        }
    }

    fn look(&mut self) {
        for i in &self.foreign {
            self.view[*i] = self.shared.masses.load(*i);
        }
    }

    fn compute(&mut self) {
        let (ring, view) = (&self.shared.ring, &self.view);
        self.forces.clear();
        ring.run(
            #[inline(always)]
            || {
                for i in self.own.clone() {
                    self.forces.push(ring.force(i, |j| view[j]));
                }
            },
        );
    }

    fn integrate(&mut self) {
        let ring = &self.shared.ring;
        let own = &mut self.view[self.own.clone()];
        ring.run(
            #[inline(always)]
            || {
                for (mass, force) in own.iter_mut().zip(&self.forces) {
                    *mass = ring.advance(mass, force);
                }
            },
        );
    }

    fn write(&self) {
        for i in self.own.clone() {
            self.shared.masses.store(i, self.view[i]);
        }
    }

    fn wait(&self, observer: &mut dyn Observer) -> Result<(), Stopped> {
        let Some(barrier) = &self.shared.barrier else {
            return Ok(());
        };
        barrier.wait()?;
        observer.phase(Phase::Wait);
        Ok(())
    }
}

impl<T: Real> Work for Part<T> {
    fn settle(&mut self) {
        self.view = vec![Raw::default(); self.shared.masses.len()].into();
        self.forces.reserve_exact(self.own.len());
        for i in self.own.clone() {
            self.view[i] = self.shared.masses.load(i);
        }
        // Runs everything once, so that no step touches memory for the first time.
        self.look();
        self.compute();
    }

    fn advance(&mut self, substeps: u64, observer: &mut dyn Observer) -> Result<(), Stopped> {
        for _ in 0..substeps {
            self.look();
            observer.phase(Phase::Lock);
            self.wait(observer)?;
            self.compute();
            observer.phase(Phase::Compute);
            self.integrate();
            observer.phase(Phase::Integrate);
            self.write();
            observer.phase(Phase::Lock);
            self.wait(observer)?;
        }
        Ok(())
    }

    fn own(&self) -> Vec<Range<usize>> {
        vec![self.own.clone()]
    }

    /// Once settled, the view has the own masses as they were last written.
    fn mass(&self, i: usize) -> Raw<f64> {
        let known = self.view.get(i).copied();
        known.unwrap_or_else(|| self.shared.masses.load(i)).map(Real::to_f64)
    }

    fn leave(&self) {
        if let Some(barrier) = &self.shared.barrier {
            barrier.leave();
        }
    }
}
