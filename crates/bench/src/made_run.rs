//! Runs for tests of measurements.

use base::{CpuSet, Nanos, Policy};
use record::{Asked, Counters, Parameters, Recording, Row, RunSpec, ThreadFound, Track};
use rt::system::RtGrant;

use crate::{Bench, Measurement};

/// Measurements that tests name.
pub struct Named(pub fn(&str) -> Option<&'static dyn Measurement>);

impl Named {
    /// # Panics
    /// If the table lacks the measurement.
    fn found(&self, name: &str) -> &'static dyn Measurement {
        (self.0)(name).unwrap()
    }

    /// A run of a measurement with its default parameters, under the default policy.
    pub fn spec(&self, measurement: &str) -> RunSpec {
        let declared = self.found(measurement).parameters();
        RunSpec { parameters: Parameters::defaults(declared), ..bare(measurement) }
    }

    /// The same with parameters as a user types them.
    pub fn spec_with(&self, measurement: &str, parameters: &[(&str, &str)]) -> RunSpec {
        let mut spec = self.spec(measurement);
        self.set(&mut spec, parameters);
        spec
    }

    /// Sets parameters as a user types them.
    ///
    /// # Panics
    /// If the measurement has no such parameter, or not this value.
    pub fn set(&self, spec: &mut RunSpec, parameters: &[(&str, &str)]) {
        let declared = self.found(&spec.measurement).parameters();
        for (name, text) in parameters {
            let parameter = declared.iter().find(|known| known.name == *name).unwrap();
            spec.parameters.set(name, parameter.parse(text).unwrap());
        }
    }

    /// Makes a run here, and returns its rows.
    ///
    /// # Panics
    /// If the run ends without a result.
    pub fn measured(&self, spec: RunSpec) -> Vec<Row> {
        let measurement = self.found(&spec.measurement);
        let tracks = measurement.run(&Bench::new(spec.clone())).unwrap();
        measurement.rows(&recording(spec, tracks))
    }

    /// Returns the rows of a run with default parameters that has recorded these tracks.
    pub fn rows(&self, measurement: &str, tracks: Vec<Track>) -> Vec<Row> {
        let recording = recording(self.spec(measurement), tracks);
        self.found(measurement).rows(&recording)
    }
}

/// A run without parameters, under the default policy.
pub fn bare(measurement: &str) -> RunSpec {
    let asked = Asked::plain(CpuSet::one(0), Policy::OTHER, Nanos(50_000_000));
    RunSpec::new(measurement, Parameters::default(), asked)
}

pub fn recording(spec: RunSpec, tracks: Vec<Track>) -> Recording {
    Recording { tracks, ..Recording::empty("test", spec) }
}

pub fn grant(percent: u64) -> RtGrant {
    RtGrant { percent, group: None, is_usual: false }
}

/// A thread that used this share of a CPU for 2 s.
pub fn thread(cpu: usize, busy_percent: u64) -> ThreadFound {
    let policy = Policy::Fifo(10);
    let cpus = CpuSet::one(cpu);
    ThreadFound {
        name: format!("on {cpu}"),
        asked_policy: policy,
        asked_cpus: cpus.clone(),
        policy,
        cpus: cpus.clone(),
        policy_at_end: policy,
        cpus_at_end: cpus,
        timer_slack_ns: None,
        counters: Counters {
            cpu_time_ns: busy_percent * 20_000_000,
            wall_time_ns: 2_000_000_000,
            ..Counters::default()
        },
    }
}
