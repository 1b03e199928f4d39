//! A sleep beyond the time that a thread was to be woken, and what it comes to.

use super::{Held, Open, Segment};
use crate::Cause;

/// What is known of a sleep.
#[derive(Debug, Default)]
pub(super) struct Sleep {
    /// The segment that it begins with.
    pub(super) from: usize,
    /// Whether timers interrupt now, and the thread's time had come when they did.
    is_its_time: bool,
    /// From which segment on such an interrupt has come and gone, and left the thread asleep.
    passed_over_from: Option<usize>,
    /// Why that interrupt came as late as it did, where the one before it tells.
    put_off_by: Option<Cause>,
}

impl Sleep {
    pub(super) fn from(place: usize) -> Self {
        Self { from: place, ..Self::default() }
    }

    /// Timers interrupt the thread's CPU, which an earlier interrupt may have put off.
    pub(super) fn timer_interrupts(&mut self, is_its_time: bool, put_off_by: Option<Cause>) {
        self.is_its_time = is_its_time;
        self.put_off_by = put_off_by;
    }

    /// That interrupt has been served. The kernel of that CPU lives, and has seen to every timer that
    /// had expired there.
    pub(super) fn timer_has_passed(&mut self, place: usize) {
        if std::mem::take(&mut self.is_its_time) {
            self.passed_over_from.get_or_insert(place);
        }
    }

    pub(super) fn is_passed_over(&self) -> bool {
        self.passed_over_from.is_some()
    }

    /// Tells what each of its segments, which are the last ones, comes to. Until the interrupt
    /// that wakes the thread comes, nothing of this kernel has run on an idle CPU: it would
    /// have come earlier. A task may have kept it out: one that switched meanwhile has, and
    /// of another one nothing tells. After an interrupt that left the thread asleep, and
    /// where none woke it, it was not its timer that came late. An interrupt that
    /// the kernel itself has put off was kept out by nobody who ran meanwhile.
    pub(super) fn ends(&self, segments: &mut [Segment], is_frozen: bool, by_interrupt: bool) {
        let from = self.from.min(segments.len());
        for (place, segment) in segments.iter_mut().enumerate().skip(from) {
            let is_passed_over = self.passed_over_from.is_some_and(|since| place >= since);
            let cause = match &segment.what {
                Held::Open(_) | Held::Waited(_) | Held::By(Cause::PageFault) if is_frozen => {
                    Cause::Frozen
                }
                Held::Open(_) if is_passed_over || !by_interrupt => {
                    Cause::Unknown { why: NOT_BY_ITS_TIMER.to_owned() }
                }
                Held::Open(_) if let Some(cause) = &self.put_off_by => cause.clone(),
                Held::Open(Open::NotWoken { on_cpu: None, .. }) => Cause::PlatformGap,
                Held::Open(Open::NotWoken { on_cpu: Some(task), switches }) => match switches {
                    true => Cause::Task(task.clone()),
                    false => Cause::KernelOrPlatform(task.clone()),
                },
                _ => continue,
            };
            segment.what = Held::By(cause);
        }
    }
}

const NOT_BY_ITS_TIMER: &str = "its timer did not wake it: it was held back as a whole for less \
                                time than can be told, or its timer was another CPU's";
