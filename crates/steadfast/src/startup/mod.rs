//! What every command needs around it: bearable limits, panics that end in one line, signals, what is
//! printed, and the files that are written.

pub(crate) mod exit;
pub(crate) mod files;
pub(crate) mod interrupt;
pub(crate) mod latest_findings;
pub(crate) mod output;
pub(crate) mod restore;
pub(crate) mod systemd;
pub(crate) mod typed;

use std::panic::{PanicHookInfo, UnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

use rt::{isolation, limits};

use crate::startup::exit::EXIT_COULD_NOT_RUN;
use crate::startup::output::tell;

/// Adapts to the limits with which the program was started.
pub(crate) fn found() -> Result<(), String> {
    limits::have_stack()?;
    limits::have_sleep()?;
    limits::raise_for_measuring();
    isolation::include_isolated();
    limits::create_for_own_use();
    limits::outlive_file_size().map_err(|error| error.to_string())
}

/// Runs `work`. A panic, a bug in this program, ends in one line and EXIT_COULD_NOT_RUN.
pub(crate) fn outlive_panics(work: impl FnOnce() -> ExitCode + UnwindSafe) -> ExitCode {
    set_hook(Box::new(|panic| tell(&panic_line(panic))));
    catch_unwind(work).unwrap_or(ExitCode::from(EXIT_COULD_NOT_RUN))
}

fn panic_line(panic: &PanicHookInfo) -> String {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let why = panic.payload_as_str().unwrap_or("no reason given");
    format!("error: this is a bug in Steadfast, at {place}: {why}")
}
