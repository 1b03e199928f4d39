//! An FMU for Scheduled Execution whose clocks tick in one thread, in sequence and as fast as
//! possible, as an audit steps it. A step is a period of the fastest clock.

use super::clocks::{Ticking, Ticks};
use super::countdown::{Countdown, read_countdowns};
use super::fmu::{Made, Stepping};
use super::setup::Setup;

pub(super) struct Ticked {
    clocks: Vec<(Ticking, Countdown)>,
    /// Length of a step, in nanoseconds.
    step: u64,
}

impl Stepping for Ticked {
    fn of(setup: &Setup, _made: &Made) -> Result<Self, String> {
        let clocks = setup.clocks.iter().cloned();
        Ok(Self {
            step: setup.clocks.first().map_or(1, |clock| clock.period.0),
            clocks: clocks.map(|clock| (clock, Countdown::default())).collect(),
        })
    }

    fn initialise(&mut self, made: &mut Made) -> Result<(), String> {
        made.initialise()?;
        let changing = self.clocks.iter();
        for (clock, countdown) in changing.filter(|(clock, _)| clock.ticks == Ticks::Changing) {
            countdown.start(made.times.start + clock.shift);
        }
        Ok(())
    }

    /// Runs every clock that is due in the step, the fastest first.
    #[inline]
    fn step(&mut self, made: &mut Made, number: u64) -> Result<(), String> {
        let task = made.instance.task().ok_or("it has no clocks")?;
        let now = number.saturating_mul(self.step);
        for (clock, countdown) in &self.clocks {
            let since = now.checked_sub((clock.shift * 1e9) as u64);
            if since.is_none_or(|since| since % clock.period.0 >= self.step) {
                continue;
            }
            let time = made.times.start + now as f64 / 1e9;
            let Some(due) = clock.due(countdown, time) else {
                continue;
            };
            clock.tick(&task, countdown, due, time)?;
            made.counts.events += u64::from(clock.ticks != Ticks::AtPeriods);
            let clocks = self.clocks.iter().map(|(clock, countdown)| (clock, countdown));
            read_countdowns(clocks, &task, time)?;
        }
        Ok(())
    }
}
