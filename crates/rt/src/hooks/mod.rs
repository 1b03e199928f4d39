//! Counts calls of functions of the C library inside this process: their slots in every loaded
//! library, including those of the C library itself, are redirected to a counter. This needs no
//! external tool, and the counting program is not counted: its own slots are not changed.
//!
//! Calls that a library makes without a slot, to code that is linked into it, are not seen.

mod count;
mod events;
mod function;
mod saved;
mod slots;
mod trampoline;

use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::Ordering;

pub use function::{Function, Kind};

use crate::objects;
use count::Room;
use events::{NO_STEP, Raw};
use slots::Slot;
use trampoline::ORIGINALS;

/// The calls that are counted from now on: those of the calling thread in its steps, and those of
/// all other threads.
#[derive(Debug, Clone, Copy)]
pub struct Calls(&'static Room);

/// A call of a counted function.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The function.
    pub function: &'static Function,
    /// The step in progress; `None` outside of steps.
    pub step: Option<u64>,
    /// The address in the watched code from which the call came, directly or through other
    /// functions; if none was found, the direct caller's address.
    pub place: usize,
    /// The number of bytes requested.
    pub bytes: u64,
}

impl Calls {
    /// Counts for the calling thread, whose steps are the counted ones; further calls still count
    /// for the thread of the first call.
    #[must_use]
    pub fn of_this_thread() -> Self {
        Self(Room::of_this_thread())
    }

    /// Redirects the calls of all libraries that are loaded by now to the counters; redirected
    /// calls stay so. Returns how many slots of libraries are redirected, including those of
    /// earlier calls. Calls are attributed to the code of the files that are `watched`.
    pub fn cover(self, watched: impl Fn(&Path) -> bool) -> usize {
        let mut code = Vec::new();
        let mut covered = 0;
        let functions = named();
        objects::each(|object| {
            let path = object.path();
            if watched(&path) {
                code.extend(object.code());
            }
            if !object.is_program() {
                let slots = slots::of(object);
                let redirected = slots.iter().filter(|slot| redirect(slot, object, &functions));
                covered += redirected.count();
            }
        });
        self.0.watch(code);
        covered
    }

    /// Runs a step, and counts its calls under this number.
    #[inline(never)]
    pub fn step<T>(self, step: u64, run: impl FnOnce() -> T) -> T {
        let end = 0usize;
        self.0.stack_end.store((&raw const end) as usize, Ordering::Relaxed);
        self.0.step.store(step, Ordering::Relaxed);
        let done = run();
        self.0.step.store(NO_STEP, Ordering::Relaxed);
        std::hint::black_box(end);
        done
    }

    /// Passes the calls of the last step to `each`, and returns how many more did not fit. Makes
    /// room for the next step.
    pub fn take(self, mut each: impl FnMut(Call)) -> u64 {
        self.0.own.kept().for_each(|raw| each(Call::of(raw)));
        let lost = self.0.own.lost();
        self.0.own.clear();
        lost
    }

    /// Returns the calls of other threads since the beginning, and how many more did not fit.
    #[must_use]
    pub fn of_others(self) -> (Vec<Call>, u64) {
        let others = &self.0.others;
        (others.kept().map(Call::of).collect(), others.lost())
    }
}

impl Call {
    fn of(raw: Raw) -> Self {
        Self {
            function: &function::ALL[raw.function],
            step: (raw.step != NO_STEP).then_some(raw.step),
            place: if raw.place == 0 { raw.caller } else { raw.place },
            bytes: raw.bytes,
        }
    }
}

/// Returns the address of each counted function according to the loader; 0 if it has none of that
/// name.
fn named() -> [usize; function::COUNT] {
    std::array::from_fn(|at| {
        let name = CString::new(function::ALL[at].name).unwrap_or_default();
        // SAFETY: only looks up a name.
        (unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }) as usize
    })
}

/// Redirects a slot to the counter of its function; returns whether it is redirected now. A slot
/// that leads to another function of that name, such as a library's own allocator, is not changed.
fn redirect(slot: &Slot, object: &objects::Object, functions: &[usize; function::COUNT]) -> bool {
    let name = slot.name.to_bytes();
    let Some(at) = function::ALL.iter().position(|f| f.name.as_bytes() == name) else {
        return false;
    };
    let (function, target) = (functions[at], slot.target());
    let counter = trampoline::ALL[at] as usize;
    if target == counter {
        return true;
    }
    // The slot of a function that was not called yet leads into its own library, which would look
    // the function up.
    let is_open = object.holds(target) && (!slot.is_own || object.holds(function));
    if function == 0 || !(target == function || is_open) {
        return false;
    }
    ORIGINALS[at].store(function, Ordering::Release);
    slot.set(counter);
    slot.target() == counter
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;
    use std::hint::black_box;

    /// Calls a function of the C library that allocates, whose slots are covered.
    fn duplicate(text: &CStr) {
        // SAFETY: duplicates a string and frees it.
        unsafe { libc::free(black_box(libc::strdup(text.as_ptr())).cast()) }
    }

    #[test]
    fn calls_within_the_c_library_are_counted_by_step_and_those_of_this_program_not() {
        let calls = Calls::of_this_thread();
        // Their number depends on the libraries that other tests load.
        assert!(calls.cover(|_| false) > 0);
        assert!(calls.cover(|_| false) > 0, "they stay covered");
        duplicate(c"outside");
        calls.step(7, || {
            black_box(vec![1u8; 100]);
            duplicate(c"within");
        });
        let mut taken = Vec::new();
        assert_eq!(calls.take(|call| taken.push(call)), 0);
        let counted: Vec<_> = taken.iter().map(|c| (c.function.name, c.step, c.bytes)).collect();
        assert_eq!(counted, [("malloc", Some(7), 7)]);
        let place = objects::place(taken[0].place).unwrap();
        assert!(place.library.to_string_lossy().contains("libc.so"), "{place:?}");
        calls.take(|_| panic!("it was taken"));
        let malloc = function::ALL.iter().position(|function| function.name == "malloc").unwrap();
        calls.step(9, || count::count(malloc, saved::tests::at_the_end_of_a_stack()));
        let mut places = Vec::new();
        calls.take(|call| places.push(call.place));
        assert_eq!(places, [saved::tests::WORD], "only the direct caller of a coroutine is known");
        let waited = calls.step(8, || {
            let thread = std::thread::spawn(|| duplicate(c"of another thread"));
            thread.join().is_ok()
        });
        assert!(waited);
        let (others, lost) = calls.of_others();
        assert!(lost == 0 && others.iter().any(|c| (c.step, c.bytes) == (Some(8), 18)));
    }
}
