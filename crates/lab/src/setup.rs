//! Everything that determines what a machine does.

use crate::hash::sha256;
use crate::initrd::PROGRAM;
use crate::{Initrd, Kernel, Qemu};

/// Kernel parameters of every machine, besides its console: a panic ends it, no address is randomised, and the kernel
/// does not test its ciphers, which takes half the instructions of a boot, and from 6.12 on seconds
/// after it.
const APPEND: &str = "quiet panic=-1 nokaslr norandmaps cryptomgr.notests";

/// Everything that determines what a machine does until its guest reads the request.
#[derive(Debug)]
pub struct Setup<'a> {
    pub(crate) qemu: &'a Qemu,
    pub(crate) kernel: &'a Kernel,
    /// The packed initial file system.
    pub(crate) initrd: Vec<u8>,
    pub(crate) command_line: String,
    /// One hash over all of this.
    pub(crate) sha256: String,
}

impl<'a> Setup<'a> {
    /// Describes a machine whose first process is this program in the role `role`.
    pub fn new(qemu: &'a Qemu, kernel: &'a Kernel, initrd: &Initrd, role: &str) -> Self {
        let (initrd, command_line) = (initrd.pack(), command_line(kernel, role));
        let parts = [
            &*qemu.version,
            &*qemu.firmware_sha256,
            &*kernel.architecture.machine(),
            &*kernel.image_sha256,
            &*command_line,
            &sha256(&initrd),
        ];
        let sha256 = sha256(parts.join("\n").as_bytes());
        Self { qemu, kernel, initrd, command_line, sha256 }
    }

    /// Returns one hash over everything that determines what the machine does: QEMU, its firmware
    /// and its arguments, the kernel and its parameters, the initial file system, and the request.
    pub fn hash(&self, request: &[u8]) -> String {
        sha256(format!("{}\n{}", self.sha256, sha256(request)).as_bytes())
    }
}

fn command_line(kernel: &Kernel, role: &str) -> String {
    let own = if kernel.append.is_empty() { "" } else { " " };
    let (append, console) = (&kernel.append, kernel.architecture.console);
    format!("console={console} {APPEND} rdinit=/{PROGRAM}{own}{append} -- {role}")
}
