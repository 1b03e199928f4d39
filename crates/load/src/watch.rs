//! Watches whether a load worked steadily throughout a run.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use record::Warning;
use rt::process::Pid;
use rt::shared::SharedCounter;
use rt::{clock, counters, role, tasks};

/// Length of a part: longer than stalls of a host, and than a load's own rests.
const PART: Duration = Duration::from_millis(250);
/// If there are more parts than this, they are merged in pairs.
const MOST_PARTS: usize = 1024;
/// With fewer parts, one part cannot be distinguished from the rest.
const LEAST_PARTS: usize = 4;
/// If the best part has fewer blocks of work than this, parts are too short to be compared: work and
/// rest may take longer than a part.
const LEAST_BLOCKS: u64 = 10;
/// A part with less than this share of the best part's work counts as idle.
const LITTLE: f64 = 0.1;
/// Smaller shares of a run are not reported.
const LEAST_SHARE: f64 = 0.05;

#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(crate) counter: Arc<SharedCounter>,
    pub(crate) process: Pid,
    /// The CPU on which it works, if it is restricted to one.
    pub(crate) cpu: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    length_ns: u64,
    /// In the load's unit.
    work: u64,
    /// How often work was done, whatever its amount.
    blocks: u64,
    /// Time in which it did nothing without losing its CPU to a task: stopped, or the CPU idle.
    held_ns: u64,
}

/// Reads repeatedly what processes have done, until it is finished.
pub(crate) struct WorkWatch {
    stop: Sender<()>,
    reader: JoinHandle<Vec<Vec<Part>>>,
}

impl WorkWatch {
    pub(crate) fn start(watched: Vec<Watched>) -> io::Result<Self> {
        let (stop, stopped) = channel();
        let reader = rt::thread::start("loads", move || parts(&watched, &stopped))?;
        Ok(Self { stop, reader })
    }

    /// Stops watching, and returns the warning that the load's work requires, if any.
    pub(crate) fn finish(self, load: &str) -> Option<Warning> {
        drop(self.stop);
        let all = self.reader.join().unwrap_or_default();
        let pauses = all.into_iter().filter_map(Pauses::among);
        let worst = pauses.max_by(|a, b| a.key().total_cmp(&b.key()))?;
        Some(worst.warning(load))
    }
}

fn parts(watched: &[Watched], stopped: &Receiver<()>) -> Vec<Vec<Part>> {
    let mut all = vec![Vec::new(); watched.len()];
    // A machine of the lab has only the measured CPU, and nothing that stops a load.
    let reads_files = !role::is_in_lab();
    let read = || watched.iter().map(|one| Reading::of(one, reads_files)).collect::<Vec<_>>();
    let (mut before, mut length) = (read(), PART);
    loop {
        let is_last = stopped.recv_timeout(length) != Err(RecvTimeoutError::Timeout);
        let after = read();
        for ((parts, before), after) in all.iter_mut().zip(&before).zip(&after) {
            parts.push(after.since(before));
        }
        if is_last {
            return all;
        }
        if all.iter().any(|parts| parts.len() >= MOST_PARTS) {
            all = all.iter().map(|parts| by_twos(parts)).collect();
            length *= 2;
        }
        before = after;
    }
}

#[derive(Debug, Clone, Copy)]
struct Reading {
    at: u64,
    work: u64,
    blocks: u64,
    idle_ns: Option<u64>,
    is_stopped: bool,
}

impl Reading {
    fn of(watched: &Watched, reads_files: bool) -> Self {
        Self {
            at: clock::now(),
            work: watched.counter.get(),
            blocks: watched.counter.additions(),
            idle_ns: watched.cpu.filter(|_| reads_files).and_then(counters::idle_ns),
            is_stopped: reads_files && tasks::is_stopped(watched.process),
        }
    }

    fn since(&self, before: &Self) -> Part {
        let length_ns = self.at - before.at;
        let idle = self.idle_ns.zip(before.idle_ns);
        let idle_ns = idle.map_or(0, |(after, before)| after.saturating_sub(before));
        Part {
            length_ns,
            work: self.work - before.work,
            blocks: self.blocks - before.blocks,
            held_ns: if self.is_stopped { length_ns } else { idle_ns },
        }
    }
}

impl Part {
    fn sum(parts: &[Self]) -> Self {
        let sum = |of: fn(&Self) -> u64| parts.iter().map(of).sum();
        Self {
            length_ns: sum(|part| part.length_ns),
            work: sum(|part| part.work),
            blocks: sum(|part| part.blocks),
            held_ns: sum(|part| part.held_ns),
        }
    }

    fn rate(&self) -> f64 {
        self.work as f64 / self.length_ns.max(1) as f64
    }
}

fn by_twos(parts: &[Part]) -> Vec<Part> {
    parts.chunks(2).map(Part::sum).collect()
}

/// Joins a last part of less than half the others' length with the one before it: a single block
/// would make it the best or an idle one.
fn join_short_last(parts: &mut Vec<Part>) {
    if let [.., before, last] = parts[..]
        && last.length_ns * 2 < before.length_ns
    {
        parts.truncate(parts.len() - 2);
        parts.push(Part::sum(&[before, last]));
    }
}

