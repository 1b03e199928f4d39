//! An own trace instance on the measured CPUs, read by a thread apart.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Error, ErrorKind, Read};

use blame::trace::{CALLS, Decoder, Entry, NEEDED, events};
use blame::{What, Window, trace_track};
use plan::Track;
use probe::reason;
use rt::tracefs::{self, Instance};
use rt::{clock, read, sched};
use syscalls::Sysno;
use units::CpuSet;

use super::keeper::Keeper;

/// Room for events of each measured CPU between two reads, and of each other one, which
/// has none.
const BUFFER_KIB: &str = "2048";
const SMALLEST_BUFFER_KIB: &str = "8";
/// Pages that are read of a CPU in one go; a CPU that writes faster does not keep the
/// others waiting.
const PAGES_A_ROUND: usize = 1024;

/// A trace that is set up.
pub(super) struct Tracing {
    cpus: CpuSet,
    pages: Vec<(i64, File)>,
    buffer: Vec<u8>,
    decoder: Decoder,
    keeper: Keeper,
    /// Dropped last: it can only be removed when its files are closed.
    instance: Instance,
}

impl Tracing {
    /// Sets a trace up on these CPUs, with the system calls of threads whose names are of this
    /// pattern; it does not run yet.
    ///
    /// # Errors
    /// Why there can be none, and what mends it.
    pub(super) fn set_up(cpus: &CpuSet, calls_of: Option<&str>) -> Result<Self, String> {
        if !clock::is_of_linux() {
            let why = "stamps are of the real-time core's own clock, a trace's of Linux's";
            return Err(why.to_owned());
        }
        let root = tracefs::mounted()
            .map_or_else(tracefs::mount_privately, Ok)
            .map_err(|error| refused("tracefs cannot be mounted", &error))?;
        // Also where this is the first to see it, mounted for itself alone.
        let _ = tracefs::remove_left_over(&root);
        let instance =
            Instance::create(&root).map_err(|error| refused("a trace cannot be made", &error))?;
        configure(&instance, cpus, calls_of)?;
        let text = |file: &str| tracefs::described(&root.join("events").join(file));
        let decoder = Decoder::new(text)?;
        let page_kib = instance.get("buffer_subbuf_size_kb");
        let page_kib = page_kib.and_then(|kib| kib.trim().parse().ok());
        let pages = cpus
            .iter()
            .map(|cpu| Ok((cpu as i64, instance.pages(cpu)?)))
            .collect::<std::io::Result<_>>()
            .map_err(|error| format!("its buffers cannot be read: {}", reason(&error)))?;
        Ok(Self {
            instance,
            cpus: cpus.clone(),
            pages,
            buffer: vec![0; page_kib.unwrap_or(4usize) << 10],
            decoder,
            keeper: Keeper::default(),
        })
    }

    /// Starts with empty buffers.
    ///
    /// # Errors
    /// The kernel's.
    pub(super) fn go(&self) -> Result<(), String> {
        self.instance
            .set("trace", "")
            .and_then(|()| self.turn(true))
            .map_err(|error| format!("tracing cannot be turned on: {}", reason(&error)))
    }

    /// Turns tracing on or off.
    pub(super) fn turn(&self, on: bool) -> std::io::Result<()> {
        self.instance.set("tracing_on", if on { "1" } else { "0" })
    }

