//! What the program stands on, however it was started.

use std::panic::{PanicHookInfo, UnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

use rt::limits;

use crate::exit::EXIT_COULD_NOT_RUN;
use crate::output::tell;

/// Makes limits bearable that the program may have been started with.
///
/// # Errors
/// One line for what it cannot do with.
pub(crate) fn found() -> Result<(), String> {
    limits::have_stack()?;
    limits::create_for_own_use();
    limits::outlive_file_size().map_err(|error| error.to_string())
}

/// Has a mistake of the program itself end in one line and with the code for what could not be
/// run.
pub(crate) fn outlive_panics(work: impl FnOnce() -> ExitCode + UnwindSafe) -> ExitCode {
    set_hook(Box::new(|panic| tell(&told(panic))));
    catch_unwind(work).unwrap_or(ExitCode::from(EXIT_COULD_NOT_RUN))
}

fn told(panic: &PanicHookInfo) -> String {
    let place = panic.location().map(ToString::to_string);
    format!(
        "error: this is a mistake in the program, at {}: {}",
        place.unwrap_or_default(),
        panic.payload_as_str().unwrap_or("no reason given")
    )
}
