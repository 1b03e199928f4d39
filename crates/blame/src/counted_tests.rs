//! Constructed runs of three seconds at 1 kHz with one long delay, and the cause that must be found.

use base::Policy;

use super::*;
use crate::readings::{DELAY, FAULTS, IS_STOPPED, RUN, SOFTIRQS, STEAL, TASKS};
use crate::{Stamped, Steal, Timed, cpu_times_track, group_track, thread_counts_track};

const MS: i64 = 1_000_000;
const READ_EVERY: i64 = 50 * MS;
const STEP: i64 = 10 * MS;
const LENGTH: i64 = 3_000 * MS;
/// When the late sample is due.
const DUE: i64 = 1_260 * MS;
const CPU: i64 = 1;

/// A run in which one sample took this long, and what was counted.
struct Run {
    took: i64,
    policy: Policy,
    works: bool,
    steal: Steal,
    counts_freezing: bool,
    granted: u64,
    threads: Vec<[i64; 6]>,
    cpus: Vec<[i64; 6]>,
    held: Vec<[i64; 5]>,
}

/// Each reading counts 1 ms of own work, 50 us of delay, and a task that runs half of the time.
fn run(took: i64) -> Run {
    let readings = (0..=LENGTH / READ_EVERY).map(|number| (number * READ_EVERY, number));
    let thread = |(at, number): (i64, i64)| [at, 0, number * MS, number * 50_000, 0, 0];
    let cpu = |(at, number): (i64, i64)| [at, CPU, number * READ_EVERY / 2 / STEP * STEP, 0, 0, 0];
    Run {
        took,
        policy: Policy::Fifo(80),
        works: false,
        steal: Steal::Impossible,
        counts_freezing: true,
        granted: 95,
        threads: readings.clone().map(thread).collect(),
        cpus: readings.map(cpu).collect(),
        held: Vec::new(),
    }
}

impl Run {
    fn end(&self) -> i64 {
        DUE + self.took
    }

    /// Adds to a count of the thread at the first reading after the late sample.
    fn thread(mut self, column: usize, more: i64) -> Self {
        let end = self.end();
        add(&mut self.threads, end, column, more);
        self
    }

    fn cpu(mut self, column: usize, more: i64) -> Self {
        let end = self.end();
        add(&mut self.cpus, end, column, more);
        self
    }

    /// Wake-ups take 10 us, and work 300 us; periods that the late sample takes have no sample.
    fn samples(&self) -> Vec<Stamped> {
        let usual = if self.works { 300_000 } else { 10_000 };
        let sample = |index: i64| {
            let due = index * MS;
            let took = if due == DUE { self.took } else { usual };
            let start = if self.works { due + 5_000 } else { due };
            Stamped { index, due, start, end: due + took, missed: 0 }
        };
        let is_skipped = |due: i64| due > DUE && due < self.end();
        (0..LENGTH / MS).filter(|index| !is_skipped(index * MS)).map(sample).collect()
    }

    fn counted(&self) -> Vec<Counted> {
        let names = ["CPU 1".to_owned()];
        let tracks = [
            thread_counts_track(&names, self.threads.iter().copied()),
            cpu_times_track(self.cpus.iter().copied(), STEP as u64),
            group_track(&self.held, self.counts_freezing, Some(self.granted)),
        ];
        counted(&self.timed(&self.samples()), &Evidence::of(&tracks))
    }

    fn timed<'t>(&self, samples: &'t [Stamped]) -> Timed<'t> {
        Timed {
            thread: "CPU 1",
            cpu: Some(CPU as u32),
            peers: Vec::new(),
            policy: self.policy,
            limit_ns: 100_000,
            works: self.works,
            steal: self.steal,
            samples,
        }
    }

    /// Returns the kinds of the causes of the late sample.
    fn kinds(&self) -> Vec<&'static str> {
        let counted = self.counted();
        assert_eq!((counted[0].due_ns, counted[0].took_ns), (DUE, self.took));
        counted[0].shares.iter().map(|(cause, _)| cause.kind().name()).collect()
    }
}

fn add(rows: &mut [[i64; 6]], from: i64, column: usize, more: i64) {
    // The second column of a row is its source.
    rows.iter_mut().filter(|row| row[0] >= from).for_each(|row| row[column + 1] += more);
}

#[test]
fn a_task_that_had_the_cpu_while_the_thread_was_ready_is_found() {
    for took in [20 * MS, 1_200 * MS] {
        let hogged = run(took).thread(DELAY, took).cpu(TASKS, took / STEP * STEP);
        assert_eq!(hogged.kinds(), ["unknown_task"], "{took}");
        let (_, time) = hogged.counted()[0].shares[0];
        assert!(time <= took && time > took * 9 / 10, "{time}");
    }
}

