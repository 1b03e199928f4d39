//! A virtual machine of the lab: boots a kernel with this program, and returns recordings.

mod edu;
mod files;
mod guest;
mod libraries;
mod port;
mod program;
mod start;

use std::time::Duration;
use std::{slice, thread};

use base::CpuSet;
use knob::OnMachine;
use lab::{Ended, Initrd, Kernel, Machine, Qemu, Setup};
use measure::{only_recording_of, room_for};
use record::{Arrived, Envelope, LabFound, LabRun, RunSpec, VirtualMachine, run_id, samples_hash};
use rt::clock;

pub use guest::serve_guest;
pub use program::lacks_program;
pub use rt::role::GUEST;

use crate::{KeepGoing, Target, TargetError, knobs};
use port::Message;
use program::GuestProgram;

/// The most bytes that a guest may send in addition to recordings.
const MOST_WORDS: u64 = 64 << 10;
/// How often the output of a running machine is read.
const LISTEN_EVERY: Duration = Duration::from_millis(50);
/// CPU time that a kernel may take to boot.
const PATIENCE: Duration = Duration::from_secs(180);
const OFF: &str = "the machine switched off before its runs were done";
/// Seconds of CPU time that one virtual second may take, under load.
const HOST_SECONDS_A_SECOND: u32 = 60;

/// A virtual machine with one CPU.
#[derive(Debug, Clone)]
pub struct Vm {
    qemu: Qemu,
    kernel: Kernel,
    /// CPU time that the kernel may take to boot.
    patience: Duration,
    /// Whether machines start from a saved state.
    is_restored: bool,
    /// Which of several equal machines this is.
    draw: u32,
    /// Gets the reason why a machine is booted although it could be restored.
    note: fn(&str),
}

pub type Made = Result<Arrived, String>;

impl Vm {
    pub fn new(qemu: Qemu, kernel: Kernel) -> Self {
        Self { qemu, kernel, patience: PATIENCE, is_restored: true, draw: 0, note: |_| {} }
    }

    /// Boots every machine, without saved states.
    #[must_use]
    pub fn uninterrupted(self) -> Self {
        Self { is_restored: false, ..self }
    }

    /// Chooses one of several machines that differ only in the moment at which their runs begin, so
    /// only in what is left to chance.
    #[must_use]
    pub fn drawn(self, draw: u32) -> Self {
        Self { draw, ..self }
    }

    /// Passes on the reason why a machine is booted instead of restored.
    #[must_use]
    pub fn noting(self, note: fn(&str)) -> Self {
        Self { note, ..self }
    }

    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub fn cpus() -> CpuSet {
        CpuSet::one(0)
    }

    /// Makes all runs one after the other in one machine, started for them. `each` gets the result
    /// of each run as soon as it is available.
    ///
    /// # Errors
    /// If the machine did not reach the end of the list.
    pub fn sitting(
        &self,
        specs: &[RunSpec],
        keep_going: KeepGoing,
        each: &mut dyn FnMut(usize, Made),
    ) -> Result<(), TargetError> {
        let (mut conversation, setup) = self.start(specs, most_bytes(specs), keep_going)?;
        let mut patience = self.patience;
        let mut made = 0;
        loop {
            let message = conversation.next(patience, keep_going)?;
            let next = specs.get(made);
            match (message, next) {
                (Message::Begun(number), Some(spec)) if number as usize == made => {
                    let virtual_time = Duration::from(spec.asked.duration);
                    patience = self.patience + virtual_time * HOST_SECONDS_A_SECOND;
                }
                (Message::Recorded(number, bytes), Some(spec)) if number as usize == made => {
                    each(made, self.recorded(&bytes, spec, &setup, number));
                    made += 1;
                }
                (Message::Failed(number, why), Some(_)) if number as usize == made => {
                    each(made, Err(why));
                    made += 1;
                }
                (Message::Done, None) => return Ok(()),
                _ => return Err(self.failed("its guest did not follow the list of runs", "")),
            }
        }
    }