/// The shares of a run in which a process did next to nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pauses {
    share: f64,
    /// Share of the pauses in which it was stopped, or its CPU was idle.
    held: f64,
}

impl Pauses {
    fn among(mut parts: Vec<Part>) -> Option<Self> {
        loop {
            join_short_last(&mut parts);
            if parts.len() < LEAST_PARTS {
                return None;
            }
            let best = parts.iter().max_by(|a, b| a.rate().total_cmp(&b.rate()))?;
            if best.blocks >= LEAST_BLOCKS {
                return Self::below(LITTLE * best.rate(), &parts);
            }
            parts = by_twos(&parts);
        }
    }

    fn below(rate: f64, parts: &[Part]) -> Option<Self> {
        let whole: u64 = parts.iter().map(|part| part.length_ns).sum();
        let share_of = |counts: fn(&Part) -> bool| {
            let little = parts.iter().filter(|part| part.rate() < rate && counts(part));
            little.map(|part| part.length_ns).sum::<u64>() as f64 / whole as f64
        };
        let pauses = Self {
            share: share_of(|_| true),
            held: share_of(|part| part.held_ns * 2 >= part.length_ns),
        };
        (pauses.share >= LEAST_SHARE).then_some(pauses)
    }

    fn is_held(&self) -> bool {
        self.held >= LEAST_SHARE
    }

    /// Sort key: larger is worse.
    fn key(&self) -> f64 {
        self.share + if self.is_held() { 1.0 } else { 0.0 }
    }

    fn warning(&self, load: &str) -> Warning {
        let load = load.to_owned();
        let percent = |share: f64| (share * 100.0).round() as u64;
        match self.is_held() {
            true => Warning::LoadPaused { load, percent: percent(self.held) },
            false => Warning::LoadUneven { load, percent: percent(self.share) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns parts with this work each, and the percentage of their time in which they were held.
    fn parts(all: &[(u64, u64)]) -> Vec<Part> {
        let part =
            |&(work, held_ns): &(u64, u64)| Part { length_ns: 100, work, blocks: work, held_ns };
        all.iter().map(part).collect()
    }

    fn warned(all: &[(u64, u64)]) -> Option<Warning> {
        Some(Pauses::among(parts(all))?.warning("cpu"))
    }

    fn paused(percent: u64) -> Option<Warning> {
        Some(Warning::LoadPaused { load: "cpu".to_owned(), percent })
    }

    #[test]
    fn a_load_that_was_stopped_for_most_of_a_run_is_reported_with_its_share() {
        let mut run = vec![(100, 0); 2];
        run.extend([(0, 100); 8]);
        assert_eq!(warned(&run), paused(80));
    }

    #[test]
    fn a_starved_load_is_reported_and_one_that_shares_its_cpu_is_steady() {
        let starved = [(100, 0), (100, 0), (2, 0), (0, 10)];
        let uneven = Warning::LoadUneven { load: "cpu".to_owned(), percent: 50 };
        assert_eq!(warned(&starved), Some(uneven));
        assert_eq!(warned(&[(100, 0), (20, 0), (15, 90), (60, 0)]), None);
        // A single stall in a long run.
        let mut stalled = vec![(100, 0); 40];
        stalled.push((0, 100));
        assert_eq!(warned(&stalled), None);
    }

    #[test]
    fn a_block_of_many_units_is_one_block() {
        let mut rests = parts(&[(0, 100); 64]);
        for part in rests.iter_mut().step_by(2) {
            (part.work, part.blocks, part.held_ns) = (32_768, 1, 0);
        }
        assert_eq!(Pauses::among(rests), None);
    }

    #[test]
    fn a_short_last_part_neither_is_the_best_nor_hides_a_pause() {
        let mut all = parts(&[(100, 0), (0, 100), (0, 100), (100, 0)]);
        all.push(Part { length_ns: 1, work: 32, blocks: 1, held_ns: 0 });
        assert_eq!(Pauses::among(all).map(|pauses| pauses.warning("cpu")), paused(50));
    }

    #[test]
    fn work_in_large_units_is_compared_over_longer_parts_or_not_at_all() {
        let coarse: Vec<_> = (0..64).map(|part| (3 * (part % 2), 100)).collect();
        assert_eq!(warned(&coarse), None);
        assert_eq!(warned(&[(1, 0), (0, 100), (0, 100), (1, 0)]), None);
        assert_eq!(warned(&[(0, 100); 64]), None);
    }

    #[test]
    fn merged_parts_lose_nothing() {
        let all = by_twos(&parts(&[(1, 2), (3, 4), (5, 6)]));
        let sum = |of: fn(&Part) -> u64| all.iter().map(of).sum::<u64>();
        assert_eq!((all.len(), sum(|p| p.work), sum(|p| p.held_ns)), (2, 9, 12));
        assert_eq!(sum(|p| p.length_ns), 300);
    }
}
