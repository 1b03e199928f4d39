//! What is read around each step of the stepping thread.

use plan::{CodePlace, Deed, Pass};
use probe::Stepped;
use rt::counters::ThreadCounts;
use rt::float::{self, Mode, Raised};
use rt::fmi::{Allocations, allocations};
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

/// Everything that is read around a step, and what was observed so far.
pub(crate) struct Watch {
    calls: Calls,
    /// The floating-point mode of this program.
    usual: Mode,
    /// The floating-point mode of the model, which the model may change.
    mode: Mode,
    stack: Painted,
    stack_used: usize,
    own_counts: OwnCounts,
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
            own_counts: OwnCounts::default(),
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
        let Around { done, time, raised, counts } = self.around(number, || model.step(number));
        self.stack_used = self.stack_used.max(self.stack.used());
        self.keep_mode(Some(number));
        self.step_ns.push(time);
        self.count_raised(number, raised);
        for (deed, times) in [
            (Deed::MinorFault, counts.minor_faults),
            (Deed::MajorFault, counts.major_faults),
            (Deed::Switch, counts.voluntary_switches),
        ] {
            self.count(plain(deed), number, times);
        }
        self.calls_taken();
        let own_counts = OwnCounts::of(model);
        for (deed, name, now, before) in own_counts.since(&self.own_counts) {
            self.count((deed, name.to_owned(), 0, true), number, now - before);
        }
        self.own_counts = own_counts;
        done
    }

    /// Runs a function and reads, before and after it, everything that it may change.
    #[inline(never)]
    fn around<T>(&self, number: u64, run: impl FnOnce() -> T) -> Around<T> {
        let before = ThreadCounts::usage();
        float::clear();
        let start = clock::now();
        let done = self.calls.step(number, run);
        let time = clock::now() - start;
        let raised = float::raised();
        Around { done, time, raised, counts: ThreadCounts::usage() - before }
    }

    /// Checks the outputs of a step.
    pub(crate) fn outputs(&mut self, number: u64, model: &mut Stepped) -> Result<(), String> {
        let not_finite = self.outputs.add(model.outputs()?);
        self.count(plain(Deed::NotFinite), number, not_finite);
        Ok(())
    }

    /// Collects the calls that were recorded since the last time.
    fn calls_taken(&mut self) {
        let seen = &mut self.seen;
        self.lost += self.calls.take(|call| add(seen, &call, true));
    }

    /// Records an event of the stepping thread.
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
        self.own_counts = OwnCounts::of(model);
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

    fn count_raised(&mut self, number: u64, raised: Raised) {
        for (deed, is_raised) in [
            (Deed::Denormal, raised.denormal),
            (Deed::InvalidCalculation, raised.invalid),
            (Deed::DivisionByZero, raised.division_by_zero),
            (Deed::Overflow, raised.overflow),
        ] {
            self.count(plain(deed), number, u64::from(is_raised));
        }
    }

    /// Returns all observations.
    pub(crate) fn into_pass(mut self) -> Pass {
        let (others, lost) = self.calls.of_others();
        others.iter().for_each(|call| add(&mut self.seen, call, false));
        let mut places = Places::default();
        let seen = self.seen.into_all().map(|((deed, name, address, by_step), tally)| {
            tally.of(deed, name, place(address, &mut places), by_step)
        });
        Pass {
            occurrences: seen.collect(),
            lost: self.lost + lost,
            step_ns: self.step_ns,
            outputs: self.outputs.count(),
            outputs_hash: self.outputs.hash(),
            stack_bytes: self.stack_used as u64,
            ..Pass::default()
        }
    }
}

/// The readings around a step.
struct Around<T> {
    done: T,
    time: u64,
    raised: Raised,
    counts: ThreadCounts,
}

/// Counts of the calls that a model makes to this program itself.
#[derive(Debug, Default)]
struct OwnCounts {
    log_lines: u64,
    incomplete: u64,
    callbacks: Allocations,
}

impl OwnCounts {
    fn of(model: &Stepped) -> Self {
        Self {
            log_lines: model.log_lines(),
            incomplete: model.incomplete(),
            callbacks: allocations(),
        }
    }

    /// Returns each kind of event with its name, and its count now and before.
    fn since(&self, before: &Self) -> [(Deed, &'static str, u64, u64); 4] {
        let [now, then] = [&self.callbacks, &before.callbacks];
        [
            (Deed::LogLine, "", self.log_lines, before.log_lines),
            (Deed::Status, INCOMPLETE, self.incomplete, before.incomplete),
            (Deed::Allocation, "allocateMemory", now.allocated, then.allocated),
            (Deed::Release, "freeMemory", now.freed, then.freed),
        ]
    }
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
