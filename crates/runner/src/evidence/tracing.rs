//! A separate trace instance on the measured CPUs, read by a separate thread.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use base::CpuSet;
use blame::trace::{CALLS, Decoder, Entry, NEEDED, events};
use blame::{What, Window, trace_track};
use measure::reason;
use record::Track;
use rt::tracefs::{self, Instance};
use rt::{clock, read, sched};
use syscalls::Sysno;

use super::keeper::Keeper;

/// For each measured CPU, whose events between two reads must fit; others have no events.
const BUFFER_KIB: &str = "2048";
const SMALLEST_BUFFER_KIB: &str = "8";
/// Pages read per CPU and round, so that a CPU that writes faster does not make the others wait.
const PAGES_A_ROUND: usize = 1024;

pub(super) struct Tracing {
    cpus: CpuSet,
    pages: Vec<(i64, File)>,
    buffer: Vec<u8>,
    decoder: Decoder,
    keeper: Keeper,
    /// Threads of Steadfast's processes, with the names under which they are shown.
    own: BTreeMap<i64, String>,
    /// Events lost up to the last time that events were handed over.
    lost_before: i64,
    /// Dropped last: the instance can only be removed after its files are closed.
    instance: Instance,
}

impl Tracing {
    /// Configures a trace, with the system calls of threads of this pattern. It does not run yet.
    pub(super) fn set_up(cpus: &CpuSet, calls_of: Option<&str>) -> Result<Self, String> {
        if !clock::is_of_linux() {
            let why = "time stamps are from the real-time core's own clock, but a trace's are from Linux's";
            return Err(why.to_owned());
        }
        let root = tracefs::found_or_mounted()
            .map_err(|error| refused("tracefs cannot be mounted", &error))?;
        // Removes leftover instances even if tracefs was mounted just now, for this process alone.
        let _ = tracefs::remove_left_over(&root);
        let instance = Instance::create(&root)
            .map_err(|error| refused("a trace instance cannot be created", &error))?;
        configure(&instance, cpus, calls_of)?;
        let text = |file: &str| tracefs::described(&root.join("events").join(file));
        let decoder = Decoder::new(text)?;
        let page_kib = instance.get("buffer_subbuf_size_kb");
        let page_kib = page_kib.and_then(|kib| kib.trim().parse().ok());
        let pages = cpus
            .iter()
            .map(|cpu| Ok((cpu as i64, instance.pages(cpu)?)))
            .collect::<std::io::Result<_>>()
            .map_err(|error| format!("the trace buffers cannot be read: {}", reason(&error)))?;
        Ok(Self {
            instance,
            cpus: cpus.clone(),
            pages,
            buffer: vec![0; page_kib.unwrap_or(4usize) << 10],
            decoder,
            keeper: Keeper::default(),
            own: BTreeMap::new(),
            lost_before: 0,
        })
    }

    pub(super) fn go(&self) -> Result<(), String> {
        self.instance
            .set("trace", "")
            .and_then(|()| self.turn(true))
            .map_err(|error| format!("tracing cannot be turned on: {}", reason(&error)))
    }

    pub(super) fn turn(&self, on: bool) -> std::io::Result<()> {
        self.instance.set("tracing_on", if on { "1" } else { "0" })
    }

    /// Reads the available pages, and keeps what belongs to late samples.
    pub(super) fn read(&mut self) {
        for (cpu, pages) in &mut self.pages {
            for _ in 0..PAGES_A_ROUND {
                // Reading an empty buffer returns an error, because it would block.
                let Ok(count @ 1..) = pages.read(&mut self.buffer) else {
                    break;
                };
                let keeper = &mut self.keeper;
                self.decoder.read(*cpu, &self.buffer[..count], |entry| match entry {
                    Entry::Event(event) => keeper.event(event),
                    Entry::Mark(mark, task) => keeper.mark(mark, task, *cpu),
                });
            }
        }
        let names = &mut self.decoder.names;
        for task in self.keeper.settle() {
            let comm = read::text(format!("/proc/{task}/comm"));
            let Some(name) = comm.filter(|comm| Some(comm) == names.tasks.get(&task)) else {
                continue;
            };
            let policy = || sched::policy_of(i32::try_from(task).ok()?).ok();
            if let Some(policy) = policy().filter(|policy| policy.is_real_time()) {
                names.policies.insert(task, policy.to_string());
            }
            self.own.extend(owned(task, &name).map(|name| (task, name)));
        }
    }

    /// Returns what was kept since the last call; the first track is that of the events.
    pub(super) fn hand_over(&mut self) -> Vec<Track> {
        self.read();
        self.read();
        let lost_in_all: i64 = self.cpus.iter().map(|cpu| lost(&self.instance, cpu)).sum();
        let lost = lost_in_all - std::mem::replace(&mut self.lost_before, lost_in_all);
        let (windows, not_kept) = self.keeper.hand_over();
        let mut names = self.decoder.names.clone();
        names.tasks.extend(self.own.clone());
        let used: BTreeSet<i64> = windows
            .iter()
            .flat_map(|window| window.events.iter().flat_map(|event| tasks(event.what)))
            .collect();
        names.tasks.retain(|task, _| used.contains(task));
        names.policies.retain(|task, _| used.contains(task));
        names.calls = windows.iter().flat_map(calls).collect();
        let [trace, windows] = trace_track(&windows, &names);
        let trace = trace.with("lost", lost).with("not_kept", not_kept);
        vec![trace, windows]
    }
}

