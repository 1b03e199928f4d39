//! The guest's side: the first process makes the runs, passes recordings on, and switches off.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use lab::{Architecture, REQUEST};
use record::{RunSpec, Warning, write_recording};
use rt::boot;
use rt::emulated::{EmulatedDevices, WATCHDOG_SECONDS};
use rt::preemption::listed;
use rt::serial::SerialPort;

use super::edu::EduPlace;
use super::files::FOLDER;
use super::port::Message;
use crate::{Local, Target};

/// The file in which the host puts the runs of a guest that cannot read a request.
pub(super) const RUNS: &str = "runs.json";
/// Virtual time after which all activity of the boot is over.
const SETTLE: Duration = Duration::from_secs(5);
const WATCHDOG: Duration = Duration::from_secs(WATCHDOG_SECONDS);
/// Virtual time after the moment at which a machine can be saved: the processor still halts then.
const AFTER: Duration = Duration::from_millis(100);
/// The models of a dynamic kernel, with the active one in parentheses.
const PREEMPTION: &str = "/sys/kernel/debug/sched/preempt";
/// Variables that every kernel passes to its first process.
const OF_EVERY_KERNEL: [&str; 2] = ["HOME", "TERM"];
/// Some kernels lack some of these; the runs that need them report that.
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
/// Makes `uio_pci_generic` accept QEMU's `edu` device.
const EDU: (&str, &str) = ("/sys/bus/pci/drivers/uio_pci_generic/new_id", "1234 11e8");

/// Devices of serial ports, from Linux 6.5 on. Each is suspended half a second after a message was sent, by a timer that
/// would lengthen what a run measures at that moment.
const SERIAL_DEVICES: &str = "/sys/bus/serial-base/devices";

/// The role of the first process: makes all runs of its list, or reports the state of the knobs if
/// the list is empty, then switches the machine off.
///
/// # Errors
/// If nothing can be reported to the host, or the kernel refuses a module.
pub fn serve_guest() -> Result<(), String> {
    prepare()?;
    let port = Architecture::here().guest_port;
    let failed = |error: std::io::Error| format!("{port}: {error}");
    let port = SerialPort::open(Path::new(port)).map_err(failed)?;
    let say = |message: &Message| port.send_all(&message.to_bytes()).map_err(failed);
    say(&Message::Hello)?;
    let request = match settle() {
        Ok(request) => request,
        Err(why) => {
            say(&Message::Deaf(why))?;
            return switch_off();
        }
    };
    let (wait_ns, runs): (u64, Vec<RunSpec>) =
        serde_json::from_slice(&request).map_err(|error| format!("the request: {error}"))?;
    thread::sleep(Duration::from_nanos(wait_ns));
    let refused = refused_parameters();
    if runs.is_empty() {
        say(&knobs())?;
    }
    for (number, spec) in (0..).zip(runs) {
        say(&Message::Begun(number))?;
        say(&made(number, &spec, &refused))?;
    }
    say(&Message::Done)?;
    switch_off()
}

fn switch_off() -> Result<(), String> {
    boot::power_off().map_err(|error| format!("the machine could not be switched off: {error}"))
}

/// Mounts file systems and loads modules. A file system that the kernel refuses is not an error
/// here: runs that need it report that. But a module was added on purpose.
fn prepare() -> Result<(), String> {
    for (kind, at) in FILE_SYSTEMS {
        let _ = boot::mount(kind, Path::new(at));
    }
    load_modules()?;
    let _ = fs::write(EDU.0, EDU.1);
    let _ = boot::loopback_up();
    keep_serial_ports_on();
    Ok(())
}

fn keep_serial_ports_on() {
    for device in fs::read_dir(SERIAL_DEVICES).into_iter().flatten().flatten() {
        let _ = fs::write(device.path().join("power/control"), "on");
    }
}

fn load_modules() -> Result<(), String> {
    let entries = fs::read_dir("/modules").into_iter().flatten();
    let mut modules: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    modules.sort();
    let command_line = fs::read_to_string("/proc/cmdline").unwrap_or_default();
    for path in modules {
        let name = name_of(&path);
        boot::load_module(&path, &parameters_of(&name, &command_line))
            .map_err(|why| format!("the kernel refused the module {name}: {why}"))?;
    }
    Ok(())
}

/// Returns the name of a module whose file has its place in the order: `01-rtai_sched.ko`.
fn name_of(path: &Path) -> String {
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    file.split_once('-').map_or(&*file, |(_, name)| name).to_owned()
}

