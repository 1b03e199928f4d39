//! The High Precision Event Timer: from its expiry in hardware to the thread that reads its device.

use std::io;
use std::path::Path;

use base::Nanos;
use rt::hpet::{DEVICE, Hpet, Schedule};

use super::source::{Expired, Opened, Periodic, Source};

const SECOND_NS: u64 = 1_000_000_000;

pub(super) const HPET: Source = Source {
    name: "hpet",
    needs: "/dev/hpet with a free periodic timer, and a kernel that allows mapping its counter \
         (hpet_mmap=1)",
    device: None,
    is_periodic: true,
    open: |_, period| {
        let frequency = whole_frequency(period)?;
        let timer = Hpet::open(Path::new(DEVICE), frequency)?;
        Ok(Opened::Periodic(Box::new(timer)))
    },
};

impl Periodic for Hpet {
    fn start(&mut self) -> io::Result<Schedule> {
        Self::start(self)
    }

    fn wait(&mut self) -> io::Result<Expired> {
        let interrupts = Self::wait(self)?;
        let counter = self.counter();
        Ok(Expired { interrupts, counter })
    }
}

/// Returns the frequency in Hz; the kernel accepts only whole numbers.
fn whole_frequency(period: Nanos) -> io::Result<u32> {
    let is_whole = SECOND_NS.is_multiple_of(period.0);
    let frequency = is_whole.then(|| u32::try_from(SECOND_NS / period.0).ok()).flatten();
    frequency.ok_or_else(|| {
        let why = "its frequency must be a whole number of Hz; use --period 1ms, 2ms or 10ms";
        io::Error::new(io::ErrorKind::InvalidInput, why)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn the_period_must_divide_a_second() {
        for (period, frequency) in [(100_000, 10_000), (1_000_000, 1_000), (SECOND_NS, 1)] {
            assert_eq!(whole_frequency(Nanos(period)).unwrap(), frequency);
        }
        for period in [3_000_000, 2 * SECOND_NS] {
            refuses(whole_frequency(Nanos(period)), "--period");
        }
    }
}
