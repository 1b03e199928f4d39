//! What every load tells of itself.

use rt::topology;
use units::CpuSet;

/// The last-level cache where the kernel does not tell.
const USUAL_CACHE: u64 = 32 << 20;
/// Numbers of 64 bits in a MiB.
pub(crate) const MIB: usize = (1 << 20) / size_of::<u64>();

/// A kind of background work.
#[derive(Debug)]
pub struct Load {
    /// Its name on the command line and in results.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What its work with an argument is counted in, as in `3 UNITS`.
    pub unit: fn(argument: &str) -> &'static str,
    /// The processes in which it works.
    pub processes: Processes,
    /// What may be typed after `NAME:`, where anything may.
    pub argument: Option<Argument>,
    /// What it needs that a machine may lack.
    pub needs: Option<&'static str>,
    /// Whether it does one thing that a neighbour may be suspected of, and not what programs do
    /// in general: `steadfast interfere` tries it, and `each` of a plan leaves it out.
    pub is_aggressor: bool,
    /// What this machine lacks for it, and what mends that, as far as it is known before it is
    /// started.
    pub lacks: fn(argument: &str) -> Option<String>,
    /// Refuses an argument that cannot be meant, before anything is started: what is wrong with
    /// it, and what mends it.
    pub check: fn(argument: &str) -> Result<(), String>,
    /// Prepares work, inside the process that does it, which may take as many bytes of memory
    /// as are granted to it; or tells what is missing, and what mends it.
    pub prepare: fn(argument: &str, granted: u64) -> Result<Work, String>,
}

impl Load {
    /// A load without an argument that does nothing on each CPU; loads tell what differs.
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

    /// The argument that holds when none is typed.
    #[must_use]
    pub fn usual_argument(&self) -> &'static str {
        let usual = self.argument.and_then(|argument| argument.default);
        usual.unwrap_or_default()
    }
}

/// Does about a millisecond of work, or one operation where that takes longer;
/// returns how many units that was. An error ends the process.
pub type Work = Box<dyn FnMut() -> Result<u64, String>>;

/// The processes in which a load works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    /// No process.
    None,
    /// One on each CPU.
    OnEachCpu,
    /// One, which may move from CPU to CPU.
    One,
    /// One, which starts another program and ends whatever came of it.
    Guard,
}

impl Processes {
    /// Whether they can be made to work for a share of the time: a guarded
    /// program has options of its own for that.
    #[must_use]
    pub fn have_intensity(self) -> bool {
        matches!(self, Self::OnEachCpu | Self::One)
    }
}

/// What may be typed after the name of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// What it stands for, in capitals.
    pub name: &'static str,
    /// What holds when it is not typed; `None`: it must be typed.
    pub default: Option<&'static str>,
    /// One line of help.
    pub help: &'static str,
}

/// Refuses a load whose every process needs more memory than is granted to it, in bytes.
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
        "it needs {} MiB of memory a process{purpose}, and {} MiB can be had; free memory, or \
         name fewer CPUs for it, as in {name}@0",
        needed >> 20,
        granted >> 20
    ))
}

/// Bytes of the largest last-level cache of a CPU.
pub(crate) fn last_cache() -> u64 {
    let cpus = topology::online();
    let caches = cpus.iter().map(|cpu| topology::last_caches(&CpuSet::one(cpu)));
    let largest = caches.max().filter(|bytes| *bytes > 0);
    largest.unwrap_or(USUAL_CACHE)
}
