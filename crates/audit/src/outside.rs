//! The pass that is watched from outside: the process is stopped at each system call of each of its
//! threads.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::Path;

use measure::Readable;
use record::{Change, ChangedWhen, CodePlace, Deed, Occurrence};
use rt::attached::SHARED;
use rt::process::Pid;
use rt::progress::{Phase, Stage};
use rt::ptrace::{Seen, Watched};
use rt::return_address;
use rt::surroundings::Scheduling;
use syscalls::Sysno;

use crate::maps::{Code, Memory, code_of, mapped};
use crate::places::Places;
use crate::series::Series;

/// Number of stack words in which a caller in the model's code is searched.
const WORDS: usize = 2048;
const WORD: usize = size_of::<u64>();

/// Identifies a system call: its number, its address, and whether the stepping thread made it.
type Call = (u64, u64, bool);

#[derive(Default)]
pub(crate) struct Outside {
    pub occurrences: Vec<Occurrence>,
    /// How destructors changed the scheduling of the process.
    pub changes: Vec<Change>,
    /// Where the process was when a fault ended it.
    pub broken_at: Option<CodePlace>,
    /// Exit status as in waitpid(2).
    pub status: i32,
}

impl Outside {
    /// Notes how the scheduling differs from that at the previous system call. Whatever changes it
    /// is a call too, and so is the end of the process, so no change is missed.
    fn note_changes(&mut self, before: &mut Option<Scheduling>, now: Scheduling) {
        let changes = before.as_ref().map(|before| before.changed_to(&now)).unwrap_or_default();
        let when = ChangedWhen::AtUnloading;
        self.changes.extend(changes.into_iter().map(|what| Change { what, when }));
        *before = Some(now);
    }
}

/// The process whose thread steps the model.
struct Process<'a> {
    id: Pid,
    number: u32,
    memory: Memory,
    /// The mapping through which an attached program waits for the next step and answers.
    asked_at: Option<Range<u64>>,
    is_own: &'a dyn Fn(&Path) -> bool,
    code: Vec<Code>,
    places: Places,
    known: HashMap<u64, Option<CodePlace>>,
}

/// Watches a process to its end. The model is in this process or in a program that is attached to
/// it.
pub(crate) fn watched(
    mut watched: Watched,
    started: Pid,
    stage: &Stage,
    model: &Readable,
) -> io::Result<Outside> {
    let is_own = |file: &Path| model.is_own(file);
    let mut process = if model.attaches() { None } else { Some(Process::of(started, &is_own)?) };
    let mut outside = Outside::default();
    let mut has_faulted = false;
    let mut calls: Series<Call> = Series::new();
    let mut scheduling: Option<Scheduling> = None;
    loop {
        match watched.go_on()? {
            Seen::Call { thread, number, first, instruction, stack } => {
                let seen = stage.seen();
                if thread == started && seen.is_some_and(|(phase, _)| phase == Phase::Unloading) {
                    outside.note_changes(&mut scheduling, Scheduling::of(thread));
                    continue;
                }
                let step = seen.filter(|(phase, _)| *phase == Phase::Step).map(|(_, step)| step);
                if model.attaches() && thread == started {
                    continue;
                }
                if process.is_none() && step.is_some() {
                    process = Some(Process::of(process_of(thread), &is_own)?);
                }
                let Some(process) = process.as_mut().filter(|one| !one.is_asked(number, first))
                else {
                    continue;
                };
                let by_step = thread == process.id;
                // Before the first step and between steps, the thread does Steadfast's own work.
                // After a fault, handlers run.
                if (!by_step || step.is_some()) && !has_faulted {
                    let place = process.origin(instruction, stack);
                    calls.add((number, place, by_step), step, 1, 0);
                }
            }
            Seen::Fault { thread, instruction, stack } => {
                let is_ours = model.attaches() && thread == started;
                if let Some(process) = process.as_mut().filter(|_| !has_faulted && !is_ours) {
                    process.look_again();
                    outside.broken_at = process.place_of(instruction, stack);
                }
                has_faulted = true;
            }
            Seen::Ended(status) => {
                outside.status = status;
                break;
            }
        }
    }
    let mut places = process.map(|one| one.known).unwrap_or_default();
    outside.occurrences = calls.into_occurrences(|(number, address, by_step)| {
        (Deed::SystemCall, name(number), places.remove(&address).flatten(), by_step)
    });
    Ok(outside)
}

/// Returns the process of a thread, identified by its first thread.
fn process_of(thread: Pid) -> Pid {
    let text = rt::read::text(format!("/proc/{thread}/status")).unwrap_or_default();
    let number = rt::read::field(&text, "Tgid:").and_then(|number| number.parse().ok());
    number.and_then(Pid::from_raw).unwrap_or(thread)
}

fn name(number: u64) -> String {
    let call = usize::try_from(number).ok().and_then(Sysno::new);
    call.map_or_else(|| format!("system call {number}"), |call| call.name().to_owned())
}

impl<'a> Process<'a> {
    fn of(id: Pid, is_own: &'a dyn Fn(&Path) -> bool) -> io::Result<Self> {
        let number = id.as_raw_nonzero().get().unsigned_abs();
        Ok(Self {
            id,
            number,
            memory: Memory::of(number)?,
            asked_at: mapped(number, SHARED),
            is_own,
            code: Vec::new(),
            places: Places::default(),
            known: HashMap::new(),
        })
    }

    /// Returns true if a call is the wait between two steps, or the answer to a step.
    fn is_asked(&self, number: u64, first: u64) -> bool {
        let is_there = self.asked_at.as_ref().is_some_and(|at| at.contains(&first));
        number == Sysno::futex as u64 && is_there
    }

    /// Returns the place in the model's code of an instruction, or from which its code was called;
    /// otherwise the place of the instruction itself.
    fn place_of(&mut self, instruction: u64, stack: u64) -> Option<CodePlace> {
        let address = self.origin(instruction, stack);
        self.known.get(&address).cloned().flatten()
    }

    /// Returns the address in the model's code from which a system call came, or otherwise the
    /// call's own address.
    fn origin(&mut self, instruction: u64, stack: u64) -> u64 {
        if self.code_at(instruction).is_none() {
            self.look_again();
        }
        let mut bytes = [0; WORDS * WORD];
        let words = self.memory.read(stack, &mut bytes).chunks_exact(WORD);
        let words = words.map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut candidates = std::iter::once(instruction).chain(words);
        let of_model = candidates.find(|address| self.is_of_model(*address, instruction));
        let address = of_model.unwrap_or(instruction);
        if !self.known.contains_key(&address) {
            // Resolved now, while the files exist: those of an FMU are removed with the process.
            let place = self.places.of_address(address, &self.code);
            self.known.insert(address, place);
        }
        address
    }

    fn code_at(&self, address: u64) -> Option<&Code> {
        self.code.iter().find(|code| code.addresses.contains(&address))
    }

    fn is_of_model(&self, address: u64, instruction: u64) -> bool {
        if !self.code_at(address).is_some_and(|code| (self.is_own)(&code.file)) {
            return false;
        }
        let mut before = [0; return_address::BEFORE];
        let from = address.saturating_sub(return_address::BEFORE as u64);
        address == instruction || return_address::is_call(self.memory.read(from, &mut before))
    }

    fn look_again(&mut self) {
        self.code = code_of(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_calls_have_names() {
        assert_eq!(name(Sysno::clock_nanosleep as u64), "clock_nanosleep");
        assert_eq!(name(99_999), "system call 99999");
    }
}
