//! What is noted of each call of a counted function, and where it came from.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use super::events::{Events, NO_STEP, Raw};
use super::function::{self, Kind};
use super::saved::Saved;
use crate::returns;

/// Events of one step that are kept.
const ROOM_OF_STEP: usize = 1 << 16;
/// Events of other threads, of all steps.
const ROOM_OF_OTHERS: usize = 1 << 16;
/// Words of the stack in which a caller is looked for.
const WORDS: usize = 2048;
/// The same of another thread, whose stack's end is not known: the C library keeps more than that
/// above it.
const WORDS_OF_OTHERS: usize = 64;

/// What all counters share; it stays.
#[derive(Debug)]
pub(super) struct Room {
    /// Of the thread that steps.
    pub own: Events,
    pub others: Events,
    /// The thread that steps.
    thread: usize,
    /// Where its stack ends for the code that is watched.
    pub stack_end: AtomicUsize,
    pub step: AtomicU64,
    code: AtomicPtr<Vec<Range<usize>>>,
}

static ROOM: OnceLock<Room> = OnceLock::new();

impl Room {
    /// The room, made for the calling thread where there is none yet.
    pub(super) fn of_this_thread() -> &'static Self {
        ROOM.get_or_init(|| Self {
            own: Events::with_room(ROOM_OF_STEP),
            others: Events::with_room(ROOM_OF_OTHERS),
            thread: this_thread(),
            stack_end: AtomicUsize::new(0),
            step: AtomicU64::new(NO_STEP),
            code: AtomicPtr::default(),
        })
    }

    /// Watches this code from now on. What was watched before stays in memory: a counter may
    /// be reading it.
    pub(super) fn watch(&self, code: Vec<Range<usize>>) {
        let code = Box::leak(Box::new(code));
        self.code.store(code, Ordering::Release);
    }
}

/// Called in the place of a counted function, before it: neither allocates nor waits.
pub(super) fn count(function: usize, saved: Saved) {
    let Some(room) = ROOM.get() else { return };
    let is_own = room.thread == this_thread();
    let step = room.step.load(Ordering::Relaxed);
    let counted = &function::ALL[function];
    let arguments = saved.arguments();
    let is_beside = is_own && step == NO_STEP && counted.kind != Kind::Thread;
    if is_beside || counted.is_idle(arguments) {
        return;
    }
    let (most, end) = match is_own && step != NO_STEP {
        true => (WORDS, room.stack_end.load(Ordering::Relaxed)),
        false => (WORDS_OF_OTHERS, usize::MAX),
    };
    let caller = saved.caller();
    let mut callers = std::iter::once(caller).chain(saved.stack(most, end));
    let events = if is_own { &room.own } else { &room.others };
    events.push(Raw {
        function,
        step,
        caller,
        place: callers.find(|word| is_watched(room, *word)).unwrap_or(0),
        bytes: counted.bytes(arguments),
    });
}

/// Whether a word of a stack is where a call in the watched code returns to.
fn is_watched(room: &Room, word: usize) -> bool {
    // SAFETY: null, or a list that was left to stay.
    let code = unsafe { room.code.load(Ordering::Acquire).as_ref() };
    let within = code.into_iter().flatten().find(|range| range.contains(&word));
    within.is_some_and(|range| {
        let before = word.saturating_sub(returns::BEFORE).max(range.start);
        // SAFETY: code of a library that stays loaded.
        let code = unsafe { std::slice::from_raw_parts(before as *const u8, word - before) };
        returns::is_call(code)
    })
}

fn this_thread() -> usize {
    // SAFETY: reads the thread's own handle.
    (unsafe { libc::pthread_self() }) as usize
}