    /// Returns one hash over everything that determines the samples of every run there, except the
    /// list of runs.
    ///
    /// # Errors
    /// If a file of the kernel cannot be read.
    pub fn setup(&self) -> Result<String, TargetError> {
        Ok(self.described(&self.initrd(&[])?).hash(&[]))
    }

    fn described(&self, initrd: &Initrd) -> Setup<'_> {
        Setup::new(&self.qemu, &self.kernel, initrd, GUEST)
    }

    /// Returns what the machine of these runs contains, without the runs.
    fn initrd(&self, specs: &[RunSpec]) -> Result<Initrd, TargetError> {
        let program = GuestProgram::find(&self.kernel);
        let program = program.map_err(|why| self.failed(&why, ""))?;
        let GuestProgram { bytes, libraries } = program;
        let is_static = libraries.is_empty();
        let mut initrd = Initrd::of(&self.kernel, bytes, libraries).map_err(failed)?;
        let architecture = self.kernel.architecture;
        files::pack(specs, &mut initrd, architecture, is_static).map_err(TargetError::Failed)?;
        Ok(initrd)
    }

    fn failed(&self, what: &str, words: &str) -> TargetError {
        let name = &self.kernel.name;
        let words = if words.is_empty() { "" } else { &format!("; {words}") };
        TargetError::Failed(format!("vm:{name}: {what}{words}"))
    }

    /// Returns the recording of a run, with what its guest cannot know: the components of the
    /// machine, the real time, and a name that no other run has.
    fn recorded(&self, bytes: &[u8], spec: &RunSpec, setup: &str, number: u32) -> Made {
        let recording = only_recording_of(spec, bytes)?;
        let version = &recording.header.tool_version;
        if version != env!("CARGO_PKG_VERSION") {
            let name = &self.kernel.name;
            return Err(format!(
                "vm:{name}: its program is Steadfast {version}, this one is {}: use one version",
                env!("CARGO_PKG_VERSION")
            ));
        }
        let now = clock::unix_time();
        let lab = LabRun {
            run_id: run_id(now),
            arrived_unix_ns: now,
            machine: VirtualMachine {
                kernel: self.kernel.name.clone(),
                kernel_source: self.kernel.source.clone(),
                kernel_sha256: self.kernel.image_sha256.clone(),
                append: self.kernel.append.clone(),
                qemu_version: self.qemu.version.clone(),
                qemu_firmware_sha256: self.qemu.firmware_sha256.clone(),
                qemu_arguments: self.kernel.architecture.machine(),
            },
            found: LabFound {
                setup_sha256: setup.to_owned(),
                place: number,
                samples_sha256: samples_hash(&recording.tracks),
            },
        };
        Ok(Arrived { recording, envelope: Envelope { lab: Some(lab), ..Envelope::default() } })
    }
}

impl Target for Vm {
    fn run(&self, spec: &RunSpec, keep_going: KeepGoing) -> Result<Arrived, TargetError> {
        let mut made = None;
        self.sitting(slice::from_ref(spec), keep_going, &mut |_, came| made = Some(came))?;
        let made = made.ok_or_else(|| self.failed("it ended without making the run", ""))?;
        made.map_err(TargetError::Failed)
    }

    fn knobs(&self, keep_going: KeepGoing) -> Result<OnMachine, TargetError> {
        let (mut conversation, _) = self.start(&[], knobs::MOST_BYTES, keep_going)?;
        match conversation.next(self.patience, keep_going)? {
            Message::Knobs(bytes) => knobs::read(&bytes),
            Message::Failed(_, why) => Err(TargetError::Failed(why)),
            _ => Err(self.failed("its guest did not report the state of its knobs", "")),
        }
    }
}

/// A machine, and what it sent that was not yet read.
struct Conversation<'a> {
    vm: &'a Vm,
    machine: Machine,
    arrived: Vec<u8>,
    most_bytes: u64,
    /// A message that was read before its turn.
    ahead: Option<Message>,
}

