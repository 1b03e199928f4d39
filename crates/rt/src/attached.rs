//! A program that attaches as a model through shared memory and a futex, as defined by
//! `include/steadfast_model.h`.

use std::fmt;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::Timespec;
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::FdFlags;
use rustix::mm::ProtFlags;
use rustix::thread::futex;

use crate::mapping::Mapping;
use crate::process::Pid;
use crate::thread::wait_for;

/// The header that a program in C or C++ includes.
pub const HEADER: &str = include_str!("../include/steadfast_model.h");

/// The name of the memory that is shared with a program, as /proc shows it.
pub const SHARED: &str = "steadfast-model";

/// The variable in the program's environment that contains the descriptor of the shared memory.
const DESCRIPTOR: &str = "STEADFAST_MODEL";
/// The highest number of inputs of a program, and of outputs.
const MOST_VALUES: usize = 480;
const BYTES: usize = 8192;
const VERSION: u32 = 1;

/// How often a wait checks that the program is still alive.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// `struct steadfast_model` of the header. The other side may write any part of it at any time, so
/// all fields are atomic; every bit pattern is a valid number.
#[repr(C, align(8))]
struct Shared {
    version: AtomicU32,
    input_count: AtomicU32,
    output_count: AtomicU32,
    attached: AtomicU32,
    _beside_1: [u8; 48],
    asked: AtomicU32,
    what: AtomicU32,
    step: AtomicU64,
    time_s: AtomicU64,
    h_s: AtomicU64,
    _beside_2: [u8; 32],
    answered: AtomicU32,
    status: AtomicU32,
    _beside_3: [u8; 120],
    inputs: [AtomicU64; MOST_VALUES],
    outputs: [AtomicU64; MOST_VALUES],
}

const _: () = assert!(size_of::<Shared>() <= BYTES);

/// The requests to the program.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Request {
    Nothing = 0,
    Step = 1,
    End = 2,
}

/// Why a program cannot be used any longer; displayed as one line.
#[derive(Debug)]
pub enum Lost {
    /// The program could not be started.
    NotStarted(io::Error),
    /// The program ended without a request to end.
    Ended(ExitStatus),
    /// The program ended before it attached.
    EndedUnattached(ExitStatus),
    /// The program is alive but did not attach within this time.
    NotAttached(Duration),
    /// The program is alive but did not answer within this time.
    Silent(Duration),
    /// The program has these numbers of inputs and outputs, which are too many.
    TooMany(u32, u32),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "the program cannot be started: {error}"),
            Self::Ended(status) => write!(f, "the program ended by itself ({status})"),
            Self::EndedUnattached(status) => write!(
                f,
                "the program ended by itself ({status}) before it attached: it must call \
                 steadfast_attach of steadfast_model.h"
            ),
            Self::NotAttached(longest) => write!(
                f,
                "the program did not attach within {longest:?}: it must call steadfast_attach of \
                 steadfast_model.h"
            ),
            Self::Silent(longest) => write!(f, "the program did not answer within {longest:?}"),
            Self::TooMany(inputs, outputs) => write!(
                f,
                "the program has {inputs} inputs and {outputs} outputs; at most {MOST_VALUES} of each"
            ),
        }
    }
}

impl std::error::Error for Lost {}

/// A program that is attached; dropping the value kills the program.
#[derive(Debug)]
pub struct Attached {
    child: Child,
    memory: Mapping,
    inputs: usize,
    outputs: usize,
    longest: Duration,
}

// SAFETY: the mapping exists until the value is dropped, whichever thread owns it, and memory that
// is shared with the program is accessed only by atomic operations.
unsafe impl Send for Attached {}

impl Attached {
    /// Starts a program and waits until it has attached. From then on the program dies with the
    /// calling thread, if the header or the command arranges this. Every answer of the program must
    /// come within `longest`.
    ///
    /// # Errors
    /// Fails if the program cannot be started, ends, or does not attach in that time.
    pub fn start(command: &mut Command, longest: Duration) -> Result<Self, Lost> {
        let (file, memory) = shared_memory().map_err(Lost::NotStarted)?;
        command.env(DESCRIPTOR, file.as_raw_fd().to_string());
        let child = inheriting(&file, command).map_err(Lost::NotStarted)?;
        let mut attached = Self { child, memory, inputs: 0, outputs: 0, longest };
        attached.wait_until_attached()?;
        Ok(attached)
    }

    fn wait_until_attached(&mut self) -> Result<(), Lost> {
        let longest = self.longest;
        match self.wait(|shared| &shared.attached, 0) {
            Err(Lost::Silent(_)) => return Err(Lost::NotAttached(longest)),
            Err(Lost::Ended(status)) => return Err(Lost::EndedUnattached(status)),
            waited => waited?,
        }
        let shared = self.shared();
        let counts = [&shared.input_count, &shared.output_count];
        let [inputs, outputs] = sizes(counts.map(|count| count.load(Ordering::Relaxed)))?;
        (self.inputs, self.outputs) = (inputs, outputs);
        Ok(())
    }

