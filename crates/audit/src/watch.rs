//! What is read around each step of the stepping thread.

use measure::Stepped;
use record::{CodePlace, Deed, Pass};
use rt::counters::ThreadCounts;
use rt::float::{self, Mode, Raised};
use rt::fmi::allocations;
use rt::hooks::{Call, Calls, Kind};
use rt::stack::Painted;
use rt::{clock, library};

use crate::outputs::Outputs;
use crate::places::Places;
use crate::series::Series;

/// Bytes of the stack that are examined: as much as a run touches before it measures.
const STACK: usize = 128 << 10;

/// The status of a step that the model did only in part, which does not end the pass.
pub(crate) const INCOMPLETE: &str = "the step was not completed";

/// An event: its kind, its name, its address, and whether the stepping thread caused it.
type Event = (Deed, String, usize, bool);

/// Kinds of calls that a model makes to this program itself, each with its name and its count so far.
type OwnCounts = [(Deed, &'static str, u64); 4];

pub(crate) struct Watch {
    calls: Calls,
    /// The floating-point mode of this program.
    usual: Mode,
    /// The floating-point mode of the model, which the model may change.
    mode: Mode,
    stack: Painted,
    stack_used: usize,
    /// Those up to now; `None` until the model is ready.
    own_counts: Option<OwnCounts>,
    seen: Series<Event>,
    lost: u64,
    step_ns: Vec<u64>,
    outputs: Outputs,
}

impl Watch {
    pub(crate) fn new(calls: Calls, usual: Mode) -> Self {
        Self {
            calls,
            usual,
            mode: usual,
            stack: Painted::below_here(STACK),
            stack_used: 0,
            own_counts: None,
            seen: Series::new(),
            lost: 0,
            step_ns: Vec::new(),
            outputs: Outputs::new(),
        }
    }

    /// Has the model do a step, and records what the step did.
    #[inline(never)]
    pub(crate) fn step(&mut self, number: u64, model: &mut Stepped) -> Result<(), String> {
        // Stack that this program's own functions have used since does not count as the model's.
        self.stack.renew();
        float::set_mode(self.mode);
        let (done, time, raised, counts) = self.around(number, || model.step(number));
        self.stack_used = self.stack_used.max(self.stack.used());
        self.keep_mode(Some(number));
        self.step_ns.push(time);
        for (deed, times) in [
            (Deed::Denormal, raised.denormal.into()),
            (Deed::InvalidCalculation, raised.invalid.into()),
            (Deed::DivisionByZero, raised.division_by_zero.into()),
            (Deed::Overflow, raised.overflow.into()),
            (Deed::MinorFault, counts.minor_faults),
            (Deed::MajorFault, counts.major_faults),
            (Deed::Switch, counts.voluntary_switches),
        ] {
            self.count(plain(deed), number, times);
        }
        self.calls_taken();
        let now = own_counts(model);
        let before = self.own_counts.replace(now).unwrap_or(now);
        for ((deed, name, now), (.., before)) in now.into_iter().zip(before) {
            self.count((deed, name.to_owned(), 0, true), number, now - before);
        }
        done
    }

    /// Runs a function and reads, before and after it, everything that it may change: also returns
    /// its time in nanoseconds, and the marks and counts that it caused.
    #[inline(never)]
    fn around<T>(&self, number: u64, run: impl FnOnce() -> T) -> (T, u64, Raised, ThreadCounts) {
        let before = ThreadCounts::usage();
        float::clear();
        let start = clock::now();
        let done = self.calls.step(number, run);
        let time = clock::now() - start;
        let raised = float::raised();
        (done, time, raised, ThreadCounts::usage() - before)
    }

    pub(crate) fn outputs(&mut self, number: u64, model: &mut Stepped) -> Result<(), String> {
        self.outputs.add(model.outputs()?);
        self.count(plain(Deed::NotFinite), number, model.wrong_outputs());
        Ok(())
    }

    fn calls_taken(&mut self) {
        let seen = &mut self.seen;
        self.lost += self.calls.take(|call| add(seen, &call, true));
    }

    pub(crate) fn count(&mut self, event: Event, number: u64, times: u64) {
        if times > 0 {
            self.seen.add(event, Some(number), times, 0);
        }
    }

    /// Starts to count what the model does in steps; the model must be ready.
    pub(crate) fn begin(&mut self, model: &Stepped) {
        self.keep_mode(None);
        // Runs once without a step, so that memory that the readings themselves need (for example
        // the clock's page) is present.
        self.around(0, || ());
        self.calls_taken();
        self.own_counts = Some(own_counts(model));
    }

    /// Saves the floating-point mode that the model has left, for its next step, and restores our
    /// own.
    fn keep_mode(&mut self, step: Option<u64>) {
        let left = float::mode();
        float::set_mode(self.usual);
        for part in left.differs_from(self.mode) {
            self.seen.add((Deed::FloatMode, part.to_owned(), 0, true), step, 1, 0);
        }
        self.mode = left;
    }

    pub(crate) fn into_pass(mut self) -> Pass {
        let (others, lost) = self.calls.of_others();
        others.iter().for_each(|call| add(&mut self.seen, call, false));
        let mut places = Places::default();
        let occurrences = self.seen.into_occurrences(|(deed, name, address, by_step)| {
            (deed, name, place(address, &mut places), by_step)
        });
        Pass {
            occurrences,
            lost: self.lost + lost,
            step_ns: self.step_ns,
            outputs: self.outputs.count(),
            outputs_hash: self.outputs.hash(),
            stack_bytes: self.stack_used as u64,
            ..Pass::default()
        }
    }
}

fn own_counts(model: &Stepped) -> OwnCounts {
    let callbacks = allocations();
    [
        (Deed::LogLine, "", model.log_lines()),
        (Deed::Status, INCOMPLETE, model.incomplete()),
        (Deed::Allocation, "allocateMemory", callbacks.allocated),
        (Deed::Release, "freeMemory", callbacks.freed),
    ]
}

/// An event of the stepping thread, without a name or a place.
fn plain(deed: Deed) -> Event {
    (deed, String::new(), 0, true)
}

fn add(seen: &mut Series<Event>, call: &Call, by_step: bool) {
    let deed = match call.function.kind {
        Kind::Allocation => Deed::Allocation,
        Kind::Release => Deed::Release,
        Kind::Lock => Deed::Lock,
        Kind::Thread => Deed::Thread,
    };
    let event = (deed, call.function.name.to_owned(), call.place, by_step);
    seen.add(event, call.step, 1, call.bytes);
}

/// Returns the place of an address in this process, with the name of its function if its file has
/// one; `None` inside this program: a function of the model that calls last (a tail call) leaves no
/// address of its own on the stack.
fn place(address: usize, places: &mut Places) -> Option<CodePlace> {
    if library::is_of_program(address) {
        return None;
    }
    let found = library::place(address).filter(|_| address > 0)?;
    let mut place = CodePlace {
        library: found.library.display().to_string(),
        offset: found.offset as u64,
        symbol: found.symbol,
    };
    places.name(&mut place);
    Some(place)
}
