//! The program that is copied to another machine, chosen by architecture.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use lab::sha256;
use model_file::Elf;

/// Environment variable with further programs to choose from, in the syntax of PATH.
pub(crate) const OTHERS: &str = "STEADFAST_RUNNER";

/// A file of this program.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) sha256: String,
    pub(crate) elf: Elf,
}

impl Program {
    /// Finds the first program for an architecture among those that the user names and these paths;
    /// `None` if there is none.
    ///
    /// # Errors
    /// If a file is not a program.
    pub(crate) fn find(architecture: &str, paths: &[PathBuf]) -> Result<Option<Self>, String> {
        let named = env::var_os(OTHERS).unwrap_or_default();
        let named = env::split_paths(&named).filter(|path| !path.as_os_str().is_empty());
        let others = paths.iter().map(|path| Self::read(path));
        for program in named.map(|path| Self::named(&path)).chain(others) {
            let program = program?;
            if program.elf.machine == architecture {
                return Ok(Some(program));
            }
        }
        Ok(None)
    }

    fn named(path: &Path) -> Result<Self, String> {
        Self::read(path).map_err(|why| format!("{OTHERS}: {why}"))
    }

    fn read(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let elf = Elf::read(&bytes).ok_or_else(|| format!("{name} is not a program for Linux"))?;
        Ok(Self { path: path.to_owned(), sha256: sha256(&bytes), bytes, elf })
    }

    /// Returns the remedy if the program does not run there.
    pub(crate) fn remedy(&self) -> String {
        if self.elf.is_static() {
            return "check that files in ~/.cache may be executed there".to_owned();
        }
        let build = how_to_build(&self.elf.machine);
        format!("it needs this machine's shared libraries; {build}")
    }
}

pub(crate) fn how_to_build(architecture: &str) -> String {
    let target = format!("{architecture}-unknown-linux-musl");
    format!(
        "build a static one with `cargo build --profile static --target {target}` and set \
         {OTHERS}=target/{target}/static/steadfast"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::process::THIS_PROGRAM;

    #[test]
    fn the_error_names_a_file_that_is_not_a_program() {
        for (path, reason) in [("/no/such", "/no/such"), ("/etc/passwd", "not a program")] {
            let why = Program::named(Path::new(path)).unwrap_err();
            assert!(why.contains(reason) && why.contains(OTHERS), "{why}");
        }
    }

    #[test]
    fn the_remedy_for_a_program_that_needs_libraries_is_a_static_one() {
        let mut program = Program::read(Path::new(THIS_PROGRAM)).unwrap();
        for is_static in [true, false] {
            let loader = (!is_static).then(|| "ld-linux.so".to_owned());
            (program.elf.interpreter, program.elf.needed) = (loader, Vec::new());
            assert_eq!(program.remedy().contains("linux-musl"), !is_static);
        }
    }
}
