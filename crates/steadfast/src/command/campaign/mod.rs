//! `steadfast campaign`: the runs of a plan file, in an order that keeps drift out of the
//! comparison.

pub(crate) mod args;
mod order;
mod slurm;
mod targets;

pub(crate) use self::order::Order;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use plan::{Outcome, RunSpec};

use self::args::CampaignArgs;
use self::order::mark;
use self::slurm::Slurm;
use self::targets::Targets;
use crate::args::InGeneral;
use crate::command::ready::ReadyArgs;
use crate::driver::{Carrier, Ended};
use crate::kept::what_is_left;
use crate::output::print;
use crate::plans::{self, PlanFile, Reading, Written};
use crate::progress::say;
use crate::request;

/// The largest plan file that is read, in bytes; a list of all runs that a plan may have is smaller.
const LARGEST: u64 = 4 << 20;

/// Lists or shows ready plans, or makes the runs of a plan.
pub(crate) fn campaign(args: &CampaignArgs) -> Result<ExitCode> {
    if let Some(name) = &args.show {
        print(plans::find(name)?.text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(plan) = args.plan.as_deref() else {
        print(&plans::list())?;
        return Ok(ExitCode::SUCCESS);
    };
    let text = text_of(plan)?;
    let ready = &args.ready;
    let campaign = Campaign::read(plan, &text, ready)?;
    if let Some(number) = args.only {
        let ended = campaign.only(number.get())?.measure(ready)?;
        return ended.exit_code(&[]);
    }
    let runs = campaign.runs.len();
    say(&format!("{}: {runs} runs.", campaign.title));
    let kept = &ready.kept;
    let ended = match args.slurm {
        true => campaign.carry_on(ready, &mut Slurm::open(&campaign, &text, &kept.out)?)?,
        false => campaign.measure(ready)?,
    };
    let standards = kept.answer.standards();
    let notes = what_is_left(&ended, runs) + &what_won(&ended.outcomes, &kept.results());
    kept.give(ended, &standards, &InGeneral, &notes)
}

/// The command that answers what a campaign is made for, where its runs can.
fn what_won(outcomes: &[Outcome], results: &Path) -> String {
    let varying = analysis::comparison::varying(outcomes);
    let Some(first) = varying.first() else {
        return String::new();
    };
    let also = match &varying[1..] {
        [] => String::new(),
        others => format!("; so can {}", others.join(", ")),
    };
    format!(
        "Which is better: `steadfast compare {} --across {first}`{also}\n",
        results.display()
    )
}

/// The text of a ready plan or of a file.
fn text_of(plan: &str) -> Result<String> {
    match plans::find(plan) {
        Ok(ready) => Ok(ready.text.to_owned()),
        Err(unknown) if !plan.contains(['/', '.']) => Err(unknown),
        Err(_) => rt::read::bounded(plan, LARGEST)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .with_context(|| format!("{plan} cannot be read; name a plan file in TOML")),
    }
}

/// Runs in the order in which they are made.
struct Campaign {
    /// Names the plan, its order and its runs: what an interrupted session is found by.
    title: String,
    runs: Vec<Written>,
    /// What a copy of the plan is called: the title may have its name from the file's.
    file_name: String,
}

impl Campaign {
    fn read(plan: &str, text: &str, args: &ReadyArgs) -> Result<Self> {
        let reading = Reading {
            begin: &|typed| args.begin(typed),
            is_checked: true,
        };
        let mut file = reading.read(plan, text)?;
        file.repeat = args.repeat.repeat.unwrap_or(file.repeat);
        let runs = file.runs.iter_mut();
        runs.for_each(|run| args.blame.ask(&mut run.spec));
        request::expect_few(file.runs.len().saturating_mul(file.repeat.get()))
            .context("--repeat")?;
        let stem = Path::new(plan).file_stem().unwrap_or(plan.as_ref());
        Ok(Self::of(&stem.to_string_lossy(), &file))
    }

    /// Of a plan in a file of that name, which counts where the plan has none.
    fn of(stem: &str, file: &PlanFile) -> Self {
        let name = file.name.as_deref().unwrap_or(stem);
        let mark = mark(file.runs.iter().map(|run| run.line.as_str()));
        let order = match (file.is_random, file.seed) {
            (false, _) => Order::AsWritten,
            (true, Some(seed)) => Order::Random(seed),
            // Drawn from the runs: the same on every machine that reads the plan.
            (true, None) => Order::Random(mark),
        };
        let places = order.places(file.runs.len(), file.repeat.get());
        Self {
            title: format!("campaign {name}, {order}, plan {mark:08x}"),
            runs: places.into_iter().map(|p| file.runs[p].clone()).collect(),
            file_name: format!("{stem}.toml"),
        }
    }

    /// A campaign of one of the runs, counted from 1.
    fn only(&self, number: usize) -> Result<Self> {
        let Some(run) = self.runs.get(number - 1) else {
            bail!("--only: the campaign has {} runs", self.runs.len());
        };
        Ok(Self {
            title: self.title_of(number - 1),
            runs: vec![run.clone()],
            file_name: self.file_name.clone(),
        })
    }

    fn title_of(&self, ordinal: usize) -> String {
        format!("{}, run {}", self.title, ordinal + 1)
    }

    /// Makes what is left of it.
    fn measure(&self, args: &ReadyArgs) -> Result<Ended> {
        self.carry_on(args, &mut Targets::open(&self.runs)?)
    }

    /// Has what is left of it made.
    fn carry_on(&self, args: &ReadyArgs, carrier: &mut dyn Carrier) -> Result<Ended> {
        let here = runner::fingerprint();
        args.kept
            .carry_on(&self.title, &self.specs(), here, carrier)
    }

    fn specs(&self) -> Vec<RunSpec> {
        self.runs.iter().map(|run| run.spec.clone()).collect()
    }
}
