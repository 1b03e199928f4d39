//! The program in which a run of somebody else's code is made: this one, or, where this one is
//! static and cannot load libraries, one that can and is packed into it.

use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::process::Command;

use lzma_rust2::XzReader;
use rt::in_memory::InMemory;
use rt::process::{THIS_PROGRAM, this};
use rt::role;

/// Empty in a build without one.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host.xz"));

const NOT_PACKED: &str = "this static program was built without the part that loads a library or an \
    FMU; build it with that (STEADFAST_HOST=$(scripts/host-program)), or for the C library of this \
    machine";

/// A program that plays a role in which models are loaded.
#[derive(Debug)]
pub enum Host {
    /// This program, which can load them or need not.
    This,
    /// The one that is packed into it.
    Packed(InMemory),
}

impl Host {
    /// The one for a run that loads libraries, or does not.
    ///
    /// # Errors
    /// One line where this build has none, or the system has no room for it.
    pub fn found(loads: bool) -> Result<Self, String> {
        if !loads || !cfg!(target_feature = "crt-static") {
            return Ok(Self::This);
        }
        if PACKED.is_empty() {
            return Err(NOT_PACKED.to_owned());
        }
        let packed = unpacked().and_then(|program| InMemory::new(&program));
        packed.map(Self::Packed).map_err(|error| not_run(&error))
    }

    /// A process of it in a role.
    #[must_use]
    pub fn command(&self, role: &str) -> Command {
        match self {
            Self::This => role::command(THIS_PROGRAM, role),
            Self::Packed(program) => {
                let mut command = role::command(program.path(), role);
                let all = PathBuf::from(format!("/proc/{}/exe", this()));
                command.env(role::PROGRAM, all);
                command
            }
        }
    }

    /// Why it was not started.
    #[must_use]
    pub fn not_started(&self, error: &io::Error) -> String {
        match self {
            Self::This => format!("no process was started: {error}"),
            Self::Packed(_) => not_run(error),
        }
    }

    /// Why it ended with that status before it did anything, where the system's loader has
    /// ended it.
    #[must_use]
    pub fn not_loaded(&self, status: i32) -> Option<String> {
        const OF_THE_LOADER: [i32; 2] = [1, 127];
        let is_it = matches!(self, Self::Packed(_)) && OF_THE_LOADER.contains(&status);
        is_it.then(|| {
            "the C library of this machine cannot load a library or an FMU for this program, which \
             needs glibc 2.17 or newer with its libpthread, libdl and librt; run it on a machine \
             that has these"
                .to_owned()
        })
    }
}

fn unpacked() -> io::Result<Vec<u8>> {
    let mut program = Vec::new();
    XzReader::new(PACKED, false).read_to_end(&mut program)?;
    Ok(program)
}

fn not_run(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            "this machine has no glibc (/lib64/ld-linux-x86-64.so.2), which a library or an FMU \
             needs; run it on a machine that has one"
                .to_owned()
        }
        ErrorKind::PermissionDenied => format!(
            "the kernel lets no program run from memory, as this static one must for a library or \
             an FMU: {error}; allow it (sysctl vm.memfd_noexec=0), or take a build for the C \
             library of this machine"
        ),
        _ => format!("the program that loads libraries was not started: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_the_packed_program_from_running_is_told_with_its_remedy() {
        let told = |kind: ErrorKind| not_run(&kind.into());
        assert!(told(ErrorKind::NotFound).contains("no glibc"));
        assert!(told(ErrorKind::PermissionDenied).contains("vm.memfd_noexec"));
        assert!(told(ErrorKind::OutOfMemory).contains("not started"));
        let packed = Host::Packed(InMemory::new(b"no program").unwrap());
        for status in [1, 127] {
            assert!(packed.not_loaded(status).is_some_and(|why| why.contains("glibc")));
            assert_eq!(Host::This.not_loaded(status), None);
        }
        assert_eq!(packed.not_loaded(2), None);
    }
}
