//! The interface of every source of interrupts.

use std::io;
use std::path::Path;

use base::Nanos;
use rt::hpet::Schedule;

pub(super) struct Source {
    /// Name on the command line and in results.
    pub(super) name: &'static str,
    /// What the source needs, as the end of a sentence that begins with "needs".
    pub(super) needs: &'static str,
    /// How the device is typed after the name; `None` for a source without a device.
    pub(super) device: Option<Form>,
    /// Whether the source interrupts by itself, once per period.
    pub(super) is_periodic: bool,
    /// Opens the source with its device and period; the error says what is wrong.
    pub(super) open: fn(&str, Nanos) -> io::Result<Opened>,
}

/// An opened source; dropping it restores the state of its device.
pub(super) enum Opened {
    /// The two ends of a source that this program raises, one for each thread.
    Pair { raise: Raise, wait: Wait },
    /// A source that interrupts by itself.
    Periodic(Box<dyn Periodic>),
}

impl Opened {
    pub(super) fn pair(
        raise: impl FnMut() -> io::Result<Option<u64>> + Send + 'static,
        interrupt: impl FnMut() -> io::Result<Option<u64>> + Send + 'static,
    ) -> Self {
        let wait = Wait { interrupt: Box::new(interrupt), rearm: Box::new(|| Ok(())) };
        Self::Pair { raise: Box::new(raise), wait }
    }
}

/// Raises an interrupt. Returns from when its latency counts; `None` if it came differently.
pub(super) type Raise = Box<dyn FnMut() -> io::Result<Option<u64>> + Send>;

pub(super) struct Wait {
    /// Waits for an interrupt in a call that blocks; a signal ends the call with `Interrupted`.
    /// Returns the stamp that the kernel took in its handler, if it takes one.
    pub(super) interrupt: Box<dyn FnMut() -> io::Result<Option<u64>> + Send>,
    /// Prepares the source for the next interrupt.
    pub(super) rearm: Box<dyn FnMut() -> io::Result<()> + Send>,
}

/// A device that expires in hardware once per period.
pub(super) trait Periodic: Send {
    /// Starts the device and returns when it will expire.
    fn start(&mut self) -> io::Result<Schedule>;

    /// Waits for an interrupt in a call that blocks; a signal ends the call with `Interrupted`.
    fn wait(&mut self) -> io::Result<Expired>;
}

/// The state of a device that a thread sees when it wakes up.
pub(super) struct Expired {
    /// Interrupts that the kernel handled since the last wait.
    pub(super) interrupts: u64,
    /// The device's counter, as the thread read it.
    pub(super) counter: u32,
}

/// The syntax of a device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) example: &'static str,
    /// Whether two numbers follow the path, decimal or, with `0x`, hexadecimal: `PATH:FIRST:SECOND`.
    pub(super) has_numbers: bool,
}

impl Form {
    /// Returns the path, and the numbers or zeros.
    pub(super) fn parse(self, text: &str) -> io::Result<(&Path, [u64; 2])> {
        let numbered = self.has_numbers.then(|| path_and_two_numbers(text));
        let (path, numbers) = numbered.unwrap_or(Some((text, [0; 2]))).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("it is not {}", self.example))
        })?;
        Ok((Path::new(path), numbers))
    }
}

fn path_and_two_numbers(text: &str) -> Option<(&str, [u64; 2])> {
    let (rest, second) = text.rsplit_once(':')?;
    let (path, first) = rest.rsplit_once(':')?;
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    Some((path, [number(first)?, number(second)?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn a_device_is_read_with_its_numbers() {
        let form = Form { example: "DEVICE:A:B", has_numbers: true };
        let (path, numbers) = form.parse("/dev/uio0:0x60:100").unwrap();
        assert_eq!((path, numbers), (Path::new("/dev/uio0"), [0x60, 100]));
        for typed in ["", "/dev/uio0", "/dev/uio0:1", "/dev/uio0:a:1", "x:1:-1"] {
            refuses(form.parse(typed), "DEVICE:A:B");
        }
    }
}
