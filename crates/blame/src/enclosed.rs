//! What counters, read before and after a sample, say about the sample itself.
//!
//! Two readings enclose more than one sample. What a counter grew beyond the usual is charged first
//! to every other sample between the same readings, as far as it took longer than usual; only the
//! rest is certain to belong to this one.

use base::Policy;

use crate::readings::{DELAY, FAULTS, INTERRUPTS, RUN, Readings, SOFTIRQS, STEAL, TASKS, grown};
use crate::{Cause, Evidence, Steal, Timed};

/// Least time of a page fault, in nanoseconds: an empty page, without input or output.
const FAULT_NS: i64 = 500;
/// Time for which a thread is ready after a page fault that waited for a device, in nanoseconds:
/// until the interrupt and its softirqs are served, and what ran in the meantime leaves the CPU.
const READY_AGAIN_NS: i64 = 200_000;
/// Time over which the kernel limits real-time tasks by default, in nanoseconds.
const LIMITED_OVER_NS: i64 = 1_000_000_000;
/// Share of the granted time, in percent, from which a limit may have been reached: other tasks count
/// towards it too.
const NEAR_PERCENT: i64 = 80;

/// A thread's samples among the readings.
pub(crate) struct Enclosed<'t> {
    thread: &'t Timed<'t>,
    evidence: &'t Evidence,
    counts: Option<&'t Readings>,
    cpu: Option<&'t Readings>,
    /// Usual time from when a sample could begin to its end, and of its own work; nanoseconds.
    usual_ns: i64,
    usual_work_ns: i64,
    period_ns: i64,
}

impl<'t> Enclosed<'t> {
    pub(crate) fn new(thread: &'t Timed<'t>, evidence: &'t Evidence) -> Self {
        let samples = thread.samples;
        let all = || 0..samples.len();
        let took: Vec<i64> = all().map(|at| samples[at].end - thread.begin(at)).collect();
        let work: Vec<i64> = samples.iter().map(|sample| sample.end - sample.start).collect();
        let ends = samples.first().zip(samples.last());
        let period = ends
            .map_or(0, |(first, last)| (last.due - first.due) / (last.index - first.index).max(1));
        Self {
            thread,
            evidence,
            counts: evidence.thread_counts.get(thread.thread),
            cpu: thread.cpu.and_then(|cpu| evidence.cpu_times.get(&i64::from(cpu))),
            usual_ns: stats::median(&took).unwrap_or(0),
            usual_work_ns: stats::median(&work).unwrap_or(0),
            period_ns: period,
        }
    }

    /// Returns by how much a sample took longer than usual, from when it could begin.
    pub(crate) fn excess(&self, at: usize) -> i64 {
        (self.thread.samples[at].end - self.thread.begin(at) - self.usual_ns).max(0)
    }

    /// Returns the causes of which each explains at least half of a sample's lateness.
    pub(crate) fn shares(&self, at: usize) -> Vec<(Cause, i64)> {
        let needed = self.excess(at).max(self.thread.lateness(at));
        let causes = [
            (Cause::OwnLength, self.own_length(at)),
            (Cause::Frozen, self.frozen(at)),
            (Cause::Stopped, self.stopped(at)),
            (Cause::Quota, self.quota(at)),
            (Cause::Steal, self.of_cpu(at, STEAL)),
            (Cause::Interrupt { name: String::new() }, self.of_cpu(at, INTERRUPTS)),
            (Cause::Softirq { name: String::new() }, self.of_cpu(at, SOFTIRQS)),
            (Cause::UnknownTask, self.other_task(at)),
            (self.of_work(at), self.own_work(at)),
        ];
        let explains = |(_, time): &(Cause, i64)| *time > 0 && is_half(*time, needed);
        let mut shares: Vec<_> = causes.into_iter().filter(explains).collect();
        shares.sort_by_key(|(_, time)| -time);
        shares
    }

    fn own_length(&self, at: usize) -> i64 {
        let beyond = self.usual_work_ns.saturating_sub(self.thread.limit_ns).max(0);
        if self.thread.works { beyond.min(self.thread.lateness(at)) } else { 0 }
    }

    fn frozen(&self, at: usize) -> i64 {
        let sample = &self.thread.samples[at];
        self.evidence.frozen_ns(sample.due, sample.end).min(self.excess(at))
    }

    /// A stopped thread was seen so, or its whole process was stopped, including what reads.
    fn stopped(&self, at: usize) -> i64 {
        let sample = &self.thread.samples[at];
        let seen = self.counts.map_or(0, |counts| counts.stopped_ns(sample.due, sample.end));
        let silent = self.evidence.stopped_ns(sample.due, sample.end);
        let is_frozen = self.frozen(at) > 0;
        if is_frozen { 0 } else { seen.max(silent).min(self.excess(at)) }
    }

    /// Quotas hold back only tasks of ordinary policies.
    fn quota(&self, at: usize) -> i64 {
        let sample = &self.thread.samples[at];
        let throttled = self.evidence.throttled_ns(sample.due, sample.end);
        if self.thread.policy.is_real_time() { 0 } else { throttled.min(self.excess(at)) }
    }

    /// Returns what a counter of the sample's CPU adds to it for certain. Such time may also pass
    /// while the thread sleeps, without making another sample late, but hardly for a whole period.
    fn of_cpu(&self, at: usize, column: usize) -> i64 {
        let surplus = self.cpu.and_then(|cpu| self.surplus(at, cpu, column));
        let certain = surplus.map_or(0, |time| time - self.evidence.step_ns - self.period_ns);
        certain.clamp(0, self.excess(at))
    }