/// Returns the parameters for a module on the kernel's command line, as modprobe(8) reads them:
/// `NAME.PARAMETER=VALUE`, in which `-` and `_` are equivalent.
fn parameters_of(module: &str, command_line: &str) -> String {
    let own = |word: &str| {
        let (name, parameter) = word.split_once('.')?;
        let is_own = name.replace('-', "_") == module.replace('-', "_");
        is_own.then(|| parameter.to_owned())
    };
    let own: Vec<String> = command_line.split_whitespace().filter_map(own).collect();
    own.join(" ")
}

/// Waits until all activity of the boot is over, and returns the request: the file with the runs, or
/// else what QEMU hands over. Before that, a machine that is to be saved stops.
fn settle() -> Result<Vec<u8>, String> {
    if let Ok(runs) = fs::read(format!("/{RUNS}")) {
        thread::sleep(SETTLE);
        return Ok(runs);
    }
    let in_words = |error| format!("the kernel refuses it QEMU's devices: {error}");
    let devices = EmulatedDevices::open().map_err(in_words)?;
    let edu = EduPlace::remember();
    thread::sleep(SETTLE - WATCHDOG);
    devices.start_watchdog().map_err(in_words)?;
    thread::sleep(WATCHDOG + AFTER);
    edu.iter().for_each(EduPlace::put_back);
    devices.read_file(REQUEST).ok_or_else(|| "QEMU hands no request over".to_owned())
}

/// Returns the state of this machine's knobs, or why it is unknown.
fn knobs() -> Message {
    let found = Local::default().knobs(&mut || true);
    let bytes = found.map(|found| serde_json::to_vec(&found).unwrap_or_default());
    bytes.map_or_else(|why| Message::Failed(0, why.to_string()), Message::Knobs)
}

/// Returns a warning for each parameter that the kernel did not take. It passes these on to its
/// first process, which is this one: `NAME=VALUE` in the environment, other words as arguments.
fn refused_parameters() -> Vec<Warning> {
    let listed = fs::read_to_string(PREEMPTION).unwrap_or_default();
    let arguments: Vec<OsString> = env::args_os().collect();
    refused(env::vars_os(), &arguments, &listed)
}

fn refused(
    environment: impl Iterator<Item = (OsString, OsString)>,
    arguments: &[OsString],
    models: &str,
) -> Vec<Warning> {
    let named = environment.filter(|(name, _)| OF_EVERY_KERNEL.iter().all(|own| name != own));
    let named = named
        .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()));
    // The first word is the program's name, the last one its role.
    let words = arguments.get(1..arguments.len().saturating_sub(1)).unwrap_or_default();
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let warning = |parameter: String| {
        let models = if parameter.starts_with("preempt=") { listed(models) } else { Vec::new() };
        let models = models.into_iter().map(str::to_owned).collect();
        Warning::ParameterRefused { parameter, models }
    };
    named.chain(words).map(warning).collect()
}

fn made(number: u32, spec: &RunSpec, refused: &[Warning]) -> Message {
    let here = Local::with_files(Path::new("/").join(FOLDER));
    let mut arrived = match here.run(spec, &mut || true) {
        Ok(arrived) => arrived,
        Err(why) => return Message::Failed(number, why.to_string()),
    };
    arrived.recording.warnings.extend_from_slice(refused);
    let mut bytes = Vec::new();
    match write_recording(&arrived.recording, &mut bytes) {
        Ok(()) => Message::Recorded(number, bytes),
        Err(why) => Message::Failed(number, why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_passes_on_was_refused() {
        let pair = |(name, value): (&str, &str)| (OsString::from(name), OsString::from(value));
        let environment = [("HOME", "/"), ("preempt", "none"), ("TERM", "linux"), ("a", "b=c")];
        let arguments = ["/steadfast", "threadirqz", "role-guest"].map(OsString::from);
        let told = refused(environment.map(pair).into_iter(), &arguments, "full (lazy)\n");
        let models = vec!["full".to_owned(), "lazy".to_owned()];
        let warning = |parameter: &str, models| Warning::ParameterRefused {
            parameter: parameter.to_owned(),
            models,
        };
        let expected = [
            warning("preempt=none", models),
            warning("a=b=c", vec![]),
            warning("threadirqz", vec![]),
        ];
        assert_eq!(told, expected);
        assert_eq!(refused([].into_iter(), &[], ""), []);
    }

    #[test]
    fn a_modules_parameters_are_read_from_the_kernels_command_line() {
        let line = "quiet rtai_hal.clock=1000 my-module.a=1 other.b=2 my_module.c x.y.z=3";
        for (file, parameters) in [
            ("/modules/00-rtai_hal.ko", "clock=1000"),
            ("/modules/11-my-module.ko", "a=1 c"),
            ("/modules/02-x.ko", "y.z=3"),
            ("/modules/03-quiet.ko", ""),
        ] {
            assert_eq!(parameters_of(&name_of(Path::new(file)), line), parameters);
        }
    }
}
