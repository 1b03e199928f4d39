//! The guest's side: the first process of a machine makes its runs, hands their
//! recordings over, and switches the machine off.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use plan::{RunSpec, write_recording};
use rt::boot;
use rt::serial::SerialPort;

use super::files::FOLDER;
use super::port::Message;
use crate::{Local, Target};

/// Where the host puts the runs.
pub(super) const RUNS: &str = "runs.json";
/// Virtual time after which nothing of the boot is going on any more.
const SETTLE: Duration = Duration::from_secs(5);
const PORT: &str = "/dev/ttyS1";
/// Kernels lack some of these; what is missing then is for the runs to say.
const FILE_SYSTEMS: &[(&str, &str)] = &[
    ("proc", "/proc"),
    ("sysfs", "/sys"),
    ("devtmpfs", "/dev"),
    ("mqueue", "/dev/mqueue"),
    ("tmpfs", "/dev/shm"),
    ("tmpfs", "/tmp"),
    ("tmpfs", "/run"),
    ("tmpfs", "/var/tmp"),
    ("debugfs", "/sys/kernel/debug"),
    ("securityfs", "/sys/kernel/security"),
    ("tracefs", "/sys/kernel/tracing"),
];
/// Tells `uio_pci_generic` that it may have QEMU's `edu` device.
const EDU: (&str, &str) = ("/sys/bus/pci/drivers/uio_pci_generic/new_id", "1234 11e8");

/// The role of the first process: makes every run of its list, or says how the knobs stand where it
/// is empty, and switches the machine off.
///
/// # Errors
/// When there is no way to tell the host anything.
pub fn serve_guest() -> Result<(), String> {
    prepare();
    let failed = |error: std::io::Error| format!("{PORT}: {error}");
    let port = SerialPort::open(Path::new(PORT)).map_err(failed)?;
    let say = |message: &Message| port.send_all(&message.to_bytes()).map_err(failed);
    say(&Message::Hello)?;
    thread::sleep(SETTLE);
    let runs = runs()?;
    if runs.is_empty() {
        say(&knobs())?;
    }
    for (number, spec) in (0..).zip(runs) {
        say(&Message::Begun(number))?;
        say(&made(number, &spec))?;
    }
    say(&Message::Done)?;
    boot::power_off().map_err(|error| format!("the machine stays on: {error}"))
}

/// What the runs find is what the kernel has: a file system or module that it refuses is
/// missed by the runs that need it, and they say so.
fn prepare() {
    for (kind, at) in FILE_SYSTEMS {
        let _ = boot::mount(kind, Path::new(at));
    }
    for module in modules() {
        let _ = boot::load_module(&module);
    }
    let _ = fs::write(EDU.0, EDU.1);
    let _ = boot::loopback_up();
}

fn modules() -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir("/modules").into_iter().flatten();
    let mut modules: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    modules.sort();
    modules
}

fn runs() -> Result<Vec<RunSpec>, String> {
    let text = fs::read(format!("/{RUNS}")).map_err(|error| format!("/{RUNS}: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("/{RUNS}: {error}"))
}

/// How the knobs of this machine stand, or why that is not told.
fn knobs() -> Message {
    let told = Local::default().knobs(&mut || true);
    let bytes = told.map(|told| serde_json::to_vec(&told).unwrap_or_default());
    bytes.map_or_else(|why| Message::Failed(0, why.to_string()), Message::Knobs)
}

fn made(number: u32, spec: &RunSpec) -> Message {
    let here = Local::with_files(Path::new("/").join(FOLDER));
    let arrived = match here.run(spec, &mut || true) {
        Ok(arrived) => arrived,
        Err(why) => return Message::Failed(number, why.to_string()),
    };
    let mut bytes = Vec::new();
    match write_recording(arrived.recording(), &mut bytes) {
        Ok(()) => Message::Recorded(number, bytes),
        Err(why) => Message::Failed(number, why.to_string()),
    }
}
