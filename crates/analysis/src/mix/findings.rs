//! Findings of a mix.

use super::{Age, Member, Mix};
use crate::finding::{AboutDeadlines, AboutMix, Finding, OnMachine, Schedulability};

pub fn findings(mixes: &[Mix]) -> Vec<Finding> {
    let valid = || mixes.iter().filter(|mix| mix.valid);
    let runs = valid().count();
    let only = (runs > 1).then_some(Finding::Mix(AboutMix::WorstRunOf { runs }));
    worst(mixes).map_or_else(Vec::new, |mix| mix.findings().into_iter().chain(only).collect())
}

/// Returns the valid mix with the most misses; of equal mixes, the last.
pub fn worst(mixes: &[Mix]) -> Option<&Mix> {
    mixes.iter().filter(|mix| mix.valid).max_by_key(|mix| mix.missed())
}

impl Mix {
    pub fn findings(&self) -> Vec<Finding> {
        let best_effort = self.members.iter().find_map(|member| member.steps_per_s);
        let best_effort =
            best_effort.map(|steps_per_s| Finding::Mix(AboutMix::BestEffortSteps { steps_per_s }));
        let found = [best_effort, self.schedulability(), self.input_ages()];
        let confidence = Finding::Mix(AboutMix::OneRunOfMix);
        [self.verdict()]
            .into_iter()
            .chain(found.into_iter().flatten())
            .chain(self.misbehaviour())
            .chain([confidence])
            .collect()
    }

    fn verdict(&self) -> Finding {
        let late = self.members.iter().filter(|member| member.missed > 0);
        let cases: Vec<_> =
            late.map(|member| (member.name.clone(), member.missed, member.due)).collect();
        if !cases.is_empty() {
            return Finding::Deadlines(AboutDeadlines::Missed { cases });
        }
        let (rates, due) = (self.paced().count(), self.paced().map(|member| member.due).sum());
        Finding::Mix(AboutMix::NoMiss { rates, due })
    }

    /// Reports what models did that real-time steps should not, each with the name of its member.
    fn misbehaviour(&self) -> impl Iterator<Item = Finding> {
        self.members.iter().filter_map(|member| {
            let finding = Box::new(Finding::Model(member.misbehaviour.clone()?));
            Some(Finding::OnMachine(OnMachine { machine: member.name.clone(), finding }))
        })
    }

    /// Compares response-time analysis with observation, contradictions first.
    fn schedulability(&self) -> Option<Finding> {
        let judged = self.members.iter();
        let judged = judged.filter_map(|member| Some((member, member.is_schedulable()?)));
        let judged: Vec<(&Member, bool)> = judged.collect();
        let mut cases: Vec<Schedulability> = Vec::new();
        // Whether they are schedulable, but for a delay, and missed.
        let orders = [
            (true, false, true),
            (true, true, true),
            (true, false, false),
            (true, true, false),
            (false, false, true),
            (false, false, false),
        ];
        for (schedulable, delayed, missed) in orders {
            let is_such = |(member, known): &&(&Member, bool)| {
                let is_delayed = member.fatal_delay_ns().is_some();
                (*known, is_delayed, member.missed > 0) == (schedulable, delayed, missed)
            };
            let such: Vec<&Member> =
                judged.iter().filter(is_such).map(|(member, _)| *member).collect();
            let contradicts = schedulable && missed;
            // Each contradiction has its own cause.
            for members in such.chunks(if contradicts { 1 } else { such.len().max(1) }) {
                cases.push(Schedulability {
                    members: members.iter().map(|member| member.name.clone()).collect(),
                    schedulable,
                    delay_ns: members[0].fatal_delay_ns(),
                    missed,
                    cause: members[0].cause.clone().filter(|_| contradicts),
                });
            }
        }
        (!cases.is_empty()).then_some(Finding::Mix(AboutMix::Schedulability { cases }))
    }

    /// Reports the oldest inputs of members; `None` if they have none.
    fn input_ages(&self) -> Option<Finding> {
        let links = self.members.iter();
        let links = links.flat_map(|member| member.ages.iter().map(move |age| (member, age)));
        let links: Vec<(&Member, &Age)> = links.collect();
        let stale = links.iter().filter(|(_, age)| age.beyond > 0);
        let cases: Vec<(String, u64, u64)> =
            stale.map(|(member, age)| (member.name.clone(), age.beyond, age.uses)).collect();
        if !cases.is_empty() {
            return Some(Finding::Mix(AboutMix::StaleInputs { cases }));
        }
        let share = |(_, age): &(&Member, &Age)| {
            let [age, period] = [age.max_ns, age.period_ns].map(|ns| ns.map(|ns| ns as f64));
            age.zip(period).map_or(0.0, |(age, period)| age / period)
        };
        let oldest = links.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
        let oldest = oldest.map(|(member, age)| AboutMix::FreshInputs {
            oldest_in: member.name.clone(),
            age_ns: age.max_ns,
            period_ns: age.period_ns,
        });
        oldest.map(Finding::Mix)
    }
}
