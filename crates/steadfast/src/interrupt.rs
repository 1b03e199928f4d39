//! Ctrl-C, a polite kill, a closed terminal: noticed, never fatal in the middle of something.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Whether the person wants to stop.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from here on: what came since anybody first listened counts for all. A
    /// second signal ends the program at once.
    pub(crate) fn listen() -> io::Result<Self> {
        static WANTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
        if let Some(wanted) = WANTED.get() {
            return Ok(Self(Arc::clone(wanted)));
        }
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&flag))?;
            signal_hook::flag::register(signal, Arc::clone(&flag))?;
        }
        Ok(Self(Arc::clone(WANTED.get_or_init(|| flag))))
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
