//! Memory in which solver threads show their state: they write it and never wait.

use std::sync::atomic::{AtomicU64, Ordering};

use rt::clock;
use tire::Worker;

/// Number of steps whose stamps are kept for the housekeeping thread.
const KEPT: u64 = 4096;
/// A frame is taken only if this many times its expected duration is left before the next step.
const MARGIN: u64 = 4;

pub(super) type Stamps = [u64; 3];
/// The state of a mass as [`Worker::mass`] returns it.
pub(super) type Mass = [f64; 4];

/// The last stamps of one solver thread, and whether its part of a frame is taken. The solver
/// thread writes and the housekeeping thread reads; a late side loses data, and neither waits.
pub(super) struct Window {
    done: AtomicU64,
    stamps: Box<[[AtomicU64; 3]]>,
    /// Number of steps done in the frame that is taken; [`FREE`] if a new one may be taken.
    frame: AtomicU64,
}

const FREE: u64 = 0;

impl Window {
    pub(super) fn new() -> Self {
        Self {
            done: AtomicU64::new(0),
            stamps: (0..KEPT).map(|_| Default::default()).collect(),
            frame: AtomicU64::new(FREE),
        }
    }

    fn keep(&self, step: u64, stamps: Stamps) {
        let places = &self.stamps[(step % KEPT) as usize];
        for (place, stamp) in places.iter().zip(stamps) {
            // Not before the last count, which shows a reader that this place is being written.
            place.store(stamp, Ordering::Release);
        }
        self.done.store(step + 1, Ordering::Release);
    }

    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Acquire)
    }

    /// Returns the stamps of a completed step, or `None` if a later step has overwritten them.
    pub(super) fn stamps(&self, step: u64) -> Option<Stamps> {
        let places = &self.stamps[(step % KEPT) as usize];
        let stamps = places.each_ref().map(|p| p.load(Ordering::Acquire));
        (self.done() < step + KEPT).then_some(stamps)
    }

    /// Returns the number of steps done in the frame whose part this thread has taken.
    pub(super) fn frame(&self) -> Option<u64> {
        Some(self.frame.load(Ordering::Acquire)).filter(|frame| *frame != FREE)
    }

    pub(super) fn free(&self) {
        self.frame.store(FREE, Ordering::Release);
    }
}

/// Each is written by its owner while its window is free, and read while all are taken.
pub(super) struct Masses(Box<[[AtomicU64; 4]]>);

impl Masses {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| Default::default()).collect())
    }

    pub(super) fn read(&self, to: &mut Vec<Mass>) {
        to.clear();
        let number = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        to.extend(self.0.iter().map(|mass| mass.each_ref().map(number)));
    }

    fn write(&self, place: usize, mass: Mass) {
        for (to, number) in self.0[place].iter().zip(mass) {
            to.store(number.to_bits(), Ordering::Relaxed);
        }
    }
}

pub(in crate::tire) struct Witness<'a> {
    window: &'a Window,
    masses: &'a Masses,
    /// Positions of the thread's masses in the frame, with their numbers.
    own: Vec<(usize, usize)>,
    every: u64,
    period: u64,
    cost: Cost,
}

impl<'a> Witness<'a> {
    /// Shows those of the masses `seen` that the worker owns, every `every` steps.
    pub(super) fn new(
        window: &'a Window,
        masses: &'a Masses,
        seen: &[usize],
        (every, period): (u64, u64),
        worker: &Worker,
    ) -> Self {
        let stretches = worker.own();
        let is_own = |i: &usize| stretches.iter().any(|own| own.contains(i));
        let own = seen.iter().copied().enumerate().filter(|(_, i)| is_own(i));
        let mut witness =
            Self { window, masses, own: own.collect(), every, period, cost: Cost::UNKNOWN };
        for _ in 0..3 {
            witness.copy(worker);
        }
        witness
    }

    /// Runs after the end of a step, when its stamps are taken: shows them, and takes the next
    /// frame if there is time before the next step is due and the previous frame was fetched.
    pub(in crate::tire) fn after(&mut self, worker: &Worker, step: u64, stamps: Stamps) {
        self.window.keep(step, stamps);
        if !step.is_multiple_of(self.every) || self.window.frame().is_some() {
            return;
        }
        let [due, _, end] = stamps;
        if self.cost.fits((due + self.period).saturating_sub(end)) {
            self.copy(worker);
            self.window.frame.store(step + 1, Ordering::Release);
        }
    }

