//! The kernel's own timer: from the expiry programmed to the thread that reads it.

use std::io;
use std::sync::Arc;

use rt::clock;
use rt::timer::OneShot;

use super::source::{Opened, Raise, Source, Wait};

pub(super) const TIMER: Source = Source {
    name: "timer",
    needs: "a kernel with timerfd",
    device: None,
    is_periodic: false,
    open: |_, period| {
        let timer = Arc::new(OneShot::new()?);
        let raise = Programmed { timer: Arc::clone(&timer), lead: period.0 / 2 };
        Ok(Opened::Pair { raise: Box::new(raise), wait: Box::new(Read(timer)) })
    },
};

struct Programmed {
    timer: Arc<OneShot>,
    /// From the programming to the expiry, in nanoseconds: the CPU is at rest
    /// again when it comes.
    lead: u64,
}

impl Raise for Programmed {
    /// A timer that could not be programmed before its expiry tells how late the
    /// programming was, not the interrupt.
    fn raise(&mut self) -> io::Result<Option<u64>> {
        let expiry = clock::now() + self.lead;
        self.timer.arm(expiry)?;
        Ok(Some(expiry).filter(|expiry| clock::now() < *expiry))
    }
}

struct Read(Arc<OneShot>);

impl Wait for Read {
    fn wait(&mut self) -> io::Result<Option<u64>> {
        self.0.wait().map(|()| None)
    }
}
