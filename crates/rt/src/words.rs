//! What a process says: kept in memory, so that saying it never waits for a
//! reader and leaves nothing on a disk.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::process::Stdio;

use rustix::fs::{MemfdFlags, memfd_create};

/// A file without a name in memory, into which a process writes.
#[derive(Debug)]
pub struct Words(File);

/// As much of it as is read.
const LONGEST: usize = 4096;

impl Words {
    /// Nothing is said yet.
    ///
    /// # Errors
    /// Without memory or descriptors.
    pub fn new() -> io::Result<Self> {
        let file = memfd_create("steadfast-words", MemfdFlags::CLOEXEC)?;
        Ok(Self(file.into()))
    }

    /// The end into which a process writes that is started with it.
    ///
    /// # Errors
    /// Without descriptors.
    pub fn input(&self) -> io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// What was said first.
    #[must_use]
    pub fn text(&self) -> String {
        let mut bytes = [0; LONGEST];
        let length = self.0.read_at(&mut bytes, 0).unwrap_or(0);
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    /// The first error that was told.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let text = self.text();
        let told = text.lines().find_map(|line| line.strip_prefix("error: "));
        told.map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_is_said_can_be_read_again_and_again() {
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
