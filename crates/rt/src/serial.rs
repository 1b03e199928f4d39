//! Serial ports of the kernel: modem lines, internal loopback, single bytes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_setfl};

use crate::driver::{self, checked, refused};

/// Internal loopback of a 16550 (MCR bit 4), by its name in the kernel's `asm/termios.h`.
const TIOCM_LOOP: libc::c_int = 0x8000;

/// A serial port that only this program uses; dropping the value restores its settings and ends
/// loopback.
#[derive(Debug)]
pub struct SerialPort {
    file: File,
    lines_before: libc::c_int,
    settings_before: libc::termios,
}

impl SerialPort {
    /// Opens a port for raw 8-bit bytes at 115 200 baud, without flow control, whatever the state
    /// of its carrier line.
    ///
    /// # Errors
    /// Returns the kernel's error, or explains in words: this is not a serial port, another program
    /// uses it exclusively, or it is the console of the kernel, which must not lose its messages.
    pub fn open(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        if !metadata.file_type().is_char_device() {
            return Err(refused("it is not a serial port"));
        }
        if is_console(metadata.rdev()) {
            return Err(refused("it is the console of the kernel"));
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            // Opening a port whose carrier line is down would block otherwise.
            .custom_flags(libc::O_NOCTTY | libc::O_NONBLOCK)
            .open(path)?;
        let settings_before = settings(&file).map_err(in_words)?;
        let mut lines_before = 0;
        // SAFETY: the request writes one `int`.
        unsafe { driver::ioctl(&file, libc::TIOCMGET as u32, &mut lines_before) }
            .map_err(in_words)?;
        if is_taken(&file)? {
            return Err(refused("another program has it exclusively"));
        }
        // SAFETY: the request has no argument.
        unsafe { driver::ioctl_number(&file, libc::TIOCEXCL as u32, 0)? };
        let port = Self { file, lines_before, settings_before };
        port.make_raw()?;
        fcntl_setfl(&port.file, OFlags::RDWR)?;
        Ok(port)
    }

    fn make_raw(&self) -> io::Result<()> {
        let mut raw = self.settings_before;
        // SAFETY: `raw` is an initialised `termios`.
        unsafe { libc::cfmakeraw(&raw mut raw) };
        raw.c_cflag |= libc::CLOCAL | libc::CREAD;
        raw.c_cflag &= !(libc::CRTSCTS | libc::HUPCL);
        raw.c_cc[libc::VMIN] = 1;
        raw.c_cc[libc::VTIME] = 0;
        // SAFETY: as above, and the speed is one that exists.
        checked(unsafe { libc::cfsetspeed(&raw mut raw, libc::B115200) })?;
        self.set(&raw)?;
        // SAFETY: the descriptor is open.
        checked(unsafe { libc::tcflush(self.file.as_raw_fd(), libc::TCIOFLUSH) })
    }

    fn set(&self, settings: &libc::termios) -> io::Result<()> {
        // SAFETY: the descriptor is open, and `settings` is only read.
        checked(unsafe { libc::tcsetattr(self.file.as_raw_fd(), libc::TCSANOW, settings) })
    }

    /// Connects the port's outputs to its own inputs inside the chip: sent bytes are received, and
    /// RTS is connected to CTS.
    ///
    /// # Errors
    /// Returns the kernel's error. A port without loopback may also ignore the request.
    pub fn loop_back(&self) -> io::Result<()> {
        self.modem(libc::TIOCMBIS as u32, TIOCM_LOOP)
    }

    /// Sets or clears the output line RTS.
    ///
    /// # Errors
    /// Returns the kernel's error.
    #[inline]
    pub fn set_rts(&self, on: bool) -> io::Result<()> {
        let request = if on { libc::TIOCMBIS } else { libc::TIOCMBIC };
        self.modem(request as u32, libc::TIOCM_RTS)
    }

    fn modem(&self, request: u32, mut lines: libc::c_int) -> io::Result<()> {
        // SAFETY: these requests read one `int`.
        unsafe { driver::ioctl(&self.file, request, &mut lines) }
    }

    /// Waits until the input line CTS changes: `TIOCMIWAIT`. A change before the call is not seen.
    ///
    /// # Errors
    /// `Interrupted` by a signal, or the kernel's error.
    #[inline]
    pub fn wait_for_cts(&self) -> io::Result<()> {
        // SAFETY: the request's argument is a number.
        unsafe { driver::ioctl_number(&self.file, libc::TIOCMIWAIT as u32, libc::TIOCM_CTS) }
    }

    /// Sends one byte.
    ///
    /// # Errors
    /// Returns the kernel's error.
    #[inline]
    pub fn send(&self) -> io::Result<()> {
        (&self.file).write_all(b"U")
    }

    /// Sends all bytes, and waits until the last one has been sent.
    ///
    /// # Errors
    /// Returns the kernel's error.
    pub fn send_all(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.file).write_all(bytes)?;
        // SAFETY: the descriptor is open.
        checked(unsafe { libc::tcdrain(self.file.as_raw_fd()) })
    }

