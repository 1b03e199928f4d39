//! A sleep that lasts beyond the time at which a thread should wake, and its cause.

use super::{Held, Open, Segment};
use crate::Cause;

#[derive(Debug, Default)]
pub(super) struct Sleep {
    /// Index of the segment with which it begins.
    pub(super) from: usize,
    /// True if a timer interrupt is being served, and the thread's time had come when it started.
    pub(super) is_its_time: bool,
    /// Index of the first segment after such an interrupt ended and left the thread asleep.
    passed_over_from: Option<usize>,
    /// Why that interrupt came late, if the interrupt before it explains this.
    pub(super) put_off_by: Option<Cause>,
}

/// How it is known that the whole process was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frozen {
    /// The freezer counts its time.
    Counted,
    /// Even the thread that gathers evidence did not run.
    Silent,
}

impl Sleep {
    pub(super) fn from(place: usize) -> Self {
        Self { from: place, ..Self::default() }
    }

    /// Records that a timer interrupt was served. So the kernel of that CPU was running, and has
    /// handled every timer that had expired there.
    pub(super) fn timer_has_passed(&mut self, place: usize) {
        if std::mem::take(&mut self.is_its_time) {
            self.passed_over_from.get_or_insert(place);
        }
    }

    pub(super) fn is_passed_over(&self) -> bool {
        self.passed_over_from.is_some()
    }

    /// Sets the cause of each segment of the sleep; they are the last segments.
    ///
    /// On an idle CPU, nothing of this kernel ran before the interrupt that woke the thread: it
    /// would have come earlier. A task may have kept the interrupt out. A task that switched in the
    /// meantime certainly did; for any other task it is unknown. If an interrupt left the thread
    /// asleep, or no interrupt woke it, then its timer was not late. If the kernel itself postponed
    /// the interrupt, the task that ran in the meantime is not the cause. `gap` is what kept an idle CPU.
    /// Silence shows a freezer only where nothing else is known: the thread may wait for a page or in
    /// a system call while the process is not stopped.
    pub(super) fn ends(
        &self,
        segments: &mut [Segment],
        frozen: Option<Frozen>,
        by_interrupt: bool,
        gap: &Cause,
    ) {
        let from = self.from.min(segments.len());
        for (place, segment) in segments.iter_mut().enumerate().skip(from) {
            let is_passed_over = self.passed_over_from.is_some_and(|since| place >= since);
            let cause = match &segment.what {
                Held::Open(_) if frozen.is_some() => Cause::Frozen,
                Held::Waited(_) | Held::By(Cause::PageFault) if frozen == Some(Frozen::Counted) => {
                    Cause::Frozen
                }
                Held::Open(Open::InTheKernel) => Cause::Unknown { why: IN_THE_KERNEL.to_owned() },
                Held::Open(_) if is_passed_over || !by_interrupt => {
                    Cause::Unknown { why: NOT_BY_ITS_TIMER.to_owned() }
                }
                Held::Open(_) if let Some(cause) = &self.put_off_by => cause.clone(),
                Held::Open(Open::NotWoken { on_cpu: None, .. }) => gap.clone(),
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

const IN_THE_KERNEL: &str = "it waited in the kernel: for input or output, or the whole process was stopped for \
                             too short a time to detect";
const NOT_BY_ITS_TIMER: &str = "its timer did not wake it: the whole process was stopped for too \
                                short a time to detect, or its timer was on another CPU";
