//! The devices of a machine that has no I/O ports: the firmware configuration in its memory, at the
//! address in the device tree, and the watchdog `i6300esb` on PCI.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use rustix::mm::ProtFlags;

use crate::driver::refused;
use crate::mapping::Mapping;
use crate::memory::page_bytes;
use crate::pci;

/// The nodes below the root of the device tree, and how the name of the configuration's begins.
const TREE: &str = "/proc/device-tree";
const NODE: &str = "fw-cfg@";
/// Where the registers of the configuration are, from its address on.
const DATA: usize = 0;
const SELECTOR: usize = 8;

/// Vendor and device of the watchdog.
const WATCHDOG: [u8; 4] = [0x86, 0x80, 0xab, 0x25];
/// Registers in its configuration space (Intel, "6300ESB I/O Controller Hub", section 16.4), which
/// choose the clock of 1 MHz and no interrupt, and start it. From a reset on, it then waits twice for
/// 2^20 - 1 ticks of 0.96 us, 2.013 s.
const CONFIGURATION: (u64, [u8; 2]) = (0x60, [0x07, 0x00]);
const LOCK: (u64, [u8; 1]) = (0x68, [0x02]);

#[derive(Debug)]
pub(super) struct Devices {
    page: Mapping,
    /// Where the configuration begins in the page.
    place: usize,
    watchdog: File,
}

impl Devices {
    pub(super) fn open() -> io::Result<Self> {
        let watchdog =
            pci::configuration(WATCHDOG).ok_or_else(|| refused("it has no watchdog i6300esb"))?;
        let address = address().ok_or_else(|| refused("this is not a machine of QEMU"))?;
        let mut options = OpenOptions::new();
        // Without the flag, a processor might read ahead.
        let memory = options.read(true).write(true).custom_flags(libc::O_SYNC).open("/dev/mem")?;
        let (bytes, place) = (page_bytes(), address % page_bytes());
        let allowed = ProtFlags::READ | ProtFlags::WRITE;
        let page = Mapping::of_part(&memory, address - place, bytes as usize, allowed)?;
        Ok(Self { page, place: place as usize, watchdog })
    }

    pub(super) fn start_watchdog(&self) -> io::Result<()> {
        self.watchdog.write_all_at(&CONFIGURATION.1, CONFIGURATION.0)?;
        self.watchdog.write_all_at(&LOCK.1, LOCK.0)
    }

    pub(super) fn select(&self, item: u16) {
        // SAFETY: the register is in the page, at a multiple of its size; the device, which the
        // kernel does not use, only notes the number.
        unsafe {
            let register = self.page.start().add(self.place + SELECTOR).cast::<u16>();
            register.write_volatile(item.to_be());
        }
    }

    pub(super) fn byte(&self) -> u8 {
        // SAFETY: as above; reading moves on to the next byte.
        unsafe { self.page.start().add(self.place + DATA).read_volatile() }
    }
}

/// Returns the address of the configuration, if the machine has one: the first of the two numbers of
/// 64 bits that the device tree has of it.
fn address() -> Option<u64> {
    let nodes = fs::read_dir(TREE).ok()?.flatten();
    let mut nodes = nodes.filter(|node| node.file_name().to_string_lossy().starts_with(NODE));
    let place = fs::read(nodes.next()?.path().join("reg")).ok()?;
    Some(u64::from_be_bytes(*place.first_chunk()?))
}
