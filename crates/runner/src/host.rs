//! The program that runs models of users: this one, or a packed one that can load libraries.

use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::process::Command;

use lzma_rust2::XzReader;
use rt::in_memory::InMemory;
use rt::process::{THIS_PROGRAM, this};
use rt::role;

/// Empty in a build without that program.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host.xz"));

/// The loader of glibc, without which the packed program cannot start.
const LOADER: &str = match cfg!(target_arch = "aarch64") {
    true => "/lib/ld-linux-aarch64.so.1",
    false => "/lib64/ld-linux-x86-64.so.2",
};

const NOT_PACKED: &str = "this static program was built without the part that loads libraries and \
    FMUs; rebuild it with that part (STEADFAST_HOST=$(scripts/host-program)), or for this machine's C \
    library";

/// A program that plays a role in which models are loaded.
#[derive(Debug)]
pub enum Host {
    /// This program, which can load libraries or does not need to.
    This,
    Packed(InMemory),
}

impl Host {
    /// Returns the program for a run that loads libraries, or for one that does not.
    ///
    /// # Errors
    /// One line if this build has no such program, or the system has no room for it.
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

    pub fn not_started(&self, error: &io::Error) -> String {
        match self {
            Self::This => format!("no process was started: {error}"),
            Self::Packed(_) => not_run(error),
        }
    }

    /// Describes why the system's loader ended the program with that status, if it did.
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
        ErrorKind::NotFound => format!(
            "this machine has no glibc ({LOADER}), which a library or an FMU needs; run it on a \
             machine that has one"
        ),
        ErrorKind::PermissionDenied => format!(
            "the kernel does not allow programs to run from memory, as this static one must for a library or \
             an FMU: {error}; allow it (sysctl vm.memfd_noexec=0), or use a build for the C \
             library of this machine"
        ),
        _ => format!("the program that loads libraries was not started: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_program_that_cannot_run_has_a_remedy() {
        let message = |kind: ErrorKind| not_run(&kind.into());
        assert!(message(ErrorKind::NotFound).contains("no glibc"));
        assert!(message(ErrorKind::PermissionDenied).contains("vm.memfd_noexec"));
        assert!(message(ErrorKind::OutOfMemory).contains("not started"));
        let packed = Host::Packed(InMemory::new(b"no program").unwrap());
        for status in [1, 127] {
            assert!(packed.not_loaded(status).is_some_and(|why| why.contains("glibc")));
            assert_eq!(Host::This.not_loaded(status), None);
        }
        assert_eq!(packed.not_loaded(2), None);
    }
}