/// Returns the system calls of a window, by their numbers on this machine.
fn calls(window: &Window) -> impl Iterator<Item = (i64, String)> {
    let numbers = window.events.iter().filter_map(|event| match event.what {
        What::Call { number, .. } => Some(number),
        _ => None,
    });
    numbers.filter_map(|number| {
        let name = Sysno::new(usize::try_from(number).ok()?)?.name();
        Some((number, name.to_owned()))
    })
}

/// Describes what was refused and why, with the remedy if a permission is missing.
fn refused(what: &str, error: &Error) -> String {
    let is_denied = error.kind() == ErrorKind::PermissionDenied;
    let remedy = if is_denied { "; run it as root, with `sudo`, outside a container" } else { "" };
    format!("{what} ({}){remedy}", reason(error))
}

/// Describes a thread of Steadfast, which may be of another process than this one.
fn owned(task: i64, name: &str) -> Option<String> {
    const PROGRAM: &str = "steadfast";
    let status = read::text(format!("/proc/{task}/status"))?;
    let process = (status.lines()).find_map(|line| line.strip_prefix("Tgid:"))?;
    let line = read::text(format!("/proc/{task}/cmdline"))?;
    let program = Path::new(line.split('\0').next()?).file_name()?;
    (program == PROGRAM).then(|| format!("{PROGRAM} {}, {name}", process.trim()))
}

fn tasks(what: What) -> Vec<i64> {
    match what {
        What::Switch { from, to, .. } => vec![from, to],
        What::Waking { task, .. } | What::Priority { task, .. } => vec![task],
        _ => Vec::new(),
    }
}

/// Uses the clock of all time stamps, and traces only the measured CPUs.
fn configure(instance: &Instance, cpus: &CpuSet, calls_of: Option<&str>) -> Result<(), String> {
    let set = |file: &str, text: &str| {
        let refused = |error| format!("tracing cannot be set up: {}", reason(&error));
        instance.set(file, text).map_err(refused)
    };
    set("tracing_on", "0")?;
    set("trace_clock", "mono")?;
    set("tracing_cpumask", &cpus.mask())?;
    set("buffer_size_kb", SMALLEST_BUFFER_KIB)?;
    for cpu in cpus.iter() {
        set(&format!("per_cpu/cpu{cpu}/buffer_size_kb"), BUFFER_KIB)?;
    }
    for event in events() {
        if CALLS.contains(&event.as_str()) && !are_only_of(instance, &event, calls_of) {
            continue;
        }
        let enabled = set(&format!("events/{event}/enable"), "1");
        // Not every kernel has all of these events.
        if NEEDED.contains(&event.as_str()) {
            enabled?;
        }
    }
    Ok(())
}

/// Traces system calls of these threads only; must succeed before the events are enabled.
fn are_only_of(instance: &Instance, event: &str, threads: Option<&str>) -> bool {
    let file = format!("events/{event}/filter");
    threads.is_some_and(|name| instance.set(&file, &format!("comm ~ \"{name}\"")).is_ok())
}

/// Returns the number of events of a CPU for which its buffer had no room.
fn lost(instance: &Instance, cpu: usize) -> i64 {
    let stats = instance.get(&format!("per_cpu/cpu{cpu}/stats")).unwrap_or_default();
    let count = |name: &str| {
        let line = stats.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|count| count.trim().parse::<i64>().ok())
    };
    ["overrun:", "dropped events:", "commit overrun:"].iter().filter_map(|name| count(name)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    #[test]
    fn a_thread_of_steadfast_is_described_with_its_process() {
        let described = |program: &str| {
            let mut command = Command::new("cat");
            command.arg0(program).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // `spawn` can return before the kernel has the new command line; an answer comes later.
            child.stdin.as_mut().unwrap().write_all(b"?").unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let description = owned(i64::from(child.id()), "CPU 0");
            child.kill().and_then(|()| child.wait()).unwrap();
            description.map(|text| text.replace(&child.id().to_string(), "N"))
        };
        let expected = Some("steadfast N, CPU 0".to_owned());
        assert_eq!(described("/opt/steadfast"), expected);
        assert_eq!(described("cat"), None);
    }

    #[test]
    fn a_refused_trace_names_the_remedy() {
        let message = |error| refused("a trace instance cannot be created", &Error::from(error));
        let denied = message(ErrorKind::PermissionDenied);
        assert!(denied.contains("permission denied") && denied.contains("sudo"));
        assert!(!message(ErrorKind::NotFound).contains("sudo"));
    }
}
