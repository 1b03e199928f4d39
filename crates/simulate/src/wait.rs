//! A model that only uses its CPU for a given time in each step. Its results are known exactly in
//! advance, which tests and the lab rely on.

use base::Nanos;
use bench::measurement::{Description, LONGEST_SPIN, Measurement};
use bench::pace::{self, Overrun};
use bench::tally;
use bench::{Abort, Bench, TrackShape};
use record::{Member, Parameters, Recording, Row, RunSpec, Size, Track, fact, parameters};
use rt::clock;

use crate::model::hash::Hash;
use crate::model::held::{BoxedModel, Held};
use crate::model::phases::{PhaseKind, PhaseStamps};
use crate::model::schedule::Schedule;
use crate::model::{Model, Part, Stop, paced, recorded, steps};

pub struct Wait;

const NAME: &str = "wait";
pub(crate) const PHASES: &[PhaseKind] = &[];

parameters! {
    PARAMETERS;
    "rate" Rate, "1kHz", "steps per second";
    "spin" Time, "100us", "CPU time that a step uses";
    "threads" Count(1, 1), "1", "number of threads, always 1";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what to do after a step that ended too late";
}

impl Measurement for Wait {
    fn description(&self) -> Description {
        Description {
            name: NAME,
            summary: "a model that uses its CPU for a given time in each step",
            source: "-",
            parameters: PARAMETERS,
            facts: &[
                fact::MODEL,
                fact::PACE,
                fact::STEPS,
                &[fact::INSTANCES, fact::OUTPUT_HASH, fact::IDLE_NS],
            ],
            ..Description::PINNED
        }
    }

    fn sample_bytes(&self, spec: &RunSpec) -> u64 {
        let bytes = pace::BYTES_A_STEP + tally::bytes_a_period(spec);
        steps(spec).saturating_mul(bytes)
    }

    /// A late thread that may not skip steps never waits.
    fn longest_spin(&self, spec: &RunSpec) -> Nanos {
        let spin = spec.parameters.spin().0;
        let leaves_out = Overrun::of(&spec.parameters).leaves_out();
        let steps = if leaves_out { 1 } else { steps(spec) };
        let busy = spin.saturating_mul(steps).saturating_mul(5);
        Nanos(LONGEST_SPIN.0.saturating_add(busy))
    }

    fn run(&self, bench: &Bench) -> Result<Vec<Track>, Abort> {
        let schedule = Schedule::new(paced::pace(&bench.spec));
        paced::run(bench, &mut WaitModel::of(&bench.spec), &[schedule])
    }

    fn tracks(&self, spec: &RunSpec) -> Vec<TrackShape> {
        let pace = paced::pace(spec);
        recorded::shapes_of_each(spec, &[pace], PHASES, |shape| shape)
    }

    fn rows(&self, recording: &Recording) -> Vec<Row> {
        let tracks = &recording.tracks;
        let row = |paced| {
            let row = paced::row_of(recording, paced, PHASES, NAME.to_owned());
            let row = recorded::with_facts(row, recording, paced.threads, Size::INSTANCES);
            row.with(&fact::OUTPUT_HASH, recorded::of_state(tracks, &fact::OUTPUT_HASH))
        };
        paced::Paced::each(&recording.header.spec, tracks).map(row).collect()
    }

    fn usual_limit(&self, parameters: &Parameters) -> Option<Nanos> {
        Some(parameters.rate_period())
    }
}

pub(crate) fn member(member: &Member, _: usize) -> Result<BoxedModel<'_>, String> {
    Ok(Box::new(Held::of(WaitModel::of(&member.run))))
}

/// A model with one output `y`: its input `u` plus one, or else the number of steps so far.
struct WaitModel {
    spin: Nanos,
    has_input: bool,
}

impl WaitModel {
    fn of(spec: &RunSpec) -> Self {
        Self { spin: spec.parameters.spin(), has_input: false }
    }
}

impl Model for WaitModel {
    type Part = WaitPart;

    const PHASES: &'static [PhaseKind] = PHASES;

    fn parts(&mut self) -> Result<Vec<WaitPart>, Abort> {
        Ok(vec![WaitPart {
            spin: self.spin,
            has_input: self.has_input,
            input: 0.0,
            output: [0.0],
            hash: Hash::default(),
        }])
    }

    fn state(&self, parts: Vec<WaitPart>) -> Result<Track, Abort> {
        let hash = parts.first().map(|part| part.hash.to_string());
        Ok(Track::new("state").with(&fact::OUTPUT_HASH, hash))
    }

    fn take_inputs(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        self.has_input = !names.is_empty();
        match names {
            [] => Ok(Vec::new()),
            [name] if name == "u" => Ok(vec![0]),
            _ => Err("it has one input, `u`".to_owned()),
        }
    }

    fn output(&self, name: &str) -> Result<usize, String> {
        match name {
            "y" => Ok(0),
            _ => Err(format!("it has no output `{name}`; its only output is `y`")),
        }
    }
}

struct WaitPart {
    spin: Nanos,
    has_input: bool,
    input: f64,
    output: [f64; 1],
    hash: Hash,
}

impl Part for WaitPart {
    fn phases_per_step(&self) -> u64 {
        0
    }

    #[inline]
    fn step(&mut self, _: &mut PhaseStamps) -> Result<(), Stop> {
        self.run(1)
    }

    #[inline]
    fn set_inputs(&mut self, values: &[f64]) -> Result<(), Stop> {
        self.input = values[0];
        Ok(())
    }

    fn outputs(&self) -> &[f64] {
        &self.output
    }

    /// Uses the thread's CPU clock: steps do not become shorter when others take the CPU.
    #[inline]
    fn run(&mut self, steps: u64) -> Result<(), Stop> {
        for _ in 0..steps {
            let end = clock::thread_cpu_time() + self.spin.0;
            while clock::thread_cpu_time() < end {}
            let [output] = &mut self.output;
            *output = 1.0 + if self.has_input { self.input } else { *output };
            self.hash.add(output.to_bits());
        }
        Ok(())
    }
}