/// Each page that is read from a disk makes the thread ready again, which is a short delay.
#[test]
fn many_short_delays_by_page_faults_are_no_other_task() {
    let late = || run(10 * MS).thread(DELAY, 9 * MS).cpu(TASKS, 10 * MS);
    assert_eq!(late().thread(FAULTS, 3).kinds(), ["unknown_task"]);
    assert!(late().thread(FAULTS, 60).kinds().is_empty());
}

#[test]
fn without_a_cause_among_the_counters_there_is_none() {
    assert!(run(20 * MS).kinds().is_empty());
    assert!(run(9_000).counted().is_empty(), "nothing is late");
    // Ready, but no task had the CPU for as long: a limit of the kernel.
    assert!(run(1_200 * MS).thread(DELAY, 1_200 * MS).kinds().is_empty());
}

#[test]
fn counters_that_are_hidden_explain_nothing() {
    let hogged = || run(200 * MS).thread(DELAY, 200 * MS).cpu(TASKS, 200 * MS);
    assert_eq!(hogged().kinds(), ["unknown_task"]);
    assert!(Run { cpus: Vec::new(), ..hogged() }.kinds().is_empty());
    assert!(Run { threads: Vec::new(), ..hogged() }.kinds().is_empty());
    let nothing = Run { cpus: Vec::new(), threads: Vec::new(), ..hogged() };
    assert!(nothing.counted().is_empty());
    // The thread ended before it was read again.
    let mut cut = hogged();
    cut.threads.retain(|[at, ..]| *at < DUE);
    assert!(cut.kinds().is_empty());
}

#[test]
fn a_delay_that_other_samples_may_have_had_explains_nothing() {
    let hogged = run(2 * MS).thread(DELAY, 2 * MS);
    assert_eq!(hogged.kinds(), ["unknown_task"], "shorter than the resolution of CPU times");
    assert!(run(2 * MS).thread(DELAY, 900_000).kinds().is_empty(), "less than half");
    // Each sample between the readings took 40 us longer, 2 ms together.
    let mut samples = hogged.samples();
    let around =
        |sample: &&mut Stamped| sample.due != DUE && (1_200..1_300).contains(&(sample.due / MS));
    samples.iter_mut().filter(around).for_each(|sample| sample.end += 40_000);
    let names = ["CPU 1".to_owned()];
    let tracks = [
        thread_counts_track(&names, hogged.threads.iter().copied()),
        cpu_times_track(hogged.cpus.iter().copied(), STEP as u64),
    ];
    assert!(counted(&hogged.timed(&samples), &Evidence::of(&tracks))[0].shares.is_empty());
}

#[test]
fn a_thread_of_the_same_step_on_the_same_cpu_is_no_other_task() {
    let waited = run(5 * MS).thread(DELAY, 5 * MS);
    let names = ["CPU 1".to_owned(), "solver 2".to_owned()];
    let mut peer = waited.threads.clone();
    peer.iter_mut().for_each(|row| row[1] = 1);
    add(&mut peer, waited.end(), RUN, 4 * MS);
    let tracks = [
        thread_counts_track(&names, [waited.threads.clone(), peer].concat().into_iter()),
        cpu_times_track(waited.cpus.iter().copied(), STEP as u64),
    ];
    let samples = waited.samples();
    let kinds = |peers: &[&'static str]| {
        let thread = Timed { peers: peers.to_vec(), ..waited.timed(&samples) };
        counted(&thread, &Evidence::of(&tracks))[0].shares.len()
    };
    assert_eq!([kinds(&[]), kinds(&["solver 2"])], [1, 0]);
}

#[test]
fn a_hypervisor_that_took_the_cpu_is_found_beyond_the_resolution() {
    assert_eq!(run(100 * MS).cpu(STEAL, 100 * MS).kinds(), ["steal"]);
    assert!(run(10 * MS).cpu(STEAL, 10 * MS).kinds().is_empty());
    // The thread was ready, and either the hypervisor or a task had the CPU.
    let both = run(100 * MS).thread(DELAY, 100 * MS).cpu(TASKS, 100 * MS);
    assert!(both.cpu(STEAL, 50 * MS).kinds().is_empty());
}

#[test]
fn two_causes_that_explain_half_each_are_both_named() {
    let took = 400 * MS;
    let two = run(took).thread(DELAY, took / 2 + 5 * MS).cpu(TASKS, took / 2).cpu(STEAL, 90 * MS);
    assert_eq!(two.kinds(), ["unknown_task"]);
    let stopped = [DUE, DUE + took / 2, 0, 0, 2];
    assert_eq!(Run { held: vec![stopped], ..two }.kinds(), ["unknown_task", "stopped"]);
}

#[test]
fn softirqs_are_found_without_a_name() {
    let stormed = run(200 * MS).cpu(SOFTIRQS, 200 * MS);
    assert_eq!(stormed.kinds(), ["softirq"]);
    assert_eq!(stormed.counted()[0].shares[0].0.words(), "softirqs");
}

