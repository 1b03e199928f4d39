//! Records each call of a counted function, and where it came from.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use super::events::{Events, NO_STEP, Raw};
use super::function::{self, Kind};
use super::saved::Saved;
use crate::crash::lowest_of_stack;
use crate::return_address;

/// How many events of one step are kept.
const ROOM_OF_STEP: usize = 1 << 16;
/// How many events of other threads are kept, over all steps.
const ROOM_OF_OTHERS: usize = 1 << 16;
/// How many words of the stack are searched for a caller.
const WORDS: usize = 2048;
/// How many words of another thread's stack are searched: its end is not known, and the C library
/// keeps more than that above it.
const WORDS_OF_OTHERS: usize = 64;

/// The data that all counters share; they are never freed.
#[derive(Debug)]
pub(super) struct Room {
    /// The events of the stepping thread.
    pub own: Events,
    pub others: Events,
    /// The handle of the stepping thread.
    thread: usize,
    /// The lowest address of the stepping thread's stack.
    stack_start: usize,
    /// The end of the stepping thread's stack, as far as the watched code uses it.
    pub stack_end: AtomicUsize,
    pub step: AtomicU64,
    code: AtomicPtr<Vec<Range<usize>>>,
}

static ROOM: OnceLock<Room> = OnceLock::new();

impl Room {
    /// Returns the room, and creates it for the calling thread if it does not exist yet.
    pub(super) fn of_this_thread() -> &'static Self {
        ROOM.get_or_init(|| Self {
            own: Events::with_room(ROOM_OF_STEP),
            others: Events::with_room(ROOM_OF_OTHERS),
            thread: this_thread(),
            // If it is unknown, nothing is taken for the stack.
            stack_start: lowest_of_stack().unwrap_or(usize::MAX),
            stack_end: AtomicUsize::new(0),
            step: AtomicU64::new(NO_STEP),
            code: AtomicPtr::default(),
        })
    }

    /// Watches this code from now on. The previous list stays in memory: a counter may be reading
    /// it.
    pub(super) fn watch(&self, code: Vec<Range<usize>>) {
        let code = Box::leak(Box::new(code));
        self.code.store(code, Ordering::Release);
    }
}

/// Runs before a counted function, in its place; does not allocate or wait.
pub(super) fn count(function: usize, saved: Saved) {
    let Some(room) = ROOM.get() else { return };
    let is_own = room.thread == this_thread();
    let step = room.step.load(Ordering::Relaxed);
    let counted = &function::ALL[function];
    let arguments = saved.arguments();
    let is_outside = is_own && step == NO_STEP && counted.kind != Kind::Thread;
    if is_outside || counted.is_idle(arguments) {
        return;
    }
    let end = room.stack_end.load(Ordering::Relaxed);
    let (most, end) = match is_own && step != NO_STEP {
        true if saved.is_within(room.stack_start..end) => (WORDS, end),
        // The end of a coroutine's stack is not known.
        true => (0, end),
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

/// Whether a word of a stack is the return address of a call in the watched code.
fn is_watched(room: &Room, word: usize) -> bool {
    // SAFETY: the pointer is null, or that of a list that is never freed.
    let code = unsafe { room.code.load(Ordering::Acquire).as_ref() };
    let within = code.into_iter().flatten().find(|range| range.contains(&word));
    within.is_some_and(|range| {
        let before = word.saturating_sub(return_address::BEFORE).max(range.start);
        // SAFETY: this is code of a library that stays loaded.
        let code = unsafe { std::slice::from_raw_parts(before as *const u8, word - before) };
        return_address::is_call(code)
    })
}

fn this_thread() -> usize {
    // SAFETY: reads the thread's own handle.
    (unsafe { libc::pthread_self() }) as usize
}
