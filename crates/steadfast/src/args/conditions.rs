//! Under what conditions runs are made, where, and what is looked for in them.

use std::num::NonZero;
use std::str::FromStr;
use std::sync::Once;

use clap::{Args, ValueEnum};
use plan::{LoadSpec, Parameters, RunSpec};
use probe::Measurement;
use units::{CpuSet, Nanos, ParseError, Policy};

use super::whole;
use crate::output::tell;
use crate::place::Place;

/// Runs of one plan. The largest that was published has 52 470; a slip of the pen must not fill
/// the memory.
pub(crate) const MOST_RUNS: usize = 100_000;

/// Where runs are made.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlaceArgs {
    /// Where to measure: local; ssh:[USER@]HOST for a machine that `ssh` reaches, or
    /// ssh://[USER@]HOST[:PORT]; vm:KERNEL for a virtual machine with a kernel of
    /// `steadfast lab kernels`
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub(crate) target: Place,
}

/// How often runs are made.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RepeatArgs {
    /// Make every run so many times, in rounds: the report tells what differs from run to
    /// run; default: as the plan says, else once
    #[arg(long, value_name = "COUNT", value_parser = whole(MOST_RUNS))]
    pub(crate) repeat: Option<NonZero<usize>>,
}

impl RepeatArgs {
    /// How often every run is made that a plan has made so often.
    pub(crate) fn or(&self, planned: usize) -> usize {
        self.repeat.map_or(planned, NonZero::get)
    }
}

/// Whether causes of what is late are looked for.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct BlameArgs {
    /// Look for the cause of everything late: which task or interrupt had the CPU, or
    /// what else it was. Traces the kernel's scheduler where this user may (root), and
    /// prints what that costs
    #[arg(long)]
    pub(crate) blame: bool,
    /// How long after its due time something counts as late, such as 200us; default: for
    /// wake-ups 100us, for frames and steps their period, which is a missed deadline
    #[arg(long, value_name = "TIME", requires = "blame")]
    pub(crate) threshold: Option<Nanos>,
}

impl BlameArgs {
    /// How long after its due time what such a run does is late; `None` where causes are not
    /// asked for, or nothing of it is due at a time.
    pub(crate) fn beyond(
        &self,
        measurement: &dyn Measurement,
        parameters: &Parameters,
    ) -> Option<Nanos> {
        let usual = measurement.usual_limit(parameters).filter(|_| self.blame)?;
        Some(self.threshold.unwrap_or(usual))
    }

    /// Asks for causes in a run that can be late.
    pub(crate) fn ask(&self, spec: &mut RunSpec) {
        let measurement = probe::find(&spec.measurement);
        spec.blame_beyond = measurement.and_then(|it| self.beyond(it, &spec.parameters));
    }
}

/// What surrounds a run.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct ConditionArgs {
    /// CPUs to measure on, such as 1 or 0-3,5, or `all`, or `most`: all but a core for
    /// the program itself, where two CPUs are left; default: as many as the
    /// measurement needs, from the last one down
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<Cpus>,
    /// Policy of the measuring threads (of the highest, where priorities
    /// differ): other, other:NICE, other:NICE/SLICE, fifo:N, rr:N,
    /// deadline:RUNTIME/PERIOD, idle;
    /// default fifo:80, for throughput other
    #[arg(long)]
    pub(crate) policy: Option<Policy>,
    /// How long to measure, in seconds or with a unit
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) seconds: Option<Nanos>,
    /// Background loads, such as cpu or memory+disk; may be given several times.
    /// Each is NAME%INTENSITY@CPUS:ARGUMENT, where all but the name may be left
    /// out: cpu%50@0-1, disk:/var/tmp, `stress-ng:--cpu 2 --vm 1`
    #[arg(long, value_name = "LOAD+...", value_parser = loads)]
    pub(crate) load: Vec<Vec<LoadSpec>>,
    /// Whether all memory is locked; default: locked, for throughput not
    #[arg(long, value_name = "STATE")]
    pub(crate) memory: Option<MemoryArg>,
    /// Whether idle states are held off through /dev/cpu_dma_latency; default:
    /// hold, for throughput leave
    #[arg(long, value_name = "STATE")]
    pub(crate) idle_states: Option<IdleArg>,
    /// Measure also while another process measures on one of the CPUs; default: wait for
    /// it, for at most ten minutes
    #[arg(long)]
    pub(crate) beside: bool,
}

/// Reads loads that work at the same time. The old sign between them goes on working, with a
/// note.
pub(crate) fn loads(text: &str) -> Result<Vec<LoadSpec>, String> {
    static NOTED: Once = Once::new();
    if load::has_commas(text) {
        NOTED.call_once(|| {
            tell("note: `+` joins loads from now on, as in cpu+network; a comma goes on doing so");
        });
    }
    load::read(text)
}

/// CPUs by number, or every one that this process may use.
#[derive(Debug, Clone)]
pub(crate) enum Cpus {
    All,
    Most,
    These(CpuSet),
}

impl FromStr for Cpus {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "all" => Ok(Self::All),
            "most" => Ok(Self::Most),
            _ => text.parse().map(Self::These),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MemoryArg {
    Locked,
    Unlocked,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdleArg {
    #[default]
    Hold,
    Leave,
}
