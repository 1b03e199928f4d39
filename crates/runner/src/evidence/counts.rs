//! What the kernel counts for the measured CPUs and threads, read by a separate thread.

use base::CpuSet;
use blame::{MOST_READ, cpu_times_track, thread_counts_track};
use measure::Measured;
use record::{ThreadFound, Track};
use rt::activity::{cpu_times, step_ns};
use rt::clock;
use rt::task_counts::TaskCounts;

use super::log::Log;

/// Columns of a track.
const COLUMNS: usize = 6;
/// Largest number of readings per CPU or thread, if there are few of them.
const MOST_ROWS: usize = 20_000;

/// A reading without the CPU or thread.
type Row = [i64; 5];

pub(super) struct Counts {
    cpus: CpuSet,
    times: Vec<(usize, Log<5>)>,
    threads: Vec<Thread>,
    rows: usize,
}

struct Thread {
    measured: Measured,
    log: Log<5>,
    /// The first reading, from right before its measured loop.
    first: Option<Row>,
}

impl Counts {
    /// Allocates room for the CPUs; `threads` is the expected number of measured threads, `planned`
    /// of readings.
    pub(super) fn of(cpus: &CpuSet, threads: usize, planned: usize) -> Self {
        let sources = (cpus.len() + threads).max(1);
        let rows = (MOST_READ as usize / COLUMNS / sources).min(MOST_ROWS).min(planned);
        let log = |(cpu, _)| (cpu, Log::with_room(rows));
        let times = cpu_times(cpus).into_iter().map(log).collect();
        Self { cpus: cpus.clone(), times, threads: Vec::new(), rows }
    }

    /// Reads the counts of a thread that is about to start, and from now on always.
    pub(super) fn add(&mut self, measured: Measured) {
        let log = Log::with_room(self.rows);
        let mut thread = Thread { measured, log, first: None };
        thread.read();
        self.threads.push(thread);
    }

    pub(super) fn read(&mut self) {
        self.threads.iter_mut().for_each(Thread::read);
        let at = clock::now();
        for ((_, log), (_, times)) in self.times.iter_mut().zip(cpu_times(&self.cpus)) {
            let counts = [times.tasks_ns, times.interrupts_ns, times.softirqs_ns, times.steal_ns];
            log.push(row(at, counts));
        }
    }

    /// Adds the last reading of threads that have ended, from what they counted in their loops.
    pub(super) fn close(&mut self, found: &[ThreadFound]) {
        for thread in &mut self.threads {
            let found = found.iter().find(|found| found.name == thread.measured.name);
            if let Some(last) = found.and_then(|found| thread.last(found)) {
                thread.log.push(last);
            }
        }
    }

    /// Returns the readings so far, and begins again with the newest.
    pub(super) fn hand_over(&mut self) -> [Track; 2] {
        let times = self.times.iter().flat_map(|(cpu, log)| with_source(*cpu, log));
        let threads = self.threads.iter().enumerate();
        let counts = threads.flat_map(|(place, thread)| with_source(place, &thread.log));
        let names: Vec<String> = self.threads.iter().map(|t| t.measured.name.clone()).collect();
        let tracks = [cpu_times_track(times, step_ns()), thread_counts_track(&names, counts)];
        self.times.iter_mut().for_each(|(_, log)| log.restart());
        self.threads.iter_mut().for_each(|thread| thread.log.restart());
        tracks
    }
}

impl Thread {
    fn read(&mut self) {
        let Some(counts) = TaskCounts::of(self.measured.process, self.measured.task) else {
            return;
        };
        let stopped = u64::from(counts.is_stopped);
        let row = row(clock::now(), [counts.run_ns, counts.delay_ns, counts.faults, stopped]);
        self.first.get_or_insert(row);
        self.log.push(row);
    }

    /// Returns the reading at the end of its loop. What it did after that, while it ended, counts for
    /// no sample.
    fn last(&mut self, found: &ThreadFound) -> Option<Row> {
        let [_, run, delay, faults, _] = self.first?;
        let counters = &found.counters;
        let faults_in_loop = counters.minor_faults + counters.major_faults;
        let in_loop = [counters.cpu_time_ns, counters.run_delay_ns?, faults_in_loop];
        let mut before = [run, delay, faults].into_iter();
        let ends = in_loop.map(|count| count as i64 + before.next().unwrap_or(0));
        self.log.limit(1, ends);
        let [run, delay, faults] = ends;
        Some([clock::now() as i64, run, delay, faults, 0])
    }
}

fn row(at: u64, [a, b, c, d]: [u64; 4]) -> Row {
    [at, a, b, c, d].map(|value| value as i64)
}

fn with_source(source: usize, log: &Log<5>) -> impl Iterator<Item = [i64; COLUMNS]> {
    log.rows().map(move |[at, a, b, c, d]| [at, source as i64, a, b, c, d])
}

#[cfg(test)]
mod tests {
    use base::Policy;
    use record::Counters;
    use rt::process::{this, this_thread};

    use super::*;

    #[test]
    fn a_thread_is_read_until_it_ends_and_closed_by_what_it_counted() {
        let mut counts = Counts::of(&CpuSet::default(), 1, 100);
        let measured = Measured { name: "me".into(), process: this(), task: this_thread() };
        counts.add(measured);
        if counts.threads[0].first.is_none() {
            return eprintln!("skipped: this kernel counts no run delay");
        }
        counts.read();
        let found = ThreadFound {
            name: "me".into(),
            asked_policy: Policy::OTHER,
            asked_cpus: CpuSet::default(),
            policy: Policy::OTHER,
            cpus: CpuSet::default(),
            policy_at_end: Policy::OTHER,
            cpus_at_end: CpuSet::default(),
            timer_slack_ns: None,
            counters: Counters { run_delay_ns: Some(7), ..Counters::default() },
        };
        counts.close(std::slice::from_ref(&found));
        let [_, track] = counts.hand_over();
        let [run, delay] = ["run_ns", "delay_ns"].map(|name| track.values(name).to_vec());
        assert_eq!(run.len(), 3);
        // After its loop it ran on, which counts no more.
        assert_eq!((run[1], run[2]), (run[0], run[0]));
        assert_eq!(delay[2], delay[0] + 7);
    }
}