    /// Returns for how long the sample waited for a CPU that another task had. A wait alone is not
    /// enough: limits of the kernel and hypervisors also let a thread wait that is ready.
    fn other_task(&self, at: usize) -> i64 {
        let certain = |counts| self.surplus(at, counts, DELAY);
        let waited = self.counts.and_then(certain).unwrap_or(0).min(self.excess(at));
        let waited = waited - self.peers_ran(at) - self.ready_again(at);
        let sample = &self.thread.samples[at];
        let around = |readings: &'t Readings| readings.around(sample.due, sample.end);
        let (Some(of_cpu), Some(own)) = (self.cpu.and_then(around), self.counts.and_then(around))
        else {
            return 0;
        };
        let step = self.evidence.step_ns;
        let may_explain = |time: i64| time > 0 && is_half(time + step, waited);
        let is_unclear =
            [STEAL, INTERRUPTS, SOFTIRQS].iter().any(|c| may_explain(grown(of_cpu, *c)));
        let others = grown(of_cpu, TASKS) - grown(own, RUN);
        // While a thread is ready, others have its CPU all the time.
        let had_time = others + 2 * step >= waited - waited / 10;
        if is_unclear || !had_time || self.may_be_limited(at) { 0 } else { waited.max(0) }
    }

    /// Returns the most that all page faults between the readings may have added to the run delay.
    fn ready_again(&self, at: usize) -> i64 {
        let faults = self.counts.and_then(|counts| self.surplus_count(at, counts, FAULTS));
        faults.unwrap_or(0).max(0).saturating_mul(READY_AGAIN_NS)
    }

    /// Returns for how long the threads ran between the readings that share the CPU and the steps.
    fn peers_ran(&self, at: usize) -> i64 {
        let sample = &self.thread.samples[at];
        let ran = |peer: &&str| {
            let counts = self.evidence.thread_counts.get(*peer)?;
            Some(grown(counts.around(sample.due, sample.end)?, RUN))
        };
        self.thread.peers.iter().filter_map(ran).fold(0, i64::saturating_add)
    }

    /// Whether the kernel may have held the thread back because it had used its time.
    fn may_be_limited(&self, at: usize) -> bool {
        let (due, end) = (self.thread.samples[at].due, self.thread.samples[at].end);
        match self.thread.policy {
            Policy::Deadline { .. } => true,
            Policy::Other { .. } | Policy::Idle => self.evidence.throttled_ns(due, end) > 0,
            Policy::Fifo(_) | Policy::Rr(_) => {
                let granted = self.evidence.granted_percent;
                let most = |counts: &Readings| counts.most_grown(due, end, LIMITED_OVER_NS, RUN);
                let used = self.counts.map_or(0, most);
                granted < 100 && used >= LIMITED_OVER_NS / 10_000 * granted * NEAR_PERCENT
            }
        }
    }

    /// Returns by how much the sample's own work took longer than usual, without what a hypervisor
    /// may have taken in that time.
    fn own_work(&self, at: usize) -> i64 {
        let sample = &self.thread.samples[at];
        let beyond = sample.end - sample.start - self.usual_work_ns;
        let certain = self.counts.and_then(|counts| self.surplus(at, counts, RUN));
        let certain = certain.map_or(0, |time| time - self.usual_work_ns);
        let taken = self.taken(at);
        if self.thread.works { (certain.min(beyond) - taken).max(0) } else { 0 }
    }

    /// Returns the most that interrupts and a hypervisor may have taken between the readings.
    fn taken(&self, at: usize) -> i64 {
        let sample = &self.thread.samples[at];
        let around = self.cpu.and_then(|cpu| cpu.around(sample.due, sample.end));
        let Some(around) = around else { return i64::MAX / 2 };
        let unseen = match self.thread.steal {
            Steal::Impossible => 0,
            Steal::Counted => self.evidence.step_ns,
            Steal::Uncounted => return i64::MAX / 2,
        };
        unseen + [STEAL, INTERRUPTS, SOFTIRQS].iter().map(|c| grown(around, *c)).sum::<i64>()
    }

    /// Returns the cause of long work: page faults, if these alone take as long.
    fn of_work(&self, at: usize) -> Cause {
        let faults = self.counts.and_then(|counts| self.surplus_count(at, counts, FAULTS));
        let by_faults = faults.unwrap_or(0).saturating_mul(FAULT_NS);
        if is_half(by_faults, self.excess(at)) { Cause::PageFault } else { Cause::OwnWork }
    }

    /// Returns by how much a count of time grew beyond the usual between the readings around a
    /// sample, less what the other samples in between may have had of it.
    fn surplus(&self, at: usize, readings: &Readings, column: usize) -> Option<i64> {
        let sample = &self.thread.samples[at];
        let around = readings.around(sample.due, sample.end)?;
        let others = self.others(at, around[0][0], around[1][0]);
        Some(self.surplus_count(at, readings, column)?.saturating_sub(others))
    }

    fn surplus_count(&self, at: usize, readings: &Readings, column: usize) -> Option<i64> {
        let sample = &self.thread.samples[at];
        let around = readings.around(sample.due, sample.end)?;
        let usual = readings.usual_rate(column) * grown(around, 0) as f64;
        Some(grown(around, column).saturating_sub(usual as i64))
    }

    /// Returns by how much the other samples between two times took longer than usual, together.
    fn others(&self, at: usize, from: i64, to: i64) -> i64 {
        let samples = self.thread.samples;
        let first = samples.partition_point(|sample| sample.end <= from);
        let within = (first..samples.len()).take_while(|other| samples[*other].due < to);
        let excess = within.filter(|other| *other != at).map(|other| self.excess(other));
        excess.fold(0, i64::saturating_add)
    }
}

fn is_half(part: i64, whole: i64) -> bool {
    part >= whole - part
}
