//! Simulated mixes of models.

use base::{Nanos, Policy};
use record::{Member, Outcome, Row, Value, fact};
use serde_json::json;
use stats::{Distribution, Sample};

use crate::outcomes::{number_as, outcome};

/// A member with a rate, and its measured times, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Paced<'m> {
    pub name: &'m str,
    pub priority: u8,
    pub period_ns: u64,
    pub cost_ns: u64,
    /// Response time of most steps, and the longest one.
    pub response_ns: [u64; 2],
    pub missed: u64,
    /// The members whose outputs it uses as inputs, and how many of these were too old.
    pub source: Option<(&'m str, u64)>,
}

/// Returns a run of 2 s of these members, optionally with best-effort work at this many steps per
/// second.
pub fn mix(members: &[Paced], best_effort: Option<f64>) -> Outcome {
    const SECONDS: u64 = 2;
    let highest = members.iter().map(|member| member.priority).max();
    let policy = Policy::Fifo(highest.unwrap_or(1));
    let plan = ("plan", Value::Word("mix.toml".into()));
    let mut run = outcome("mix", policy, &[plan]);
    run.header.spec.asked.duration = Nanos(SECONDS * 1_000_000_000);
    let member = |name: &str, policy: Policy, is_best_effort: bool| {
        let model = if is_best_effort { "tire" } else { "wait" };
        Member {
            name: name.to_owned(),
            run: outcome(model, policy, &[("threads", Value::Count(1))]).header.spec,
            inputs: Vec::new(),
            best_effort: is_best_effort,
            limit_percent: None,
        }
    };
    for paced in members {
        let policy = Policy::Fifo(paced.priority);
        run.header.spec.members.push(member(paced.name, policy, false));
        run.rows.push(row(paced, members, SECONDS * 1_000_000_000 / paced.period_ns));
    }
    if let Some(steps_per_s) = best_effort {
        run.header.spec.members.push(member("rest", Policy::Idle, true));
        let steps = (steps_per_s * SECONDS as f64) as u64;
        let row = Row { label: "rest".into(), due: steps, executed: steps, ..Row::default() };
        let row = row.with(&fact::STEPS_PER_S, steps_per_s);
        run.rows.push(row.with(&fact::CPU_SHARE, 0.62));
    }
    run
}

fn row(paced: &Paced, all: &[Paced], due: u64) -> Row {
    let [usual, longest] = paced.response_ns;
    let sample = |index| Sample {
        value_ns: if index == 0 { longest } else { usual } as i64,
        index,
        at_ns: index * paced.period_ns,
    };
    let age = |(from, beyond): (&str, u64)| {
        let source = all.iter().find(|other| other.name == from);
        let source = source.expect("a source is a member");
        let bound = source.period_ns + source.response_ns[1];
        let longest = if beyond > 0 { 2 * bound } else { source.period_ns };
        json!({
            "from": from,
            "uses": due,
            "before_the_first": 1,
            "p50_ns": source.period_ns / 2,
            "max_ns": longest,
            "period_ns": source.period_ns,
            "bound_ns": bound,
            "beyond": beyond,
        })
    };
    let ages: Vec<serde_json::Value> = paced.source.into_iter().map(age).collect();
    let times = Distribution::of((0..due).map(sample));
    let row = Row { due, executed: due, ..Row::of(paced.name, times) };
    row.with(&fact::MEMBER_PERIOD_NS, paced.period_ns)
        .with(&fact::MISSED, paced.missed)
        .with(&fact::STEP_COST_NS, paced.cost_ns)
        .with(&fact::STEP_COST_MAX_NS, paced.cost_ns)
        .with(&fact::START_LATE_MAX_NS, 10_000)
        .with(&fact::AGES, ages)
}

/// Members with rates of 1 kHz, 100 Hz and 10 Hz, the fastest with the highest priority; they miss
/// no deadlines.
pub const RATES: [Paced; 3] = [
    Paced {
        name: "fast",
        priority: 80,
        period_ns: 1_000_000,
        cost_ns: 100_000,
        response_ns: [112_000, 140_000],
        missed: 0,
        source: Some(("medium", 0)),
    },
    Paced {
        name: "medium",
        priority: 79,
        period_ns: 10_000_000,
        cost_ns: 500_000,
        response_ns: [620_000, 730_000],
        missed: 0,
        source: Some(("slow", 0)),
    },
    Paced {
        name: "slow",
        priority: 78,
        period_ns: 100_000_000,
        cost_ns: 4_000_000,
        response_ns: [5_100_000, 5_900_000],
        missed: 0,
        source: None,
    },
];

/// The same members with the highest priority for the slowest, so that the fastest misses
/// deadlines.
pub fn wrong_way_round() -> [Paced<'static>; 3] {
    let [mut fast, medium, mut slow] = RATES;
    (fast.priority, slow.priority) = (78, 80);
    fast.missed = 60;
    fast.source = Some(("medium", 4));
    fast.response_ns[1] = 4_600_000;
    slow.response_ns = [4_010_000, 4_020_000];
    [fast, medium, slow]
}

/// Returns rounds of a mix without best-effort work, and with it under each of these policies. Each
/// policy has the factor on the median response time of the fastest rate, the steps per second, and
/// the misses of a run.
pub fn in_turns(rounds: u64, ways: &[(Option<Policy>, f64, f64, u64)]) -> Vec<Outcome> {
    let mut runs = Vec::new();
    for round in 0..rounds {
        for (place, (policy, times, steps_per_s, missed)) in ways.iter().enumerate() {
            let noise = 1.0 + 0.01 * ((round * 5 + place as u64 * 3) % 7) as f64 / 7.0;
            let [mut fast, medium, slow] = RATES;
            fast.missed = *missed;
            fast.response_ns = fast.response_ns.map(|ns| (ns as f64 * times * noise) as u64);
            let work = policy.map(|_| steps_per_s * noise);
            let mut run = mix(&[fast, medium, slow], work);
            for member in run.header.spec.members.iter_mut().filter(|one| one.best_effort) {
                member.run.asked.policy = policy.unwrap_or(Policy::Idle);
            }
            number_as(runs.len() as u64, &mut run);
            runs.push(run);
        }
    }
    runs
}

/// Returns four rounds without best-effort work, with policy idle, and with the default policy,
/// under which deadlines are missed.
pub fn choices() -> Vec<Outcome> {
    let idle = (Some(Policy::Idle), 1.2, 2_000.0, 0);
    in_turns(4, &[(None, 1.0, 0.0, 0), idle, (Some(Policy::OTHER), 1.4, 2_400.0, 3)])
}
