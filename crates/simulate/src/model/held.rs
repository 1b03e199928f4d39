//! Models of different types in one run, behind pointers: a step costs one more indirect call.

use std::sync::{Arc, Mutex, PoisonError};

use bench::Abort;
use record::Track;

use super::phases::PhaseStamps;
use super::{Model, Part, Stop};

pub(crate) type BoxedModel<'a> = Box<dyn AnyModel<'a> + 'a>;

/// A model of any type; its functions are those of [`Model`].
pub(crate) trait AnyModel<'a> {
    fn take_inputs(&mut self, names: &[String]) -> Result<Vec<usize>, String>;

    fn output(&self, name: &str) -> Result<usize, String>;

    fn parts(&mut self) -> Result<Vec<Box<dyn AnyPart + 'a>>, Abort>;

    /// Same as [`Model::state`], after its parts were given back.
    fn state(&self) -> Result<Track, Abort>;
}

pub(crate) trait AnyPart: Part {
    /// Gives the part back to its model, which checks it.
    fn go_home(self: Box<Self>);
}

/// A model, and its parts that were given back.
pub(crate) struct Held<M: Model> {
    model: M,
    home: Arc<Mutex<Vec<M::Part>>>,
}

impl<M: Model> Held<M> {
    pub(crate) fn of(model: M) -> Self {
        Self { model, home: Arc::default() }
    }
}

impl<'a, M: Model> AnyModel<'a> for Held<M>
where
    M::Part: 'a,
{
    fn take_inputs(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        self.model.take_inputs(names)
    }

    fn output(&self, name: &str) -> Result<usize, String> {
        self.model.output(name)
    }

    fn parts(&mut self) -> Result<Vec<Box<dyn AnyPart + 'a>>, Abort> {
        let held = |part| {
            let home = Arc::clone(&self.home);
            Box::new(HeldPart { part, home }) as Box<dyn AnyPart + 'a>
        };
        Ok(self.model.parts()?.into_iter().map(held).collect())
    }

    fn state(&self) -> Result<Track, Abort> {
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        self.model.state(std::mem::take(&mut *home))
    }
}

struct HeldPart<P> {
    part: P,
    home: Arc<Mutex<Vec<P>>>,
}

impl<P: Part> AnyPart for HeldPart<P> {
    fn go_home(self: Box<Self>) {
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        home.push(self.part);
    }
}

impl<P: Part> Part for HeldPart<P> {
    fn initialise(&mut self, inputs: &[Option<f64>]) -> Result<(), Stop> {
        self.part.initialise(inputs)
    }

    fn settle(&mut self) -> Result<(), Stop> {
        self.part.settle()
    }

    fn phases_per_step(&self) -> u64 {
        self.part.phases_per_step()
    }

    #[inline]
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop> {
        self.part.step(phases)
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), Stop> {
        self.part.set_inputs(values)
    }

    fn outputs(&self) -> &[f64] {
        self.part.outputs()
    }

    #[inline]
    fn run(&mut self, steps: u64) -> Result<(), Stop> {
        self.part.run(steps)
    }

    #[inline]
    fn after(&mut self, paced: Option<(u64, [u64; 3])>) {
        self.part.after(paced);
    }

    fn finish(&mut self) {
        self.part.finish();
    }

    fn onto(&self, track: Track) -> Track {
        self.part.onto(track)
    }
}
