//! Devices of a machine that QEMU emulates, through its I/O ports: the watchdog `ib700` and the
//! firmware configuration (QEMU, `docs/specs/fw_cfg.rst`). Neither needs a driver.

use std::io;

/// Number of the item with the signature, which is also in every machine's documentation.
const SIGNATURE: u16 = 0x0000;
/// Number of the item with the list of files.
const DIRECTORY: u16 = 0x0019;
/// Size of a file's name in the list, with zeros behind it.
const NAME: usize = 56;
/// The value for which the watchdog `ib700` waits for [`WATCHDOG_SECONDS`].
const TWO_SECONDS: u8 = 0x0e;

/// How long the watchdog waits before QEMU does what its `-action watchdog=` says.
pub const WATCHDOG_SECONDS: u64 = 2;

/// The right to use I/O ports, which the calling thread and those that it starts have while this
/// value exists.
#[derive(Debug)]
pub struct EmulatedDevices(());

impl EmulatedDevices {
    /// Requests the I/O ports of an emulated machine: iopl(2).
    ///
    /// # Errors
    /// Returns the kernel's error: `ENOSYS` if it was built without `CONFIG_X86_IOPL_IOPERM`,
    /// `EPERM`; or says that this is not a machine of QEMU.
    pub fn open() -> io::Result<Self> {
        ports::request(true)?;
        let devices = Self(());
        devices.select(SIGNATURE);
        if devices.read::<4>() != *b"QEMU" {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "this is not a machine of QEMU",
            ));
        }
        Ok(devices)
    }

    /// Starts the watchdog `ib700`, which ends after [`WATCHDOG_SECONDS`] of the machine's time.
    pub fn start_watchdog(&self) {
        ports::write_byte(0x443, TWO_SECONDS);
    }

    /// Reads the file that QEMU's option `-fw_cfg name=` has given to the machine.
    pub fn read_file(&self, name: &str) -> Option<Vec<u8>> {
        self.select(DIRECTORY);
        let files = u32::from_be_bytes(self.read());
        for _ in 0..files {
            let length = u32::from_be_bytes(self.read());
            let [number, _reserved] = [(); 2].map(|()| u16::from_be_bytes(self.read()));
            let found: [u8; NAME] = self.read();
            if found.split(|byte| *byte == 0).next() == Some(name.as_bytes()) {
                self.select(number);
                return Some((0..length).map(|_| self.byte()).collect());
            }
        }
        None
    }

    /// Selects an item; what is read next is its beginning.
    fn select(&self, item: u16) {
        ports::write_word(0x510, item);
    }

    fn byte(&self) -> u8 {
        ports::read_byte(0x511)
    }

    fn read<const N: usize>(&self) -> [u8; N] {
        [(); N].map(|()| self.byte())
    }
}

impl Drop for EmulatedDevices {
    fn drop(&mut self) {
        // The right itself is what the kernel would refuse.
        let _ = ports::request(false);
    }
}

#[cfg(target_arch = "x86_64")]
mod ports {
    use std::arch::asm;
    use std::io;

    use crate::driver::checked;

    pub(super) fn request(wanted: bool) -> io::Result<()> {
        // SAFETY: the right alone changes nothing; it is used for the ports of this file only.
        let done = unsafe { libc::syscall(libc::SYS_iopl, if wanted { 3 } else { 0 }) };
        checked(done as libc::c_int)
    }

    pub(super) fn write_byte(port: u16, value: u8) {
        // SAFETY: the caller has the right, and the port is that of a device that never writes to
        // memory.
        unsafe {
            asm!("out dx, al", in("dx") port, in("al") value, options(nostack, preserves_flags));
        }
    }

    pub(super) fn write_word(port: u16, value: u16) {
        // SAFETY: as above.
        unsafe {
            asm!("out dx, ax", in("dx") port, in("ax") value, options(nostack, preserves_flags));
        }
    }

    pub(super) fn read_byte(port: u16) -> u8 {
        let value;
        // SAFETY: as above.
        unsafe {
            asm!("in al, dx", in("dx") port, out("al") value, options(nostack, preserves_flags));
        }
        value
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod ports {
    use std::io;

    pub(super) fn request(_wanted: bool) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    pub(super) fn write_byte(_port: u16, _value: u8) {}

    pub(super) fn write_word(_port: u16, _value: u16) {}

    pub(super) fn read_byte(_port: u16) -> u8 {
        0
    }
}
