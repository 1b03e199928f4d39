//! Which paths through the program were taken, if it was built by `scripts/fuzz`.

use std::env;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Environment variable that the program itself sets when it starts: the first address of its flags
/// and the address after the last, in hexadecimal numbers joined by `-`. There is one byte for each
/// branch, which becomes 1 when the branch is taken.
const FLAGS: &str = "STEADFAST_FLAGS";

pub(super) struct Paths {
    memory: File,
    at: u64,
    taken: Vec<u8>,
    now: Vec<u8>,
}

impl Paths {
    /// Returns `None` if the program was built without flags.
    pub(super) fn of_program() -> Option<Self> {
        let flags = env::var(FLAGS).ok()?;
        let (from, to) = flags.split_once('-')?;
        let address = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
        let (at, end) = (address(from)?, address(to)?);
        let taken = vec![0; end.checked_sub(at)? as usize];
        let memory = File::open("/proc/self/mem").expect("a process can read its memory");
        Some(Self { memory, at, now: taken.clone(), taken })
    }

    /// Whether a branch was taken for the first time since the last call.
    pub(super) fn grew(&mut self) -> bool {
        self.memory.read_exact_at(&mut self.now, self.at).expect("the flags are there");
        let grew = self.now != self.taken;
        self.taken.copy_from_slice(&self.now);
        grew
    }

    pub(super) fn count(&self) -> usize {
        self.taken.iter().filter(|flag| **flag != 0).count()
    }
}
