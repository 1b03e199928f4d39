//! Devices of a machine that QEMU emulates: a watchdog, and the firmware configuration (QEMU,
//! `docs/specs/fw_cfg.rst`). Neither needs a driver.

#[cfg(not(target_arch = "x86_64"))]
mod mapped;
#[cfg(target_arch = "x86_64")]
mod ports;

use std::io;

use crate::driver::refused;
#[cfg(not(target_arch = "x86_64"))]
use mapped::Devices;
#[cfg(target_arch = "x86_64")]
use ports::Devices;

/// Number of the item with the signature, which is also in every machine's documentation.
const SIGNATURE: u16 = 0x0000;
/// Number of the item with the list of files.
const DIRECTORY: u16 = 0x0019;
/// Size of a file's name in the list, with zeros behind it.
const NAME: usize = 56;
/// How long the watchdog waits, in seconds of the machine's time, before QEMU does what its
/// `-action watchdog=` says; that of some machines waits up to 1 % longer.
pub const WATCHDOG_SECONDS: u64 = 2;

/// Access to the devices while this value exists.
#[derive(Debug)]
pub struct EmulatedDevices(Devices);

impl EmulatedDevices {
    /// Requests access to the devices of an emulated machine.
    ///
    /// # Errors
    /// Returns the kernel's error: `EPERM`, `ENOSYS` on x86-64 if it was built without
    /// `CONFIG_X86_IOPL_IOPERM`; or says that this is not a machine of QEMU, or what it lacks.
    pub fn open() -> io::Result<Self> {
        let devices = Self(Devices::open()?);
        devices.0.select(SIGNATURE);
        if devices.read::<4>() != *b"QEMU" {
            return Err(refused("this is not a machine of QEMU"));
        }
        Ok(devices)
    }

    /// Starts the watchdog, which ends after [`WATCHDOG_SECONDS`].
    ///
    /// # Errors
    /// Returns the kernel's error.
    pub fn start_watchdog(&self) -> io::Result<()> {
        self.0.start_watchdog()
    }

    /// Reads the file that QEMU's option `-fw_cfg name=` has given to the machine.
    pub fn read_file(&self, name: &str) -> Option<Vec<u8>> {
        self.0.select(DIRECTORY);
        let files = u32::from_be_bytes(self.read());
        for _ in 0..files {
            let length = u32::from_be_bytes(self.read());
            let [number, _reserved] = [(); 2].map(|()| u16::from_be_bytes(self.read()));
            let found: [u8; NAME] = self.read();
            if found.split(|byte| *byte == 0).next() == Some(name.as_bytes()) {
                self.0.select(number);
                return Some((0..length).map(|_| self.0.byte()).collect());
            }
        }
        None
    }

    fn read<const N: usize>(&self) -> [u8; N] {
        [(); N].map(|()| self.0.byte())
    }
}
