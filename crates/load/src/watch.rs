//! A load's work over time: whether it went on all through a run.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use plan::Warning;
use rt::process::Pid;
use rt::shared::SharedCounter;
use rt::{clock, counters, tasks};

/// Longer than stalls of a host, and than a load's own rests.
const PART: Duration = Duration::from_millis(250);
/// More parts than these are put together by twos.
const MOST_PARTS: usize = 1024;
/// Fewer do not tell a part from the rest.
const LEAST_PARTS: usize = 4;
/// In units: parts in which less is done at most are too short to be compared.
const LEAST_WORK: u64 = 10;
/// A part with less than this share of the work of the best one holds next to none.
const LITTLE: f64 = 0.1;
/// Shares of a run below this are not told.
const LEAST_SHARE: f64 = 0.05;

/// A process of a load.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(crate) counter: Arc<SharedCounter>,
    pub(crate) process: Pid,
    /// Where it works, if on one alone.
    pub(crate) cpu: Option<usize>,
}

/// A part of a run, for one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    length_ns: u64,
    work: u64,
    /// Time in which it was not for others that it did nothing: it was stopped, or its CPU
    /// was idle.
    held_ns: u64,
}

/// Reads what processes have done, again and again, until it is asked.
#[derive(Debug)]
pub(crate) struct WorkWatch {
    stop: Sender<()>,
    reader: JoinHandle<Vec<Vec<Part>>>,
}

impl WorkWatch {
    /// Begins now.
    ///
    /// # Errors
    /// Where the kernel allows no thread for it.
    pub(crate) fn start(watched: Vec<Watched>) -> io::Result<Self> {
        let (stop, stopped) = channel();
        let reader = rt::thread::start("loads", move || parts(&watched, &stopped))?;
        Ok(Self { stop, reader })
    }

    /// Ends, and says what a reader must know of the load's work.
    pub(crate) fn finish(self, load: &str) -> Option<Warning> {
        drop(self.stop);
        let all = self.reader.join().unwrap_or_default();
        let pauses = all.into_iter().filter_map(Pauses::among);
        let worst = pauses.max_by(|a, b| a.key().total_cmp(&b.key()))?;
        Some(worst.told(load))
    }
}

fn parts(watched: &[Watched], stopped: &Receiver<()>) -> Vec<Vec<Part>> {
    let mut all = vec![Vec::new(); watched.len()];
    let read = || watched.iter().map(Reading::of).collect::<Vec<_>>();
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
    idle_ns: Option<u64>,
    is_stopped: bool,
}

impl Reading {
    fn of(watched: &Watched) -> Self {
        Self {
            at: clock::now(),
            work: watched.counter.get(),
            idle_ns: watched.cpu.and_then(counters::idle_ns),
            is_stopped: tasks::is_stopped(watched.process),
        }
    }

    fn since(&self, before: &Self) -> Part {
        let length_ns = self.at - before.at;
        let idle = self.idle_ns.zip(before.idle_ns);
        let idle_ns = idle.map_or(0, |(after, before)| after.saturating_sub(before));
        Part {
            length_ns,
            work: self.work - before.work,
            held_ns: if self.is_stopped { length_ns } else { idle_ns },
        }
    }
}

impl Part {
    fn rate(&self) -> f64 {
        self.work as f64 / self.length_ns.max(1) as f64
    }
}

fn by_twos(parts: &[Part]) -> Vec<Part> {
    let one = |two: &[Part]| Part {
        length_ns: two.iter().map(|part| part.length_ns).sum(),
        work: two.iter().map(|part| part.work).sum(),
        held_ns: two.iter().map(|part| part.held_ns).sum(),
    };
    parts.chunks(2).map(one).collect()
}

/// The shares of a run in which a process did next to nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pauses {
    /// All of them.
    share: f64,
    /// Those in which it was stopped, or its CPU was idle.
    held: f64,
}

impl Pauses {
    fn among(mut parts: Vec<Part>) -> Option<Self> {
        while parts.len() >= LEAST_PARTS {
            let best = parts.iter().max_by(|a, b| a.rate().total_cmp(&b.rate()))?;
            if best.work >= LEAST_WORK {
                return Self::below(LITTLE * best.rate(), &parts);
            }
            parts = by_twos(&parts);
        }
        None
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

    /// The larger, the worse.
    fn key(&self) -> f64 {
        self.share + if self.is_held() { 1.0 } else { 0.0 }
    }

    fn told(&self, load: &str) -> Warning {
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

    /// Parts with so much work, and for how much of their time they were held.
    fn parts(all: &[(u64, u64)]) -> Vec<Part> {
        let part =
            |(work, held_ns): &(u64, u64)| Part { length_ns: 100, work: *work, held_ns: *held_ns };
        all.iter().map(part).collect()
    }

    fn told(all: &[(u64, u64)]) -> Option<Warning> {
        Some(Pauses::among(parts(all))?.told("cpu"))
    }

    fn load() -> String {
        "cpu".to_owned()
    }

    #[test]
    fn a_load_that_was_stopped_for_most_of_a_run_is_told_by_its_share() {
        let mut run = vec![(100, 0); 2];
        run.extend([(0, 100); 8]);
        let (load, percent) = (load(), 80);
        assert_eq!(told(&run), Some(Warning::LoadPaused { load, percent }));
    }

    #[test]
    fn a_load_that_is_starved_is_told_and_one_that_shares_its_cpu_is_steady() {
        let (load, percent) = (load(), 50);
        let starved = [(100, 0), (100, 0), (2, 0), (0, 10)];
        assert_eq!(told(&starved), Some(Warning::LoadUneven { load, percent }));
        assert_eq!(told(&[(100, 0), (20, 0), (15, 90), (60, 0)]), None);
        // A single stall in a long run.
        let mut stalled = vec![(100, 0); 40];
        stalled.push((0, 100));
        assert_eq!(told(&stalled), None);
    }

    #[test]
    fn work_in_large_units_is_compared_over_longer_parts_or_not_at_all() {
        let coarse: Vec<_> = (0..64).map(|part| (3 * (part % 2), 100)).collect();
        assert_eq!(told(&coarse), None);
        assert_eq!(told(&[(1, 0), (0, 100), (0, 100), (1, 0)]), None);
        assert_eq!(told(&[(0, 100); 64]), None);
    }

    #[test]
    fn parts_put_together_lose_nothing() {
        let all = by_twos(&parts(&[(1, 2), (3, 4), (5, 6)]));
        let sum = |of: fn(&Part) -> u64| all.iter().map(of).sum::<u64>();
        assert_eq!((all.len(), sum(|p| p.work), sum(|p| p.held_ns)), (2, 9, 12));
        assert_eq!(sum(|p| p.length_ns), 300);
    }
}
