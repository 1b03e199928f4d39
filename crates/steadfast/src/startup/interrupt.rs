//! Ctrl-C, SIGTERM and a closed terminal: recorded, so that work in progress can end cleanly.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Whether the user wants to stop. One flag for the process, created by `main`.
static WANTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Starts recording signals. A second signal ends the program at once.
pub(crate) fn listen() -> io::Result<()> {
    let wanted = WANTED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(wanted))?;
        signal_hook::flag::register(signal, Arc::clone(wanted))?;
    }
    Ok(())
}

/// Returns whether the user wants to stop; false if [`listen`] was not called.
pub(crate) fn is_wanted() -> bool {
    let wanted = WANTED.get();
    wanted.is_some_and(|wanted| wanted.load(Ordering::Relaxed))
}
