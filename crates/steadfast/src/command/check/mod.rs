//! `steadfast check`: tests whether this machine holds a rate, for a test bench or a CI.

use std::process::ExitCode;

use analysis::Analysis;
use analysis::check::{Check, MostMisses};
use analysis::standards::Standards;
use analysis::words::time;
use anyhow::{Result, anyhow, bail};
use base::{Nanos, Rate};
use clap::Args;
use record::{Mode, RunSpec, Value};
use serde_json::json;

use crate::options::parameters::ParameterArgs;
use crate::options::place::Place;
use crate::options::request::subject::CHECK;
use crate::options::request::{self, RunRequest, STEPS};
use crate::options::{AnswerArgs, BlameArgs, ConditionArgs};
use crate::session::conclusion::conclude;
use crate::session::driver::{List, Rule, Targets, Work};
use crate::session::progress::say;
use crate::session::results_dir::StoreArgs;
use crate::startup::output::print;
use crate::startup::typed::as_typed;

#[derive(Debug, Args)]
#[command(mut_arg("rate", |arg| arg.required(true).help("Rate to hold, such as 1kHz").help_heading(None::<&str>)))]
#[command(mut_arg("seconds", |arg| arg.help("Length of each run; default: a thirtieth of --for")))]
pub(crate) struct CheckArgs {
    /// What must hold the rate: `wakeup`, a thread without work; the built-in `tire`; or `model`, your
    /// own
    #[arg(value_name = "MEASUREMENT", value_parser = CHECK.names(), default_value = "wakeup")]
    measurement: String,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
    /// Latest allowed wake-up after its due time, or longest allowed step; default: until the next
    /// one is due
    #[arg(long, value_name = "TIME")]
    pub(crate) max: Option<Nanos>,
    /// Allowed misses or late events: 0, a rate of the machine (10/h) or a fraction (1/1000000)
    #[arg(long, value_name = "MISSES", default_value = "0")]
    pub(crate) misses: MostMisses,
    /// Total measuring time; the check ends early if one event decides it
    #[arg(long = "for", value_name = "TIME", default_value = "1min")]
    pub(crate) time: Nanos,
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
}

impl CheckArgs {
    fn rate(&self) -> Result<Rate> {
        match self.parameters.0.get("rate").map(Vec::as_slice) {
            Some([rate]) => rate.parse().map_err(|why| anyhow!("--rate: {why}")),
            Some(_) => bail!("--rate: a check takes one value"),
            None => bail!("--rate: name a rate, such as 1kHz"),
        }
    }

    /// Returns the name of the measurement, and the parameters that the check reads itself. In place
    /// of a name, `--model` may still say `tire` or `thread`.
    fn measured(&self) -> (&str, &[&str]) {
        let model = self.parameters.0.get("model").map_or(&[][..], Vec::as_slice);
        match model {
            _ if self.measurement != "wakeup" => (&self.measurement, &["rate"]),
            [model] if model == "tire" => ("tire", &["rate", "model"]),
            [model] if model == "thread" => ("wakeup", &["rate", "model"]),
            _ => (&self.measurement, &["rate"]),
        }
    }
}

/// Number of runs, if they are long enough: it finds a machine on which one run in ten is bad.
const RUNS: u64 = 30;
const SHORTEST: Nanos = Nanos::SECOND;
/// The longest run: a bad run should be seen before all of the time is over.
const LONGEST: Nanos = Nanos(600 * Nanos::SECOND.0);

