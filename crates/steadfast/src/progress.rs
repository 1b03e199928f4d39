//! What is running, and for how much longer: a bar on a terminal, a line a run
//! elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use plan::{Parameters, RunSpec};

use units::shown;

use crate::output::tell;

/// Starting a process, settling, reading back: on top of each run.
const OVERHEAD: Duration = Duration::from_millis(200);

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// How many there are, where that is known.
    runs: Option<usize>,
    planned_left: Duration,
    done: Duration,
    run: Option<Run>,
}

struct Run {
    started: Instant,
    planned: Duration,
}

impl Progress {
    /// Progress through the given runs, on standard error.
    pub(crate) fn through<'a>(specs: impl ExactSizeIterator<Item = &'a RunSpec>) -> Self {
        let runs = specs.len();
        Self::of(Some(runs), specs.map(planned).sum())
    }

    /// Progress through a budget of time, by as many runs as it allows.
    pub(crate) fn within(budget: Duration) -> Self {
        Self::of(None, budget)
    }

    fn of(runs: Option<usize>, planned: Duration) -> Self {
        let bar = stderr().is_terminal().then(|| bar(planned));
        Self {
            bar,
            runs,
            planned_left: planned,
            done: Duration::ZERO,
            run: None,
        }
    }

    /// So much of a budget is left.
    pub(crate) fn set_left(&mut self, left: Duration) {
        self.done += self.planned_left.saturating_sub(left);
        self.planned_left = left;
    }

    pub(crate) fn start(&mut self, number: usize, spec: &RunSpec) {
        let of = self
            .runs
            .map_or_else(String::new, |runs| format!("/{runs}"));
        let title = format!("[{}{of}] {}", number + 1, shown(&title(spec)));
        match &self.bar {
            Some(bar) => bar.set_message(title),
            None => tell(&format!("{title} ({} left)", in_words(self.planned_left))),
        }
        self.run = Some(Run {
            started: Instant::now(),
            planned: planned(spec),
        });
    }

    /// Shows that time goes by.
    pub(crate) fn tick(&self) {
        if let (Some(bar), Some(run)) = (&self.bar, &self.run) {
            let within = run.started.elapsed().min(run.planned);
            let left = self.planned_left.saturating_sub(within);
            bar.set_position((self.done + within).as_millis() as u64);
            bar.set_prefix(format!("{} left", in_words(left)));
        }
    }

    pub(crate) fn end(&mut self) {
        if let Some(run) = self.run.take() {
            self.done += run.planned;
            self.planned_left = self.planned_left.saturating_sub(run.planned);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(planned: Duration) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {prefix:>14}  {wide_msg}")
        .expect("the template is a constant");
    ProgressBar::new(planned.as_millis() as u64).with_style(style)
}

fn planned(spec: &RunSpec) -> Duration {
    Duration::from(spec.asked.duration) + OVERHEAD
}

pub(crate) fn in_words(time: Duration) -> String {
    const HOUR: u64 = 3600;
    const DAY: u64 = 24 * HOUR;
    match time.as_secs() + 1 {
        seconds @ ..=90 => format!("{seconds} s"),
        seconds if seconds <= 3 * HOUR => format!("{} min", seconds.div_ceil(60)),
        seconds if seconds <= 2 * DAY => format!("{} h", seconds.div_ceil(HOUR)),
        seconds => format!("{} days", seconds.div_ceil(DAY)),
    }
}

/// A run in a few words, with the parameters that are not as usual.
pub(crate) fn title(spec: &RunSpec) -> String {
    let declared = probe::find(&spec.measurement).map_or(&[][..], |m| m.parameters());
    spec.title_without(&Parameters::defaults(declared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_told_in_units_of_its_size() {
        for (seconds, told) in [
            (0, "1 s"),
            (89, "90 s"),
            (90, "2 min"),
            (10_000, "167 min"),
            (11_000, "4 h"),
            (3_148_200, "37 days"),
        ] {
            assert_eq!(in_words(Duration::from_secs(seconds)), told);
        }
    }
}
