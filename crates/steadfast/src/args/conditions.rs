//! The conditions of runs, where they are executed, and whether causes are looked for.

use std::num::NonZero;
use std::str::FromStr;
use std::sync::Once;

use clap::{Args, ValueEnum};
use plan::{LoadSpec, Parameters, RunSpec};
use probe::Measurement;
use units::{CpuSet, Nanos, ParseError, Policy};

use crate::output::tell;
use crate::place::Place;

/// The largest number of runs in one plan, so that a typing mistake does not fill the memory.
pub(crate) const MOST_RUNS: usize = 100_000;

/// Parses a number of runs that one plan may have.
pub(crate) fn runs(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_RUNS);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_RUNS}"))
}

/// Where runs are executed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlaceArgs {
    /// Where to measure: `local`; `ssh:[USER@]HOST` or `ssh://[USER@]HOST[:PORT]` for a machine
    /// that `ssh` can reach; `vm:KERNEL` for a virtual machine with a kernel from `steadfast lab
    /// kernels`
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub(crate) target: Place,
}

/// How often runs are repeated.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RepeatArgs {
    /// Run everything this many times, in rounds, so that the report can show what differs from run
    /// to run; default: as the plan says, otherwise 1
    #[arg(long, value_name = "COUNT", value_parser = runs)]
    pub(crate) repeat: Option<NonZero<usize>>,
}

impl RepeatArgs {
    /// Returns how often to repeat each run of a plan that says `planned`.
    pub(crate) fn or(&self, planned: usize) -> usize {
        self.repeat.map_or(planned, NonZero::get)
    }
}

/// Whether to look for the causes of late events.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct BlameArgs {
    /// Find the cause of every late event: which task or interrupt had the CPU, or what else delayed
    /// it. Traces the kernel's scheduler if this user may (root), and prints what tracing costs
    #[arg(long)]
    pub(crate) blame: bool,
    /// How long after its due time something counts as late, such as 200us; default: 100us for
    /// wake-ups, one period for frames and steps (a missed deadline)
    #[arg(long, value_name = "TIME", requires = "blame")]
    pub(crate) threshold: Option<Nanos>,
}

impl BlameArgs {
    /// Returns how long after its due time an event is late; `None` without causes or due times.
    pub(crate) fn beyond(
        &self,
        measurement: &dyn Measurement,
        parameters: &Parameters,
    ) -> Option<Nanos> {
        let usual = measurement.usual_limit(parameters).filter(|_| self.blame)?;
        Some(self.threshold.unwrap_or(usual))
    }

    /// Requests causes for a run, if it can be late, in addition to what its plan requests.
    pub(crate) fn ask(&self, spec: &mut RunSpec) {
        let measurement = probe::find(&spec.measurement);
        let beyond = measurement.and_then(|it| self.beyond(it, &spec.parameters));
        spec.blame_beyond = beyond.or(spec.blame_beyond);
    }
}

/// The conditions of a run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct ConditionArgs {
    /// CPUs to measure on: a list such as 1 or 0-3,5; `all`; or `most`: all except one core, which
    /// is kept for Steadfast itself if at least two CPUs remain. Default: as many CPUs as the
    /// measurement needs, the last ones first
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<Cpus>,
    /// Scheduling policy of the measuring threads (of the highest, if priorities differ): other,
    /// other:NICE, other:NICE/SLICE, fifo:N, rr:N, deadline:RUNTIME/PERIOD, idle; default: fifo:80,
    /// for throughput other
    #[arg(long)]
    pub(crate) policy: Option<Policy>,
    /// How long to measure, in seconds or with a unit; default: 10s for wake-ups and frames,
    /// otherwise as long as the measurement needs. In a real-fast run of a model, this is model time
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) seconds: Option<Nanos>,
    /// Background loads, such as cpu or memory+disk; can be given several times, all at the same time.
    /// Each is NAME%INTENSITY@CPUS:ARGUMENT, where everything except the name is optional:
    /// cpu%50@0-1, disk:/var/tmp, `stress-ng:--cpu 2 --vm 1`
    #[arg(long, value_name = "LOAD+...", value_parser = loads)]
    pub(crate) load: Vec<Vec<LoadSpec>>,
    /// Whether to lock all memory; default: locked, for throughput unlocked
    #[arg(long, value_name = "STATE")]
    pub(crate) memory: Option<MemoryArg>,
    /// Whether to hold off idle states through /dev/cpu_dma_latency; default: hold, for throughput
    /// leave
    #[arg(long, value_name = "STATE")]
    pub(crate) idle_states: Option<IdleArg>,
    /// Measure even while another process measures on one of the CPUs; default: wait for it, for at
    /// most ten minutes
    #[arg(long)]
    pub(crate) beside: bool,
}

/// Parses loads that run at the same time. The old separator, a comma, still works, with a note.
pub(crate) fn loads(text: &str) -> Result<Vec<LoadSpec>, String> {
    static NOTED: Once = Once::new();
    let loads = load::read(text)?;
    if load::has_commas(text) {
        NOTED.call_once(|| {
            tell("note: join loads with `+`, such as cpu+network; a comma still works");
        });
    }
    Ok(loads)
}

/// CPUs by number, or all or most of those that this process may use.
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
