//! All members of a mix, combined into one model.

use std::sync::mpsc;

use base::{Nanos, Policy};
use bench::columns::Columns;
use bench::{Abort, Bench};
use record::{Link, Member, Track, Transform, Warning, fact};
use rt::clock;
use rt::memory::Samples;
use rt::progress::Phase;

use super::mailbox::{Reader, Writer, mailbox};
use super::rows::{COST, USES};
use super::{kinds, libraries};
use crate::model::held::{AnyPart, BoxedModel};
use crate::model::phases::{PhaseKind, PhaseStamps};
use crate::model::{Model, Part, Stop, steps};

pub(super) struct MixModel<'a> {
    members: &'a [Member],
    models: Vec<BoxedModel<'a>>,
    wires: Vec<Wire<'a>>,
}

/// Connects outputs of one member to inputs of another.
struct Wire<'a> {
    from: usize,
    to: usize,
    /// Positions of the values among the outputs of `from`, and among the inputs of `to`.
    outputs: Vec<usize>,
    inputs: Vec<usize>,
    transforms: Vec<(usize, &'a Transform)>,
    /// Whether no value is the first one: see [`record::Wire`].
    closes_ring: bool,
}

/// Returns, for each thread, the number of its member and the number of the thread within it.
pub(super) fn by_thread(members: &[Member]) -> Vec<(usize, usize)> {
    let of = |(at, member): (usize, &Member)| (0..member.threads()).map(move |thread| (at, thread));
    members.iter().enumerate().flat_map(of).collect()
}

impl<'a> MixModel<'a> {
    /// Creates the models of the members and checks that their connected inputs and outputs exist.
    pub(super) fn of(members: &'a [Member]) -> Result<Self, String> {
        libraries::expect_separate(members)?;
        let mut models = Vec::new();
        let mut before = 0;
        for member in members {
            let made = kinds::made(member, before);
            models.push(made.map_err(|why| format!("{}: {why}", member.name))?);
            before += member.threads();
        }
        let mut mix = Self { members, models, wires: Vec::new() };
        for (to, member) in members.iter().enumerate() {
            let wires = mix.wires_to(to);
            mix.wires.extend(wires.map_err(|why| format!("{}: {why}", member.name))?);
        }
        let links: Vec<_> = members.iter().map(|one| (&*one.name, &*one.inputs)).collect();
        for (wire, ends) in mix.wires.iter_mut().zip(record::wires(&links)) {
            wire.closes_ring = ends.closes_ring;
        }
        Ok(mix)
    }

    fn wires_to(&mut self, to: usize) -> Result<Vec<Wire<'a>>, String> {
        let member = &self.members[to];
        let names: Vec<String> = member.inputs.iter().map(|link| link.input.clone()).collect();
        let places = self.models[to].take_inputs(&names)?;
        let alone = |member: &Member| match member.threads() {
            1 => Ok(()),
            _ => Err(format!(
                "{} has several threads, but exchanges values; it can have only one",
                member.name
            )),
        };
        let wire = |source: &str| {
            let from = self.members.iter().position(|other| other.name == source);
            let from = from.ok_or_else(|| format!("no member is named `{source}`"))?;
            if self.members[from].best_effort {
                return Err(format!(
                    "inputs: {source} is best-effort, so its outputs have no times; take the values from a \
                     member with a rate"
                ));
            }
            alone(&self.members[from])?;
            alone(member)?;
            let of = |(link, input): (&'a Link, &usize)| {
                let output = self.models[from].output(&link.output);
                let output = output.map_err(|why| format!("{source}: {why}"));
                output.map(|output| (output, *input))
            };
            let links = member.inputs.iter().zip(&places);
            let own = links.clone().filter(|(link, _)| link.from == source);
            let transforms = own.filter_map(|(link, at)| Some((*at, link.transform.as_ref()?)));
            let transforms = transforms.collect();
            let pairs = links.filter(|(link, _)| link.from == source).map(of);
            let pairs: Vec<(usize, usize)> = pairs.collect::<Result<_, String>>()?;
            let (outputs, inputs) = pairs.into_iter().unzip();
            Ok(Wire { from, to, outputs, inputs, transforms, closes_ring: false })
        };
        member.sources().into_iter().map(wire).collect()
    }
}

impl<'a> Model for MixModel<'a> {
    type Part = MixPart<'a>;

    /// Each member has its own phases.
    const PHASES: &'static [PhaseKind] = &[];

