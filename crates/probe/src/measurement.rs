//! What a measurement is.

use blame::Late;
use plan::{Fact, Parameter, Parameters, Recording, Row, RunSpec, Track};
use units::{Nanos, Policy};

use crate::{Abort, Bench, TrackShape};

/// What a person is told of a measurement: in lists, on the command line, in the manual.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// Its name on the command line and in results.
    pub name: &'static str,
    /// What it measures, in one line.
    pub summary: &'static str,
    /// Where its definition comes from.
    pub source: &'static str,
    /// The parameters that it takes.
    pub parameters: &'static [Parameter],
    /// The facts that its rows tell beside their times, in groups; not every row tells all.
    pub facts: &'static [&'static [Fact]],
    /// How long it takes, where a person may say how long.
    pub usual_time: Nanos,
    /// How many CPUs it measures on, unless its parameters say otherwise.
    pub cpus: CpuUse,
    /// What it needs of the policy of its threads.
    pub needs: Needs,
}

impl Description {
    /// A measurement of pinned threads on one CPU, without parameters.
    pub(crate) const PINNED: Self = Self {
        name: "",
        summary: "",
        source: "",
        parameters: &[],
        facts: &[],
        usual_time: Nanos(2_000_000_000),
        cpus: CpuUse::One,
        needs: Needs::Pinning,
    };

    /// Every fact that its rows may tell. The cause of what was late is told where one is
    /// looked for.
    pub fn facts(self) -> impl Iterator<Item = &'static Fact> {
        self.facts.iter().copied().flatten()
    }
}

/// A way to measure something.
pub trait Measurement: Sync {
    /// What a person is told of it.
    fn description(&self) -> Description;

    /// Its name on the command line and in results.
    fn name(&self) -> &'static str {
        self.description().name
    }

    /// The parameters that it takes.
    fn parameters(&self) -> &'static [Parameter] {
        self.description().parameters
    }

    /// How many CPUs it measures on.
    fn cpu_use(&self, _parameters: &Parameters) -> CpuUse {
        self.description().cpus
    }

    /// How long it takes.
    fn length(&self, _parameters: &Parameters) -> Length {
        Length::Seconds(self.description().usual_time)
    }

    /// The shortest time after which its figures begin to mean something: a plan is
    /// not shortened below it. Only where a person can say how long it takes.
    fn least_time(&self, _parameters: &Parameters) -> Nanos {
        LEAST_TIME
    }

    /// Whether deadlines matter, so that real-time policy, locked memory and
    /// idle states held off are asked for unless a person says otherwise.
    fn is_real_time(&self, _parameters: &Parameters) -> bool {
        true
    }

    /// The policy of its threads unless a person says otherwise.
    fn usual_policy(&self, parameters: &Parameters) -> Policy {
        if self.is_real_time(parameters) { REAL_TIME } else { Policy::OTHER }
    }

    /// Whether everything else is to be moved off its CPUs.
    fn moves_others(&self, _parameters: &Parameters) -> bool {
        false
    }

    /// Memory that its samples take while it measures, in bytes.
    fn sample_bytes(&self, spec: &RunSpec) -> u64;

    /// How long one of its threads may use a CPU at real-time priority without
    /// waiting; beyond that the kernel ends the run.
    fn longest_spin(&self, _spec: &RunSpec) -> Nanos {
        LONGEST_SPIN
    }

    /// Whether it runs code of others, which may end the process that does.
    fn runs_others(&self, _spec: &RunSpec) -> bool {
        false
    }

    /// Whether that code is a shared library, which a static program cannot load.
    fn loads_libraries(&self, _spec: &RunSpec) -> bool {
        false
    }

    /// Whether it has steps that can be recorded.
    fn records_steps(&self) -> bool {
        false
    }

    /// What was recorded of every step, as comma-separated values. A pure function.
    ///
    /// # Errors
    /// One line where nothing was.
    fn recorded_steps(&self, _recording: &Recording) -> Result<String, String> {
        Err(format!("--record: {} records no steps", self.name()))
    }

    /// Refuses what cannot be measured, before anything is set up.
    ///
    /// # Errors
    /// One line that names the flag and how to mend it.
    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        self.description().needs.check(spec)
    }

    /// Refuses what stands in its files, before anything is run and where they are, and writes
    /// what of them a recording is read by into the specification.
    ///
    /// # Errors
    /// One line that names the file or the flag and how to mend it.
    fn examine(&self, _spec: &mut RunSpec) -> Result<(), String> {
        Ok(())
    }

    /// Measures, and returns raw stamps.
    ///
    /// # Errors
    /// When conditions could not be set up, or the result is wrong.
    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort>;

    /// The tracks that a recording of this measurement holds: what comes from elsewhere
    /// and holds others is refused.
    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape>;

    /// The rows that a recording of this measurement gives; the first is the
    /// headline. A pure function.
    fn rows(&self, recording: &Recording) -> Vec<Row>;

    /// What takes longer than this from its due time on is late unless a person says
    /// otherwise; `None` where no cause of lateness can be looked for.
    fn usual_limit(&self, _parameters: &Parameters) -> Option<Nanos> {
        None
    }

    /// What was late in a recording, where causes were asked for. A pure function.
    fn late(&self, _recording: &Recording) -> Vec<Late> {
        Vec::new()
    }
}

