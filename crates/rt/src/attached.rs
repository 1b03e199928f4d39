//! A program that attaches as a model: shared memory and a futex, by `include/steadfast_model.h`.

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

/// The name of the memory that is shared with a program, as /proc tells it.
pub const SHARED: &str = "steadfast-model";

/// Names, in the environment of the program, the descriptor of the shared memory.
const DESCRIPTOR: &str = "STEADFAST_MODEL";
/// As many inputs as a program may have, and as many outputs.
const MOST: usize = 480;
const BYTES: usize = 8192;
const VERSION: u32 = 1;

/// How often a wait looks whether the program still lives.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// `struct steadfast_model` of the header. The other side may write any of it at any time, so
/// that all of it is atomic; every bit pattern is a number.
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
    inputs: [AtomicU64; MOST],
    outputs: [AtomicU64; MOST],
}

const _: () = assert!(size_of::<Shared>() <= BYTES);

/// What the program is asked for.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Request {
    Nothing = 0,
    Step = 1,
    End = 2,
}

/// Why there is no going on with a program; one line.
#[derive(Debug)]
pub enum Lost {
    /// It could not be started.
    NotStarted(io::Error),
    /// It ended, and was not asked to.
    Ended(ExitStatus),
    /// It lived, and did not attach in this time.
    NotAttached(Duration),
    /// It lived, and did not answer in this time.
    Silent(Duration),
    /// It asks for so many inputs and outputs.
    TooMany(u32, u32),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "the program cannot be started: {error}"),
            Self::Ended(status) => write!(f, "the program ended by itself ({status})"),
            Self::NotAttached(longest) => write!(
                f,
                "the program did not attach within {longest:?}: it calls steadfast_attach of \
                 steadfast_model.h"
            ),
            Self::Silent(longest) => write!(f, "the program did not answer within {longest:?}"),
            Self::TooMany(inputs, outputs) => write!(
                f,
                "the program asks for {inputs} inputs and {outputs} outputs, of {MOST} at most"
            ),
        }
    }
}

impl std::error::Error for Lost {}

/// A program that is attached; dropped, it is killed.
#[derive(Debug)]
pub struct Attached {
    child: Child,
    memory: Mapping,
    inputs: usize,
    outputs: usize,
    longest: Duration,
}

// SAFETY: the mapping stays until the value is dropped, whoever has it, and what is shared with
// the program is touched by atomic operations alone.
unsafe impl Send for Attached {}