    fn copy(&mut self, worker: &Worker) {
        let before = clock::now();
        for (place, mass) in &self.own {
            self.masses.write(*place, worker.mass(*mass));
        }
        self.cost.took(clock::now() - before);
    }
}

/// The time that a frame takes in a thread, in nanoseconds.
struct Cost {
    least: u64,
    expected: u64,
}

impl Cost {
    const UNKNOWN: Self = Self { least: u64::MAX, expected: 0 };

    fn took(&mut self, time: u64) {
        self.least = self.least.min(time);
        self.expected = time;
    }

    /// Whether this time is enough. A slow copy is forgotten gradually: others may follow.
    fn fits(&mut self, slack: u64) -> bool {
        let fits = slack >= self.expected.saturating_mul(MARGIN);
        if !fits {
            self.expected = (self.expected - self.expected / 8).max(self.least);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tire::{Setup, prepare};

    fn worker() -> Worker {
        let setup = Setup { masses: 40, ..Setup::default() };
        let mut worker = prepare(&setup).unwrap().remove(0);
        worker.settle();
        worker
    }

    /// A witness of masses 0 and 20 with a period of one second.
    fn witness<'a>(window: &'a Window, masses: &'a Masses, worker: &Worker) -> Witness<'a> {
        Witness::new(window, masses, &[0, 20], (1, 1_000_000_000), worker)
    }

    #[test]
    fn a_reader_that_never_frees_a_frame_costs_only_frames() {
        let (window, masses, mut worker) = (Window::new(), Masses::new(2), worker());
        let mut witness = witness(&window, &masses, &worker);
        let mut frame = Vec::new();
        witness.after(&worker, 0, [100, 101, 102]);
        masses.read(&mut frame);
        let first = frame.clone();
        for step in 1..=10 {
            worker.step(&mut ()).unwrap();
            let due = 100 + step * 1_000_000_000;
            witness.after(&worker, step, [due, due + 1, due + 2]);
        }
        masses.read(&mut frame);
        assert_eq!((window.frame(), &frame), (Some(1), &first));
        assert_eq!(window.done(), 11, "stamps continue");
        window.free();
        witness.after(&worker, 11, [0, 1, 2]);
        masses.read(&mut frame);
        assert_eq!(window.frame(), Some(12));
        assert_eq!(frame, [worker.mass(0), worker.mass(20)]);
        assert_ne!(frame, first);
    }

    #[test]
    fn no_frame_is_taken_without_time_before_the_next_step() {
        let (window, masses, worker) = (Window::new(), Masses::new(2), worker());
        let mut witness = witness(&window, &masses, &worker);
        let late = [0, 1, 1_000_000_001];
        (0..1000).for_each(|step| witness.after(&worker, step, late));
        assert_eq!(window.frame(), None);
        assert_eq!(window.stamps(999), Some(late));
    }

    #[test]
    fn a_slow_copy_is_forgotten_and_the_fastest_is_not() {
        let mut cost = Cost::UNKNOWN;
        cost.took(10);
        cost.took(10_000);
        assert!(!cost.fits(5_000));
        let refused = (0..1000).take_while(|_| !cost.fits(5_000)).count();
        assert!((1..100).contains(&refused), "{refused}");
        assert!((0..1000).all(|_| !cost.fits(39)) && cost.fits(40));
    }

    #[test]
    fn overwritten_stamps_are_not_returned() {
        let window = Window::new();
        (0..KEPT + 10).for_each(|step| window.keep(step, [step; 3]));
        assert_eq!(window.stamps(9), None);
        assert_eq!(window.stamps(10), None, "its place is the next to be written");
        assert_eq!(window.stamps(11), Some([11; 3]));
        assert_eq!(window.stamps(KEPT + 9), Some([KEPT + 9; 3]));
    }

    #[test]
    fn stamps_are_never_seen_half_written() {
        let window = Window::new();
        std::thread::scope(|scope| {
            scope.spawn(|| (0..200_000).for_each(|step| window.keep(step, [step; 3])));
            while window.done() == 0 {}
            while window.done() < 200_000 {
                let step = window.done().saturating_sub(KEPT - 1);
                assert!(window.stamps(step).is_none_or(|s| s == [step; 3]));
            }
        });
    }
}
