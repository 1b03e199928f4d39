//! An FMU for Scheduled Execution whose clocks tick in one thread, one after the other and as fast
//! as possible: as an audit steps it. A step is a period of the fastest clock.

use rt::fmi::{Interval, Task};

use super::clocks::Ticking;
use super::countdown::Countdown;
use super::fmu::{Made, told};
use super::setup::Setup;
use super::source::{Counts, Source};

/// The model, with its clocks.
pub(super) struct Ticked {
    made: Made,
    clocks: Vec<(Ticking, Countdown)>,
    /// A step, in nanoseconds.
    step: u64,
    counts: Counts,
}

impl Source for Ticked {
    fn make(setup: &Setup) -> Result<Self, String> {
        let clocks = setup.clocks.iter().cloned();
        Ok(Self {
            made: Made::of(setup)?,
            step: setup.clocks.first().map_or(1, |clock| clock.period.0),
            clocks: clocks.map(|clock| (clock, Countdown::default())).collect(),
            counts: Counts::default(),
        })
    }

    fn initialise(&mut self) -> Result<(), String> {
        self.made.initialise()
    }

    fn set_inputs(&mut self, values: &[f64]) -> Result<(), String> {
        self.made.set_inputs(values)
    }

    /// Every clock that is due in the step ticks, the fastest first.
    #[inline]
    fn step(&mut self, number: u64) -> Result<(), String> {
        let task = self.made.instance.task().ok_or("it has no clocks")?;
        let now = number.saturating_mul(self.step);
        for (clock, countdown) in &self.clocks {
            let since = now.checked_sub((clock.shift * 1e9) as u64);
            if since.is_none_or(|since| since % clock.period.0 >= self.step) {
                continue;
            }
            let time = self.made.times.start + now as f64 / 1e9;
            if clock.is_countdown && !countdown.ends_by(time) {
                continue;
            }
            task.activate(clock.reference, time).map_err(told)?;
            self.counts.events += u64::from(clock.is_countdown);
            self.hear(&task, time)?;
        }
        Ok(())
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), String> {
        self.made.outputs(values)
    }

    fn counts(&self) -> Counts {
        self.made.with_log(self.counts)
    }

    fn end(&mut self) {
        self.made.end();
    }
}

impl Ticked {
    /// Asks for the countdowns that the model may have started.
    #[inline]
    fn hear(&self, task: &Task, time: f64) -> Result<(), String> {
        for (clock, countdown) in self.clocks.iter().filter(|(clock, _)| clock.is_countdown) {
            if let Interval::Changed(interval) = task.interval(clock.reference).map_err(told)? {
                countdown.start(time + interval);
            }
        }
        Ok(())
    }
}
