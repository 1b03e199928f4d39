//! The High Precision Event Timer: a periodic hardware interrupt, whose counter shows when it was
//! due (`linux/hpet.h`; Intel: IA-PC HPET Specification 1.0a).

use std::fs::File;
use std::io;
use std::mem::size_of;
use std::num::NonZeroUsize;
use std::path::Path;

use rustix::mm::ProtFlags;

use crate::driver::{self, refused};
use crate::registers::{Register, Registers};

/// The kernel's device for it.
pub const DEVICE: &str = "/dev/hpet";

/// `struct hpet_info`.
#[repr(C)]
#[derive(Default)]
struct Info {
    frequency: libc::c_ulong,
    flags: libc::c_ulong,
    block: u16,
    timer: u16,
}

const IE_ON: u32 = 0x6801;
const INFO: u32 = 2 << 30 | (size_of::<Info>() as u32) << 16 | 0x6803;
const EPI: u32 = 0x6804;
/// The argument is the number itself, whatever the request's direction bits say.
const IRQFREQ: u32 = 1 << 30 | (size_of::<libc::c_ulong>() as u32) << 16 | 0x6806;

/// The number of bytes of registers, of which the kernel maps a page.
const LENGTH: NonZeroUsize = NonZeroUsize::new(0x1000).unwrap();
/// The register with the femtoseconds per tick: the upper half of the capabilities.
const TICK: u64 = 0x004;
const COUNTER: u64 = 0x0F0;
/// Timer 0's comparator; the next timer's is `NEXT_TIMER` bytes further.
const COMPARATOR: u64 = 0x108;
const NEXT_TIMER: u64 = 0x20;

/// A timer of the HPET that interrupts periodically once it is started; dropping the value stops
/// and releases it.
#[derive(Debug)]
pub struct Hpet {
    file: File,
    registers: Registers,
    counter: Register,
    comparator: Register,
    tick_fs: u32,
    period: u32,
}

/// When a started timer expires: expiry k is at `first` + k `period` of the counter; these are the
/// lower 32 bits of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Femtoseconds per tick of the counter.
    pub tick_fs: u32,
    /// Ticks from one expiry to the next.
    pub period: u32,
    /// The value of the counter at the first expiry.
    pub first: u32,
}

impl Hpet {
    /// Takes a free timer of the device and sets its rate, in interrupts per second.
    ///
    /// # Errors
    /// Explains in words: the file is not an HPET, no timer is free or periodic, the rate is above
    /// this user's limit, or the kernel does not allow the counter to be mapped.
    pub fn open(device: &Path, frequency: u32) -> io::Result<Self> {
        let file = File::open(device)?;
        let mut info = Info::default();
        // SAFETY: the request writes one `hpet_info`, for which any bits are valid.
        unsafe { driver::ioctl(&file, INFO, &mut info) }
            .map_err(|_| refused("it is not an HPET"))?;
        // SAFETY: the request has no argument.
        unsafe { driver::ioctl_number(&file, EPI, 0) }
            .map_err(|_| refused("its free timer has no periodic interrupt"))?;
        let number = libc::c_int::try_from(frequency).map_err(io::Error::other)?;
        // SAFETY: this request uses its argument as a number.
        unsafe { driver::ioctl_number(&file, IRQFREQ, number) }.map_err(in_words)?;
        let registers = Registers::map(&file, LENGTH, ProtFlags::READ)
            .map_err(|_| refused("the kernel does not allow mapping its counter: boot with hpet_mmap=1, on a kernel with CONFIG_HPET_MMAP"))?;
        let register = |offset| registers.at(offset).ok_or_else(|| refused("it has no such timer"));
        let tick_fs = registers.read(register(TICK)?);
        let period = period_in_ticks(tick_fs, frequency)
            .ok_or_else(|| refused(format!("its tick of {tick_fs} fs is invalid")))?;
        Ok(Self {
            counter: register(COUNTER)?,
            comparator: register(COMPARATOR + NEXT_TIMER * u64::from(info.timer))?,
            tick_fs,
            period,
            registers,
            file,
        })
    }

    /// Starts the interrupts.
    ///
    /// # Errors
    /// Fails if the kernel has no interrupt for the timer, or its comparator does not show when it
    /// expires.
    pub fn start(&self) -> io::Result<Schedule> {
        // SAFETY: the request has no argument.
        unsafe { driver::ioctl_number(&self.file, IE_ON, 0) }
            .map_err(|_| refused("the kernel has no free interrupt for it"))?;
        let before = self.counter();
        // The comparator advances by a period at each expiry: it contains the next one.
        let first = self.registers.read(self.comparator);
        let ahead = first.wrapping_sub(before);
        if ahead / 2 > self.period {
            return Err(refused("its comparator does not show when it expires"));
        }
        Ok(Schedule { tick_fs: self.tick_fs, period: self.period, first })
    }

    /// Waits for an interrupt in read(2); returns how many occurred since the last wait.
    ///
    /// # Errors
    /// `Interrupted` by a signal, or the kernel's error.
    #[inline]
    pub fn wait(&self) -> io::Result<u64> {
        // The count is the kernel's `unsigned long`.
        let mut count = [0; size_of::<usize>()];
        driver::read(&self.file, &mut count)?;
        Ok(usize::from_ne_bytes(count) as u64)
    }

    /// Returns the lower 32 bits of the counter.
    #[must_use]
    #[inline]
    pub fn counter(&self) -> u32 {
        self.registers.read(self.counter)
    }
}

/// Returns the ticks of a period, rounded like the kernel's driver does: first the ticks of a
/// second, then those of a period.
fn period_in_ticks(tick_fs: u32, frequency: u32) -> Option<u32> {
    const FEMTOSECONDS: u64 = 1_000_000_000_000_000;
    let rounded = |of: u64, by: u64| (of + by / 2).checked_div(by);
    let ticks = rounded(FEMTOSECONDS, tick_fs.into())?;
    u32::try_from(rounded(ticks, frequency.into())?).ok()
}

/// Explains an error of setting the rate.
fn in_words(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EACCES) => refused(
            "only root may request this many interrupts per second: run as root, or raise \
             /proc/sys/dev/hpet/max-user-freq",
        ),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_the_numbers_of_the_kernels_header() {
        assert_eq!(size_of::<Info>(), 24);
        assert_eq!((INFO, IRQFREQ), (0x8018_6803, 0x4008_6806));
    }

    #[test]
    fn a_period_has_as_many_ticks_as_in_the_kernel() {
        assert_eq!(period_in_ticks(10_000_000, 1000), Some(100_000));
        // 14.318 18 MHz: 69 841 279 fs.
        assert_eq!(period_in_ticks(69_841_279, 1000), Some(14_318));
        assert_eq!(period_in_ticks(0, 1000), None);
        assert_eq!(period_in_ticks(1, 1), None, "more than 32 bits");
    }

    #[test]
    fn a_file_that_is_not_an_hpet_is_refused() {
        let error = Hpet::open(Path::new("/dev/null"), 1000).unwrap_err();
        assert_eq!(error.to_string(), "it is not an HPET");
    }
}
