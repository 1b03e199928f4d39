//! What is known about the watched tire.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use record::live::{About, Datagram, News, Refused, Shape, StepTimes, Steps, Totals};

/// Number of steps kept for browsers that fall behind.
const MOST_STEPS: usize = 4096;
/// Silence of a run after which any other run may replace it.
const SILENCE: Duration = Duration::from_secs(3);

/// Time without a step (and at least three periods) after which a run counts as still.
const STILL: Duration = Duration::from_secs(2);

/// The scene, and the threads that wait for changes of it.
#[derive(Debug, Default)]
pub struct Stage {
    scene: Mutex<Scene>,
    changed: Condvar,
}

impl Stage {
    pub fn hear(&self, heard: Result<Datagram, Refused>, now: Instant) {
        self.scene().hear(heard, now);
        self.changed.notify_all();
    }

    /// Returns the scene as soon as it differs from that of `version`, or after `longest`.
    pub fn after(&self, version: u64, longest: Duration) -> MutexGuard<'_, Scene> {
        let waited = self
            .changed
            .wait_timeout_while(self.scene(), longest, |scene| scene.version == version);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn scene(&self) -> MutexGuard<'_, Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known, in bounded size.
#[derive(Debug, Default)]
pub struct Scene {
    /// Increases with every received datagram.
    pub version: u64,
    pub tire: Option<Tire>,
    /// Number of datagrams that were damaged or not from a tire.
    pub refused: u64,
    /// Why the last of them was refused.
    pub refusal: Option<Refused>,
    /// Number of datagrams of other runs than the shown one.
    pub others: u64,
}

/// The shown run.
#[derive(Debug)]
pub struct Tire {
    /// Its identity: when it started, in nanoseconds since 1970.
    pub run: u64,
    /// When its last datagram was received.
    pub heard: Instant,
    /// The setup of the run, once received.
    pub about: Option<About>,
    pub shape: Option<Shape>,
    pub totals: Totals,
    /// When it last reported a new step.
    pub advanced: Instant,
    pub has_ended: bool,
    /// Steps that no datagram reported.
    pub lost: u64,
    /// The last steps, each with its number.
    steps: VecDeque<(u64, StepTimes)>,
    /// The number of the next step.
    pub next: u64,
}

impl Scene {
    fn hear(&mut self, heard: Result<Datagram, Refused>, now: Instant) {
        self.version += 1;
        match heard {
            Ok(Datagram { run, news }) => self.tell(run, news, now),
            Err(refusal) => {
                self.refused += 1;
                self.refusal = Some(refusal);
            }
        }
    }

    fn tell(&mut self, run: u64, news: News, now: Instant) {
        match &mut self.tire {
            Some(tire) if tire.run == run => tire.tell(news, now),
            Some(tire) if !tire.gives_way_to(run, now) => self.others += 1,
            _ => self.tire.insert(Tire::new(run, now)).tell(news, now),
        }
    }
}

impl Tire {
    fn new(run: u64, now: Instant) -> Self {
        Self {
            run,
            heard: now,
            advanced: now,
            about: None,
            shape: None,
            totals: Totals::default(),
            has_ended: false,
            lost: 0,
            steps: VecDeque::with_capacity(MOST_STEPS),
            next: 0,
        }
    }

    /// Whether another run replaces this one: a later run immediately, any other run only after
    /// this one has become silent, because its last datagrams may come late.
    fn gives_way_to(&self, run: u64, now: Instant) -> bool {
        run > self.run || now.saturating_duration_since(self.heard) > SILENCE
    }

    fn tell(&mut self, news: News, now: Instant) {
        self.heard = now;
        match news {
            News::About(about) => self.about = Some(about),
            News::Shape(shape) => {
                let is_old = self.shape.as_ref().is_some_and(|s| s.step > shape.step);
                if !is_old {
                    self.shape = Some(shape);
                }
            }
            News::Steps(steps) => {
                let before = (self.next, self.totals.executed);
                self.tell_steps(&steps);
                if (self.next, self.totals.executed) != before {
                    self.advanced = now;
                }
            }
            News::End(totals) => {
                self.totals = totals;
                self.has_ended = true;
            }
        }
    }

    /// Each step is reported twice; datagrams that overtake each other are rare enough.
    fn tell_steps(&mut self, steps: &Steps) {
        if steps.totals.executed >= self.totals.executed {
            self.totals = steps.totals;
        }
        // A viewer that starts during a run has lost nothing.
        if !self.steps.is_empty() {
            self.lost = self.lost.saturating_add(steps.first.saturating_sub(self.next));
        }
        let numbered = steps.times.iter().zip(steps.first..);
        for (step, number) in numbered.skip_while(|(_, number)| *number < self.next) {
            if self.steps.len() == MOST_STEPS {
                self.steps.pop_front();
            }
            self.steps.push_back((number, *step));
        }
        self.next = self.next.max(steps.first + steps.times.len() as u64);
    }

