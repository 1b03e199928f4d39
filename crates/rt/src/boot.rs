//! What the first process of a machine does for all others: mounts file systems, loads modules,
//! brings the loopback interface up, and switches the machine off.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::path::Path;

use rustix::io::Errno;
use rustix::mount::MountFlags;
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::system::RebootCommand;

use crate::driver;

/// Mounts a file system that has no device, such as `proc`: mount(2). Creates the directory if it
/// does not exist.
///
/// # Errors
/// Returns the kernel's error: `ENODEV` if it has no such file system, `EPERM`.
pub fn mount(kind: &str, at: &Path) -> io::Result<()> {
    std::fs::create_dir_all(at)?;
    Ok(rustix::mount::mount(kind, at, kind, MountFlags::empty(), None)?)
}

/// Loads an uncompressed module with parameters such as `period=5 name=x`: finit_module(2). A
/// module that is loaded or built in is left unchanged.
///
/// # Errors
/// Returns the kernel's error: `ENOEXEC` for a module of another kernel, `ENOENT` if a module that
/// it needs is not loaded.
pub fn load_module(path: &Path, parameters: &str) -> io::Result<()> {
    let module = File::open(path)?;
    match rustix::system::finit_module(module, &CString::new(parameters)?, 0) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Brings the interface `lo` up: `SIOCSIFFLAGS`.
///
/// # Errors
/// Returns the kernel's error.
pub fn loopback_up() -> io::Result<()> {
    // SAFETY: an `ifreq` is plain data, for which zeros are valid.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // Any socket will do, and an unbound one needs no interface.
    let unbound = socket(AddressFamily::INET, SocketType::DGRAM, None)?;
    // SAFETY: the request reads one `ifreq`.
    unsafe { driver::ioctl(&unbound, libc::SIOCSIFFLAGS as u32, &mut request) }
}

/// Switches the machine off immediately: reboot(2).
///
/// # Errors
/// `EPERM` without the required privilege.
pub fn power_off() -> io::Result<()> {
    Ok(rustix::system::reboot(RebootCommand::PowerOff)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_a_module_is_refused() {
        assert!(load_module(Path::new("/proc/self/exe"), "").is_err());
        assert!(load_module(Path::new("/no/such/module"), "").is_err());
    }

    #[test]
    fn an_unknown_file_system_is_refused() {
        assert!(mount("no-such-file-system", &std::env::temp_dir()).is_err());
    }
}
