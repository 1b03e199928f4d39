//! Carrying a ready plan out: `steadfast quick` and its like.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use plan::RunSpec;

use super::run::args::RunArgs;
use crate::args::{BlameArgs, IdleArg, InGeneral, PlaceArgs, RepeatArgs};
use crate::driver::Here;
use crate::kept::{KeptArgs, what_is_left};
use crate::plans::Ready;
use crate::request;

/// Of a plan that is read from a file.
#[derive(Debug, Default, Args)]
pub(crate) struct ReadyArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// Whether idle states are held off where deadlines matter; `leave` does
    /// without the right to write /dev/cpu_dma_latency
    #[arg(long, value_name = "STATE", default_value = "hold")]
    idle_states: IdleArg,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

impl ReadyArgs {
    /// What every run of the plan begins with, where the plan does not say otherwise.
    pub(crate) fn begin(&self, typed: &mut RunArgs) {
        typed.place = self.place.clone();
        if self.idle_states == IdleArg::Leave {
            typed.conditions.idle_states = Some(IdleArg::Leave);
        }
    }

    /// The runs of a plan that the machine can make, changed before that is known.
    pub(crate) fn specs(
        &self,
        plan: &Ready,
        change: impl FnOnce(&mut [RunSpec]),
    ) -> Result<Vec<RunSpec>> {
        let (mut round, rounds) = plan.round(&|typed| self.begin(typed))?;
        change(&mut round);
        round.iter_mut().for_each(|spec| self.blame.ask(spec));
        let round = self.place.target.possible(round);
        request::repeated(round, self.repeat.or(rounds))
    }
}

/// Measures what the plan says, stores it, and writes the report.
pub(crate) fn ready(plan: &Ready, args: &ReadyArgs) -> Result<ExitCode> {
    carry_through(plan.name, &args.specs(plan, |_| {})?, args)
}

/// Carries a plan of this name out, and answers people and programs.
pub(super) fn carry_through(name: &str, plan: &[RunSpec], args: &ReadyArgs) -> Result<ExitCode> {
    let (place, kept) = (&args.place.target, &args.kept);
    let standards = kept.answer.standards();
    let target = place.open()?;
    let mut here = Here::checked(&*target);
    let ended = kept.carry_on(name, plan, place.machine()?, &mut here)?;
    let notes = what_is_left(&ended, plan.len());
    kept.give(ended, &standards, &InGeneral, &notes)
}
