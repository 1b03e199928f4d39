//! The figures of a run that is shown while it measures.

use std::sync::OnceLock;

use record::LiveFigures;

static SHOW: OnceLock<fn(LiveFigures)> = OnceLock::new();

/// Makes this program show the figures of runs. Without this call it passes their lines on. Later calls change nothing.
pub fn show_live_with(show: fn(LiveFigures)) {
    let _ = SHOW.set(show);
}

/// Shows the figures in a line. Returns false if this program does not show them, or if the line has none.
pub(crate) fn shows(line: &str) -> bool {
    let Some((show, figures)) = SHOW.get().zip(LiveFigures::of_line(line)) else {
        return false;
    };
    show(figures);
    true
}
