//! The output of a process, kept in memory, so that writing it never waits for a reader and leaves
//! nothing on a disk.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::process::Stdio;

use rustix::fs::{MemfdFlags, memfd_create};

/// An unnamed file in memory, into which a process writes.
#[derive(Debug)]
pub struct Words(File);

/// The number of bytes that are read at most.
const LONGEST: usize = 4096;

impl Words {
    /// Creates an empty file.
    ///
    /// # Errors
    /// Fails without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        let file = memfd_create("steadfast-words", MemfdFlags::CLOEXEC)?;
        Ok(Self(file.into()))
    }

    /// Returns the end into which a process that is started with it writes.
    ///
    /// # Errors
    /// Fails without descriptors.
    pub fn input(&self) -> io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// Returns the beginning of the output.
    #[must_use]
    pub fn text(&self) -> String {
        let mut bytes = [0; LONGEST];
        let length = self.0.read_at(&mut bytes, 0).unwrap_or(0);
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    /// Returns the first error in the output.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let text = self.text();
        let error = text.lines().find_map(|line| line.strip_prefix("error: "));
        error.map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn output_can_be_read_repeatedly() {
        let words = Words::new().unwrap();
        let mut echo = Command::new("echo");
        echo.arg("one").stdout(words.input().unwrap());
        for said in ["one\n", "one\none\n"] {
            echo.status().unwrap();
            assert_eq!(words.text(), said);
            assert_eq!(words.text(), said);
            echo.stdout(words.input().unwrap());
        }
    }
}
