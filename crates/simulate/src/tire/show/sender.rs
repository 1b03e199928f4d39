//! The housekeeping thread of the show: fetches what solver threads show, and sends it.

use std::io;
use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};

use bench::address::connected;
use record::live::{
    Datagram, MOST_BYTES, MOST_STEPS, News, Place, Shape, StepTimes, Steps, Totals,
};
use rt::clock;

use super::stage::{FRAME, Show};
use super::window::{Mass, Stamps, Window};

/// How often the thread checks for news: often enough to fetch a frame before the next one.
const CHECK_EVERY: u64 = FRAME / 2;
/// How often the description of the run is sent, for viewers that start late.
const ABOUT_EVERY: u64 = 1_000_000_000;
/// How often the end is sent, since a datagram may be lost.
const ENDS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Sent {
    /// Frames that were handed to the network.
    pub(super) frames: u64,
    /// Frames that the kernel refused: the viewer does not listen, or the network is too slow.
    pub(super) refused: u64,
}

pub(super) struct Sender<'a> {
    show: &'a Show<'a>,
    socket: UdpSocket,
    /// The start time of the run.
    run: u64,
    bytes: Vec<u8>,
    states: Vec<Mass>,
    /// Steps done at the last check but one, and at the last.
    reported: [u64; 2],
    /// Late steps after which no period was skipped.
    late_alone: u64,
    last_is_late: bool,
    /// Steps whose stamps were overwritten before they were read.
    overwritten: u64,
    /// The number of periods up to and including that of the last reported step.
    periods: u64,
    about_due: u64,
    sent: Sent,
}

impl<'a> Sender<'a> {
    pub(super) fn new(show: &'a Show<'a>) -> io::Result<Self> {
        Ok(Self {
            show,
            socket: connected(show.to)?,
            run: clock::unix_time(),
            bytes: Vec::with_capacity(MOST_BYTES),
            states: Vec::with_capacity(show.sample.seen().len()),
            reported: [0; 2],
            late_alone: 0,
            last_is_late: false,
            overwritten: 0,
            periods: 0,
            about_due: 0,
            sent: Sent::default(),
        })
    }

    pub(super) fn send_until(mut self, over: &AtomicBool) -> Sent {
        let mut next = clock::now();
        loop {
            let is_over = over.load(Ordering::Acquire);
            self.send_about();
            self.send_steps();
            self.send_shape();
            if is_over {
                break;
            }
            next = (next + CHECK_EVERY).max(clock::now());
            clock::sleep_until(next);
        }
        self.send_end();
        self.sent
    }

    /// Sends the end. Periods that were not yet due then count as skipped, as in its row.
    fn send_end(&mut self) {
        if self.reported[1] > 0 {
            let periods = self.show.schedule.periods();
            self.settle(periods);
            self.periods = periods;
        }
        let totals = self.totals();
        for _ in 0..ENDS {
            self.send(News::End(totals));
        }
    }

    fn send_about(&mut self) {
        let now = clock::now();
        if now >= self.about_due {
            self.about_due = now + ABOUT_EVERY;
            self.send(News::About(self.show.about.clone()));
        }
    }

    /// Sends the steps since the last check but one: one lost datagram loses no step.
    fn send_steps(&mut self) {
        let done = self.show.windows.iter().map(Window::done).min().unwrap_or(0);
        let [before, last] = self.reported;
        if done == last {
            return;
        }
        // Read backwards, since the oldest stamps are overwritten first.
        let steps = (before..done).rev();
        let known: Vec<Stamps> = steps.map_while(|step| self.stamps(step)).collect();
        let first = done - known.len() as u64;
        self.overwritten += first.saturating_sub(last);
        for (step, stamps) in (first..done).zip(known.iter().rev()) {
            if step >= last {
                self.count(step, *stamps);
            }
        }
        self.reported = [last, done];
        let times: Vec<StepTimes> = known.into_iter().rev().map(|s| self.times(s)).collect();
        for (part, times) in times.chunks(MOST_STEPS).enumerate() {
            self.send(News::Steps(Steps {
                totals: self.totals(),
                first: first + (part * MOST_STEPS) as u64,
                times: times.into(),
            }));
        }
    }

    /// Returns a step's due time, its first start and its last end.
    fn stamps(&self, step: u64) -> Option<Stamps> {
        let mut all = self.show.windows.iter().map(|w| w.stamps(step));
        let first = all.next()??;
        all.try_fold(first, |[due, start, end], stamps| {
            let [_, other_start, other_end] = stamps?;
            Some([due, start.min(other_start), end.max(other_end)])
        })
    }

    fn count(&mut self, step: u64, [due, _, end]: Stamps) {
        let schedule = self.show.schedule;
        let index = schedule.index(step, due);
        self.settle(index);
        self.last_is_late = end > due + schedule.period();
        self.periods = index + 1;
    }

    /// Counts the last step as missed if it was late and no period before the next one, at `index`,
    /// was skipped because of it; skipped periods are counted separately.
    fn settle(&mut self, index: u64) {
        self.late_alone += u64::from(self.last_is_late && index == self.periods);
        self.last_is_late = false;
    }

    fn times(&self, [due, start, end]: Stamps) -> StepTimes {
        let short = |time: u64| u32::try_from(time).unwrap_or(u32::MAX);
        StepTimes {
            due_ns: due.saturating_sub(self.show.schedule.t0()),
            delay_ns: short(start.saturating_sub(due)),
            run_ns: short(end.saturating_sub(start)),
        }
    }

    fn totals(&self) -> Totals {
        let [_, executed] = self.reported;
        let skipped = self.periods.saturating_sub(executed);
        Totals {
            executed,
            missed: self.late_alone + u64::from(self.last_is_late) + skipped,
            skipped,
            untold: self.overwritten,
            frames_due: executed.div_ceil(self.show.every),
            frames_sent: self.sent.frames,
        }
    }

    /// Sends a complete frame. If its parts belong to different steps, all threads start again.
    fn send_shape(&mut self) {
        let windows = &self.show.windows;
        let mut frames = windows.iter().map(Window::frame);
        let Some(step) = frames.next().flatten() else {
            return;
        };
        let mut is_whole = true;
        for frame in frames {
            let Some(other) = frame else { return };
            is_whole &= other == step;
        }
        self.show.masses.read(&mut self.states);
        windows.iter().for_each(Window::free);
        if is_whole {
            let is_sent = self.send(News::Shape(self.shape(step)));
            self.sent.frames += u64::from(is_sent);
            self.sent.refused += u64::from(!is_sent);
        }
    }

    fn shape(&self, step: u64) -> Shape {
        let short = |position: [f64; 2]| position.map(|x| x as f32);
        let sample = &self.show.sample;
        let place = |shown: tire::Shown| Place {
            position: short(shown.position),
            force: shown.force as f32,
        };
        Shape {
            step,
            hub: sample.hub(&self.states).map(short),
            places: sample.show(&self.states).map(place).collect(),
        }
    }

    /// Returns whether the kernel accepted the datagram; never waits.
    fn send(&mut self, news: News) -> bool {
        let datagram = Datagram { run: self.run, news };
        datagram.encode(&mut self.bytes);
        self.socket.send(&self.bytes).is_ok()
    }
}
