//! Ctrl-C, a polite kill, a closed terminal: noticed, never fatal in the middle of something.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Whether the person wants to stop: one for the process, made by `main`.
static WANTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Listens from here on. A second signal ends the program at once.
///
/// # Errors
/// Where the kernel does not let this process listen.
pub(crate) fn listen() -> io::Result<()> {
    let wanted = WANTED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(wanted))?;
        signal_hook::flag::register(signal, Arc::clone(wanted))?;
    }
    Ok(())
}

/// Whether the person wants to stop; never where nobody listens.
pub(crate) fn is_wanted() -> bool {
    let wanted = WANTED.get();
    wanted.is_some_and(|wanted| wanted.load(Ordering::Relaxed))
}