#[test]
fn a_stop_is_found_by_its_state_or_by_the_silence_of_the_reader() {
    let mut seen = run(300 * MS);
    let within = |row: &&mut [i64; 6]| row[0] > DUE && row[0] < DUE + 300 * MS;
    seen.threads.iter_mut().filter(within).for_each(|row| row[IS_STOPPED + 1] = 1);
    assert_eq!(seen.kinds(), ["stopped"]);
    let silent = |switches| {
        let held = vec![[DUE - 40 * MS, DUE + 300 * MS, 0, 0, switches]];
        Run { held, ..run(300 * MS) }
    };
    assert_eq!(silent(2).kinds(), ["stopped"]);
    assert!(silent(1).kinds().is_empty(), "the platform stopped");
    let uncounted = Run { counts_freezing: false, ..silent(2) };
    assert!(uncounted.kinds().is_empty(), "a freezer looks the same");
    let frozen = vec![[DUE - 40 * MS, DUE + 300 * MS, 290 * MS, 0, 2]];
    assert_eq!(Run { held: frozen, ..run(300 * MS) }.kinds(), ["frozen"]);
}

#[test]
fn a_quota_holds_back_ordinary_tasks_only() {
    let held = || vec![[DUE - 10 * MS, DUE + 90 * MS, 0, 80 * MS, 1]];
    let throttled = Run { held: held(), ..run(80 * MS).thread(DELAY, 80 * MS).cpu(TASKS, 80 * MS) };
    assert_eq!(throttled.kinds(), ["unknown_task"]);
    assert_eq!(Run { policy: Policy::OTHER, ..throttled }.kinds(), ["quota"]);
}

#[test]
fn a_thread_that_the_kernel_may_limit_has_no_cause() {
    let hogged = || run(50 * MS).thread(DELAY, 50 * MS).cpu(TASKS, 50 * MS);
    let (runtime, period) = (base::Nanos(1), base::Nanos(2));
    let deadline = Policy::Deadline { runtime, period };
    assert!(Run { policy: deadline, ..hogged() }.kinds().is_empty());
    // It used 90 % of its CPU, of which 95 % are granted.
    let mut busy = hogged();
    busy.threads.iter_mut().for_each(|row| row[RUN + 1] *= 45);
    busy.cpus.iter_mut().for_each(|row| row[TASKS + 1] *= 2);
    assert!(busy.kinds().is_empty());
    // It uses 20 ms of each second, and 30 ms up to the end of the late sample.
    let used_up = |granted| Run { granted, ..hogged().thread(RUN, 10 * MS) }.kinds();
    assert!(used_up(3).is_empty(), "its control group grants 30 ms");
    assert_eq!(used_up(10), ["unknown_task"]);
    assert!(used_up(0).is_empty(), "a limit of any size may be hidden");
}

#[test]
fn long_work_is_its_own_or_that_of_page_faults() {
    let long = || Run { works: true, ..run(30 * MS).thread(RUN, 30 * MS) };
    assert_eq!(long().kinds(), ["own_work"]);
    assert_eq!(long().thread(FAULTS, 3).kinds(), ["own_work"], "three faults take no 15 ms");
    assert_eq!(long().thread(FAULTS, 40_000).kinds(), ["page_fault"]);
    assert!(Run { works: false, ..long() }.kinds().is_empty(), "a wake-up does no work");
    let short = Run { works: true, steal: Steal::Counted, ..run(8 * MS).thread(RUN, 8 * MS) };
    assert!(short.kinds().is_empty(), "the hypervisor may have had the CPU");
    assert_eq!(Run { steal: Steal::Counted, ..long() }.kinds(), ["own_work"]);
    let uncounted = Run { steal: Steal::Uncounted, ..long() };
    assert!(uncounted.kinds().is_empty(), "the hypervisor may have had the CPU all the time");
    assert!(Run { cpus: Vec::new(), ..long() }.kinds().is_empty());
}

#[test]
fn what_is_late_only_because_the_one_before_was_is_left_out() {
    let mut late = run(20 * MS).thread(DELAY, 20 * MS).cpu(TASKS, 20 * MS);
    assert_eq!(late.counted().len(), 1);
    late.works = true;
    let mut samples = late.samples();
    samples.iter_mut().for_each(|sample| sample.end = sample.end.max(sample.due + 300_000));
    let caught_up = (1..20).map(|n| {
        let (due, end) = (DUE + n * MS, DUE + 20 * MS + n * 300_000);
        Stamped { index: due / MS, due, start: end - 295_000, end, missed: 0 }
    });
    samples.extend(caught_up);
    samples.sort_by_key(|sample| sample.due);
    let names = ["CPU 1".to_owned()];
    let tracks = [
        thread_counts_track(&names, late.threads.iter().copied()),
        cpu_times_track(late.cpus.iter().copied(), STEP as u64),
    ];
    let thread = Timed { limit_ns: MS, ..late.timed(&samples) };
    let counted = counted(&thread, &Evidence::of(&tracks));
    assert_eq!(counted.len(), 1);
    assert_eq!(counted[0].shares[0].0, Cause::UnknownTask);
}
