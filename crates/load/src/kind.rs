//! The description of a load.

use std::fs::OpenOptions;

use base::CpuSet;
use rt::topology;
use serde::Serialize;

/// Assumed size of the last-level cache if the kernel does not report it.
const USUAL_CACHE: u64 = 32 << 20;
/// 64-bit numbers per MiB.
pub(crate) const MIB: usize = (1 << 20) / size_of::<u64>();

#[derive(Debug)]
pub struct Load {
    /// The name on the command line and in results.
    pub name: &'static str,
    /// What it does, in one sentence. Lists and the manual show it.
    pub summary: &'static str,
    /// The unit in which work with an argument is counted, as in `3 UNITS`.
    pub unit: fn(argument: &str) -> &'static str,
    pub processes: Processes,
    /// What may follow `NAME:`; `None` if nothing may.
    pub argument: Option<Argument>,
    /// What it needs that a machine may lack, in words.
    pub needs: Option<&'static str>,
    /// Whether it does one thing of which a neighbour may be suspected: `steadfast interfere` tries
    /// it, and plans with `load = "each"` or `"each-in-lab"` leave it out.
    pub is_aggressor: bool,
    /// Returns what the machine lacks for it and the remedy, as far as known before the start.
    pub lacks: fn(argument: &str) -> Option<String>,
    /// Refuses a wrong argument before anything is started; says what is wrong and the remedy.
    pub check: fn(argument: &str) -> Result<(), String>,
    /// Prepares the work, in the process that does it. It may take `granted` bytes of memory. The
    /// error says what is missing and how to fix it.
    pub prepare: fn(argument: &str, granted: u64) -> Result<Work, String>,
}

impl Load {
    /// The defaults of most loads: no argument, one process on each CPU.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        summary: "",
        unit: |_| "",
        processes: Processes::OnEachCpu,
        argument: None,
        needs: None,
        is_aggressor: false,
        lacks: |_| None,
        check: |_| Ok(()),
        prepare: |_, _| Ok(Box::new(|| Ok(0))),
    };

    /// Returns the argument that is used if none is typed.
    pub fn usual_argument(&self) -> &'static str {
        self.argument.and_then(|argument| argument.default).unwrap_or_default()
    }
}

/// Does about a millisecond of work, or one operation if that takes longer, and returns the number
/// of units done. An error ends the process.
pub type Work = Box<dyn FnMut() -> Result<u64, String>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    None,
    OnEachCpu,
    /// One process, which may move from CPU to CPU.
    One,
    /// One, which starts another program and ends everything that it started.
    Guard,
}

impl Processes {
    /// Whether they can work for a share of the time; a guarded program has its own options.
    pub fn have_intensity(self) -> bool {
        matches!(self, Self::OnEachCpu | Self::One)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Argument {
    /// Placeholder for the argument in capitals, such as `DIRECTORY`.
    pub name: &'static str,
    /// Default; null if the argument is required.
    pub default: Option<&'static str>,
    /// Help text in one line.
    pub help: &'static str,
}

/// Refuses a load if each of its processes needs more memory, in bytes, than is granted to it.
pub(crate) fn enough_memory(
    name: &str,
    needed: u64,
    purpose: &str,
    granted: u64,
) -> Result<(), String> {
    if needed <= granted {
        return Ok(());
    }
    Err(format!(
        "it needs {} MiB of memory per process{purpose}, and {} MiB are available; free memory, or \
         name fewer CPUs for it, as in {name}@0",
        needed >> 20,
        granted >> 20
    ))
}

pub(crate) fn not_writable(path: &str) -> Option<String> {
    let error = OpenOptions::new().write(true).open(path).err()?;
    Some(format!("{path}: {error}; it needs root (`sudo`)"))
}

/// Returns the size of the largest last-level cache of a CPU, in bytes.
pub(crate) fn last_cache() -> u64 {
    let cpus = topology::online();
    let caches = cpus.iter().map(|cpu| topology::last_caches(&CpuSet::one(cpu)));
    caches.max().filter(|bytes| *bytes > 0).unwrap_or(USUAL_CACHE)
}