    /// Reads what there is, and keeps what belongs to something late.
    pub(super) fn read(&mut self) {
        for (cpu, pages) in &mut self.pages {
            for _ in 0..PAGES_A_ROUND {
                // An empty buffer would block, which is told as an error.
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
            let is_it = comm.is_some() && comm.as_ref() == names.tasks.get(&task);
            let policy = || sched::policy_of(i32::try_from(task).ok()?).ok();
            if let (true, Some(policy)) = (is_it, policy()) {
                names.policies.insert(task, policy.to_string());
            }
        }
    }

    /// Ends the trace, and returns what was kept of it; the events' track is the first.
    pub(super) fn finish(mut self) -> Vec<Track> {
        // Where it cannot be turned off, its removal ends it.
        let _ = self.turn(false);
        self.read();
        self.read();
        let lost: i64 = self.cpus.iter().map(|cpu| lost(&self.instance, cpu)).sum();
        let (windows, not_kept) = self.keeper.finish();
        let mut names = self.decoder.names;
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

/// The system calls of a window, by their numbers on this machine.
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

/// What was refused and why, with the remedy where it is a right that is missing.
fn refused(what: &str, error: &Error) -> String {
    let remedy = match error.kind() {
        ErrorKind::PermissionDenied => "; run it with `sudo`",
        _ => "",
    };
    format!("{what} ({}){remedy}", reason(error))
}

/// The tasks of an event.
fn tasks(what: What) -> Vec<i64> {
    match what {
        What::Switch { from, to, .. } => vec![from, to],
        What::Waking { task, .. } => vec![task],
        _ => Vec::new(),
    }
}

/// Its clock is that of all stamps; only measured CPUs take part.
fn configure(instance: &Instance, cpus: &CpuSet, calls_of: Option<&str>) -> Result<(), String> {
    let set = |file: &str, text: &str| {
        let refused = |error| format!("tracing cannot be set up: {}", reason(&error));
        instance.set(file, text).map_err(refused)
    };
    set("tracing_on", "0")?;
    set("trace_clock", "mono")?;
    set("tracing_cpumask", &mask(cpus))?;
    set("buffer_size_kb", SMALLEST_BUFFER_KIB)?;
    for cpu in cpus.iter() {
        set(&format!("per_cpu/cpu{cpu}/buffer_size_kb"), BUFFER_KIB)?;
    }
    for event in events() {
        if CALLS.contains(&event.as_str()) && !are_only_of(instance, &event, calls_of) {
            continue;
        }
        let enabled = set(&format!("events/{event}/enable"), "1");
        // Not every kernel has all of them.
        if NEEDED.contains(&event.as_str()) {
            enabled?;
        }
    }
    Ok(())
}

/// Has the kernel tell the system calls of these threads alone, before it tells any.
fn are_only_of(instance: &Instance, event: &str, threads: Option<&str>) -> bool {
    threads.is_some_and(|threads| {
        let filter = format!("comm ~ \"{threads}\"");
        let file = format!("events/{event}/filter");
        instance.set(&file, &filter).is_ok()
    })
}

/// CPUs as the kernel takes a mask: groups of 32 in hexadecimal, the highest first.
fn mask(cpus: &CpuSet) -> String {
    let highest = cpus.iter().last().unwrap_or(0) / 32;
    let group = |group: usize| {
        let of_group = cpus.iter().filter(|cpu| cpu / 32 == group);
        let bits = of_group.fold(0u32, |bits, cpu| bits | 1 << (cpu % 32));
        format!("{bits:x}").to_owned()
    };
    let groups: Vec<String> = (0..=highest)
        .rev()
        .map(|number| {
            let bits = group(number);
            match number == highest {
                true => bits,
                false => format!("{bits:0>8}"),
            }
        })
        .collect();
    groups.join(",")
}

/// Events of a CPU that its buffer had no room for.
fn lost(instance: &Instance, cpu: usize) -> i64 {
    let stats = instance.get(&format!("per_cpu/cpu{cpu}/stats"));
    let stats = stats.unwrap_or_default();
    let count = |name: &str| {
        let line = stats.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|count| count.trim().parse::<i64>().ok())
    };
    ["overrun:", "dropped events:", "commit overrun:"].iter().filter_map(|name| count(name)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_written_as_the_kernel_reads_them() {
        for (cpus, text) in [("0", "1"), ("0-3,5", "2f"), ("1,33", "2,00000002")] {
            assert_eq!(mask(&cpus.parse().unwrap()), text);
        }
    }

    #[test]
    fn a_trace_that_is_refused_says_what_mends_it() {
        let told = |error| refused("a trace cannot be made", &Error::from(error));
        let denied = told(ErrorKind::PermissionDenied);
        assert!(denied.contains("permission denied") && denied.contains("sudo"));
        assert!(!told(ErrorKind::NotFound).contains("sudo"));
    }
}
