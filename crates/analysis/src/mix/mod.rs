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
use record::{Fact, Outcome, Row, fact};
use serde::Serialize;
use serde_json::Value;

use crate::causes::summary;
use crate::finding::AboutModel;
use crate::lists::{groups, sorted};
use crate::own_model::misbehaviour;
use crate::survey::distinct;

pub const MEASUREMENT: &str = "mix";

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mix {
    /// Whether the run is valid: its conditions were as requested.
    pub valid: bool,
    /// Members of the mix, in the order of the plan.
    pub members: Vec<Member>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Member {
    /// Name of the member.
    pub name: String,
    /// Scheduling policy of its threads.
    pub policy: String,
    /// CPUs of its threads.
    pub cpus: String,
    /// Time from one due time to the next, in nanoseconds; null if the member is best-effort work.
    pub period_ns: Option<u64>,
    /// Steps due.
    pub due: u64,
    /// Steps executed.
    pub executed: u64,
    /// Steps skipped.
    pub skipped: u64,
    /// Deadlines missed.
    pub missed: u64,
    /// Median time from a step's due time to its end, in nanoseconds; null if the member is
    /// best-effort work or executed no step.
    pub median_ns: Option<i64>,
    /// Longest time from a step's due time to its end, in nanoseconds; null if the member is
    /// best-effort work or executed no step.
    pub longest_ns: Option<i64>,
    /// Longest CPU time of a step in a thread, in nanoseconds; null if the member is best-effort
    /// work or executed no step.
    pub cost_max_ns: Option<u64>,
    /// Median CPU time of a step in a thread, in nanoseconds; null if the member is best-effort
    /// work or executed no step.
    pub cost_ns: Option<u64>,
    /// Age of its inputs when they were used, one entry for each source.
    pub ages: Vec<Age>,
    /// Result of the response-time analysis; null if the member has no fixed priority or if a
    /// figure that the analysis needs is missing.
    pub on_paper: Option<OnPaper>,
    /// Steps of best-effort work per second; null if the member has a rate.
    pub steps_per_s: Option<f64>,
    /// Share of its CPU that best-effort work used; null if the member has a rate or is computed by
    /// a separate program.
    pub cpu_share: Option<f64>,
    /// Main cause of lateness in the run, for a member that missed deadlines although the analysis
    /// finds it schedulable; null if it did not, or if the run was not traced.
    pub cause: Option<String>,
    /// What its model did that a real-time step should not.
    #[serde(skip)]
    pub(crate) misbehaviour: Option<AboutModel>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Age {
    /// Name of the member that computes the values.
    pub from: String,
    /// Uses of inputs from this source, including those before its first step.
    pub uses: u64,
    /// Median age, in nanoseconds; null if no value of the source was used.
    pub p50_ns: Option<i64>,
    /// Longest age, in nanoseconds; null if no value of the source was used.
    pub max_ns: Option<i64>,
    /// Period of the source, in nanoseconds; null if it is not known.
    pub period_ns: Option<i64>,
    /// Period of the source plus the longest time from the due time to the end of one of its steps,
    /// in nanoseconds; null if it is not known.
    pub bound_ns: Option<i64>,
    /// Number of uses of a value older than `bound_ns`, not counting uses after the source's last
    /// step.
    pub beyond: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnPaper {
    /// Longest response time if every step takes its longest CPU time, in nanoseconds; null if it
    /// exceeds the period.
    pub response_ns: Option<u64>,
    /// Longest response time if nothing but the members delays a start, in nanoseconds; null if it
    /// exceeds the period.
    pub unblocked_ns: Option<u64>,
    /// Longest response time if every step takes its median CPU time, in nanoseconds; null if it
    /// exceeds the period.
    pub usual_response_ns: Option<u64>,
    /// Blocking that the analysis assumes, in nanoseconds.
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

pub fn mix_results(outcomes: &[&Outcome]) -> Vec<Mix> {
    let mixes = outcomes.iter().filter(|run| run.header.spec.measurement == MEASUREMENT);
    mixes.filter(|run| !run.rows.is_empty()).map(|run| of_run(run)).collect()
}

fn of_run(run: &Outcome) -> Mix {
    let asked = &run.header.spec.members;
    let all: Vec<(&record::Member, &Row)> = asked.iter().zip(&run.rows).collect();
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
fn threads_of(members: &[record::Member], at: usize) -> Range<usize> {
    let first = members[..at].iter().map(record::Member::threads).sum();
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
    let ages = row.fact(&fact::AGES).and_then(Value::as_array);
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
    ages.map_or_else(Vec::new, |ages| ages.iter().map(age).collect())
}

/// The CPU of each thread of a member.
fn cpus(member: &record::Member) -> Vec<usize> {
    let cpus: Vec<usize> = member.run.asked.cpus.iter().collect();
    cpus.into_iter().cycle().take(member.threads()).collect()
}

/// Analyses the response time of a member's worst thread.
fn on_paper(of: usize, all: &[(&record::Member, &Row)]) -> Option<OnPaper> {
    let (member, _) = all[of];
    member.run.asked.policy.priority()?;
    let on_each = sorted(cpus(member)).into_iter().map(|cpu| on_cpu(of, cpu, all));
    let each: Vec<OnPaper> = on_each.collect::<Option<_>>()?;
    let worst = |of: fn(&OnPaper) -> Option<u64>| {
        let responses: Option<Vec<u64>> = each.iter().map(of).collect();
        responses.and_then(|all| all.into_iter().max())
    };
    Some(OnPaper {
        response_ns: worst(|on_paper| on_paper.response_ns),
        unblocked_ns: worst(|on_paper| on_paper.unblocked_ns),
        usual_response_ns: worst(|on_paper| on_paper.usual_response_ns),
        blocking_ns: each.iter().map(|on_paper| on_paper.blocking_ns).max()?,
    })
}

fn on_cpu(of: usize, cpu: usize, all: &[(&record::Member, &Row)]) -> Option<OnPaper> {
    let mut position = None;
    let mut there: Vec<(Task, u64, u64)> = Vec::new();
    for (at, (member, row)) in all.iter().enumerate() {
        let Some(priority) = member.run.asked.policy.priority() else { continue };
        for _ in cpus(member).iter().filter(|place| **place == cpu) {
            if at == of && position.is_none() {
                position = Some(there.len());
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
        response_ns: response(position?, &tasks, blocking),
        unblocked_ns: response(position?, &tasks, 0),
        usual_response_ns: response(position?, &usual, blocking),
        blocking_ns: blocking,
    })
}
