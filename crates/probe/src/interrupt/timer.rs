//! The kernel's timer: the time from the programmed expiry to the thread that reads it.

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
    /// Nanoseconds from programming to expiry: enough for the CPU to be idle again.
    lead: u64,
}

impl Raise for Programmed {
    /// If a timer could not be programmed before its expiry, it would show how late the programming
    /// was, not the interrupt; such a raise has no stamp.
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
