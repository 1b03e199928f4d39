//! Execution of ready plans: `steadfast quick`, `frames`, `bench tire` and similar commands.

use std::mem;
use std::process::ExitCode;

use analysis::words;
use anyhow::Result;
use base::Policy;
use clap::{Args, ValueEnum};
use record::{LatencyHold, Right, RunSpec, Warning};

use crate::options::place::Place;
use crate::options::plans::{BENCH_TIRE, Ready};
use crate::options::request::{self, RunRequest};
use crate::options::{BlameArgs, IdleArg, InGeneral, RepeatArgs};
use crate::session::driver::Targets;
use crate::session::results_dir::{KeptArgs, what_is_left};
use crate::startup::output::tell;

/// Options of commands that execute a plan.
#[derive(Debug, Default, Args)]
pub(crate) struct ReadyArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Whether to hold off idle states where deadlines matter; default: hold, if this user may
    /// write /dev/cpu_dma_latency
    #[arg(long, value_name = "STATE")]
    idle_states: Option<IdleArg>,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-bench")))]
pub(crate) struct BenchArgs {
    /// What to compare
    #[arg(value_name = "SUBJECT")]
    subject: Subject,
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Subject {
    /// The tire's solvers; takes about four minutes
    Tire,
}

impl ReadyArgs {
    pub(crate) fn at(place: &Place) -> Self {
        Self { place: place.clone(), ..Self::default() }
    }

    /// Applies these options to a run, before the plan's own settings.
    pub(crate) fn begin(&self, request: &mut RunRequest) {
        request.place = self.place.clone();
        if self.idle_states == Some(IdleArg::Leave) {
            request.conditions.idle_states = self.idle_states;
        }
    }

    /// Lowers what the plan, but not the user, requests to the user's rights, and reports it.
    fn permit(&self, round: &mut Vec<RunSpec>) -> Result<()> {
        let mut lacks = self.place.without()?;
        lacks.retain(|right| self.idle_states.is_none() || *right != Right::IdleStates);
        let needing = lower(round, &lacks);
        if needing.is_empty() && round.iter().all(|spec| spec.without.is_empty()) {
            return Ok(());
        }
        let barrier = self.place.barrier_to(&lacks)?;
        let warning = Warning::NotPermitted { rights: lacks, barrier };
        let cause = words::capital(&warning.cause());
        tell(&format!("{cause}. Remedy: {}.", warning.remedy()));
        if !needing.is_empty() {
            tell(&format!("Skipped, because these rights are required: {}", needing.join(", ")));
        }
        Ok(())
    }

    /// Returns the runs of a plan that are possible on the target, changed by `change`.
    pub(crate) fn specs(
        &self,
        plan: &Ready,
        change: impl FnOnce(&mut [RunSpec]),
    ) -> Result<Vec<RunSpec>> {
        let (round, rounds) = plan.round(&|request| self.begin(request))?;
        let mut round = self.possible(round)?;
        change(&mut round);
        request::repeated(round, self.repeat.or(rounds))
    }

    /// Applies these options to runs, and leaves out those that are not possible on the target.
    pub(crate) fn possible(&self, mut round: Vec<RunSpec>) -> Result<Vec<RunSpec>> {
        self.permit(&mut round)?;
        round.iter_mut().for_each(|spec| self.blame.ask(spec));
        Ok(self.place.possible(round))
    }
}

/// Removes requests that lack a right; leaves out runs that need it, and returns their names.
fn lower(round: &mut Vec<RunSpec>, lacks: &[Right]) -> Vec<String> {
    let mut needing = Vec::new();
    round.retain_mut(|spec| {
        *spec = lowered(spec, lacks);
        let measurement = measure::find(&spec.measurement);
        let needs = !spec.without.is_empty()
            && measurement.is_some_and(|measurement| measurement.check(spec).is_err());
        needing.extend(needs.then(|| spec.measurement.clone()));
        !needs
    });
    needing.dedup();
    needing
}

fn lowered(spec: &RunSpec, lacks: &[Right]) -> RunSpec {
    let mut spec = spec.clone();
    let asked = &mut spec.asked;
    let is_lowered = |right: &Right| match right {
        Right::RealTimePriority if asked.policy.is_real_time() => {
            asked.policy = Policy::OTHER;
            true
        }
        Right::RealTimePriority => false,
        Right::LockedMemory => mem::take(&mut asked.memory_lock),
        Right::IdleStates => {
            mem::replace(&mut asked.cpu_dma_latency, LatencyHold::Leave) == LatencyHold::Hold
        }
    };
    spec.without = lacks.iter().copied().filter(is_lowered).collect();
    spec
}

pub(crate) fn ready(plan: &Ready, args: &ReadyArgs) -> Result<ExitCode> {
    carry_through(plan.name, &args.specs(plan, |_| {})?, args)
}

pub(crate) fn bench(args: &BenchArgs) -> Result<ExitCode> {
    let Subject::Tire = args.subject;
    ready(&BENCH_TIRE, &args.ready)
}

pub(super) fn carry_through(name: &str, plan: &[RunSpec], args: &ReadyArgs) -> Result<ExitCode> {
    let (place, kept) = (&args.place, &args.kept);
    let mut targets = Targets::at(place)?;
    let ended = kept.carry_on(name, plan, place.machine()?, &mut targets)?;
    let notes = what_is_left(&ended, plan.len());
    kept.give(ended, &kept.answer.standards(), &InGeneral, &notes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::plans::QUICK;

    #[test]
    fn without_rights_everything_that_needs_none_is_measured() {
        let lacks = [Right::RealTimePriority, Right::LockedMemory, Right::IdleStates];
        let (plan, _) = QUICK.round(&|_| {}).unwrap();
        let (mut round, mut whole) = (plan.clone(), plan.clone());
        assert_eq!(lower(&mut round, &lacks), ["priority_inversion", "deadlock_break"]);
        assert_eq!(round.len(), plan.len() - 2);
        let needs = |spec: &RunSpec| {
            let asked = &spec.asked;
            asked.policy.is_real_time()
                || asked.memory_lock
                || asked.cpu_dma_latency == LatencyHold::Hold
        };
        assert!(!round.iter().any(needs));
        let lowered = round.iter().filter(|spec| !spec.without.is_empty());
        let kept = plan.iter().filter(|spec| needs(spec));
        assert_eq!(lowered.count(), kept.count() - 2, "each names the right that it lacks");
        assert!(lower(&mut whole, &[]).is_empty());
        assert_eq!(whole, plan);
        lower(&mut whole, &lacks[2..]);
        assert!(whole.iter().any(|spec| spec.asked.policy.is_real_time()));
    }
}
