//! The placement of the two threads of a measurement on CPUs.

use crate::Bench;

base::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Place {
        OneCpu = "one CPU",
        TwoCpus = "two CPUs",
    }
}

/// The reason why [`Place::TwoCpus`] is not available in a run on one CPU.
pub const NEEDS_TWO_CPUS: &str = "needs two CPUs: name them with --cpus";

impl Place {
    /// Returns the CPU of each thread, or `None` if two CPUs are needed and only one was requested.
    pub fn cpus(self, bench: &Bench) -> Option<[usize; 2]> {
        match self {
            Self::OneCpu => Some([bench.cpu(0); 2]),
            Self::TwoCpus if bench.spec.asked.cpus.len() < 2 => None,
            Self::TwoCpus => Some([bench.cpu(0), bench.cpu(1)]),
        }
    }
}
