//! The trait that every measurement implements, and its description.

use base::{Nanos, Policy};
use record::{Fact, Family, Parameter, Parameters, Recording, Row, RunSpec, Track, Warning};

use crate::burst::bursts_in;
use crate::late::EachThread;
use crate::{Abort, Bench, Continuous, TrackShape};

/// The description of a measurement in lists, on the command line and in the manual.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    pub name: &'static str,
    /// What the measurement measures, in one line.
    pub summary: &'static str,
    pub source: &'static str,
    /// The measurements with which it is shown, averaged and compared.
    pub family: Option<Family>,
    pub parameters: &'static [Parameter],
    /// The facts that its rows may have besides their times, in groups; not every row has all.
    pub facts: &'static [&'static [Fact]],
    /// Default length of a run, if the user may choose the length.
    pub usual_time: Nanos,
    /// How many CPUs it measures on, unless its parameters determine that.
    pub cpus: CpuUse,
    pub needs: Needs,
    /// The memory that its samples take per burst, if it runs in bursts.
    pub bytes_a_burst: u64,
}

impl Description {
    /// The defaults: a measurement of pinned threads on one CPU, without parameters.
    pub const PINNED: Self = Self {
        name: "",
        summary: "",
        source: "",
        family: None,
        parameters: &[],
        facts: &[],
        usual_time: Nanos(2_000_000_000),
        cpus: CpuUse::One,
        needs: Needs::Pinning,
        bytes_a_burst: 0,
    };

    /// Every fact of its rows; the causes of lateness are added if they are searched for.
    pub fn facts(self) -> impl Iterator<Item = &'static Fact> {
        self.facts.iter().copied().flatten()
    }
}

pub trait Measurement: Sync {
    fn description(&self) -> Description;

    fn name(&self) -> &'static str {
        self.description().name
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.description().parameters
    }

    fn cpu_use(&self, _parameters: &Parameters) -> CpuUse {
        self.description().cpus
    }

    fn length(&self, _parameters: &Parameters) -> Length {
        Length::Time(self.description().usual_time)
    }

    /// Returns the shortest time after which its figures begin to mean something; a plan is not
    /// shortened below it. Applies only if the user can choose how long the measurement takes.
    fn least_time(&self, _parameters: &Parameters) -> Nanos {
        LEAST_TIME
    }

    /// Whether deadlines matter: real-time policy, locked memory, no idle states by default.
    fn is_real_time(&self, _parameters: &Parameters) -> bool {
        true
    }

    fn usual_policy(&self, parameters: &Parameters) -> Policy {
        if self.is_real_time(parameters) { REAL_TIME } else { Policy::OTHER }
    }

    fn moves_others(&self, _parameters: &Parameters) -> bool {
        false
    }

    /// Returns the memory that its samples take while it measures, in bytes.
    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        bursts_in(spec.asked.duration).saturating_mul(self.description().bytes_a_burst)
    }

    /// Returns how long a thread may use a CPU at real-time priority; the kernel ends a longer run.
    fn longest_spin(&self, _spec: &RunSpec) -> Nanos {
        LONGEST_SPIN
    }

    /// Returns whether it runs foreign code, which may end the process that runs it.
    fn runs_others(&self, _spec: &RunSpec) -> bool {
        false
    }

    /// Returns whether that code is a shared library, which a static program cannot load.
    fn loads_libraries(&self, _spec: &RunSpec) -> bool {
        false
    }

    fn records_steps(&self) -> bool {
        false
    }

    /// Returns what was recorded of every step as comma-separated values. A pure function.
    ///
    /// # Errors
    /// Says in one line that no steps were recorded.
    fn recorded_steps(&self, _recording: &Recording) -> Result<String, String> {
        Err(format!("--record: {} records no steps", self.name()))
    }

    /// Refuses what cannot be measured, before anything is set up.
    ///
    /// # Errors
    /// One line that names the option and the remedy.
    fn check(&self, spec: &RunSpec) -> Result<(), String> {
        self.description().needs.check(spec)
    }

    /// Refuses invalid contents of its files, on the machine that has them, before anything is run.
    /// Writes into the specification what reading a recording needs from the files. Returns what is
    /// to be expected of the run.
    ///
    /// # Errors
    /// One line that names the file or the option, and the remedy.
    fn examine(&self, _spec: &mut RunSpec) -> Result<Vec<Warning>, String> {
        Ok(Vec::new())
    }

    /// Refuses code that the machine that is to make the run cannot load: this one. A file that has not
    /// arrived yet is left to the run.
    ///
    /// # Errors
    /// One line that names the option and the file.
    fn check_code(&self, _spec: &RunSpec) -> Result<(), String> {
        Ok(())
    }

    /// Measures, and returns raw stamps.
    ///
    /// # Errors
    /// If conditions could not be set up, or the result is wrong.
    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort>;

    /// Returns how it measures for days, if it can.
    fn continuous(&self) -> Option<&dyn Continuous> {
        None
    }

    /// Whether a helper can follow it while it measures, to show its figures or to end it at a late sample.
    fn can_be_followed(&self) -> bool {
        false
    }

    /// Returns the tracks of a recording of this measurement; one that contains others is refused.
    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape>;

    /// Returns the rows of a recording of this measurement; the first is the headline.
    fn rows(&self, recording: &Recording) -> Vec<Row>;

    /// Returns the default limit: something that takes longer than this from its due time is late.
    /// `None` if nothing has a due time, so that causes of lateness cannot be searched for.
    fn usual_limit(&self, _parameters: &Parameters) -> Option<Nanos> {
        None
    }

    /// Passes on the samples of each thread whose samples have due times. A pure function.
    fn each_thread(&self, _recording: &Recording, _each: EachThread) {}
}