impl Attached {
    /// Starts a program and waits until it is attached. From then on it dies with the thread that
    /// calls this, where the header has it so, or the command; no answer of it may take longer than `longest`.
    ///
    /// # Errors
    /// Where it cannot be started, ends, or does not attach in that time.
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
            waited => waited?,
        }
        let shared = self.shared();
        let told = [&shared.input_count, &shared.output_count];
        let [inputs, outputs] = sizes(told.map(|count| count.load(Ordering::Relaxed)))?;
        (self.inputs, self.outputs) = (inputs, outputs);
        Ok(())
    }

    /// The process, for its policy and CPUs.
    #[must_use]
    pub fn process(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// How many inputs and outputs the program has.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        (self.inputs, self.outputs)
    }

    /// Sets the first inputs; values beyond the program's own are left out.
    #[inline]
    pub fn set(&self, values: &[f64]) {
        let inputs = &self.shared().inputs[..self.inputs];
        for (input, value) in inputs.iter().zip(values) {
            input.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// Reads the first outputs; values beyond the program's own are left alone.
    #[inline]
    pub fn get(&self, values: &mut [f64]) {
        let outputs = &self.shared().outputs[..self.outputs];
        for (value, output) in values.iter_mut().zip(outputs) {
            *value = f64::from_bits(output.load(Ordering::Relaxed));
        }
    }

    /// Has the program step, and waits for it; its status, where 0 says that all is well.
    ///
    /// # Errors
    /// Where it ended, or does not answer in time.
    #[inline]
    pub fn step(&mut self, number: u64, time_s: f64, h_s: f64) -> Result<u32, Lost> {
        let shared = self.shared();
        shared.step.store(number, Ordering::Relaxed);
        shared.time_s.store(time_s.to_bits(), Ordering::Relaxed);
        shared.h_s.store(h_s.to_bits(), Ordering::Relaxed);
        self.ask(Request::Step)?;
        Ok(self.shared().status.load(Ordering::Relaxed))
    }

    /// Asks for nothing and waits for the answer: what the two switches of a step cost.
    ///
    /// # Errors
    /// As [`Attached::step`].
    #[inline]
    pub fn nothing(&mut self) -> Result<(), Lost> {
        self.ask(Request::Nothing)
    }

    /// Asks the program to end, and waits for that; how it ended.
    ///
    /// # Errors
    /// Where it does not end in this time; it lives on until this is dropped.
    pub fn end(&mut self, longest: Duration) -> Result<ExitStatus, Lost> {
        self.request(Request::End);
        let ended = wait_for(longest, LOOK_EVERY / 50, || self.child.try_wait().ok().flatten());
        ended.ok_or(Lost::Silent(longest))
    }

    fn ask(&mut self, what: Request) -> Result<(), Lost> {
        let before = self.shared().asked.load(Ordering::Relaxed);
        self.request(what);
        self.wait(|shared| &shared.answered, before)
    }

    #[inline]
    fn request(&self, what: Request) {
        let shared = self.shared();
        shared.what.store(what as u32, Ordering::Relaxed);
        shared.asked.fetch_add(1, Ordering::Release);
        // Fails for a bad address only.
        let _ = futex::wake(&shared.asked, futex::Flags::empty(), 1);
    }

    /// Waits until a word is no longer what it was.
    #[inline]
    fn wait(&mut self, word: impl Fn(&Shared) -> &AtomicU32, was: u32) -> Result<(), Lost> {
        let mut give_up = None;
        let slice = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.as_nanos() as i64 };
        while word(self.shared()).load(Ordering::Acquire) == was {
            let word = word(self.shared());
            let waited = futex::wait(word, futex::Flags::empty(), was, Some(&slice));
            if waited == Err(rustix::io::Errno::TIMEDOUT) {
                let now = Instant::now();
                let give_up = *give_up.get_or_insert(now + self.longest - LOOK_EVERY);
                self.look_after(now > give_up)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn look_after(&mut self, is_too_late: bool) -> Result<(), Lost> {
        match self.child.try_wait() {
            Ok(Some(status)) => Err(Lost::Ended(status)),
            _ if is_too_late => Err(Lost::Silent(self.longest)),
            _ => Ok(()),
        }
    }

    #[inline]
    fn shared(&self) -> &Shared {
        // SAFETY: the mapping is large enough, starts at a page and stays as long as this; a sealed
        // file does not shrink below it. Any bits are valid in what is atomic.
        unsafe { self.memory.start().cast().as_ref() }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // Fails where it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program that has a file of this process open. Nothing is done between fork and exec,
/// so that the standard library takes posix_spawn(3): after a fork(2) every page that a measured
/// step writes to would be copied first.
fn inheriting(file: &OwnedFd, command: &mut Command) -> io::Result<Child> {
    /// What another thread starts meanwhile shall not have the file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock();
    rustix::io::fcntl_setfd(file, FdFlags::empty())?;
    let child = command.spawn();
    rustix::io::fcntl_setfd(file, FdFlags::CLOEXEC)?;
    child
}

/// The numbers of inputs and outputs that a program told, which need not use the header.
fn sizes([inputs, outputs]: [u32; 2]) -> Result<[usize; 2], Lost> {
    let sizes = [inputs, outputs].map(|count| count as usize);
    match sizes.iter().all(|&count| count <= MOST) {
        true => Ok(sizes),
        false => Err(Lost::TooMany(inputs, outputs)),
    }
}

/// Memory of zeros but for the version, in a file that no process can make shorter.
fn shared_memory() -> io::Result<(OwnedFd, Mapping)> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = rustix::fs::memfd_create(SHARED, flags)?;
    rustix::fs::ftruncate(&file, BYTES as u64)?;
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    let memory = Mapping::of_file(&file, BYTES, ProtFlags::READ | ProtFlags::WRITE)?;
    // SAFETY: the first four bytes of a new mapping, which nobody else knows of.
    unsafe { memory.start().cast::<u32>().write(VERSION) };
    Ok((file, memory))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::models;

    const LONGEST: Duration = Duration::from_secs(10);

    fn start(defines: &models::Defines, longest: Duration) -> Result<Attached, Lost> {
        Attached::start(&mut Command::new(models::program(defines)), longest)
    }

    #[test]
    fn a_program_steps_as_we_do() {
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
    fn a_program_that_ends_or_hangs_is_told_with_what_mends_it() {
        let told = |command: &mut Command| {
            let lost = Attached::start(command, Duration::from_millis(300)).unwrap_err();
            lost.to_string()
        };
        assert_eq!(told(&mut Command::new("true")), "the program ended by itself (exit status: 0)");
        let told_late = told(&mut Command::new(models::program(&[("NEVER_ATTACH", "1")])));
        assert!(told_late.starts_with("the program did not attach within 300ms: "));
        assert!(told(&mut Command::new("/nowhere")).starts_with("the program cannot be started: "));
    }

    #[test]
    fn no_program_has_more_values_than_there_is_room_for() {
        assert_eq!(sizes([480, 480]).unwrap(), [480, 480]);
        let told = sizes([0, 481]).unwrap_err().to_string();
        assert_eq!(told, "the program asks for 0 inputs and 481 outputs, of 480 at most");
    }

    #[test]
    fn a_step_that_crashes_or_never_ends_is_noticed() {
        let mut program = start(&[("CRASH_AT", "2")], LONGEST).unwrap();
        assert_eq!(program.step(0, 0.0, 0.001).unwrap(), 0);
        assert_eq!(program.step(1, 0.0, 0.001).unwrap(), 0);
        let lost = program.step(2, 0.0, 0.001).unwrap_err().to_string();
        assert!(lost.contains("SIGSEGV"), "{lost}");
        let mut program = start(&[("HANG_AT", "1")], Duration::from_millis(300)).unwrap();
        assert_eq!(program.step(0, 0.0, 0.001).unwrap(), 0);
        let lost = program.step(1, 0.0, 0.001).unwrap_err();
        assert!(matches!(lost, Lost::Silent(_)), "{lost}");
        let process = program.process();
        drop(program);
        assert!(rustix::process::test_kill_process(process).is_err());
    }

    #[test]
    fn the_program_dies_with_its_starter() {
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
