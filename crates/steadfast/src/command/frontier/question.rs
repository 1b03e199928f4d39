//! The question of a frontier: a line for each rate, number of threads and other parameter that was
//! typed with several values.

use std::time::Duration;

use analysis::standards::{Demanded, Limits, Strictness};
use anyhow::{Result, bail};
use plan::{Axis, RunSpec};
use stats::frontier::Search;

use super::args::FrontierArgs;
use crate::varied::{self, Given};

/// A run to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    /// Index of its line.
    pub(super) line: usize,
    pub(super) size: u64,
    /// Number of deadlines.
    pub(super) steps: u64,
}

/// Parameters that the search sets itself, each with the error if it is typed.
const FOUND: &[(&str, &str)] = &[
    ("steps", "--held-for and --budget set how long runs are"),
    ("mode", "a frontier consists of real-time runs"),
];
/// What to type instead of the parameter that is searched for.
const INSTEAD: &str = "the search finds it; use --size N for the headroom of one size";
/// Default numbers of threads for the tire.
const USUAL_THREADS: [&str; 2] = ["1", "cpus"];
/// A line's share of the budget has room for this many quick runs, which leaves enough for a search
/// with runs of several lengths.
const QUICK_RUNS: u32 = 60;
/// A quick run has at least this many deadlines, even if it then takes more of the budget: enough
/// to distinguish 1 % of misses from none.
const QUICK_DEADLINES: u64 = 300;
/// At least this many quick runs fit into the share all the same.
const FEWEST_RUNS: u32 = 12;
/// The size of the first pilot run: one unit per this many nanoseconds of the period.
const PILOT_NS_A_UNIT: u64 = 500;
const PILOT_SIZES: (u64, u64) = (400, 10_000);
/// The first rate to try: one that most models hold.
const PILOT_HERTZ: u64 = 100;

/// The question that a search answers.
pub(super) struct Question {
    /// A specification for each line; its size and steps are placeholders.
    templates: Vec<RunSpec>,
    limits: Limits,
    strictness: Strictness,
    resolution: f64,
    pub(super) axis: Axis,
    /// The only size, if the question is not about a frontier.
    pub(super) size: Option<u64>,
}

impl Question {
    pub(super) fn of(args: &FrontierArgs) -> Result<Self> {
        if args.varied.conditions.seconds.is_some() {
            bail!("--seconds: the search sets the length of runs; use --budget and --held-for");
        }
        let (standards, axis) = (args.standards(), args.varied.axis()?);
        if let (Axis::Setting(_), Some(_)) = (&axis, args.size) {
            bail!(
                "--size: works with masses, instances or a rate, not with a variable; use --over rate --set ..."
            );
        }
        Ok(Self {
            templates: args.varied.runs(&given(args))?,
            axis,
            limits: standards.limits,
            strictness: standards.strictness,
            resolution: args.resolution.0,
            size: args.size,
        })
    }

    pub(super) fn templates(&self) -> &[RunSpec] {
        &self.templates
    }

    /// Returns one search per line, which share that time equally.
    pub(super) fn searches(&self, time: Duration) -> Vec<Search<Demanded>> {
        let share = time / u32::try_from(self.templates.len()).unwrap_or(u32::MAX).max(1);
        let templates = self.templates.iter();
        templates.map(|template| self.search(template, share)).collect()
    }

    fn search(&self, template: &RunSpec, share: Duration) -> Search<Demanded> {
        let period = template.parameters.time("rate");
        let deadlines = |time: Duration| time.as_nanos() as u64 / period.0.max(1);
        let most = deadlines(share / FEWEST_RUNS).max(1);
        let grain = self.axis.grain();
        let smallest = self.axis.smallest(template.parameters.count("threads"));
        let (least, highest) = PILOT_SIZES;
        let first = match self.axis {
            Axis::Masses => (period.0 / PILOT_NS_A_UNIT).clamp(least, highest),
            Axis::Rate => PILOT_HERTZ,
            Axis::Instances | Axis::Setting(_) => smallest,
        };
        let periods = self.axis.periods(template);
        Search {
            demand: self.limits.demands(self.strictness, periods),
            resolution: self.resolution,
            grain,
            smallest,
            largest: varied::largest(template, &self.axis),
            first: first.max(smallest).next_multiple_of(grain),
            period_ns: period.0 as f64,
            quick: deadlines(share / QUICK_RUNS).max(QUICK_DEADLINES).min(most),
        }
    }

    /// Returns the index of the line to which a run belongs.
    pub(super) fn line_of(&self, spec: &RunSpec) -> Option<usize> {
        let [size, steps] = [self.axis.place(spec), varied::steps(spec)];
        let is_of = |line: &usize| {
            let line = *line;
            self.spec(&Trial { line, size, steps }) == *spec
        };
        (0..self.templates.len()).find(is_of)
    }

    /// Returns the specification of a run.
    pub(super) fn spec(&self, trial: &Trial) -> RunSpec {
        let spec = varied::at(&self.templates[trial.line], &self.axis, trial.size);
        varied::lasting(&spec, trial.steps)
    }
}

/// Returns what the search sets in its runs.
fn given(args: &FrontierArgs) -> Given {
    let steps = ("steps", vec!["1".to_owned()]);
    let threads = ("threads", USUAL_THREADS.map(str::to_owned).to_vec());
    Given {
        usual: match args.varied.measurement().name() {
            "tire" => vec![steps, threads],
            _ => Vec::new(),
        },
        set: FOUND,
        instead: INSTEAD,
        place: args.size,
        blame: !args.no_blame,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::frontier::tests::parse;
    use units::Nanos;

    fn question(line: &str) -> Result<Question> {
        Question::of(&parse(line)?)
    }

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn each_rate_and_number_of_threads_is_a_line() {
        let question = question("--rate 1kHz,100Hz --threads 1,2").unwrap();
        let templates = question.templates();
        assert_eq!(templates.len(), 4);
        assert!(
            templates.iter().all(|spec| spec.blame_beyond == Some(spec.parameters.time("rate")))
        );
        let searches = question.searches(4 * MINUTE);
        for (search, template) in searches.iter().zip(templates) {
            assert_eq!(search.period_ns, template.parameters.time("rate").0 as f64);
            // A second at 1 kHz; at 100 Hz as long as it takes to detect 1 % of misses.
            let quick = if search.period_ns == 1e6 { 1000 } else { 300 };
            assert_eq!(search.quick, quick);
        }
    }

    #[test]
    fn a_run_is_as_long_as_its_steps() {
        let question = question("--rate 1kHz --threads 2 --solver simd").unwrap();
        let spec = question.spec(&Trial { line: 0, size: 4000, steps: 1500 });
        assert_eq!(spec.parameters.count("masses"), 4000);
        assert_eq!(spec.asked.duration, Nanos(1_500_000_000));
        assert_eq!(spec.parameters.word("solver"), "simd");
    }

    #[test]
    fn what_the_search_finds_cannot_be_typed() {
        for (line, flag) in [
            ("--masses 400", "--masses"),
            ("--steps 100", "--steps"),
            ("--mode real-fast", "--mode"),
            ("--seconds 10", "--seconds"),
            ("--period 1ms", "--period"),
            ("--hard --soft", "--hard"),
            ("--resolution 0%", "--resolution"),
            ("--resolution 90%", "--resolution"),
            ("--size 401", "--masses"),
        ] {
            let why = format!("{:#}", question(line).err().unwrap());
            assert!(why.contains(flag), "{line}: {why}");
        }
    }
}
