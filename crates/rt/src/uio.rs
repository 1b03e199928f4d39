//! Devices driven from user space (UIO): registers, and interrupts to wait for.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::mm::ProtFlags;

use crate::driver::{self, refused};
use crate::read;
use crate::registers::Registers;

pub use crate::registers::Register;

/// The command register in the configuration space of a PCI device, and its bit that disables
/// interrupts, which `uio_pci_generic` sets at each interrupt.
const PCI_COMMAND: u64 = 4;
const INTX_DISABLE: u16 = 1 << 10;

/// A device with its first block of registers.
#[derive(Debug)]
pub struct UioDevice {
    file: File,
    /// The configuration space; `None` if the device is not on PCI.
    pci: Option<File>,
    registers: Registers,
}

impl UioDevice {
    /// Opens a device such as `/dev/uio0`, maps its registers, and enables its interrupts.
    ///
    /// # Errors
    /// Returns the kernel's error; also fails if the file is not a UIO device, or the device has no
    /// registers.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = driver::open(path)?;
        let name = path.file_name().unwrap_or_default();
        let class = Path::new("/sys/class/uio").join(name);
        if !class.exists() {
            return Err(refused("it is not a UIO device"));
        }
        let device =
            Self { registers: registers(&file, &class)?, pci: pci(&class.join("device"))?, file };
        device.unmask()?;
        Ok(device)
    }

    /// Returns the register at that offset in bytes.
    ///
    /// # Errors
    /// Fails if there is no whole register at that offset.
    pub fn register(&self, offset: u64) -> io::Result<Register> {
        let length = self.registers.length();
        let missing =
            || refused(format!("it has no register at {offset:#x} in its {length:#x} bytes"));
        self.registers.at(offset).ok_or_else(missing)
    }

    /// Writes 1 to a register of 32 bits.
    ///
    /// # Panics
    /// Panics for a register of another device that this one does not have.
    #[inline]
    pub fn strike(&self, register: Register) {
        self.registers.write(register, 1);
    }

    /// Waits for the device's next interrupt.
    ///
    /// # Errors
    /// `Interrupted` by a signal, or the kernel's error: `EIO` if the device has no interrupt.
    #[inline]
    pub fn wait(&self) -> io::Result<()> {
        driver::read(&self.file, &mut [0; 4])
    }

    /// Enables interrupts again, which the kernel's driver disables after each one.
    ///
    /// # Errors
    /// Returns the kernel's error.
    pub fn unmask(&self) -> io::Result<()> {
        let Some(pci) = &self.pci else {
            return match (&self.file).write_all(&1i32.to_ne_bytes()) {
                // A driver that does not know this request does not disable interrupts.
                Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => Ok(()),
                enabled => enabled,
            };
        };
        let mut command = [0; 2];
        pci.read_exact_at(&mut command, PCI_COMMAND)?;
        let open = u16::from_le_bytes(command) & !INTX_DISABLE;
        pci.write_all_at(&open.to_le_bytes(), PCI_COMMAND)
    }
}

fn pci(device: &Path) -> io::Result<Option<File>> {
    let config = device.join("config");
    if config.exists() { driver::open(config).map(Some) } else { Ok(None) }
}

/// Maps the first block of registers: the one that the UIO driver offers, or, since
/// `uio_pci_generic` offers none, the first one of the PCI device.
fn registers(file: &File, class: &Path) -> io::Result<Registers> {
    let offered = read::text(class.join("maps/map0/size"));
    let size =
        offered.and_then(|size| usize::from_str_radix(size.trim_start_matches("0x"), 16).ok());
    if let Some(length) = size.and_then(NonZeroUsize::new) {
        return map(file, length);
    }
    let resource = driver::open(class.join("device/resource0"))?;
    let length = NonZeroUsize::new(resource.metadata()?.len() as usize);
    map(&resource, length.ok_or(io::ErrorKind::InvalidData)?)
}

fn map(file: &File, length: NonZeroUsize) -> io::Result<Registers> {
    Registers::map(file, length, ProtFlags::READ | ProtFlags::WRITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> UioDevice {
        let file = tempfile_of(0x100);
        let registers = map(&file, NonZeroUsize::new(0x100).unwrap()).unwrap();
        UioDevice { registers, pci: None, file }
    }

    fn tempfile_of(length: u64) -> File {
        let memory = rustix::fs::memfd_create("registers", rustix::fs::MemfdFlags::CLOEXEC);
        let file = File::from(memory.unwrap());
        file.set_len(length).unwrap();
        file
    }

    #[test]
    fn a_register_lies_inside_its_device() {
        let device = device();
        for outside in [0x100, 0xFE, 0x61, u64::MAX, u64::MAX - 3] {
            assert!(device.register(outside).is_err(), "{outside:#x}");
        }
        let last = device.register(0xFC).unwrap();
        device.strike(last);
        let mut word = [0; 4];
        device.file.read_exact_at(&mut word, 0xFC).unwrap();
        assert_eq!(word, [1, 0, 0, 0]);
    }

    #[test]
    fn interrupts_are_enabled_on_both_kinds_of_device() {
        let mut device = device();
        device.unmask().unwrap();
        let config = tempfile_of(64);
        config.write_all_at(&[0x07, 0x04], PCI_COMMAND).unwrap();
        device.pci = Some(config.try_clone().unwrap());
        device.unmask().unwrap();
        let mut command = [0; 2];
        config.read_exact_at(&mut command, PCI_COMMAND).unwrap();
        assert_eq!(command, [0x07, 0x00]);
    }

    #[test]
    fn a_file_that_is_not_a_uio_device_is_refused() {
        for path in ["/dev/null", "/no/such/device"] {
            assert!(UioDevice::open(Path::new(path)).is_err(), "{path}");
        }
    }
}
