//! Kernel-space stress: system calls, processes, pipes and memory maps (FRA 4.1).

use std::io::{self, PipeReader, PipeWriter, Read, Write};

use rt::mapping::Mapping;
use rt::process::fork_and_wait;
use rustix::process::getppid;

use crate::Load;

const CALLS: usize = 1_000;
/// Messages through the pipe per round, one page each.
const MESSAGES: usize = 100;
const PAGE: usize = 4096;
/// Memory mapped, touched and unmapped per round, in bytes.
const MAPPED: usize = 64 * PAGE;

pub(crate) const LOAD: Load = Load {
    name: "kernel",
    summary: "system calls, fork and exit, pipes and memory mappings; in turn",
    unit: |_| "rounds of system calls, fork, pipe and mmap",
    prepare: |_, _| {
        let mut pipe = io::pipe().map_err(|error| format!("pipe: {error}"))?;
        Ok(Box::new(move || round(&mut pipe).map_err(|(call, error)| format!("{call}: {error}"))))
    },
    ..Load::PLAIN
};

fn round(pipe: &mut (PipeReader, PipeWriter)) -> Result<u64, (&'static str, io::Error)> {
    for _ in 0..CALLS {
        let _ = getppid();
    }
    fork_and_wait().map_err(|error| ("fork", error))?;
    through(pipe).map_err(|error| ("pipe", error))?;
    let mut memory = Mapping::new(MAPPED).map_err(|error| ("mmap", error))?;
    memory.touch(0..MAPPED);
    Ok(1)
}

/// Sends messages that an empty pipe accepts without waiting.
fn through((reader, writer): &mut (PipeReader, PipeWriter)) -> io::Result<()> {
    let mut message = [0; PAGE];
    for _ in 0..MESSAGES {
        writer.write_all(&message)?;
        reader.read_exact(&mut message)?;
    }
    Ok(())
}
