//! Two copies of the state and one barrier per step: what a careful engineer writes first.

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

/// Creates workers that read one copy of the state and write the other; a barrier exchanges them.
pub fn work(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    Ok(match problem.setup.precision {
        Precision::F64 => divide::<f64>(problem),
        Precision::F32 => divide::<f32>(problem),
    })
}

fn divide<T: Real>(problem: &Problem) -> Vec<Box<dyn Work>> {
    let copy = || (0..problem.masses()).map(|_| Default::default()).collect();
    let shared = Arc::new(Shared {
        ring: Ring::new(problem),
        copies: [copy(), copy()],
        barrier: problem.barrier(),
    });
    for i in 0..problem.masses() {
        shared.write(0, i, problem.start(i));
    }
    let part = |thread| -> Box<dyn Work> {
        let shared = Arc::clone(&shared);
        Box::new(Part::<T> { shared, own: problem.share(thread), current: 0 })
    };
    (0..problem.setup.threads).map(part).collect()
}

/// The state that all threads share. The barrier orders all reads and writes: no thread reads a
/// copy that is being written.
#[derive(Debug)]
struct Shared<T: Real> {
    ring: Ring<T>,
    copies: [Box<[[T::Atomic; 4]]>; 2],
    barrier: Box<dyn Barrier>,
}

impl<T: Real> Shared<T> {
    #[inline(always)]
    fn read(&self, copy: usize, i: usize) -> Raw<T> {
        let mass = &self.copies[copy][i];
        [0, 1, 2, 3].map(|quantity| T::load(&mass[quantity]))
    }

    #[inline(always)]
    fn write(&self, copy: usize, i: usize, mass: Raw<T>) {
        for (number, to) in mass.into_iter().zip(&self.copies[copy][i]) {
            number.store(to);
        }
    }
}

/// The part of one thread.
#[derive(Debug)]
struct Part<T: Real> {
    shared: Arc<Shared<T>>,
    own: Range<usize>,
    /// Index of the copy that has the current state.
    current: usize,
}

impl<T: Real> Part<T> {
    fn compute(&self) {
        let (shared, now, next) = (&*self.shared, self.current, 1 - self.current);
        shared.ring.run(
            #[inline(always)]
            || {
                for i in self.own.clone() {
                    let force = shared.ring.force(i, |j| shared.read(now, j));
                    let moved = shared.ring.advance(&shared.read(now, i), &force);
                    shared.write(next, i, moved);
                }
            },
        );
    }
}

impl<T: Real> Work for Part<T> {
    fn settle(&mut self) {}

    fn advance(&mut self, substeps: u64, observer: &mut dyn Observer) -> Result<(), Stopped> {
        for _ in 0..substeps {
            self.compute();
            observer.phase(Phase::Compute);
            self.shared.barrier.wait()?;
            observer.phase(Phase::Wait);
            self.current = 1 - self.current;
        }
        Ok(())
    }

    fn own(&self) -> Vec<Range<usize>> {
        vec![self.own.clone()]
    }

    fn mass(&self, i: usize) -> Raw<f64> {
        self.shared.read(self.current, i).map(Real::to_f64)
    }

    fn leave(&self) {
        self.shared.barrier.leave();
    }
}