    fn parts(&mut self) -> Result<Vec<MixPart<'a>>, Abort> {
        let mut all = Vec::new();
        let mut first = Vec::new();
        for (member, model) in self.members.iter().zip(&mut self.models) {
            first.push(all.len());
            all.extend(model.parts()?.into_iter().map(|part| MixPart::new(member, part)));
        }
        for wire in &self.wires {
            let (writer, reader) = mailbox(wire.outputs.len());
            let (send, receive) = mpsc::channel();
            let first_values = (!wire.closes_ring).then_some((send, receive)).unzip();
            let from = Gives { places: wire.outputs.clone(), writer, first: first_values.0 };
            all[first[wire.from]].gives.push(from);
            let user = &mut all[first[wire.to]];
            user.take_from(&wire.inputs, reader, first_values.1);
            user.transforms.extend(&wire.transforms);
        }
        Ok(all)
    }

    fn conditions(&self, _: &Bench, thread: usize) -> (usize, Policy) {
        let (at, thread) = by_thread(self.members)[thread];
        let asked = &self.members[at].run.asked;
        let place = thread % asked.cpus.len().max(1);
        (asked.cpus.iter().nth(place).unwrap_or(0), asked.policy)
    }

    /// Returns the states of all members; each fact has the number of its member before its name.
    fn state(&self, parts: Vec<MixPart<'a>>) -> Result<Track, Abort> {
        parts.into_iter().for_each(|part| part.model.go_home());
        let mut all = Track::new("state");
        for (at, model) in self.models.iter().enumerate() {
            let state = model.state().map_err(|abort| match abort {
                Abort::Failed(why) => Abort::Failed(format!("{}: {why}", self.members[at].name)),
                abort @ Abort::Conditions => abort,
            })?;
            let facts = state.attributes.into_iter();
            all.attributes.extend(facts.map(|(name, value)| (format!("{at} {name}"), value)));
        }
        Ok(all)
    }
}

struct Gives {
    places: Vec<usize>,
    writer: Writer,
    /// Takes the values at the start, unless the wire closes a ring.
    first: Option<mpsc::Sender<Vec<f64>>>,
}

struct Takes {
    places: Vec<usize>,
    reader: Reader,
    has_some: bool,
    /// Gives the values at the start, unless the wire closes a ring.
    first: Option<mpsc::Receiver<Vec<f64>>>,
}

pub(super) struct MixPart<'a> {
    name: &'a str,
    model: Box<dyn AnyPart + 'a>,
    is_program: bool,
    steps: u64,
    gives: Vec<Gives>,
    takes: Vec<Takes>,
    /// The positions of inputs whose values are changed on their way.
    transforms: Vec<(usize, &'a Transform)>,
    inputs: Vec<f64>,
    uses: Columns<3>,
    costs: Samples,
}

impl<'a> MixPart<'a> {
    fn new(member: &'a Member, model: Box<dyn AnyPart + 'a>) -> Self {
        let steps = if member.best_effort { 0 } else { steps(&member.run) };
        Self {
            name: &member.name,
            model,
            is_program: kinds::is_program(&member.run),
            steps,
            gives: Vec::new(),
            takes: Vec::new(),
            transforms: Vec::new(),
            inputs: Vec::new(),
            uses: Columns::with_room(&USES, 0),
            costs: Samples::with_capacity(0),
        }
    }

    fn take_from(
        &mut self,
        places: &[usize],
        reader: Reader,
        first: Option<mpsc::Receiver<Vec<f64>>>,
    ) {
        let needed = places.iter().map(|place| place + 1).max().unwrap_or(0);
        self.inputs.resize(self.inputs.len().max(needed), 0.0);
        self.takes.push(Takes { places: places.to_vec(), reader, has_some: false, first });
    }

    /// Initialises the model with the outputs that its sources have at the start, and gives its
    /// own to others.
    fn begin(&mut self) -> Result<(), Stop> {
        let mut known = vec![None; self.inputs.len()];
        for Takes { places, first, .. } in &self.takes {
            let Some(first) = first else { continue };
            // A source that fails gives nothing.
            let values = first.recv().map_err(|_| Stop::Others)?;
            for (place, value) in places.iter().zip(values) {
                known[*place] = Some(value);
            }
        }
        for (place, transform) in &self.transforms {
            if let Some(value) = known[*place] {
                let changed = changed(transform, value);
                known[*place] =
                    Some(changed.map_err(|what| self.failed(Phase::Initialisation, what))?);
            }
        }
        self.model.initialise(&known).map_err(|stop| self.named(stop))?;
        self.check_outputs()?;
        let outputs = self.model.outputs();
        for Gives { places, first, .. } in &self.gives {
            let values = places.iter().map(|place| outputs[*place]).collect();
            // A member that has failed takes nothing.
            let _ = first.as_ref().map(|first| first.send(values));
        }
        Ok(())
    }

    fn check_outputs(&self) -> Result<(), Stop> {
        let there = self.model.outputs().len();
        let mut places = self.gives.iter().flat_map(|gives| &gives.places);
        let Some(place) = places.find(|place| **place >= there) else {
            return Ok(());
        };
        let what = format!("it has {there} outputs, but output {place} is another member's input");
        Err(self.named(Stop::of_model(Phase::Initialisation, 0, what)))
    }