    /// The program's process, for setting its policy and CPUs.
    #[must_use]
    pub fn process(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Returns the numbers of inputs and of outputs that the program has.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        (self.inputs, self.outputs)
    }

    /// Sets the first inputs; values beyond the program's last input are ignored.
    #[inline]
    pub fn set(&self, values: &[f64]) {
        let inputs = &self.shared().inputs[..self.inputs];
        for (input, value) in inputs.iter().zip(values) {
            input.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// Reads the first outputs; values beyond the program's last output keep their content.
    #[inline]
    pub fn get(&self, values: &mut [f64]) {
        let outputs = &self.shared().outputs[..self.outputs];
        for (value, output) in values.iter_mut().zip(outputs) {
            *value = f64::from_bits(output.load(Ordering::Relaxed));
        }
    }

    /// Makes the program do one step and waits for it; returns its status, where 0 means success.
    ///
    /// # Errors
    /// Fails if the program ended, or does not answer in time.
    #[inline]
    pub fn step(&mut self, number: u64, time_s: f64, h_s: f64) -> Result<u32, Lost> {
        let shared = self.shared();
        shared.step.store(number, Ordering::Relaxed);
        shared.time_s.store(time_s.to_bits(), Ordering::Relaxed);
        shared.h_s.store(h_s.to_bits(), Ordering::Relaxed);
        self.carry_out(Request::Step)?;
        Ok(self.shared().status.load(Ordering::Relaxed))
    }

    /// Sends an empty request and waits for the answer: this is what the two switches of a step
    /// cost.
    ///
    /// # Errors
    /// Fails like [`Attached::step`].
    #[inline]
    pub fn nothing(&mut self) -> Result<(), Lost> {
        self.carry_out(Request::Nothing)
    }

    /// Requests the program's end and waits for it; returns the exit status.
    ///
    /// # Errors
    /// Fails if the program does not end within `longest`; it then lives on until the value is
    /// dropped.
    pub fn end(&mut self, longest: Duration) -> Result<ExitStatus, Lost> {
        self.request(Request::End);
        let ended = wait_for(longest, CHECK_EVERY / 50, || self.child.try_wait().ok().flatten());
        ended.ok_or(Lost::Silent(longest))
    }

    fn carry_out(&mut self, request: Request) -> Result<(), Lost> {
        let before = self.shared().asked.load(Ordering::Relaxed);
        self.request(request);
        self.wait(|shared| &shared.answered, before)
    }

    #[inline]
    fn request(&self, request: Request) {
        let shared = self.shared();
        shared.what.store(request as u32, Ordering::Relaxed);
        shared.asked.fetch_add(1, Ordering::Release);
        // Fails only for a bad address.
        let _ = futex::wake(&shared.asked, futex::Flags::empty(), 1);
    }

    /// Waits until a word differs from `was`.
    #[inline]
    fn wait(&mut self, word: impl Fn(&Shared) -> &AtomicU32, was: u32) -> Result<(), Lost> {
        let mut give_up = None;
        let slice = Timespec { tv_sec: 0, tv_nsec: CHECK_EVERY.as_nanos() as i64 };
        while word(self.shared()).load(Ordering::Acquire) == was {
            let word = word(self.shared());
            let waited = futex::wait(word, futex::Flags::empty(), was, Some(&slice));
            if waited == Err(rustix::io::Errno::TIMEDOUT) {
                let now = Instant::now();
                let give_up = *give_up.get_or_insert(now + self.longest - CHECK_EVERY);
                self.check_alive(now > give_up)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn check_alive(&mut self, is_too_late: bool) -> Result<(), Lost> {
        match self.child.try_wait() {
            Ok(Some(status)) => Err(Lost::Ended(status)),
            _ if is_too_late => Err(Lost::Silent(self.longest)),
            _ => Ok(()),
        }
    }

    #[inline]
    fn shared(&self) -> &Shared {
        // SAFETY: the mapping is large enough, starts at a page boundary and lives as long as
        // `self`; a sealed file does not shrink below it. Every bit pattern is valid in atomics.
        unsafe { self.memory.start().cast().as_ref() }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // Fails if the program has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program that inherits an open file of this process. Nothing runs between fork and exec,
/// so the standard library uses posix_spawn(3): after a fork(2), every page that a measured step
/// writes to would be copied first.
fn inheriting(file: &OwnedFd, command: &mut Command) -> io::Result<Child> {
    /// Keeps the file from any program that another thread starts at the same time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock();
    rustix::io::fcntl_setfd(file, FdFlags::empty())?;
    let child = command.spawn();
    rustix::io::fcntl_setfd(file, FdFlags::CLOEXEC)?;
    child
}

/// Checks the numbers of inputs and outputs that a program set; a program need not use the header.
fn sizes([inputs, outputs]: [u32; 2]) -> Result<[usize; 2], Lost> {
    let sizes = [inputs, outputs].map(|count| count as usize);
    match sizes.iter().all(|&count| count <= MOST_VALUES) {
        true => Ok(sizes),
        false => Err(Lost::TooMany(inputs, outputs)),
    }
}

/// Creates memory of zeros, except for the version, in a file that no process can shorten.
fn shared_memory() -> io::Result<(OwnedFd, Mapping)> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = rustix::fs::memfd_create(SHARED, flags)?;
    rustix::fs::ftruncate(&file, BYTES as u64)?;
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    let memory = Mapping::of_file(&file, BYTES, ProtFlags::READ | ProtFlags::WRITE)?;
    // SAFETY: these are the first four bytes of a new mapping, which no other code knows yet.
    unsafe { memory.start().cast::<u32>().write(VERSION) };
    Ok((file, memory))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use testing::{models, refuses};

    const LONGEST: Duration = Duration::from_secs(10);

    fn start(defines: &models::Defines, longest: Duration) -> Result<Attached, Lost> {
        Attached::start(&mut Command::new(models::program(defines)), longest)
    }

    #[test]
    fn a_program_computes_what_the_same_equations_do_here() {
        let mut program = start(&[("SUBSTEPS", "1")], LONGEST).unwrap();
        assert_eq!(program.sizes(), (1, 2));
        let (mut x, mut v, h_s) = (1.0, 0.0, 0.001);
        let mut outputs = [0.0; 3];
        for step in 0..1000_u32 {
            program.nothing().unwrap();
            program.set(&[0.5, 7.0]);
            let number = u64::from(step);
            assert_eq!(program.step(number, f64::from(step) * h_s, h_s).unwrap(), 0);
            let a = 0.5 - v - 100.0 * x;
            x += h_s * v;
            v += h_s * a;
            program.get(&mut outputs);
            assert_eq!(outputs, [x, f64::from(step), 0.0]);
        }
        assert!(program.end(LONGEST).unwrap().success());
    }

    #[test]
    fn a_failed_step_has_the_programs_status() {
        let mut program = start(&[("ERROR_AT", "3")], LONGEST).unwrap();
        let statuses = [0, 1, 2, 3, 4].map(|step| program.step(step, 0.0, 0.001).unwrap());
        assert_eq!(statuses, [0, 0, 0, 7, 0]);
    }

    #[test]
    fn a_program_that_ends_or_hangs_is_an_error() {
        let silent = models::program(&[("NEVER_ATTACH", "1")]);
        let ended = Attached::start(&mut Command::new("true"), LONGEST).unwrap_err();
        assert_eq!(
            ended.to_string(),
            "the program ended by itself (exit status: 0) before it attached: it must call \
             steadfast_attach of steadfast_model.h"
        );
        for (program, longest, starts) in [
            (
                silent.as_path(),
                Duration::from_millis(300),
                "the program did not attach within 300ms: ",
            ),
            (Path::new("/nowhere"), LONGEST, "the program cannot be started: "),
        ] {
            let lost = Attached::start(&mut Command::new(program), longest).unwrap_err();
            assert!(lost.to_string().starts_with(starts), "{lost}");
        }
    }

    #[test]
    fn a_program_with_too_many_values_is_refused() {
        assert_eq!(sizes([480, 480]).unwrap(), [480, 480]);
        let error = sizes([0, 481]).unwrap_err().to_string();
        assert_eq!(error, "the program has 0 inputs and 481 outputs; at most 480 of each");
    }

    #[test]
    fn a_step_that_crashes_or_never_ends_is_noticed() {
        let mut program = start(&[("CRASH_AT", "2")], LONGEST).unwrap();
        assert_eq!(program.step(0, 0.0, 0.001).unwrap(), 0);
        assert_eq!(program.step(1, 0.0, 0.001).unwrap(), 0);
        refuses(program.step(2, 0.0, 0.001), "SIGSEGV");
        let mut program = start(&[("HANG_AT", "1")], LONGEST).unwrap();
        program.longest = Duration::from_secs(2);
        assert_eq!(program.step(0, 0.0, 0.001).unwrap(), 0);
        let lost = program.step(1, 0.0, 0.001).unwrap_err();
        assert!(matches!(lost, Lost::Silent(_)), "{lost}");
        let process = program.process();
        drop(program);
        assert!(rustix::process::test_kill_process(process).is_err());
    }

    #[test]
    fn the_program_dies_with_the_thread_that_started_it() {
        let program = std::thread::spawn(|| {
            let program = start(&[], LONGEST).unwrap();
            let process = program.process();
            std::mem::forget(program);
            process
        });
        let process = program.join().unwrap();
        let gone = wait_for(LONGEST, Duration::from_millis(1), || {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok();
            stat.is_none_or(|stat| stat.contains(") Z ")).then_some(())
        });
        assert_eq!(gone, Some(()));
    }
}
