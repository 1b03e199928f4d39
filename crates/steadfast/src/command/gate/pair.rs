//! `steadfast gate pair`: whether B is worse than A by more than a margin, on hardware.

use std::process::ExitCode;
use std::time::Instant;

use analysis::Analysis;
use analysis::comparison::Margin;
use anyhow::{Result, anyhow, bail};
use base::Nanos;
use clap::Args;
use record::{GateRun, GateSide, RunSpec};
use report::GateView;

use crate::command::run::line::of_line;
use crate::options::place::Place;
use crate::session::driver::{List, Rule, Targets, Work, time_for_runs};
use crate::session::order::in_rounds;
use crate::session::results_dir::KeptArgs;
use crate::session::rounds::Room;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-gate")))]
pub(crate) struct PairArgs {
    /// The reference, as typed after `steadfast run`, such as 'model --library old.so --rate 1kHz'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) a: String,
    /// The run to test, as typed after `steadfast run`, such as 'model --library new.so --rate 1kHz'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) b: String,
    /// By how much B may be worse than A
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub(crate) margin: Margin,
    /// The compared figure of each row's times
    #[arg(long, default_value = "median", value_parser = ["median", "average", "p99"])]
    pub(crate) figure: String,
    /// Total time; a third of it measures A a second time, which shows how often equal runs differ
    #[arg(long, value_name = "TIME", default_value = "10min")]
    pub(crate) budget: Nanos,
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

/// More rounds add little.
const MOST_ROUNDS: usize = 300;

pub(crate) fn pair(args: &PairArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (kept, place) = (&args.kept, &args.place);
    if matches!(place, Place::Vm(_)) {
        bail!(
            "--target: machines of the lab count instructions, which are equal in each run; gates of times need hardware"
        );
    }
    let machine = place.machine()?;
    let sides = requested(args, &machine.id())?;
    place.check(&sides)?;
    let keeping = kept.session("gate", &sides, machine)?;
    let work = Work::resumed(keeping)?.until(started + time_for_runs(args.budget));
    let ended = work.carry_out(&mut turns(&sides, MOST_ROUNDS), &mut Targets::at(place)?)?;
    let standards = kept.answer.standards();
    let analysis = Analysis::of(&ended.outcomes, &standards).headed(kept.heading());
    kept.give_of(&analysis, ended.trouble, &GateView, "")
}

/// Returns A, A again and B, if enough rounds of them fit into the budget.
pub(super) fn requested(args: &PairArgs, machine: &str) -> Result<[RunSpec; 3]> {
    let (mut a, of_a) = of_line("--a", &args.a, &args.place)?;
    let (mut b, of_b) = of_line("--b", &args.b, &args.place)?;
    if a.measurement != b.measurement {
        let [a, b] = [a.measurement, b.measurement];
        bail!("--b: {b} has no rows in common with {a}; compare runs of one measurement");
    }
    let room = Room::for_gate(args.budget);
    for (run, said) in [(&mut a, of_a), (&mut b, of_b)] {
        if said.is_none() {
            run.asked.duration = room.length();
        }
    }
    let longest = a.asked.duration.max(b.asked.duration);
    room.rounds(longest).map_err(|why| anyhow!("{why}, or shorten the runs"))?;
    let text = serde_json::json!([&a, &b, args.figure, args.margin.share(), machine]).to_string();
    let id = lab::sha256(text.as_bytes());
    Ok(GateSide::ALL.map(|side| {
        let gate = GateRun {
            id: id.clone(),
            side,
            figure: args.figure.clone(),
            margin_ppm: (args.margin.share() * 1e6).round() as u32,
        };
        let run = if side == GateSide::B { &b } else { &a };
        RunSpec { gate: Some(gate), ..run.clone() }
    }))
}

/// Returns rounds in which the order of the sides is random, so that drift affects them alike, as
/// many as fit into the time. Another gate starts anew: to add runs until the answer is liked would
/// make more of them wrong.
pub(super) fn turns(sides: &[RunSpec; 3], rounds: usize) -> List {
    List::with(&in_rounds(sides, rounds), Rule::InTime)
}
