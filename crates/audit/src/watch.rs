//! What is read around each step of the thread that steps.

use plan::{CodePlace, Deed, Occurrence, Pass};
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

/// Stack that is looked at: as much as a run touches before it measures.
const STACK: usize = 128 << 10;

/// What happened: its kind, its name, its address, and whether the thread that steps did it.
type Event = (Deed, String, usize, bool);

/// All that is read around a step, and what it has told so far.
pub(crate) struct Watch {
    calls: Calls,
    /// Our own mode of calculating.
    usual: Mode,
    /// That in which the model calculates, which it may change.
    mode: Mode,
    stack: Painted,
    stack_used: usize,
    told: Told,
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
            told: Told::default(),
            seen: Series::new(),
            lost: 0,
            step_ns: Vec::new(),
            outputs: Outputs::new(),
        }
    }

    /// Has the model make a step, and notes what it did.
    #[inline(never)]
    pub(crate) fn step(&mut self, number: u64, model: &mut Stepped) -> Result<(), String> {
        // What this program's own functions have used meanwhile is none of the model's.
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
        let told = Told::of(model);
        for (deed, name, now, before) in told.since(&self.told) {
            self.count((deed, name.to_owned(), 0, true), number, now - before);
        }
        self.told = told;
        done
    }

    /// Reads before and after something what that may change.
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

    /// Looks at the outputs of a step.
    pub(crate) fn outputs(&mut self, number: u64, model: &mut Stepped) -> Result<(), String> {
        let not_finite = self.outputs.add(model.outputs()?);
        self.count(plain(Deed::NotFinite), number, not_finite);
        Ok(())
    }

    /// Takes the calls that were made since the last time.
    fn calls_taken(&mut self) {
        let seen = &mut self.seen;
        self.lost += self.calls.take(|call| add(seen, &call, true));
    }

    /// Notes something of the thread that steps.
    pub(crate) fn count(&mut self, event: Event, number: u64, times: u64) {
        if times > 0 {
            self.seen.add(event, Some(number), times, 0);
        }
    }

    /// Begins to count what the model does in steps: it is ready.
    pub(crate) fn begin(&mut self, model: &Stepped) {
        self.keep_mode(None);
        // Once without a step: memory that the reading itself needs, the clock's page say, is
        // there then.
        self.around(0, || ());
        self.calls_taken();
        self.told = Told::of(model);
    }

    /// Keeps the mode that the model has left, for it to go on in, and goes back to our own.
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

    /// All of it.
    pub(crate) fn told(mut self) -> Pass {
        let (others, lost) = self.calls.of_others();
        others.iter().for_each(|call| add(&mut self.seen, call, false));
        let mut places = Places::default();
        let occurrence =
            |((deed, name, address, by_step), told, runs): (Event, crate::series::Told, _)| {
                Occurrence {
                    deed,
                    name,
                    place: place(address, &mut places),
                    by_step,
                    bytes: told.bytes,
                    beside: told.beside,
                    runs,
                }
            };
        Pass {
            occurrences: self.seen.into_all().map(occurrence).collect(),
            lost: self.lost + lost,
            step_ns: self.step_ns,
            outputs: self.outputs.count(),
            outputs_hash: self.outputs.hash(),
            stack_bytes: self.stack_used as u64,
            ..Pass::default()
        }
    }
}

/// What was read around a step.
struct Around<T> {
    done: T,
    time: u64,
    raised: Raised,
    counts: ThreadCounts,
}

/// What is counted where a model calls this program itself.
#[derive(Debug, Default)]
struct Told {
    log_lines: u64,
    incomplete: u64,
    callbacks: Allocations,
}

impl Told {
    fn of(model: &Stepped) -> Self {
        Self {
            log_lines: model.log_lines(),
            incomplete: model.incomplete(),
            callbacks: allocations(),
        }
    }

    /// Each with its name, and its count now and before.
    fn since(&self, before: &Self) -> [(Deed, &'static str, u64, u64); 4] {
        let [now, then] = [&self.callbacks, &before.callbacks];
        [
            (Deed::LogLine, "", self.log_lines, before.log_lines),
            (Deed::Status, "it was not done whole", self.incomplete, before.incomplete),
            (Deed::Allocation, "allocateMemory", now.allocated, then.allocated),
            (Deed::Release, "freeMemory", now.freed, then.freed),
        ]
    }
}

/// Of the thread that steps, without a name or a place.
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

/// Where an address of this process lies, by the name of its function where its file tells.
fn place(address: usize, places: &mut Places) -> Option<CodePlace> {
    let found = library::place(address).filter(|_| address > 0)?;
    let mut place = CodePlace {
        library: found.library.display().to_string(),
        offset: found.offset as u64,
        symbol: found.symbol,
    };
    places.name(&mut place);
    Some(place)
}
