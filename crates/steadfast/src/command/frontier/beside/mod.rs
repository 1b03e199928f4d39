//! `steadfast frontier mix PLAN.toml`: how much best-effort work fits in addition to the members of a
//! mix that have rates, depending on how it is scheduled.

#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use base::{CpuSet, Policy};
use record::{Member, RunSpec};
use report::BestEffortView;

use super::args::FrontierArgs;
use crate::options::place::Ground;
use crate::options::request::mix;
use crate::options::request::{self, RunRequest};
use crate::session::rounds::{Room, Rounds};
use crate::startup::output::tell;

pub(super) fn beside(args: &FrontierArgs, plan: &str) -> Result<ExitCode> {
    let started = Instant::now();
    let (kept, place) = (&args.varied.kept, &args.varied.place);
    let rounds = on(&place.ground()?, args, plan)?;
    let ended = rounds.carry_out("frontier beside", kept, place, started, args.budget)?;
    kept.give(ended, &args.standards(), &BestEffortView, "")
}

struct Way {
    name: &'static str,
    policy: Policy,
    /// The share of its CPU that it may use, in percent.
    limit: Option<u64>,
    /// Whether it runs on a CPU that no member with a rate uses.
    elsewhere: bool,
}

const fn under(name: &'static str, policy: Policy) -> Way {
    Way { name, policy, limit: None, elsewhere: false }
}

/// The default policy with its lowest weight (sched(7)).
const LIGHT: Policy = Policy::Other { nice: Some(19), slice: None };

/// Every way but a deadline reservation, which the kernel refuses for a task bound to a CPU.
const WAYS: &[Way] = &[
    under("idle", Policy::Idle),
    under("other:19", LIGHT),
    under("other", Policy::OTHER),
    Way { limit: Some(25), ..under("other, at most 25 %", Policy::OTHER) },
    Way { elsewhere: true, ..under("other on another CPU", Policy::OTHER) },
];

fn on(ground: &Ground, args: &FrontierArgs, plan: &str) -> Result<Rounds> {
    let mut typed = args.varied.parameters.0.keys();
    if let Some(name) = typed.find(|name| **name != "plan") {
        bail!("--{name}: the members are defined in their plan; set it in {plan}");
    }
    let with_length = |length| {
        let mut mix = RunRequest::named(measure::MIX)?;
        mix.place = args.varied.place.clone();
        mix.conditions = args.varied.conditions.clone();
        mix.conditions.seconds = length;
        mix.set_word("plan", plan)?;
        choices(&request::specs_on(ground, &mix)?[0], ground, plan)
    };
    let typed = args.varied.conditions.seconds;
    let room = Room::of(args.budget, with_length(typed)?.1.len());
    let length = typed.unwrap_or_else(|| room.length());
    let rounds = room
        .rounds(length)
        .map_err(|why| anyhow!("{why}; increase --budget, or shorten the runs with --seconds"))?;
    let (reference, others, left_out) = with_length(Some(length))?;
    left_out.iter().for_each(|line| tell(line));
    Ok(Rounds { reference, others, rounds })
}

/// Returns the run without best-effort work, one for each possible way, and what to say of others.
fn choices(
    mix: &RunSpec,
    ground: &Ground,
    plan: &str,
) -> Result<(RunSpec, Vec<RunSpec>, Vec<String>)> {
    let count = mix.members.iter().filter(|member| member.best_effort).count();
    if count != 1 {
        bail!(
            "{plan}: expected one member with best_effort = true, whose work is counted, but there \
             are {count}"
        );
    }
    let rates: Vec<Member> = mix.members.iter().filter(|one| !one.best_effort).cloned().collect();
    let (mut others, mut left_out) = (Vec::<RunSpec>::new(), Vec::new());
    for way in WAYS {
        match with(mix, way, &rates, ground) {
            Ok(spec) if others.contains(&spec) => {}
            Ok(spec) => others.push(spec),
            Err(why) => left_out.push(format!("Left out {}: {why}", way.name)),
        }
    }
    let mut none = mix.clone();
    mix::take(&mut none, rates);
    Ok((none, others, left_out))
}

fn with(mix: &RunSpec, way: &Way, rates: &[Member], ground: &Ground) -> Result<RunSpec, String> {
    let mut members = mix.members.clone();
    for member in members.iter_mut().filter(|member| member.best_effort) {
        member.limit_percent = way.limit;
        member.run.asked.policy = way.policy;
        if way.elsewhere {
            let free = free(rates, ground).ok_or("members with rates use every CPU")?;
            member.run.asked.cpus = CpuSet::one(free);
        }
    }
    let mut spec = mix.clone();
    mix::take(&mut spec, members);
    let measurement = measure::find(&spec.measurement).ok_or("unknown measurement")?;
    measurement.examine(&mut spec)?;
    Ok(spec)
}

/// Returns the last CPU that no member with a rate uses.
fn free(rates: &[Member], ground: &Ground) -> Option<usize> {
    let theirs: CpuSet = rates.iter().flat_map(|rate| rate.run.asked.cpus.iter()).collect();
    ground.usable.iter().filter(|cpu| !theirs.contains(*cpu)).last()
}
