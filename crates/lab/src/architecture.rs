//! The instruction sets of the lab's machines: one entry each, with all in which these machines
//! differ.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::LabError;
use crate::boot_image::{Format, what_else};

/// An instruction set, and the machine that the lab has for it.
#[derive(Debug)]
pub struct Architecture {
    /// Its name, as `uname -m` prints it.
    pub name: &'static str,
    /// Its name in sentences.
    pub title: &'static str,
    /// Its name in Debian.
    pub debian: &'static str,
    /// What the names of Debian's kernels end with in the lab.
    pub(crate) suffix: &'static str,
    pub(crate) image: Format,
    /// The number of its programs and modules in elf.h.
    pub(crate) elf_machine: u16,
    pub(crate) emulator: &'static str,
    /// The package of Debian with the emulator.
    pub(crate) emulator_package: &'static str,
    /// Arguments with the processor, the board, and a watchdog, which stops a machine that is to be
    /// saved, and does nothing in any other.
    pub(crate) board: [&'static str; 2],
    /// The files that the emulator loads into a machine that boots a kernel, as observed with QEMU
    /// 7.2 to 11.1.
    pub(crate) firmware: &'static [&'static str],
    /// The kernel's name for the serial port of its console, which is the first one of the board.
    pub(crate) console: &'static str,
    /// Arguments with the serial port for recordings, which the file [`PORT_FILE`] receives.
    pub(crate) port: &'static str,
    /// The guest's name for that port.
    pub guest_port: &'static str,
    pub(crate) halted: Halted,
    /// The loader of shared libraries of its glibc.
    pub loader: &'static str,
    /// Where Debian has libraries of this architecture.
    pub libraries: [&'static str; 3],
    /// The package of Debian that installs its C library on machines of any architecture.
    pub libraries_package: &'static str,
}

/// Stands for a path in [`Architecture::port`].
pub(crate) const PORT_FILE: &str = "FILE";

/// How QEMU shows that a processor waits for an interrupt.
#[derive(Debug)]
pub(crate) enum Halted {
    /// By this text among its registers.
    Shown(&'static str),
    /// Its next instruction, at the address in the register of this name, follows this one.
    After { counter: &'static str, instruction: u32 },
}

/// The instruction sets of the lab, that of kernels without another mark first.
pub static ARCHITECTURES: [Architecture; 2] = [
    Architecture {
        name: "x86_64",
        title: "x86-64",
        debian: "amd64",
        suffix: "",
        image: Format::X86,
        elf_machine: 62,
        emulator: "qemu-system-x86_64",
        emulator_package: "qemu-system-x86",
        board: ["-cpu qemu64 -machine q35", "-device ib700"],
        // The BIOS, the option ROMs that load the kernel from its image or start it directly, and
        // one that belongs to the interrupt controller.
        firmware: &["bios-256k.bin", "linuxboot_dma.bin", "pvh.bin", "kvmvapic.bin"],
        console: "ttyS0",
        port: "-serial file:FILE",
        guest_port: "/dev/ttyS1",
        halted: Halted::Shown("HLT=1"),
        loader: "/lib64/ld-linux-x86-64.so.2",
        libraries: [
            "/lib/x86_64-linux-gnu",
            "/usr/lib/x86_64-linux-gnu",
            "/usr/x86_64-linux-gnu/lib",
        ],
        libraries_package: "libc6-amd64-cross",
    },
    Architecture {
        name: "aarch64",
        title: "64-bit Arm",
        debian: "arm64",
        suffix: "-arm64",
        image: Format::Plain { magic: *b"ARM\x64" },
        elf_machine: 183,
        emulator: "qemu-system-aarch64",
        emulator_package: "qemu-system-arm",
        // Older processors have no access flags in hardware: their kernel sets them in a fault, which
        // comes only after QEMU has dropped its copy of a translation, as it does by the host's time.
        board: ["-cpu cortex-a76 -machine virt", "-device i6300esb"],
        firmware: &[],
        console: "ttyAMA0",
        port: "-chardev file,id=port,path=FILE -device pci-serial,chardev=port",
        guest_port: "/dev/ttyS0",
        // WFI.
        halted: Halted::After { counter: "PC=", instruction: 0xd503_207f },
        loader: "/lib/ld-linux-aarch64.so.1",
        libraries: [
            "/lib/aarch64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/aarch64-linux-gnu/lib",
        ],
        libraries_package: "libc6-arm64-cross",
    },
];

/// The hardware of every machine, except what its architecture has: one CPU whose clock counts
/// instructions, at 4 ns each; a separate clock; a fixed seed for random numbers; a device that
/// interrupts on command; no network.
///
/// The run is recorded, to nowhere. While the CPU halts, QEMU's main loop advances the clock to the
/// next timer. On a busy host it may do so before the CPU's thread has counted the instructions up
/// to the halt, and then advances too far by these. A QEMU that records never runs both threads at
/// the same time (its `docs/devel/replay.rst`, "Locking and thread synchronisation").
///
/// Nothing else from outside may wake the main loop: it would come between an advance and the timer
/// to which it led. For a periodic timer of the HPET, which is armed again before it interrupts,
/// that makes a difference of some nanoseconds.
const CLOCK: &str = "-accel tcg -icount shift=2,sleep=off,rr=record,rrfile=/dev/null \
                     -rtc base=2020-01-01,clock=vm -seed 1";
const SIZE: &str = "-smp 1 -m 1024 -nodefaults -display none -device edu";

impl Architecture {
    /// Returns the one of this program.
    ///
    /// # Panics
    /// In a build for an instruction set that the lab does not have.
    pub fn here() -> &'static Self {
        let name = std::env::consts::ARCH;
        Self::named(name).expect("this program is built for an architecture of the lab")
    }

    /// Returns the folder in a root directory in which the loader is.
    pub(crate) fn loader_folder(&self) -> &'static str {
        let folder = self.loader.trim_start_matches('/').split('/').next();
        folder.unwrap_or_default()
    }

