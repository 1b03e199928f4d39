//! A running machine of the lab, and its output.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rt::process::die_together;

use crate::architecture::PORT_FILE;
use crate::emulator::Guarded;
use crate::qemu::{ARRIVES, IS_IN_FILE, REQUEST};
use crate::shared_file::Shared;
use crate::state::State;
use crate::{Architecture, LabError, Patience, Setup};

/// Number of lines that are quoted from the end of a console.
const LAST_LINES: usize = 3;

/// A running machine. Dropping it ends it. It also ends with this program, however that ends, and
/// leaves nothing behind, because its files have no names.
#[derive(Debug)]
pub struct Machine {
    pub(crate) qemu: Guarded,
    pub(crate) architecture: &'static Architecture,
    port: Shared,
    console: Shared,
    complaints: Shared,
    /// What QEMU opens after its start.
    _loaded: Vec<Shared>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was switched off or gave up: QEMU exited successfully.
    Off,
    Failed(ExitStatus),
}

impl Machine {
    /// Boots a machine, whose guest finds the request once it has settled.
    ///
    /// # Errors
    /// If the kernel is not the one that was registered, the machine's files do not fit,
    /// or QEMU cannot be started.
    pub fn boot(setup: &Setup, request: &[u8]) -> Result<Self, LabError> {
        let kernel = setup.kernel.started()?;
        Self::start(setup, kernel, &setup.initrd, request, vec![], |command, _| {
            command.args(["-action", "watchdog=none"]);
        })
    }

    /// Starts a machine from the state in which it was saved, before its guest has read a request.
    ///
    /// # Errors
    /// If the kernel is not the one that was registered, the machine's files do not fit,
    /// or QEMU cannot be started.
    pub fn restore(setup: &Setup, state: State, request: &[u8]) -> Result<Self, LabError> {
        let (kernel, State { memory, devices }) = (setup.kernel.started_before()?, state);
        // The initial file system is in the saved memory already.
        const NOTHING: &[u8] = &[0];
        Self::start(setup, kernel, NOTHING, request, vec![memory, devices], |command, files| {
            let [memory, devices] = [0, 1].map(|file: usize| files[file].path());
            command
                .args(["-action", "watchdog=none"])
                .args(IS_IN_FILE.split(' '))
                .args(["-object", &memory_in(&memory, "off")])
                .args(ARRIVES.split(' '))
                .arg(format!("exec:cat {devices}"));
        })
    }

    /// Boots a machine that stops when it can be saved: its memory is in a file, and its monitor is
    /// connected to its standard streams.
    pub(crate) fn boot_to_save(setup: &Setup, memory: Shared) -> Result<Self, LabError> {
        let kernel = setup.kernel.started()?;
        Self::start(setup, kernel, &setup.initrd, &[], vec![memory], |command, files| {
            command
                .args(["-action", "watchdog=pause"])
                .args(IS_IN_FILE.split(' '))
                .args(["-object", &memory_in(&files[0].path(), "on")])
                .args(["-S", "-qmp", "stdio"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped());
        })
    }

    /// Starts QEMU; `how` adds what the ways of starting differ in, given the files that it needs.
    fn start(
        setup: &Setup,
        kernel: Shared,
        initrd: &[u8],
        request: &[u8],
        mut files: Vec<Shared>,
        how: impl FnOnce(&mut Command, &[Shared]),
    ) -> Result<Self, LabError> {
        let [initrd, request] = [Shared::holding(initrd)?, Shared::holding(request)?];
        let empty = || Shared::holding(&[]);
        let (port, console, complaints) = (empty()?, empty()?, empty()?);
        let architecture = setup.kernel.architecture;
        let mut command = Command::new(&setup.qemu.program);
        command
            .args(architecture.machine().split(' '))
            // A file accepts what is written immediately, so the machine never waits for the host.
            .args(["-serial", &format!("file:{}", console.path())])
            .args(architecture.port.split(' ').map(|word| word.replace(PORT_FILE, &port.path())))
            .args(["-kernel", &kernel.path(), "-initrd", &initrd.path()])
            .args(["-append", &setup.command_line])
            .args(["-fw_cfg", &format!("name={REQUEST},file={}", request.path())])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(complaints.file.try_clone().map_err(|cause| LabError::NoRoom { cause })?)
            // Ctrl-C is for this program, which ends its machines itself.
            .process_group(0);
        how(&mut command, &files);
        die_together(&mut command);
        let qemu = command.spawn().map_err(|error| LabError::BrokenQemu {
            program: architecture.emulator,
            why: error.to_string(),
        })?;
        files.extend([kernel, initrd, request]);
        Ok(Self { qemu: Guarded(qemu), architecture, port, console, complaints, _loaded: files })
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

    /// Begins to wait for an answer, for which the machine may use that much CPU time.
    pub fn patience(&self, longest: Duration) -> Patience {
        Patience::with(&self.qemu.0, longest)
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

/// Returns the memory of a machine that is in a file; with `shared`, the machine changes the file.
fn memory_in(path: &str, shared: &str) -> String {
    format!("memory-backend-file,id=ram,size=1024M,mem-path={path},share={shared}")
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