/// Default policy of measurements in which deadlines matter.
pub const REAL_TIME: Policy = Policy::Fifo(80);

/// Default minimum time: some twenty bursts.
pub const LEAST_TIME: Nanos = Nanos(100_000_000);

/// Default limit of a spin: a hundred times a burst of loops that never wait.
pub const LONGEST_SPIN: Nanos = Nanos(3_000_000_000);

/// Ratio of the peak memory when samples become an outcome to the memory of the samples.
pub const PEAK_OF_SAMPLES: u64 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The threads can be pinned.
    Pinning,
    /// In addition, there is a lower priority, if the policy has priorities.
    TwoPriorities,
    /// In addition, threads of equal priority take turns.
    Turns,
}

impl Needs {
    /// Refuses a policy that lacks them.
    ///
    /// # Errors
    /// Names `--policy` and those that have them.
    pub fn check(self, spec: &RunSpec) -> Result<(), String> {
        pinned(spec)?;
        match (self, spec.asked.policy) {
            (Self::Pinning, _) | (_, Policy::Other { .. } | Policy::Idle) => Ok(()),
            (Self::TwoPriorities, _) => with_priorities_below(spec, 1),
            (Self::Turns, Policy::Rr(_)) => Ok(()),
            (Self::Turns, _) => Err(format!(
                "--policy: {} needs threads of equal priority that take turns; use rr:N or other",
                spec.measurement
            )),
        }
    }
}

/// How many CPUs a measurement uses by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuUse {
    /// The last CPU, which has fewer interrupts than most.
    One,
    Two,
    /// As many CPUs as there are threads or processes, from the last one down.
    Threads,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// The time given with `--seconds`, or this default.
    Time(Nanos),
    /// The time of as many periods as the parameter `steps` says; `--seconds` sets that parameter.
    Steps(Nanos),
    /// About this time, which follows from the measurement's own parameters.
    Fixed(Nanos),
}

impl Length {
    pub fn time(self) -> Nanos {
        match self {
            Self::Time(time) | Self::Steps(time) | Self::Fixed(time) => time,
        }
    }
}

/// Refuses a policy whose threads cannot be pinned.
///
/// # Errors
/// Names `--policy` and those that can.
pub fn pinned(spec: &RunSpec) -> Result<(), String> {
    match spec.asked.policy {
        Policy::Deadline { .. } => Err(format!(
            "--policy: {} pins its threads, which the kernel refuses for deadline threads; \
             use fifo:N, rr:N or other",
            spec.measurement
        )),
        _ => Ok(()),
    }
}

/// Refuses a policy without this number of priorities below its own.
///
/// # Errors
/// Names `--policy` and those that have them.
pub fn with_priorities_below(spec: &RunSpec, steps: u8) -> Result<(), String> {
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

/// Attributes in which a track says what the machine lacks.
pub const UNAVAILABLE: &[&str] = &["unavailable"];

/// Returns the row of a track whose attribute `unavailable` says what the machine lacks.
pub fn unavailable(track: &Track) -> Option<Row> {
    let needs = track.attributes.get("unavailable")?.as_str()?;
    Some(Row::unavailable(&*track.name, needs))
}