    /// Waits for one byte.
    ///
    /// # Errors
    /// `Interrupted` by a signal, or the kernel's error; `UnexpectedEof` for a port that was hung
    /// up.
    #[inline]
    pub fn receive(&self) -> io::Result<()> {
        driver::read(&self.file, &mut [0])
    }
}

impl Drop for SerialPort {
    fn drop(&mut self) {
        // A killed run leaves its port in loopback: the next run ends it.
        let _ = self.modem(libc::TIOCMSET as u32, self.lines_before & !TIOCM_LOOP);
        let _ = self.set(&self.settings_before);
        // SAFETY: the request has no argument.
        let _ = unsafe { driver::ioctl_number(&self.file, libc::TIOCNXCL as u32, 0) };
    }
}

fn settings(file: &File) -> io::Result<libc::termios> {
    let mut settings = MaybeUninit::uninit();
    // SAFETY: the descriptor is open and `settings` valid for writing; if the call succeeds, it is
    // filled.
    unsafe {
        checked(libc::tcgetattr(file.as_raw_fd(), settings.as_mut_ptr()))?;
        Ok(settings.assume_init())
    }
}

/// Whether a program has requested exclusive use; the kernel lets root open the port anyway.
fn is_taken(file: &File) -> io::Result<bool> {
    let mut exclusive: libc::c_int = 0;
    // SAFETY: the request writes one `int`.
    unsafe { driver::ioctl(file, libc::TIOCGEXCL as u32, &mut exclusive)? };
    Ok(exclusive != 0)
}

/// Explains the errors of a file that is not a port, or has no chip.
fn in_words(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::ENOTTY) => refused("it is not a serial port"),
        Some(libc::EIO) => refused("the port has no chip"),
        _ => error,
    }
}

/// Whether the kernel writes its messages to that device.
fn is_console(device: u64) -> bool {
    let number = format!("{}:{}", libc::major(device), libc::minor(device));
    let consoles = fs::read_to_string("/proc/consoles").unwrap_or_default();
    consoles.lines().any(|line| line.split_whitespace().last() == Some(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_a_serial_port_is_refused() {
        for path in ["/dev/null", "/dev/zero", "/no/such/port"] {
            assert!(SerialPort::open(Path::new(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn a_terminal_without_modem_lines_is_refused_and_left_as_it_was() {
        let master = OpenOptions::new().read(true).write(true).open("/dev/ptmx").unwrap();
        let mut number: libc::c_int = 0;
        // SAFETY: the requests read one `int`, and write one.
        unsafe {
            driver::ioctl(&master, libc::TIOCSPTLCK as u32, &mut number).unwrap();
            driver::ioctl(&master, libc::TIOCGPTN as u32, &mut number).unwrap();
        }
        let path = format!("/dev/pts/{number}");
        let before = settings(&master).unwrap().c_lflag;
        assert!(SerialPort::open(Path::new(&path)).is_err());
        assert_eq!(settings(&master).unwrap().c_lflag, before);
    }

    #[test]
    fn the_console_of_the_kernel_is_known() {
        let consoles = fs::read_to_string("/proc/consoles").unwrap_or_default();
        let numbers = consoles.lines().filter_map(|line| {
            let (major, minor) = line.split_whitespace().last()?.split_once(':')?;
            Some(libc::makedev(major.parse().ok()?, minor.parse().ok()?))
        });
        assert!(numbers.into_iter().all(is_console));
        assert!(!is_console(libc::makedev(1, 3)), "/dev/null is not a console");
    }
}
