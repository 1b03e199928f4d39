//! Limits of time and memory for each input.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Most CPU time for an input in ticks of the kernel's accounts, which are 10 ms long.
const MOST_TICKS: u64 = 200;
/// An input that takes this time without using the CPU is waiting for something.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Most memory for an input, beyond the input itself.
const MOST_BYTES: u64 = 64 << 20;

/// The input that is being tried, in a file: its number and its bytes.
pub(super) struct Input {
    file: File,
    number: File,
}

impl Input {
    pub(super) const NAME: &str = "input";

    pub(super) fn create(folder: &Path) -> Self {
        let create = |name: &str| File::create(folder.join(name)).expect("the folder is ours");
        Self { file: create(Self::NAME), number: create("number") }
    }

    pub(super) fn begin(&mut self, number: u64, input: &[u8]) {
        let written = self.file.write_all_at(input, 0);
        let cut = written.and_then(|()| self.file.set_len(input.len() as u64));
        let numbered = cut.and_then(|()| self.number.write_all_at(&(number + 1).to_le_bytes(), 0));
        numbered.expect("room on the disk");
    }

    /// Returns the number of the input that is being tried; 0 before the first.
    fn number(input: &Path) -> u64 {
        let bytes = fs::read(input.with_file_name("number")).unwrap_or_default();
        bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

/// Waits for the end of a process. An error says which input failed, and how; a process that takes
/// too long for one input is killed.
pub(super) fn ended(child: &mut Child, input: &Path) -> Result<(), String> {
    let (mut last, mut since) = (0, (Instant::now(), 0));
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            let number = Input::number(input);
            return if status.success() {
                Ok(())
            } else {
                Err(format!("input {number}: {status}"))
            };
        }
        let (number, used) = (Input::number(input), ticks(child.id()));
        if number != last {
            (last, since) = (number, (Instant::now(), used));
        }
        let took = used.saturating_sub(since.1);
        if number > 0 && (took > MOST_TICKS || since.0.elapsed() > LONGEST_WAIT) {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("input {number}: not read after {took} ticks of CPU time"));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the CPU time of a process in ticks; 0 if it is gone.
fn ticks(process: u32) -> u64 {
    /// Fields after the name: user and system time.
    const TIMES: [usize; 2] = [11, 12];
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |(_, after)| after);
    let fields: Vec<&str> = after_name.split(' ').collect();
    TIMES.iter().filter_map(|at| fields.get(*at)?.parse::<u64>().ok()).sum()
}

/// The most memory that this process has used.
pub(super) struct Memory {
    allowed: u64,
}

impl Memory {
    /// Limits this process to what it uses now and twice what an input may use: more than that is
    /// refused when it is requested, less is found when it has been used.
    pub(super) fn limited(longest: usize) -> Self {
        let most = MOST_BYTES + longest as u64;
        let limit = Rlimit {
            current: Some(status("VmData:") + 2 * most),
            maximum: getrlimit(Resource::Data).maximum,
        };
        setrlimit(Resource::Data, limit).expect("a limit can be lowered");
        Self { allowed: status("VmHWM:") + most }
    }

    /// Allows for an input that is kept.
    pub(super) fn grow(&mut self, bytes: usize) {
        self.allowed += bytes as u64;
    }

    pub(super) fn check(&self, input: usize) {
        let used = status("VmHWM:");
        let more = used.saturating_sub(self.allowed) >> 20;
        assert!(used <= self.allowed, "{input} bytes of input took {more} MiB above the limit");
    }
}

/// Returns a value of this process's status in bytes.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("a process can read its status");
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = value.and_then(|value| value.split_whitespace().next()?.parse::<u64>().ok());
    kib.expect("the kernel writes it") << 10
}
