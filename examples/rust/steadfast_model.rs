//! A Rust program as a model: what `steadfast_model.h` does, without a C compiler and without crates.

use std::ffi::{c_int, c_long, c_ulong, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

pub const MOST_VALUES: usize = 480;
const VERSION: u32 = 1;
const STEP: u32 = 1;

#[cfg(target_arch = "x86_64")]
const SYS_FUTEX: c_long = 202;
#[cfg(target_arch = "aarch64")]
const SYS_FUTEX: c_long = 98;
const FUTEX_WAIT: c_int = 0;
const FUTEX_WAKE: c_int = 1;
const PR_SET_PDEATHSIG: c_int = 1;
const SIGKILL: c_ulong = 9;
const PROT_READ_WRITE: c_int = 3;
const MAP_SHARED: c_int = 1;
const MAP_FAILED: usize = usize::MAX;

unsafe extern "C" {
    fn mmap(at: *mut c_void, size: usize, protection: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
    fn prctl(what: c_int, ...) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
}

/// The memory that is shared with the process that started this one: `struct steadfast_model`.
#[repr(C)]
struct Shared {
    version: u32,
    input_count: u32,
    output_count: u32,
    attached: AtomicU32,
    padding_1: [u8; 48],
    asked: AtomicU32,
    what: u32,
    step: u64,
    time_s: f64,
    h_s: f64,
    padding_2: [u8; 32],
    answered: AtomicU32,
    status: u32,
    padding_3: [u8; 120],
    inputs: [f64; MOST_VALUES],
    outputs: [f64; MOST_VALUES],
}

const _: () = assert!(std::mem::offset_of!(Shared, asked) == 64 && std::mem::offset_of!(Shared, answered) == 128);
const _: () = assert!(std::mem::offset_of!(Shared, inputs) == 256 && std::mem::offset_of!(Shared, outputs) == 4096);

/// A model that is attached. Its values may be used between [`Model::wait`] and [`Model::done`].
pub struct Model(*mut Shared);

impl Model {
    /// Attaches to the process that started this program, and ends with it; `None` if the program was not started
    /// as a model.
    pub fn attach(inputs: usize, outputs: usize) -> Option<Self> {
        assert!(inputs <= MOST_VALUES && outputs <= MOST_VALUES, "at most 480 inputs and 480 outputs");
        let file = std::env::var("STEADFAST_MODEL").ok()?.parse().ok()?;
        // SAFETY: the system chooses a place for the memory, of which it knows the size; the kill is of this process.
        let shared = unsafe {
            let memory = mmap(std::ptr::null_mut(), 8192, PROT_READ_WRITE, MAP_SHARED, file, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            memory.cast::<Shared>()
        };
        // SAFETY: the memory is mapped as long as this process lives, and nobody else writes before it is attached.
        unsafe {
            if shared as usize == MAP_FAILED || (*shared).version != VERSION {
                return None;
            }
            (*shared).input_count = inputs as u32;
            (*shared).output_count = outputs as u32;
            set(&(*shared).attached, 1);
        }
        Some(Self(shared))
    }

    /// Waits for a step; returns false at the end. Empty requests, which measure the round trip, are answered here.
    pub fn wait(&mut self) -> bool {
        loop {
            // SAFETY: as in `attach`; words that both processes use are atomic.
            let (asked, answered) = unsafe { (&(*self.0).asked, &(*self.0).answered) };
            let last = answered.load(Ordering::Relaxed);
            while asked.load(Ordering::Acquire) == last {
                // SAFETY: the address is that of a word that exists.
                unsafe { syscall(SYS_FUTEX, asked.as_ptr(), FUTEX_WAIT, last, 0usize, 0usize, 0usize) };
            }
            // SAFETY: the request was written before its number.
            match unsafe { (*self.0).what } {
                0 => self.done(0),
                what => return what == STEP,
            }
        }
    }

    /// Answers a request; any status other than 0 means that the step failed.
    pub fn done(&mut self, status: u32) {
        // SAFETY: until the answer, these words belong to this process.
        unsafe {
            (*self.0).status = status;
            set(&(*self.0).answered, (*self.0).asked.load(Ordering::Relaxed));
        }
    }

    pub fn inputs(&self) -> &[f64; MOST_VALUES] {
        // SAFETY: during a step only this process uses the values.
        unsafe { &(*self.0).inputs }
    }

    pub fn outputs(&mut self) -> &mut [f64; MOST_VALUES] {
        // SAFETY: as above.
        unsafe { &mut (*self.0).outputs }
    }

    /// Returns the length of the step in model time, in seconds.
    pub fn h_s(&self) -> f64 {
        // SAFETY: as above.
        unsafe { (*self.0).h_s }
    }
}

/// Sets a word after all earlier writes, and wakes the process that waits for it.
fn set(word: &AtomicU32, value: u32) {
    word.store(value, Ordering::Release);
    // SAFETY: the address is that of a word that exists.
    unsafe { syscall(SYS_FUTEX, word.as_ptr(), FUTEX_WAKE, 1, 0usize, 0usize, 0usize) };
}