/// Policy of measurements in which deadlines matter.
pub const REAL_TIME: Policy = Policy::Fifo(80);

/// Some twenty bursts.
pub(crate) const LEAST_TIME: Nanos = Nanos(100_000_000);

/// Loops that never wait run in bursts of milliseconds; a hundred times that is
/// a loop gone wrong.
pub(crate) const LONGEST_SPIN: Nanos = Nanos(3_000_000_000);

/// Memory at its peak, when samples become a recording and an outcome, against
/// that of the samples alone.
pub const PEAK_OF_SAMPLES: u64 = 6;

/// What a measurement needs of the policy of its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Threads that can be pinned.
    Pinning,
    /// That, and room for a priority below, where there are priorities.
    TwoPriorities,
}

impl Needs {
    /// Refuses a policy that does not give that.
    ///
    /// # Errors
    /// Names the flag.
    pub(crate) fn check(self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)?;
        match (self, spec.asked.policy) {
            (Self::Pinning, _) | (_, Policy::Other { .. } | Policy::Idle) => Ok(()),
            (Self::TwoPriorities, _) => with_priorities_below(spec, 1),
        }
    }
}

/// How many CPUs a measurement uses where nobody names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuUse {
    /// The last CPU, away from most interrupts.
    One,
    /// The last two CPUs.
    Two,
    /// As many CPUs as it has threads or processes, from the last one down.
    Threads,
    /// Every CPU.
    All,
}

/// How long a measurement takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// As long as a person says with `--seconds`; else this time.
    Seconds(Nanos),
    /// About this time, which follows from its own parameters.
    Fixed(Nanos),
}

impl Length {
    /// The time itself.
    #[must_use]
    pub fn time(self) -> Nanos {
        match self {
            Self::Seconds(time) | Self::Fixed(time) => time,
        }
    }
}

/// Refuses a policy whose threads may not be pinned.
///
/// # Errors
/// Names the flag.
pub(crate) fn pinned(spec: &RunSpec) -> Result<(), String> {
    match spec.asked.policy {
        Policy::Deadline { .. } => Err(format!(
            "--policy: {} pins its threads, which the kernel refuses for deadline threads; \
             use fifo:N, rr:N or other",
            spec.measurement
        )),
        _ => Ok(()),
    }
}

/// Refuses a policy that has no room for lower priorities.
///
/// # Errors
/// Names the flag and the smallest priority that does.
pub(crate) fn with_priorities_below(spec: &RunSpec, steps: u8) -> Result<(), String> {
    match spec.asked.policy.lowered(steps) {
        Some(_) => Ok(()),
        None => Err(format!(
            "--policy: {} needs threads of different priorities; use fifo:N or rr:N with N \
             from {} to 99",
            spec.measurement,
            steps + 1
        )),
    }
}

/// Where a track says what the machine lacks.
pub(crate) const UNAVAILABLE: &[&str] = &["unavailable"];

/// The row of a track whose attribute `unavailable` says what the machine lacks.
pub(crate) fn unavailable(track: &Track) -> Option<Row> {
    let needs = track.attributes.get("unavailable")?.as_str()?;
    Some(Row::unavailable(&*track.name, needs))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use plan::{Asked, Header, LatencyHold, Machine};
    use units::CpuSet;

    /// A run of a measurement with its defaults, under the default policy.
    pub(crate) fn spec(measurement: &str) -> RunSpec {
        let declared = crate::find(measurement).unwrap().parameters();
        let asked = Asked {
            cpus: CpuSet::one(0),
            policy: Policy::OTHER,
            duration: Nanos(50_000_000),
            memory_lock: false,
            cpu_dma_latency: LatencyHold::Leave,
            loads: vec![],
            beside: false,
            tried: Vec::new(),
        };
        RunSpec::new(measurement, Parameters::defaults(declared), asked)
    }

    /// A recording with the given tracks.
    pub(crate) fn recording(spec: RunSpec, tracks: Vec<Track>) -> Recording {
        Recording {
            header: Header {
                run_id: "test".into(),
                tool_version: "test".into(),
                spec,
                machine: Machine::default().into(),
                started_unix_ns: 0,
            },
            found: plan::Found::default(),
            warnings: vec![],
            tracks,
            evidence: vec![],
        }
    }

    #[test]
    fn policies_that_cannot_be_measured_are_refused_with_the_flag() {
        let mut spec = spec("priority_inversion");
        assert!(with_priorities_below(&spec, 2).unwrap_err().contains("from 3 to 99"));
        spec.asked.policy = Policy::Fifo(3);
        assert_eq!(with_priorities_below(&spec, 2), Ok(()));
        spec.asked.policy = "deadline:1ms/2ms".parse().unwrap();
        assert!(pinned(&spec).unwrap_err().starts_with("--policy"));
    }
}
