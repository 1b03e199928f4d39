//! The runs of a plan in the order in which they are executed.

use std::path::Path;

use anyhow::{Context, Result, bail};
use record::RunSpec;

use crate::command::ready::ReadyArgs;
use crate::options::plans::{PlanFile, Reading, Written};
use crate::options::request;
use crate::session::driver::{Carrier, Ended, Targets};
use crate::session::order::{Order, mark};

/// A plan whose runs are in the order in which they are executed.
pub(super) struct Campaign {
    /// Names the plan, its order and its runs; an interrupted session is found by it.
    pub(super) title: String,
    pub(super) runs: Vec<Written>,
    /// The name of a copy of the plan; a plan without a name is named after its file.
    pub(super) file_name: String,
}

impl Campaign {
    pub(super) fn read(
        plan: &str,
        text: &str,
        directory: Option<&Path>,
        args: &ReadyArgs,
    ) -> Result<Self> {
        let begin = &|request: &mut _| args.begin(request);
        let reading = Reading { begin, is_checked: true, directory };
        let mut file = reading.read(plan, text)?;
        file.repeat = args.repeat.repeat.unwrap_or(file.repeat);
        let runs = file.runs.iter_mut();
        runs.for_each(|run| args.blame.ask(&mut run.spec));
        request::expect_few(file.runs.len().saturating_mul(file.repeat.get()))
            .context("--repeat")?;
        let stem = Path::new(plan).file_stem().unwrap_or(plan.as_ref());
        Ok(Self::of(&stem.to_string_lossy(), &file))
    }

    /// Returns the campaign of a plan file. Its name is `stem` if the plan has none.
    pub(super) fn of(stem: &str, file: &PlanFile) -> Self {
        let name = file.name.as_deref().unwrap_or(stem);
        let mark = mark(file.runs.iter().map(|run| run.line.as_str()));
        let order = match (file.is_random, file.seed) {
            (false, _) => Order::AsWritten,
            (true, Some(seed)) => Order::Random(seed),
            // Derived from the runs, so it is the same on every machine that reads the plan.
            (true, None) => Order::Random(mark),
        };
        let places = order.places(file.runs.len(), file.repeat.get());
        Self {
            title: format!("campaign {name}, {order}, plan {mark:08x}"),
            runs: places.into_iter().map(|p| file.runs[p].clone()).collect(),
            file_name: format!("{stem}.toml"),
        }
    }

    /// Returns a campaign of one of the runs, counted from 1.
    pub(super) fn only(&self, number: usize) -> Result<Self> {
        let Some(run) = self.runs.get(number - 1) else {
            bail!("--only: the campaign has {} runs", self.runs.len());
        };
        Ok(Self {
            title: self.title_of(number - 1),
            runs: vec![run.clone()],
            file_name: self.file_name.clone(),
        })
    }

    pub(super) fn title_of(&self, ordinal: usize) -> String {
        format!("{}, run {}", self.title, ordinal + 1)
    }

    pub(super) fn measure(&self, args: &ReadyArgs) -> Result<Ended> {
        let mut targets = Targets::of(|due| self.runs[due.ordinal].place.clone());
        for run in &self.runs {
            targets.open(&run.place)?;
        }
        self.carry_on(args, &mut targets)
    }

    pub(super) fn carry_on(&self, args: &ReadyArgs, carrier: &mut dyn Carrier) -> Result<Ended> {
        let here = runner::fingerprint();
        args.kept.carry_on(&self.title, &self.specs(), here, carrier)
    }

    pub(super) fn specs(&self) -> Vec<RunSpec> {
        self.runs.iter().map(|run| run.spec.clone()).collect()
    }
}
