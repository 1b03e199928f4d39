//! Shows what is running and for how much longer: a bar on a terminal, otherwise one line per run.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use base::shown;
use indicatif::{ProgressBar, ProgressStyle};
use record::RunSpec;

use super::plan::{Left, planned};
use crate::session::live;
use crate::session::progress::{in_words, is_silent, say};

#[derive(Default)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    number: usize,
    /// The time of all runs before the current one.
    done: Duration,
    left: Duration,
    run: Option<(Instant, Duration)>,
    title: String,
}

impl Progress {
    /// Shows that a run starts, and the time left; that excludes the run if `follows` is true.
    pub(super) fn start(&mut self, spec: &RunSpec, left: Left, follows: bool) {
        let own = planned(spec);
        self.number += 1;
        self.left = if follows { left.time + own } else { left.time };
        let of = left.runs.map_or_else(String::new, |runs| format!("/{}", self.number + runs));
        let title = format!("[{}{of}] {}", self.number, shown(&spec.title()));
        live::begin();
        if stderr().is_terminal() && !is_silent() {
            let bar = self.bar.get_or_insert_with(bar);
            bar.set_length((self.done + self.left).as_millis() as u64);
            bar.set_message(title.clone());
        } else {
            say(&format!("{title} ({} left)", in_words(self.left)));
        }
        self.run = Some((Instant::now(), own));
        self.title = title;
    }

    pub(super) fn tick(&self) {
        if let (Some(bar), Some((started, planned))) = (&self.bar, self.run) {
            let within = started.elapsed().min(planned);
            let left = self.left.saturating_sub(within);
            bar.set_position((self.done + within).as_millis() as u64);
            bar.set_prefix(format!("{} left", in_words(left)));
            let message = self.title.clone() + &live::lines();
            if bar.message() != message {
                bar.set_style(style(LIVE));
                bar.set_message(message);
            }
        }
    }

    pub(super) fn end(&mut self) {
        self.done += self.run.take().map_or(Duration::ZERO, |(_, planned)| planned);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

const ONE_LINE: &str = "{bar:30} {prefix:>14}  {wide_msg}";
/// A message of several lines.
const LIVE: &str = "{bar:30} {prefix:>14}  {msg}";

fn bar() -> ProgressBar {
    ProgressBar::new(0).with_style(style(ONE_LINE))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is a constant")
}