/// Measures until the limit is broken or the time is over, and prints the verdict.
pub(crate) fn check(args: &CheckArgs) -> Result<ExitCode> {
    let check = Check { period: args.rate()?.period(), max: args.max, misses: args.misses };
    let runs = runs(args)?;
    let command = Some(as_typed());
    let standards = Standards { latest: args.max, command, ..args.answer.standards() };
    args.answer.check(&runs, args.store.files().collect())?;
    say(&format!(
        "PASS takes {} without a miss.",
        time(check.takes(&standards, &runs[0]).0 as f64)
    ));
    let place = &args.place;
    let mut targets = Targets::at(place)?;
    let keeping = args.store.session("check", &runs, || place.machine())?;
    let is_broken = Rule::Until(Box::new(move |outcome| check.is_broken_by(outcome)));
    let mut plan = List::with(&runs, is_broken);
    let ended = Work::kept(keeping).carry_out(&mut plan, &mut targets)?;
    let heading = args.store.heading();
    let analysis = Analysis::of(&ended.outcomes, &standards).headed(heading);
    let answer = &args.answer;
    if ended.outcomes.is_empty() {
        return conclude(answer, &analysis, ended.trouble, Vec::new());
    }
    let checked = check.of(&analysis, runs[0].asked.duration);
    let told = report::check(&checked, &analysis);
    if answer.json {
        print(&format!("{}\n", json!(told)))?;
    } else {
        answer.print(&analysis, &told, &args.store.more())?;
    }
    conclude(answer, &analysis, ended.trouble, vec![told.case(title(args)?)])
}

/// `check 1kHz max 50us`: what was to hold, as it was typed.
fn title(args: &CheckArgs) -> Result<String> {
    let model = match args.measured().0 {
        "wakeup" => String::new(),
        model => format!("{model} "),
    };
    let max = args.max.map_or_else(String::new, |max| format!(" max {max}"));
    let misses = args.misses.to_string();
    let misses = if misses == "0" { String::new() } else { format!(" at most {misses}") };
    Ok(format!("check {model}{}{max}{misses}", args.rate()?))
}

fn runs(args: &CheckArgs) -> Result<Vec<RunSpec>> {
    if args.time < SHORTEST {
        bail!("--for: {} is too short; the minimum is {SHORTEST}", args.time);
    }
    CHECK.refuse_set(&args.parameters)?;
    let rate = args.rate()?;
    let period = rate.period();
    let (measured, own) = args.measured();
    let mut request = RunRequest::named(measured)?;
    request.conditions = args.conditions.clone();
    if measured == "wakeup" {
        request.set("period", Value::Time(period))?;
    } else {
        request.set_word("mode", Mode::RealTime.name())?;
        request.set("rate", Value::Rate(rate))?;
    }
    if !args.parameters.has(STEPS) {
        let usual = Nanos(args.time.0 / RUNS).clamp(SHORTEST, LONGEST);
        request.conditions.seconds.get_or_insert(usual);
    }
    request.place = args.place.clone();
    let threshold = args.blame.threshold.or(args.max.map(|max| max.min(period)));
    request.blame = BlameArgs { threshold, ..args.blame.clone() };
    request.read(&args.parameters.without(own))?;
    let specs = request::specs(&[request])?;
    let [spec] = specs.as_slice() else {
        bail!("a check is about one run; give each parameter one value");
    };
    let each = spec.asked.duration.0.max(1);
    let count = args.time.0.div_ceil(each).max(1) as usize;
    request::expect_few(count)?;
    Ok(vec![spec.clone(); count])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::after;

    #[test]
    fn causes_are_those_of_what_came_later_than_the_check_allows() {
        let beyond = |words: &str| {
            let args: CheckArgs = after(&format!("--rate 1kHz {words}")).unwrap();
            runs(&args).unwrap()[0].blame_beyond
        };
        assert_eq!(beyond("--max 50us"), None);
        assert_eq!(beyond("--max 50us --blame"), Some(Nanos(50_000)));
        assert_eq!(beyond("--max 5ms --blame"), Some(Nanos(1_000_000)));
        assert_eq!(beyond("--max 50us --blame --threshold 70us"), Some(Nanos(70_000)));
    }

    #[test]
    fn the_case_says_what_was_to_hold() {
        let title = |words: &str| title(&after(&format!("--rate 1kHz {words}")).unwrap()).unwrap();
        assert_eq!(title("--max 50us"), "check 1kHz max 50us");
        assert_eq!(title("tire --misses 10/h"), "check tire 1kHz at most 10 misses per hour");
        for (old, now) in [("--model tire", "tire"), ("--model thread", "wakeup"), ("", "wakeup")] {
            assert_eq!(title(old), title(now));
        }
    }
}
