//! Where the two threads of a measurement run.

use crate::Bench;

/// Whether they share a CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    OneCpu,
    TwoCpus,
}

/// What a run on one CPU lacks for [`Place::TwoCpus`].
pub(crate) const NEEDS_TWO_CPUS: &str = "needs two CPUs: name them with --cpus";

impl Place {
    pub(crate) const ALL: &[Self] = &[Self::OneCpu, Self::TwoCpus];

    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OneCpu => "one CPU",
            Self::TwoCpus => "two CPUs",
        }
    }

    /// The CPU of each thread; `None` where only one was asked for and two are needed.
    pub(crate) fn cpus(self, bench: &Bench) -> Option<[usize; 2]> {
        match self {
            Self::OneCpu => Some([bench.cpu(0); 2]),
            Self::TwoCpus if bench.spec.asked.cpus.len() < 2 => None,
            Self::TwoCpus => Some([bench.cpu(0), bench.cpu(1)]),
        }
    }
}
