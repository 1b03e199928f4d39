//! The solver that is fastest when it does one step at a time, and the one that does several while
//! the data is in the cache: the speed of the arithmetic units at every size.

use std::ops::Range;
use std::sync::Arc;

use rt::simd::{Generic, Real, Vector};
use rt::sync::{Stop, Stopped};

use super::halo::Halos;
use super::subdomain::{RawCell, Subdomain};
use crate::Error;
use crate::physics::Raw;
use crate::problem::{Problem, share};
use crate::setup::Precision;
use crate::worker::{Observer, Phase, Work};

/// Vectors over pairs of masses; threads exchange their halos every step.
pub fn work(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    Ok(divide(problem, 1))
}

/// As [`work`], but does several steps per tile as long as nothing is read or written between them.
pub fn work_fused(problem: &Arc<Problem>) -> Result<Vec<Box<dyn Work>>, Error> {
    let setup = &problem.setup;
    Ok(divide(problem, setup.solver.steps_a_pass(setup.masses, setup.threads)))
}

/// Creates one worker per thread. Each exchanges halos with its neighbours at least every
/// `most_fused` steps.
fn divide(problem: &Arc<Problem>, most_fused: usize) -> Vec<Box<dyn Work>> {
    let set = problem.setup.instructions;
    let divide = Divide { problem: Arc::clone(problem), most_fused };
    let work = match problem.setup.precision {
        Precision::F64 => set.with::<f64, _>(divide),
        Precision::F32 => set.with::<f32, _>(divide),
    };
    // A setup that passed its checks names an available set.
    work.unwrap_or_default()
}

struct Divide {
    problem: Arc<Problem>,
    most_fused: usize,
}

impl<T: Real> Generic<T> for Divide {
    type Output = Vec<Box<dyn Work>>;

    fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> Self::Output {
        let threads = self.problem.setup.threads;
        let shared = Arc::new(Shared {
            problem: self.problem,
            most_fused: self.most_fused,
            halos: Halos::new(threads, self.most_fused),
            stop: Stop::default(),
        });
        let part = |thread| -> Box<dyn Work> {
            let own = share(shared.cells(), threads, thread);
            let shared = Arc::clone(&shared);
            Box::new(Part::<V> { isa, shared, thread, own, subdomain: None, passes: 0 })
        };
        (0..threads).map(part).collect()
    }
}

/// The state that all threads share.
#[derive(Debug)]
struct Shared<T: Real> {
    problem: Arc<Problem>,
    most_fused: usize,
    halos: Halos<T>,
    stop: Stop,
}

impl<T: Real> Shared<T> {
    fn cells(&self) -> usize {
        self.problem.setup.masses / 2
    }

    fn start(&self, cell: usize) -> RawCell<T> {
        [cell, cell + self.cells()].map(|i| self.problem.start(i))
    }
}

/// The part of one thread.
#[derive(Debug)]
struct Part<V: Vector> {
    isa: V::Isa,
    shared: Arc<Shared<V::Element>>,
    thread: usize,
    /// The thread's cells of the ring.
    own: Range<usize>,
    subdomain: Option<Subdomain<V>>,
    passes: u64,
}

impl<V: Vector> Part<V> {
    /// Does `steps` steps between two exchanges with the neighbours.
    fn pass(&mut self, steps: usize, observer: &mut dyn Observer) -> Result<(), Stopped> {
        let Some(subdomain) = &mut self.subdomain else {
            return Ok(());
        };
        subdomain.fill_from_own(steps);
        if steps == 1 {
            // This work gives the neighbours' cells time to arrive.
            subdomain.advance_inside();
            observer.phase(Phase::Compute);
        }
        let neighbours = self.shared.halos.neighbours(self.thread);
        neighbours.wait(self.passes, &self.shared.stop)?;
        observer.phase(Phase::Wait);
        subdomain.fill_from_others(
            steps,
            |i| neighbours.before(self.passes, i),
            |i| neighbours.after(self.passes, i),
        );
        if steps == 1 {
            subdomain.advance_ends();
        } else {
            subdomain.advance_fused(steps);
        }
        self.passes += 1;
        self.send();
        observer.phase(Phase::Compute);
        Ok(())
    }

    /// Posts own cells for the neighbours.
    fn send(&self) {
        let Some(subdomain) = &self.subdomain else {
            return;
        };
        let [first, last] = self.shared.halos.of(self.thread);
        first.send(self.passes, |i| subdomain.cell(i));
        last.send(self.passes, |i| subdomain.cell(self.own.len() - 1 - i));
    }
}

impl<V: Vector> Work for Part<V> {
    fn settle(&mut self) {
        let shared = &self.shared;
        let start = |cell| shared.start(self.own.start + cell);
        let (cells, halo) = (self.own.len(), shared.most_fused);
        self.subdomain = Some(Subdomain::new(self.isa, &shared.problem, cells, halo, start));
        self.send();
    }

    fn advance(&mut self, mut substeps: u64, observer: &mut dyn Observer) -> Result<(), Stopped> {
        while substeps > 0 {
            let steps = substeps.min(self.shared.most_fused as u64);
            self.pass(steps as usize, observer)?;
            substeps -= steps;
        }
        Ok(())
    }

    fn own(&self) -> Vec<Range<usize>> {
        let Range { start, end } = self.own;
        let across = self.shared.cells();
        vec![start..end, start + across..end + across]
    }

    fn mass(&self, i: usize) -> Raw<f64> {
        let cells = self.shared.cells();
        let cell = i % cells;
        let masses = match &self.subdomain {
            Some(subdomain) => subdomain.cell(cell - self.own.start),
            None => self.shared.start(cell),
        };
        masses[i / cells].map(Real::to_f64)
    }

    fn touch(&mut self) {
        if let Some(subdomain) = &mut self.subdomain {
            subdomain.touch();
        }
    }

    fn leave(&self) {
        self.shared.stop.stop();
    }
}
