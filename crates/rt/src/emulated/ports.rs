//! The devices of a machine for x86-64, through its I/O ports.

use std::arch::asm;
use std::io;

use crate::driver::checked;

/// The ports of the firmware configuration.
const SELECTOR: u16 = 0x510;
const DATA: u16 = 0x511;
/// The port of the watchdog `ib700`, and the value for which it waits for two seconds.
const WATCHDOG: u16 = 0x443;
const TWO_SECONDS: u8 = 0x0e;

/// The right to use I/O ports, which the calling thread and those that it starts have while this
/// value exists.
#[derive(Debug)]
pub(super) struct Devices(());

impl Devices {
    /// Requests the I/O ports: iopl(2).
    pub(super) fn open() -> io::Result<Self> {
        request(true)?;
        Ok(Self(()))
    }

    pub(super) fn start_watchdog(&self) -> io::Result<()> {
        write_byte(WATCHDOG, TWO_SECONDS);
        Ok(())
    }

    pub(super) fn select(&self, item: u16) {
        write_word(SELECTOR, item);
    }

    pub(super) fn byte(&self) -> u8 {
        read_byte(DATA)
    }
}

impl Drop for Devices {
    fn drop(&mut self) {
        // The right itself is what the kernel would refuse.
        let _ = request(false);
    }
}

fn request(wanted: bool) -> io::Result<()> {
    // SAFETY: the right alone changes nothing; it is used for the ports of this file only.
    let done = unsafe { libc::syscall(libc::SYS_iopl, if wanted { 3 } else { 0 }) };
    checked(done as libc::c_int)
}

fn write_byte(port: u16, value: u8) {
    // SAFETY: the caller has the right, and the port is that of a device that never writes to
    // memory.
    unsafe {
        asm!("out dx, al", in("dx") port, in("al") value, options(nostack, preserves_flags));
    }
}

fn write_word(port: u16, value: u16) {
    // SAFETY: as above.
    unsafe {
        asm!("out dx, ax", in("dx") port, in("ax") value, options(nostack, preserves_flags));
    }
}

fn read_byte(port: u16) -> u8 {
    let value;
    // SAFETY: as above.
    unsafe {
        asm!("in al, dx", in("dx") port, out("al") value, options(nostack, preserves_flags));
    }
    value
}
