//! The program for the guest: this one, or one for the architecture of the guest's kernel.

use std::path::{Path, PathBuf};

use lab::{Architecture, Kernel};
use rt::process::{THIS_PROGRAM, libraries};

use super::libraries::Libraries;
use crate::program::{OTHERS, Program};

/// What becomes the guest's first process.
pub(super) struct GuestProgram {
    pub(super) bytes: Vec<u8>,
    /// The shared libraries that it needs; a static program has none.
    pub(super) libraries: Vec<PathBuf>,
}

impl GuestProgram {
    /// Finds the program for a kernel: this one if it can run there, or else one that the user has
    /// named or put into the lab's folder.
    pub(super) fn find(kernel: &Kernel) -> Result<Self, String> {
        let architecture = kernel.architecture;
        if architecture == Architecture::here() {
            let bytes = std::fs::read(THIS_PROGRAM).map_err(|error| error.to_string())?;
            return Ok(Self { bytes, libraries: libraries() });
        }
        let place = kernel.program();
        let paths = if place.exists() { vec![place.clone()] } else { vec![] };
        let found = Program::find(architecture.name, &paths)?;
        let Program { path, bytes, elf, .. } =
            found.ok_or_else(|| missing(architecture, &place))?;
        let libraries = match elf.is_static() {
            true => Vec::new(),
            false => Libraries { architecture }.needed_by(&path)?,
        };
        Ok(Self { bytes, libraries })
    }
}

/// Returns why a machine with this kernel has no program to run; `None` if it has one.
pub fn lacks_program(kernel: &Kernel) -> Option<String> {
    GuestProgram::find(kernel).err()
}

fn missing(architecture: &Architecture, place: &Path) -> String {
    let (version, name) = (env!("CARGO_PKG_VERSION"), architecture.name);
    format!(
        "its machine needs Steadfast for {architecture}, as a static program: copy `steadfast` from \
         steadfast-{version}-{name}.tar.gz to {}, or name the file in {OTHERS}",
        place.display()
    )
}
