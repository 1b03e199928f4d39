//! SAE's first attempt: every spring is computed once, and the threads wait for each other between
//! forces and integration.

use std::ops::Range;
use std::sync::Arc;

use rt::simd::Real;
use rt::sync::{Barrier, Stopped};

use super::ring::Ring;
use crate::Error;
use crate::physics::Raw;
use crate::problem::Problem;
use crate::setup::Precision;
use crate::worker::{Observer, Phase, Work};

/// Creates workers that share the forces of all springs.
pub fn work(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    Ok(match problem.setup.precision {
        Precision::F64 => divide::<f64>(problem),
        Precision::F32 => divide::<f32>(problem),
    })
}

fn divide<T: Real>(problem: &Problem) -> Vec<Box<dyn Work>> {
    let ring = Ring::new(problem);
    let springs = |count: usize| (0..count).map(|_| Default::default()).collect();
    let shared = Arc::new(Shared {
        masses: (0..problem.masses()).map(|_| Default::default()).collect(),
        rails: springs(problem.setup.masses),
        spokes: springs(ring.spokes()),
        ring,
        barrier: problem.barrier(),
    });
    (0..problem.masses()).for_each(|i| store::<T, 4>(&shared.masses[i], problem.start(i)));
    let part = |thread| -> Box<dyn Work> {
        Box::new(Part::<T> { shared: Arc::clone(&shared), own: problem.share(thread) })
    };
    (0..problem.setup.threads).map(part).collect()
}

/// The state that all threads share. The barrier orders all reads and writes: no thread reads a
/// force or a mass that is being written.
#[derive(Debug)]
struct Shared<T: Real> {
    ring: Ring<T>,
    masses: Box<[[T::Atomic; 4]]>,
    /// Forces of the springs from each mass to the next.
    rails: Box<[[T::Atomic; 2]]>,
    /// Forces of the springs across, by the mass at their first end.
    spokes: Box<[[T::Atomic; 2]]>,
    barrier: Box<dyn Barrier>,
}

#[inline(always)]
fn load<T: Real, const N: usize>(from: &[T::Atomic; N]) -> [T; N] {
    std::array::from_fn(|quantity| T::load(&from[quantity]))
}

#[inline(always)]
fn store<T: Real, const N: usize>(to: &[T::Atomic; N], numbers: [T; N]) {
    for (number, to) in numbers.into_iter().zip(to) {
        number.store(to);
    }
}

/// The part of one thread.
#[derive(Debug)]
struct Part<T: Real> {
    shared: Arc<Shared<T>>,
    own: Range<usize>,
}

impl<T: Real> Part<T> {
    /// Computes the springs whose first end is an own mass.
    fn compute(&self) {
        let Shared { ring, masses, rails, spokes, .. } = &*self.shared;
        ring.run(
            #[inline(always)]
            || {
                let at = |i: usize| load(&masses[i]);
                for i in self.own.clone().take_while(|i| *i < rails.len()) {
                    store(&rails[i], ring.rail(i, at));
                    if let Some(spoke) = spokes.get(i) {
                        store(spoke, ring.spoke(i, at));
                    }
                }
            },
        );
    }

    fn integrate(&self) {
        let Shared { ring, masses, rails, spokes, .. } = &*self.shared;
        ring.run(
            #[inline(always)]
            || {
                let (rail, spoke) = (|i: usize| load(&rails[i]), |i: usize| load(&spokes[i]));
                for i in self.own.clone() {
                    let force = ring.force_of_springs(i, rail, spoke);
                    store(&masses[i], ring.advance(&load(&masses[i]), &force));
                }
            },
        );
    }

    fn wait(&self, observer: &mut dyn Observer) -> Result<(), Stopped> {
        self.shared.barrier.wait()?;
        observer.phase(Phase::Wait);
        Ok(())
    }
}

impl<T: Real> Work for Part<T> {
    fn settle(&mut self) {}

    fn advance(&mut self, substeps: u64, observer: &mut dyn Observer) -> Result<(), Stopped> {
        for _ in 0..substeps {
            self.compute();
            observer.phase(Phase::Compute);
            self.wait(observer)?;
            self.integrate();
            observer.phase(Phase::Integrate);
            self.wait(observer)?;
        }
        Ok(())
    }

    fn own(&self) -> Vec<Range<usize>> {
        vec![self.own.clone()]
    }

    fn mass(&self, i: usize) -> Raw<f64> {
        load::<T, 4>(&self.shared.masses[i]).map(Real::to_f64)
    }

    fn leave(&self) {
        self.shared.barrier.leave();
    }
}
