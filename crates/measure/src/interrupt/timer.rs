//! The kernel's timer: the time from the programmed expiry to the thread that reads it.

use std::io;
use std::sync::Arc;

use rt::clock;
use rt::timer::OneShot;

use super::source::{Opened, Source};

pub(super) const TIMER: Source = Source {
    name: "timer",
    needs: "a kernel with timerfd",
    device: None,
    is_periodic: false,
    open: |_, period| {
        let timer = Arc::new(OneShot::new()?);
        let programmed = Arc::clone(&timer);
        // From programming to expiry: enough time for the CPU to be idle again.
        let lead = period.0 / 2;
        let raise = move || -> io::Result<Option<u64>> {
            let expiry = clock::now() + lead;
            programmed.arm(expiry)?;
            // Programmed after its expiry, it would show how late that was, not the interrupt.
            Ok(Some(expiry).filter(|expiry| clock::now() < *expiry))
        };
        Ok(Opened::pair(raise, move || timer.wait().map(|()| None)))
    },
};