    /// Takes the latest values of all sources; sets nothing until each has completed a step.
    #[inline]
    fn take(&mut self) -> Result<(), Stop> {
        for (source, takes) in self.takes.iter_mut().enumerate() {
            let (made, values) = takes.reader.take();
            for (place, value) in takes.places.iter().zip(values) {
                self.inputs[*place] = value;
            }
            takes.has_some = made > 0;
            self.uses.push([source as u64, clock::now(), made]);
        }
        if self.takes.is_empty() || !self.takes.iter().all(|takes| takes.has_some) {
            return Ok(());
        }
        for (place, transform) in &self.transforms {
            let changed = changed(transform, self.inputs[*place]);
            self.inputs[*place] = changed.map_err(|what| self.failed(Phase::Step, what))?;
        }
        self.model.set_inputs(&self.inputs).map_err(|stop| self.named(stop))
    }

    #[cold]
    fn failed(&self, phase: Phase, what: String) -> Stop {
        self.named(Stop::of_model(phase, self.costs.values().len() as u64, what))
    }

    /// Adds the name of the member to a failure.
    #[cold]
    fn named(&self, stop: Stop) -> Stop {
        match stop {
            Stop::Failed(mut why) => {
                if let Warning::ModelFailed { what, .. } = &mut *why {
                    *what = format!("{}: {what}", self.name);
                }
                Stop::Failed(why)
            }
            Stop::Others => Stop::Others,
        }
    }

    /// Stamp for the cost of a step: CPU time, or wall time for a program in another process.
    #[inline]
    fn used(&self) -> u64 {
        if self.is_program { clock::now() } else { clock::thread_cpu_time() }
    }
}

impl Part for MixPart<'_> {
    fn initialise(&mut self, _: &[Option<f64>]) -> Result<(), Stop> {
        let begun = self.begin();
        // Members that wait for the values of one that failed must not wait forever.
        self.gives.iter_mut().for_each(|gives| gives.first = None);
        begun
    }

    fn settle(&mut self) -> Result<(), Stop> {
        self.model.settle().map_err(|stop| self.named(stop))?;
        let uses = self.steps.saturating_mul(self.takes.len() as u64);
        self.uses = Columns::with_room(&USES, uses);
        self.costs = Samples::with_capacity(self.steps as usize);
        Ok(())
    }

    fn phases_per_step(&self) -> u64 {
        self.model.phases_per_step()
    }

    #[inline]
    fn step(&mut self, phases: &mut PhaseStamps) -> Result<(), Stop> {
        let before = self.used();
        self.take()?;
        self.model.step(phases).map_err(|stop| self.named(stop))?;
        self.costs.push(self.used() - before);
        Ok(())
    }

    #[inline]
    fn run(&mut self, steps: u64) -> Result<(), Stop> {
        self.model.run(steps).map_err(|stop| self.named(stop))
    }

    /// Outputs are published once the end of their step is known; their age counts from there.
    #[inline]
    fn after(&mut self, paced: Option<(u64, [u64; 3])>) {
        if let Some((_, [.., end])) = paced {
            let outputs = self.model.outputs();
            for gives in &mut self.gives {
                let values = gives.places.iter().map(|place| outputs[*place]);
                gives.writer.put(end, values);
            }
        }
        self.model.after(paced);
    }

    fn finish(&mut self) {
        self.model.finish();
    }

    fn onto(&self, track: Track) -> Track {
        self.uses
            .onto(self.model.onto(track))
            .column(COST, self.costs.to_column())
            .with("lost", self.costs.lost() + self.uses.lost())
    }
}

/// Returns a value as a transformation changes it; one that a map lacks is an error.
#[inline]
fn changed(transform: &Transform, value: f64) -> Result<f64, String> {
    transform.of(value).ok_or_else(|| format!("an input gets {value}, which its map lacks"))
}

pub(super) struct Freely {
    start: u64,
    end: u64,
    cpu_time: u64,
    steps: u64,
}

/// Runs the loop of a best-effort thread: a step begins as soon as the one before has ended, unless
/// the thread has used more than its share of the time that has passed.
pub(super) fn run_freely<P: Part>(
    part: &mut P,
    start: u64,
    duration: Nanos,
    limit_percent: Option<u64>,
) -> Result<Freely, Stop> {
    clock::sleep_until(start);
    let last = start + duration.0;
    let before = clock::thread_cpu_time();
    let (mut now, mut steps) = (clock::now(), 0);
    while now < last {
        part.run(1)?;
        steps += 1;
        if let Some(percent) = limit_percent {
            let used = clock::thread_cpu_time() - before;
            clock::sleep_until((start + used * 100 / percent.max(1)).min(last));
        }
        now = clock::now();
    }
    Ok(Freely { start, end: now, cpu_time: clock::thread_cpu_time() - before, steps })
}

impl From<Freely> for Track {
    fn from(freely: Freely) -> Self {
        Track::new("")
            .with("start_ns", freely.start)
            .with("stop_ns", freely.end)
            .with(&fact::CPU_TIME_NS, freely.cpu_time)
            .with("steps", freely.steps)
    }
}