    /// Returns how long no step was made, if that is long compared with the period.
    pub fn still(&self, now: Instant) -> Option<Duration> {
        let period = Duration::from_nanos(self.about.as_ref()?.period_ns);
        let still = now.saturating_duration_since(self.advanced);
        let is_over = self.has_ended || still <= STILL.max(period.saturating_mul(3));
        (!is_over).then_some(still)
    }

    /// Returns the steps from number `from` on that are still known.
    pub fn steps_from(&self, from: u64) -> impl Iterator<Item = &StepTimes> {
        let first = self.steps.partition_point(|(number, _)| *number < from);
        self.steps.range(first..).map(|(_, step)| step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(first: u64, count: u64) -> News {
        let times =
            (first..first + count).map(|due_ns| StepTimes { due_ns, ..StepTimes::default() });
        News::Steps(Steps { first, times: times.collect(), ..Steps::default() })
    }

    fn tell(scene: &mut Scene, run: u64, news: News, now: Instant) {
        scene.hear(Ok(Datagram { run, news }), now);
    }

    fn dues(scene: &Scene, from: u64) -> Vec<u64> {
        let tire = scene.tire.as_ref().unwrap();
        tire.steps_from(from).map(|step| step.due_ns).collect()
    }

    #[test]
    fn a_step_reported_twice_is_known_once_and_a_gap_is_counted() {
        let (mut scene, now) = (Scene::default(), Instant::now());
        for (first, count) in [(10, 4), (12, 4), (12, 4), (20, 2)] {
            tell(&mut scene, 1, steps(first, count), now);
        }
        assert_eq!(dues(&scene, 0), [10, 11, 12, 13, 14, 15, 20, 21]);
        assert_eq!(dues(&scene, 20), [20, 21]);
        assert_eq!(dues(&scene, 16), [20, 21], "lost steps are not invented");
        assert_eq!(dues(&scene, 22), [0; 0]);
        assert_eq!(scene.tire.unwrap().lost, 4);
    }

    #[test]
    fn a_run_that_sends_but_makes_no_step_does_not_advance() {
        let (mut scene, begun) = (Scene::default(), Instant::now());
        let about = About {
            period_ns: 1_000_000,
            periods: 1000,
            step_ns: 1_000_000,
            size: 8,
            unit: "masses".into(),
            threads: 1,
            model: "central".to_owned(),
            solver: "semaphore".to_owned(),
            precision: "f64".to_owned(),
            policy: "fifo:80".to_owned(),
        };
        let still = |scene: &Scene, now| scene.tire.as_ref().unwrap().still(now).is_some();
        tell(&mut scene, 1, News::About(about), begun);
        assert!(!still(&scene, begun));
        let later = begun + 2 * STILL;
        tell(&mut scene, 1, steps(0, 0), later);
        assert!(still(&scene, later), "it sends, but no step is reported");
        tell(&mut scene, 1, steps(0, 1), later);
        assert!(!still(&scene, later));
        tell(&mut scene, 1, steps(0, 1), later + 2 * STILL);
        assert!(still(&scene, later + 2 * STILL), "the same step is reported again");
        tell(&mut scene, 1, News::End(Totals::default()), later);
        assert!(!still(&scene, later + 3 * STILL), "it is over");
    }

    #[test]
    fn memory_is_bounded_whatever_is_received() {
        let (mut scene, now) = (Scene::default(), Instant::now());
        for first in (0..1_000_000).step_by(80) {
            tell(&mut scene, 1, steps(first, 80), now);
            scene.hear(Err(Refused::Damaged), now);
        }
        tell(&mut scene, 1, steps(u64::MAX - 80, 80), now);
        assert_eq!(dues(&scene, 0).len(), MOST_STEPS);
        assert_eq!(dues(&scene, u64::MAX), [0; 0]);
        assert_eq!(scene.refused, 12_500);
    }

    #[test]
    fn the_latest_run_is_shown_and_an_earlier_one_only_after_silence() {
        let (mut scene, now) = (Scene::default(), Instant::now());
        let shown = |scene: &Scene| scene.tire.as_ref().unwrap().run;
        tell(&mut scene, 5, steps(0, 1), now);
        tell(&mut scene, 4, steps(0, 1), now);
        assert_eq!((shown(&scene), scene.others), (5, 1));
        tell(&mut scene, 6, steps(0, 1), now);
        assert_eq!(shown(&scene), 6);
        tell(&mut scene, 6, News::End(Totals::default()), now);
        tell(&mut scene, 5, steps(1, 1), now);
        assert_eq!(shown(&scene), 6, "late datagrams do not bring a run back");
        tell(&mut scene, 4, steps(0, 1), now + 2 * SILENCE);
        assert_eq!(shown(&scene), 4);
        assert!(!scene.tire.unwrap().has_ended);
    }
}