    fn named(name: &str) -> Option<&'static Self> {
        ARCHITECTURES.iter().find(|one| [one.name, one.debian].contains(&name))
    }

    /// Returns the one whose machine can boot this image, which must be complete; an error says why
    /// none can.
    pub(crate) fn of_image(image: &[u8]) -> Result<&'static Self, &'static str> {
        let found = ARCHITECTURES.iter().find(|one| one.image.is_of(image));
        let architecture = found.ok_or_else(|| what_else(image))?;
        architecture.image.check(image)?;
        Ok(architecture)
    }

    /// Returns the arguments with which every machine is started, except its files.
    pub fn machine(&self) -> String {
        let [board, watchdog] = self.board;
        format!("{CLOCK} {board} {SIZE} {watchdog} -no-reboot")
    }
}

impl PartialEq for Architecture {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Architecture {}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

impl FromStr for &'static Architecture {
    type Err = LabError;

    /// Reads Debian's name, or that of `uname -m`.
    fn from_str(text: &str) -> Result<Self, LabError> {
        Architecture::named(text).ok_or_else(|| LabError::BadArchitecture {
            text: text.to_owned(),
            known: ARCHITECTURES.iter().map(|one| one.debian).collect(),
        })
    }
}

impl Serialize for Architecture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Architecture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_has_its_own_names_and_can_be_read_back() {
        for one in &ARCHITECTURES {
            for name in [one.name, one.debian] {
                assert_eq!(name.parse::<&Architecture>().unwrap(), one);
            }
            let written = serde_json::to_string(one).unwrap();
            assert_eq!(serde_json::from_str::<&Architecture>(&written).unwrap(), one);
            assert!(one.port.contains(PORT_FILE) && one.loader.starts_with('/'), "{one}");
        }
        let differs = |of: fn(&Architecture) -> &str| {
            let all: BTreeSet<&str> = ARCHITECTURES.iter().map(of).collect();
            all.len() == ARCHITECTURES.len()
        };
        assert!(differs(|one| one.suffix) && differs(|one| one.emulator));
        let refused = "mips".parse::<&Architecture>().unwrap_err().to_string();
        assert!(refused.contains("amd64 or arm64"), "{refused}");
    }

    #[test]
    fn machines_differ_only_in_their_board() {
        let [first, second] = ARCHITECTURES.each_ref().map(|one| {
            let [board, watchdog] = one.board;
            one.machine().replace(board, "").replace(watchdog, "")
        });
        assert_eq!(first, second);
    }

    #[test]
    fn odd_images_are_read_or_refused() {
        let seeds = [
            testing::boot_image("6.1.0-9-rt-amd64 #1"),
            testing::arm_image("7.2-rt-arm64 (me@here) (gcc) #1"),
        ];
        testing::try_corpus(&seeds, 2_000, |input| {
            if let Ok(architecture) = Architecture::of_image(input) {
                assert!(architecture.image.version(input).len() <= input.len() * 3);
                assert_eq!(architecture.image.unpacked(input), None);
            }
        });
    }

    #[test]
    fn an_image_shows_its_architecture() {
        let found = |image: &[u8]| Architecture::of_image(image).map(|one| one.name);
        assert_eq!(found(&testing::boot_image("6.1")), Ok("x86_64"));
        assert_eq!(found(&testing::arm_image("6.1 (me) #1")), Ok("aarch64"));
    }
}