impl<'a> Conversation<'a> {
    /// Begins to read what a machine sends; each of its messages has at most `most_bytes`.
    fn with(vm: &'a Vm, machine: Machine, most_bytes: u64) -> Self {
        Self { vm, machine, arrived: Vec::new(), most_bytes, ahead: None }
    }

    /// Waits for the next message, until the machine has used `patience` of CPU time.
    fn next(&mut self, patience: Duration, keep_going: KeepGoing) -> Result<Message, TargetError> {
        if let Some(message) = self.ahead.take() {
            return Ok(message);
        }
        let limit = self.machine.patience(patience);
        loop {
            if !keep_going() {
                return Err(TargetError::Interrupted);
            }
            let ended = self.machine.ended().map_err(failed)?;
            self.arrived.extend(self.machine.listen().map_err(failed)?);
            let message = Message::take(&mut self.arrived, self.most_bytes);
            if let Some(message) = message.map_err(TargetError::Failed)? {
                return Ok(message);
            }
            if let Some(ended) = ended {
                return Err(self.vm.failed(&how(ended), &self.machine.last_words()));
            }
            if limit.is_over() {
                return Err(self.vm.failed(&silent(patience), &self.machine.last_words()));
            }
            thread::sleep(LISTEN_EVERY);
        }
    }
}

/// Most bytes of the largest recording of these runs, or of the message that replaces it.
fn most_bytes(specs: &[RunSpec]) -> u64 {
    let rooms = specs.iter().map(|spec| room_for(spec).bytes());
    rooms.max().unwrap_or(0).max(MOST_WORDS)
}

fn silent(patience: Duration) -> String {
    format!("its guest has not answered for {patience:?} of CPU time")
}

fn how(ended: Ended) -> String {
    match ended {
        Ended::Off => OFF.to_owned(),
        Ended::Failed(status) => format!("QEMU ended with {status}"),
    }
}

fn failed(error: impl std::fmt::Display) -> TargetError {
    TargetError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::{Kernels, LabError, NewKernel};
    use std::fs;
    use tempfile::TempDir;
    use testing::{boot_image, skip};

    /// Returns a machine that stays at its first instruction, and the folder of its kernel; `None`
    /// without QEMU.
    fn stuck() -> Option<(Vm, TempDir)> {
        const JUMP_TO_ITSELF: [u8; 2] = [0xeb, 0xfe];
        let qemu = Qemu::find("amd64".parse().unwrap());
        if matches!(qemu, Err(LabError::NoQemu { .. })) {
            skip("QEMU is missing");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("vmlinuz");
        let mut bytes = boot_image("7.0-mine");
        // The address to which a boot loader jumps.
        bytes[0x200..0x202].copy_from_slice(&JUMP_TO_ITSELF);
        fs::write(&image, bytes).unwrap();
        let kernel = Kernels::at(folder.path()).add(&NewKernel {
            name: "mine".into(),
            kernel: image.display().to_string(),
            modules: vec![],
            overlay: None,
            append: String::new(),
            replace: false,
        });
        Some((Vm::new(qemu.unwrap(), kernel.unwrap()), folder))
    }

    #[test]
    fn a_guest_that_never_answers_is_ended_and_reported() {
        let Some((vm, _folder)) = stuck() else { return };
        let vm = Vm { patience: Duration::from_secs(2), ..vm };
        let done = vm.sitting(&[], &mut || true, &mut |_, _| {});
        let line = done.unwrap_err().to_string();
        assert!(line.contains("vm:mine") && line.contains("not answered"), "{line}");
        assert!(!line.contains('\n'), "{line}");
    }

    #[test]
    fn a_machine_is_ended_when_it_is_interrupted() {
        let Some((vm, _folder)) = stuck() else { return };
        let done = vm.sitting(&[], &mut || false, &mut |_, _| {});
        assert!(matches!(done, Err(TargetError::Interrupted)));
    }
}
