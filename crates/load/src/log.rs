//! Log load: writes lines into the kernel's log, which a serial console prints with interrupts off.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::Duration;

use crate::kind::not_writable;
use crate::{Load, Processes};

/// The kernel's log: man 4 `kmsg`.
const LOG: &str = "/dev/kmsg";
/// At most 50 lines per second, so that other messages stay in the log for a while.
const REST: Duration = Duration::from_millis(20);

pub(crate) const LOAD: Load = Load {
    name: "log",
    summary: "writes 50 harmless lines per second into the kernel's log, and so to its consoles",
    unit: |_| "lines in the kernel's log",
    processes: Processes::One,
    needs: Some("root"),
    is_aggressor: true,
    lacks: |_| not_writable(LOG),
    prepare: |_, _| {
        not_writable(LOG).map_or(Ok(()), Err)?;
        let mut lines = 0;
        Ok(Box::new(move || {
            lines += 1;
            write(lines).map_err(|error| format!("{LOG}: {error}"))?;
            std::thread::sleep(REST);
            Ok(1)
        }))
    },
    ..Load::PLAIN
};

/// The kernel drops more than ten lines in five seconds of an opened file: each line opens it.
fn write(number: u64) -> io::Result<()> {
    let line = format!("<6>steadfast: background load `log`, line {number}, means nothing\n");
    OpenOptions::new().write(true).open(LOG)?.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{Mode, OFlags};
    use std::fs::File;
    use std::io::{Read, Seek, SeekFrom};
    use testing::skip;

    #[test]
    fn every_line_is_in_the_log() {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let log = rustix::fs::open(LOG, flags, Mode::empty());
        let mut work = match (LOAD.prepare)("", u64::MAX) {
            Ok(work) => work,
            Err(why) => return skip(&why),
        };
        let Ok(log) = log else { return skip("needs the right to read the kernel's log") };
        let mut log = File::from(log);
        log.seek(SeekFrom::End(0)).unwrap();
        let done: u64 = (0..15).map(|_| work().unwrap()).sum();
        let (mut record, mut found) = ([0; 8192], 0);
        while let Ok(length) = log.read(&mut record) {
            let text = String::from_utf8_lossy(&record[..length]);
            found += u64::from(text.contains("background load `log`"));
        }
        assert!(found >= done && done == 15, "{found}");
    }
}
