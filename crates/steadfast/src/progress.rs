//! What is running, and for how much longer: a bar on a terminal, a line a run
//! elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use plan::RunSpec;
use units::{shown, wrapped};

use crate::driver::{Left, planned};
use crate::output::{WIDTH, tell};

/// Whether nobody is to be told of progress: one for the process, as standard error is.
static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Tells nothing of progress from now on.
pub(crate) fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

/// Says how far the work is, where somebody wants to know.
pub(crate) fn say(words: &str) {
    if !is_silent() {
        wrapped(words, WIDTH).iter().for_each(|line| tell(line));
    }
}

/// What is shown of a plan that is carried out.
#[derive(Default)]
pub(crate) struct Progress {
    /// Once a run has started, on a terminal.
    bar: Option<ProgressBar>,
    /// Runs that were started.
    number: usize,
    /// The time of all runs before the one under way.
    done: Duration,
    left: Duration,
    run: Option<Run>,
}

struct Run {
    started: Instant,
    planned: Duration,
}

impl Progress {
    /// A run starts. `left` is what follows it, or with it, where its time is no part of
    /// `left`.
    pub(crate) fn start(&mut self, spec: &RunSpec, left: Left, follows: bool) {
        let own = planned(spec);
        self.number += 1;
        self.left = match follows {
            true => left.time + own,
            false => left.time,
        };
        let of = left.runs.map(|runs| format!("/{}", self.number + runs));
        let of = of.unwrap_or_default();
        let title = format!("[{}{of}] {}", self.number, shown(&spec.title()));
        match stderr().is_terminal() && !is_silent() {
            true => {
                let bar = self.bar.get_or_insert_with(bar);
                bar.set_length((self.done + self.left).as_millis() as u64);
                bar.set_message(title);
            }
            false => say(&format!("{title} ({} left)", in_words(self.left))),
        }
        self.run = Some(Run {
            started: Instant::now(),
            planned: own,
        });
    }

    /// Shows that time goes by.
    pub(crate) fn tick(&self) {
        if let (Some(bar), Some(run)) = (&self.bar, &self.run) {
            let within = run.started.elapsed().min(run.planned);
            let left = self.left.saturating_sub(within);
            bar.set_position((self.done + within).as_millis() as u64);
            bar.set_prefix(format!("{} left", in_words(left)));
        }
    }

    /// The run under way has ended.
    pub(crate) fn end(&mut self) {
        if let Some(run) = self.run.take() {
            self.done += run.planned;
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

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {prefix:>14}  {wide_msg}")
        .expect("the template is a constant");
    ProgressBar::new(0).with_style(style)
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
