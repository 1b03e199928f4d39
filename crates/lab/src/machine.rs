//! A running machine of the lab, and its output.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rt::process::{Pid, cpu_time, die_together};

use crate::emulator::Guarded;
use crate::hash::sha256;
use crate::initrd::PROGRAM;
use crate::qemu::MACHINE;
use crate::{Kernel, LabError, Qemu, payload};

/// Kernel parameters of every machine: a panic ends it, no address is randomised, and the kernel
/// does not test its ciphers, which takes half the instructions of a boot, and from 6.12 on seconds
/// after it.
const APPEND: &str = "console=ttyS0 quiet panic=-1 nokaslr norandmaps cryptomgr.notests";
/// Number of lines that are quoted from the end of a console.
const LAST_LINES: usize = 3;

/// A running machine. Dropping it ends it. It also ends with this program, however that ends, and
/// leaves nothing behind, because its files have no names.
#[derive(Debug)]
pub struct Machine {
    qemu: Guarded,
    port: Written,
    console: Written,
    complaints: Written,
    /// The kernel and the initrd, kept open because QEMU opens them later.
    _loaded: [Written; 2],
}

/// A file without a name, which disappears when the last process closes it.
#[derive(Debug)]
struct Written {
    file: File,
    /// Number of bytes that were already read.
    read: u64,
}

impl Written {
    fn holding(contents: &[u8]) -> Result<Self, LabError> {
        let file = tempfile::tempfile().and_then(|mut file| {
            file.write_all(contents)?;
            Ok(file)
        });
        let file = file.map_err(|cause| LabError::NoRoom { cause })?;
        Ok(Self { file, read: 0 })
    }

    /// Path by which another process of the same user can open it.
    fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd())
    }

    /// Returns what was written to it since the last call.
    fn more(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(self.read))?;
        self.read += self.file.read_to_end(&mut bytes)? as u64;
        Ok(bytes)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was switched off or gave up: QEMU exited successfully.
    Off,
    Failed(ExitStatus),
}

impl Machine {
    /// Boots a kernel whose first process is this program in the role `role`.
    ///
    /// # Errors
    /// If the kernel is not the one that was registered, there is no room for the machine's files,
    /// or QEMU cannot be started.
    pub fn boot(qemu: &Qemu, kernel: &Kernel, initrd: &[u8], role: &str) -> Result<Self, LabError> {
        let image = kernel.read_image()?;
        let started = Written::holding(&payload::unpacked(&image).unwrap_or(image))?;
        let initrd = Written::holding(initrd)?;
        let empty = || Written::holding(&[]);
        let (port, console, complaints) = (empty()?, empty()?, empty()?);
        let mut command = Command::new(&qemu.program);
        command
            .args(MACHINE.split(' '))
            // A file accepts what is written immediately, so the machine never waits for the host.
            .args(["-serial", &format!("file:{}", console.path())])
            .args(["-serial", &format!("file:{}", port.path())])
            .args(["-kernel", &started.path(), "-initrd", &initrd.path()])
            .args(["-append", &command_line(kernel, role)])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(complaints.file.try_clone().map_err(|cause| LabError::NoRoom { cause })?)
            // Ctrl-C is for this program, which ends its machines itself.
            .process_group(0);
        die_together(&mut command);
        let qemu = command.spawn().map_err(|error| LabError::BrokenQemu(error.to_string()))?;
        Ok(Self { qemu: Guarded(qemu), port, console, complaints, _loaded: [started, initrd] })
    }

    /// Returns what the machine has written to its port since the last call.
    ///
    /// # Errors
    /// The system's error.
    pub fn listen(&mut self) -> io::Result<Vec<u8>> {
        self.port.more()
    }

    /// Returns how the machine ended, if it has.
    ///
    /// # Errors
    /// The system's error.
    pub fn ended(&mut self) -> io::Result<Option<Ended>> {
        let status = self.qemu.0.try_wait()?;
        Ok(status.map(|status| if status.success() { Ended::Off } else { Ended::Failed(status) }))
    }

    /// Returns the CPU time that the machine has used so far; `None` if that cannot be seen.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        cpu_time(Pid::from_child(&self.qemu.0))
    }

    /// Returns QEMU's complaints, or else the last lines on the machine's console, in one line.
    pub fn last_words(&mut self) -> String {
        let complaints = lines(&self.complaints.more().unwrap_or_default()).join(" | ");
        let console = lines(&self.console.more().unwrap_or_default());
        match (complaints.is_empty(), console.is_empty()) {
            (false, _) => format!("QEMU reports: {complaints}"),
            (true, false) => format!("the console's last lines: {}", end_of(&console)),
            (true, true) => "its console shows nothing".to_owned(),
        }
    }
}

fn command_line(kernel: &Kernel, role: &str) -> String {
    let own = if kernel.append.is_empty() { "" } else { " " };
    let append = &kernel.append;
    format!("{APPEND} rdinit=/{PROGRAM}{own}{append} -- {role}")
}

/// Returns one hash over everything that determines what a machine of the lab does: QEMU, its
/// firmware and its arguments, the kernel and its parameters, and the initial file system.
pub fn setup_hash(qemu: &Qemu, kernel: &Kernel, initrd: &[u8], role: &str) -> String {
    let parts = [
        qemu.version.clone(),
        qemu.firmware_sha256.clone(),
        MACHINE.to_owned(),
        kernel.image_sha256.clone(),
        command_line(kernel, role),
        sha256(initrd),
    ];
    sha256(parts.join("\n").as_bytes())
}

/// Returns the last lines; after a kernel panic, those up to the reason for the panic.
fn end_of(console: &[String]) -> String {
    let panic = console.iter().position(|line| line.contains("Kernel panic"));
    let shown = &console[..panic.map_or(console.len(), |line| line + 1)];
    shown[shown.len().saturating_sub(LAST_LINES)..].join(" | ")
}

/// Returns the lines that are not empty, without control characters.
fn lines(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let shown = |line: &str| line.chars().filter(|c| !c.is_control()).collect::<String>();
    let lines = text.lines().map(|line| shown(line.trim()));
    lines.filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_important_lines_of_a_console_are_quoted() {
        let console = lines(b"one\r\n\x1b[2Jtwo\n\nthree\nfour\n");
        assert_eq!(end_of(&console), "[2Jtwo | three | four");
        let gave_up = lines(b"error: no\nKernel panic - not syncing: no root\nCall Trace:\n a\n b");
        assert_eq!(end_of(&gave_up), "error: no | Kernel panic - not syncing: no root");
        assert_eq!(end_of(&[]), "");
    }
}
