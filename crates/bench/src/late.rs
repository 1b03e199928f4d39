//! Finds what was late in a recording and prepares it for the search for causes.

use base::{Nanos, Policy};
use blame::{Counted, Counts, Evidence, Late, Stamped, Steal, Timed, Wait};
use record::{Recording, RunSpec, Track};

/// The samples of one thread of a recording.
#[derive(Debug)]
pub struct ThreadSamples<'t> {
    /// The specification that defined its pace: that of the run, or of a member of a mix.
    pub spec: &'t RunSpec,
    pub track: &'t Track,
    pub stamped: Vec<Stamped>,
    /// Time after the due time from which a sample counts as late, unless another was requested.
    pub usual_limit: Nanos,
    /// Whether it works in each period; a thread that only wakes up does not.
    pub works: bool,
    /// When it waited for others, one wait after the other.
    pub waits: Vec<Wait>,
    /// All threads that work on the same steps, if there are several.
    pub team: &'t [Track],
}

/// Takes the samples of each thread.
pub type EachThread<'e> = &'e mut dyn FnMut(ThreadSamples);

impl ThreadSamples<'_> {
    fn limit_ns(&self) -> i64 {
        self.spec.blame_beyond.unwrap_or(self.usual_limit).0 as i64
    }

    fn policy(&self, recording: &Recording) -> Policy {
        let mut threads = recording.found.threads.iter();
        let found = threads.find(|found| found.name == self.track.name);
        found.map_or(self.spec.asked.policy, |found| found.asked_policy)
    }

    /// Returns what was late, in order.
    pub fn late(&self, recording: &Recording) -> Vec<Late> {
        let limit_ns = self.limit_ns();
        let own: Vec<i64> = self.stamped.iter().map(|step| step.end - step.start).collect();
        let usual_ns = stats::median(&own).unwrap_or(0);
        let priority = Late::priority_of(self.policy(recording));
        let steal = steal(recording);
        let late = |(sample, step): (usize, &Stamped)| Late {
            thread: self.track.name.clone(),
            number: self.track.number("thread_number"),
            index: step.index,
            due: step.due,
            start: step.start,
            end: step.end,
            limit_ns,
            usual_ns,
            priority,
            counts: Counts::of(self.track, sample),
            missed: step.missed,
            waits: self.waits_in(step),
            group: self.team.first().map(|first| (first.number("thread_number"), step.index)),
            steal,
        };
        let stamped = self.stamped.iter().enumerate();
        stamped.filter(|(_, step)| step.took() > limit_ns).map(late).collect()
    }

    fn waits_in(&self, step: &Stamped) -> Vec<Wait> {
        let later = &self.waits[self.waits.partition_point(|wait| wait.to <= step.due)..];
        later.iter().take_while(|wait| wait.from < step.end).copied().collect()
    }

    /// Returns the latest samples with the causes that the kernel's counters show.
    fn counted(&self, recording: &Recording, evidence: &Evidence) -> Vec<Counted> {
        let cpu = cpu_of(&self.track.name, recording);
        let others = self.team.iter().map(|track| &*track.name);
        let others = others.filter(|name| *name != self.track.name);
        let timed = Timed {
            thread: &self.track.name,
            cpu,
            peers: others.filter(|name| cpu_of(name, recording) == cpu).collect(),
            policy: self.policy(recording),
            limit_ns: self.limit_ns(),
            works: self.works,
            steal: steal(recording),
            samples: &self.stamped,
        };
        blame::counted(&timed, evidence)
    }
}

/// Returns whether a hypervisor may have stopped the measured CPUs, and whether the kernel counts it.
pub fn steal(recording: &Recording) -> Steal {
    let is_counted = recording.found.cpus.iter().all(|cpu| cpu.steal_ns.is_some());
    match (&recording.header.machine.hypervisor, is_counted) {
        (None, _) => Steal::Impossible,
        (Some(_), true) => Steal::Counted,
        (Some(_), false) => Steal::Uncounted,
    }
}

/// Returns the CPU of a thread, if it may run on only one.
fn cpu_of(thread: &str, recording: &Recording) -> Option<u32> {
    let mut threads = recording.found.threads.iter();
    let found = threads.find(|found| found.name == thread)?;
    let mut cpus = found.cpus.iter();
    let only = cpus.next().filter(|_| cpus.next().is_none());
    only.and_then(|cpu| u32::try_from(cpu).ok())
}

/// Adds to `all` the latest samples of a thread with their causes. Of the threads of one step, only
/// the one of which most is explained is kept: the others waited for it.
pub fn add_counted(
    all: &mut Vec<(Option<String>, Counted)>,
    thread: &ThreadSamples,
    recording: &Recording,
    evidence: &Evidence,
) {
    let explained = |one: &Counted| one.shares.first().map_or(0, |(_, time)| *time);
    let own_team = thread.team.first().map(|first| first.name.clone());
    for counted in thread.counted(recording, evidence) {
        let is_same_step = |(team, other): &&mut (Option<String>, Counted)| {
            team.is_some() && *team == own_team && other.due_ns == counted.due_ns
        };
        match all.iter_mut().find(is_same_step) {
            Some((_, other)) if explained(other) < explained(&counted) => *other = counted,
            Some(_) => {}
            None => all.push((own_team.clone(), counted)),
        }
    }
}
