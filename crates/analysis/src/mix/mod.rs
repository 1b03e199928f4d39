//! Mixes of models: observations of every member, and its response-time analysis.

mod findings;
mod response;
#[cfg(test)]
mod tests;

pub use findings::{findings, worst};
use response::{Task, response};

use std::cmp::Reverse;
use std::ops::Range;

use blame::{Cause, LateTold, Summary};
use plan::{Fact, Outcome, Row, fact};
use serde::Serialize;
use serde_json::Value;

use crate::causes::summary;
use crate::finding::AboutModel;
use crate::lists::{groups, sorted};
use crate::own_model::misbehaviour;
use crate::survey::distinct;

pub const MEASUREMENT: &str = "mix";

#[derive(Debug, Clone, Serialize)]
pub struct Mix {
    pub valid: bool,
    /// The members in the order of their plan.
    pub members: Vec<Member>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Member {
    pub name: String,
    pub policy: String,
    pub cpus: String,
    /// Time between releases; `None` for best-effort work.
    pub period_ns: Option<u64>,
    pub due: u64,
    pub executed: u64,
    pub skipped: u64,
    pub missed: u64,
    /// The median response time: from release to the end of the step.
    pub median_ns: Option<i64>,
    pub longest_ns: Option<i64>,
    /// The longest CPU time of a step.
    pub cost_max_ns: Option<u64>,
    /// The median CPU time of a step.
    pub cost_ns: Option<u64>,
    /// Ages of its inputs, one entry per source.
    pub ages: Vec<Age>,
    /// Response-time analysis; `None` without a fixed priority.
    pub on_paper: Option<OnPaper>,
    pub steps_per_s: Option<f64>,
    /// The share of its CPU that best-effort work used.
    pub cpu_share: Option<f64>,
    /// The main cause of misses although it is schedulable, if its run was traced.
    pub cause: Option<String>,
    /// What its model did that a real-time step should not.
    #[serde(skip)]
    pub(crate) misbehaviour: Option<AboutModel>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Age {
    pub from: String,
    pub uses: u64,
    pub p50_ns: Option<i64>,
    pub max_ns: Option<i64>,
    pub period_ns: Option<i64>,
    /// The period of the source plus the longest delay of the end of one of its steps.
    pub bound_ns: Option<i64>,
    pub beyond: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OnPaper {
    /// The longest response with the longest measured steps; `None` beyond the period.
    pub response_ns: Option<u64>,
    /// The same without blocking: with nothing but the members.
    pub unblocked_ns: Option<u64>,
    /// The longest response with median steps.
    pub usual_response_ns: Option<u64>,
    /// The assumed blocking: the longest delay of a start of the most urgent member on that CPU;
    /// among equals, of the one whose longest delay is the smallest.
    pub blocking_ns: u64,
}

impl Mix {
    /// Returns the members with deadlines: those with a rate, not best-effort work.
    pub fn paced(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.period_ns.is_some())
    }

    pub fn missed(&self) -> u64 {
        self.members.iter().map(|member| member.missed).sum()
    }
}

impl Member {
    /// Whether its priority and the costs of all members let it meet its deadlines, if nothing else
    /// delays it; `None` without a fixed priority.
    pub fn is_schedulable(&self) -> Option<bool> {
        self.on_paper.map(|on_paper| on_paper.unblocked_ns.is_some())
    }

    /// Returns the blocking if only that makes it miss: what was late without being a member's cost,
    /// such as another task.
    pub fn fatal_delay_ns(&self) -> Option<u64> {
        let on_paper = self.on_paper.filter(|on_paper| on_paper.response_ns.is_none())?;
        on_paper.unblocked_ns.map(|_| on_paper.blocking_ns)
    }
}

pub fn of(outcomes: &[&Outcome]) -> Vec<Mix> {
    let mixes = outcomes.iter().filter(|run| run.header.spec.measurement == MEASUREMENT);
    mixes.filter(|run| !run.rows.is_empty()).map(|run| of_run(run)).collect()
}

fn of_run(run: &Outcome) -> Mix {
    let asked = &run.header.spec.members;
    let all: Vec<(&plan::Member, &Row)> = asked.iter().zip(&run.rows).collect();
    let blamed = run.rows.iter().find_map(summary);
    let member = |at: usize| {
        let (member, row) = all[at];
        let on_paper = on_paper(at, &all);
        let missed = number(row, &fact::MISSED).unwrap_or(0);
        let holds = on_paper.and_then(|on_paper| on_paper.unblocked_ns).is_some();
        let latency = row.latency.as_ref();
        Member {
            name: member.name.clone(),
            policy: member.run.asked.policy.to_string(),
            cpus: member.run.asked.cpus.to_string(),
            period_ns: number(row, &fact::MEMBER_PERIOD_NS),
            due: row.due,
            executed: row.executed,
            skipped: row.skipped,
            missed,
            median_ns: latency.map(|latency| latency.quantile_ns(0.5)),
            longest_ns: row.max_ns(),
            cost_max_ns: number(row, &fact::STEP_COST_MAX_NS),
            cost_ns: number(row, &fact::STEP_COST_NS),
            ages: ages(row),
            on_paper,
            steps_per_s: row.fact(&fact::STEPS_PER_S).and_then(Value::as_f64),
            cpu_share: row.fact(&fact::CPU_SHARE).and_then(Value::as_f64),
            cause: blamed.as_ref().filter(|_| holds && missed > 0).and_then(|summary| {
                cause(summary, threads_of(asked, at), number(row, &fact::MEMBER_PERIOD_NS)?)
            }),
            misbehaviour: misbehaviour(&[row]),
        }
    };
    Mix { valid: run.is_valid(), members: (0..all.len()).map(member).collect() }
}

/// Returns the numbers of a member's threads: those of all members are numbered in order.
fn threads_of(members: &[plan::Member], at: usize) -> Range<usize> {
    let first = members[..at].iter().map(plan::Member::threads).sum();
    first..first + members[at].threads()
}

/// Returns the main cause of at least half of the steps of these threads that missed a deadline, by
/// the latest steps.
fn cause(summary: &Summary, threads: Range<usize>, period_ns: u64) -> Option<String> {
    let is_own = |late: &&LateTold| {
        let number = late.thread.rsplit(' ').next().and_then(|number| number.parse().ok());
        number.is_some_and(|number| threads.contains(&number))
            && late.took_ns > period_ns.cast_signed()
    };
    let missed: Vec<&LateTold> = summary.late_samples.iter().filter(is_own).collect();
    let main = |late: &&LateTold| {
        let (cause, time_ns) = late.shares.first()?.clone();
        (time_ns * 2 >= late.took_ns - summary.threshold_ns).then_some(cause)
    };
    let alike = groups(missed.iter().filter_map(main), Cause::is_alike);
    let most = alike.iter().max_by_key(|alike| alike.len())?;
    (most.len() * 2 >= missed.len()).then(|| most[0].words_for(distinct(most)))
}

fn number(row: &Row, fact: &Fact) -> Option<u64> {
    let value = row.fact(fact)?;
    value.as_u64().or_else(|| value.as_f64().map(|number| number.round() as u64))
}

fn ages(row: &Row) -> Vec<Age> {
    let told = row.fact(&fact::AGES).and_then(Value::as_array);
    let age = |age: &Value| {
        let number = |name: &str| age[name].as_f64().map(|number| number as i64);
        Age {
            from: age["from"].as_str().unwrap_or_default().to_owned(),
            uses: age["uses"].as_u64().unwrap_or(0),
            p50_ns: number("p50_ns"),
            max_ns: number("max_ns"),
            period_ns: number("period_ns"),
            bound_ns: number("bound_ns"),
            beyond: age["beyond"].as_u64().unwrap_or(0),
        }
    };
    told.map_or_else(Vec::new, |told| told.iter().map(age).collect())
}

/// The CPU of each thread of a member.
fn cpus(member: &plan::Member) -> Vec<usize> {
    let cpus: Vec<usize> = member.run.asked.cpus.iter().collect();
    cpus.into_iter().cycle().take(member.threads()).collect()
}

/// Analyses the response time of a member's worst thread.
fn on_paper(of: usize, all: &[(&plan::Member, &Row)]) -> Option<OnPaper> {
    let (member, _) = all[of];
    member.run.asked.policy.priority()?;
    let on_each = sorted(cpus(member)).into_iter().map(|cpu| on_cpu(of, cpu, all));
    let each: Vec<OnPaper> = on_each.collect::<Option<_>>()?;
    let worst = |of: fn(&OnPaper) -> Option<u64>| {
        let responses: Option<Vec<u64>> = each.iter().map(of).collect();
        responses.and_then(|all| all.into_iter().max())
    };
    Some(OnPaper {
        response_ns: worst(|one| one.response_ns),
        unblocked_ns: worst(|one| one.unblocked_ns),
        usual_response_ns: worst(|one| one.usual_response_ns),
        blocking_ns: each.iter().map(|one| one.blocking_ns).max()?,
    })
}

fn on_cpu(of: usize, cpu: usize, all: &[(&plan::Member, &Row)]) -> Option<OnPaper> {
    let mut own = None;
    let mut there: Vec<(Task, u64, u64)> = Vec::new();
    for (at, (member, row)) in all.iter().enumerate() {
        let Some(priority) = member.run.asked.policy.priority() else { continue };
        for _ in cpus(member).iter().filter(|place| **place == cpu) {
            if at == of && own.is_none() {
                own = Some(there.len());
            }
            let task = Task {
                period: number(row, &fact::MEMBER_PERIOD_NS)?,
                cost: number(row, &fact::STEP_COST_MAX_NS)?,
                priority,
            };
            let usual = number(row, &fact::STEP_COST_NS)?;
            there.push((task, usual, number(row, &fact::START_LATE_MAX_NS)?));
        }
    }
    // Among equals a start may be delayed by the others, whose costs are counted anyway.
    let rank = |(task, _, late): &&(Task, u64, u64)| (task.priority, Reverse(*late));
    let (.., blocking) = *there.iter().max_by_key(rank)?;
    let tasks: Vec<Task> = there.iter().map(|(task, ..)| *task).collect();
    let usual: Vec<Task> =
        there.iter().map(|(task, cost, _)| Task { cost: *cost, ..*task }).collect();
    Some(OnPaper {
        response_ns: response(own?, &tasks, blocking),
        unblocked_ns: response(own?, &tasks, 0),
        usual_response_ns: response(own?, &usual, blocking),
        blocking_ns: blocking,
    })
}
