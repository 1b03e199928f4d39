//! `steadfast run`: executes measurements.

pub(crate) mod line;

use std::path::PathBuf;
use std::process::ExitCode;

use analysis::{Analysis, json};
use anyhow::{Result, bail};
use clap::Args;
use record::{Outcome, Recording};

use self::line::LineArgs;
use crate::options::place::Place;
use crate::options::request;
use crate::options::request::RunRequest;
use crate::options::{AnswerArgs, FollowArgs, InGeneral, RepeatArgs};
use crate::session::conclusion::conclude;
use crate::session::driver::{List, Targets, Work};
use crate::session::live;
use crate::session::results_dir::StoreArgs;
use crate::startup::files;
use crate::startup::output::print;

#[derive(Debug, Args, Clone)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Also store raw samples
    #[arg(long, requires = "store")]
    pub(crate) keep_samples: bool,
    /// Write a CSV file to check the model: the outputs of your own model after every step, or
    /// positions, velocities, forces and energy of every mass of a tire. Recording takes time, so
    /// this run's times cannot be compared with others
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
    #[command(flatten)]
    pub(crate) line: LineArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl RunArgs {
    pub(crate) fn requests(&self) -> Result<Vec<RunRequest>> {
        let mut requests = self.line.requests(&self.place, self.record.is_some())?;
        requests.iter_mut().for_each(|request| request.follow = self.follow);
        Ok(requests)
    }
}

#[cfg(test)]
pub(crate) fn parse_run_line(line: &str) -> Result<RunArgs, clap::Error> {
    crate::options::after(line)
}

const RECORD: &str = "--record";

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let specs = request::repeated(request::specs(&args.requests()?)?, args.repeat.or(1))?;
    let standards = args.answer.standards();
    let record = args.record.iter().map(|path| (RECORD.to_owned(), path.clone()));
    args.answer.check(&specs, args.store.files().chain(record).collect())?;
    if let Some(path) = &args.record {
        if specs.len() > 1 {
            bail!("--record: {} runs cannot go into one file; request one run", specs.len());
        }
        files::check_place(path, RECORD)?;
    }
    place::show_live_with(live::show);
    let place = &args.place;
    let mut targets = Targets::at(place)?;
    let session = args.store.session("run", &specs, || place.machine())?;
    let keeping = session.map(|session| session.with_samples(args.keep_samples));
    let heading = args.store.heading();
    let mut show = |outcome: &Outcome, recording: &Recording| {
        if let Some(path) = &args.record {
            match recorded_steps(recording) {
                Ok(steps) => files::write(path, &steps, RECORD)?,
                Err(why) if outcome.is_valid() => bail!(why),
                // The run did not start, and the result says why.
                Err(_) => {}
            }
        }
        if args.answer.json {
            let run = json::run(outcome, &standards).headed(&heading);
            print(&format!("{}\n", run.json()))?;
        }
        Ok(())
    };
    let work = Work::kept(keeping).shown_by(&mut show);
    let ended = work.carry_out(&mut List::of(&specs), &mut targets)?;
    let answer = &args.answer;
    let analysis = Analysis::of(&ended.outcomes, &standards).headed(heading.clone());
    if !answer.json && !ended.outcomes.is_empty() {
        answer.print(&analysis, &InGeneral, &args.store.more())?;
    }
    conclude(answer, &analysis, ended.trouble, Vec::new())
}

fn recorded_steps(recording: &Recording) -> Result<String, String> {
    let name = &recording.header.spec.measurement;
    measure::find(name).map_or_else(
        || Err(format!("unknown measurement {name}")),
        |measurement| measurement.recorded_steps(recording),
    )
}
