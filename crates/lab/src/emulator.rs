//! A program that is started, heard and ended within a bounded time.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use rt::process::die_together;
use rt::thread::{start, wait_for};

const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What a program did.
pub(crate) struct Heard {
    /// How it ended; `None` for one that had to be ended.
    pub(crate) status: Option<ExitStatus>,
    /// What it wrote to standard output.
    pub(crate) output: String,
    /// What it wrote to standard error.
    pub(crate) words: String,
}

/// Runs a program without input until it ends, at most for so long; neither then nor
/// when this process is killed is it left behind. At most so many bytes of each
/// output are read.
///
/// # Errors
/// When it cannot be started: `NotFound` without it.
pub(crate) fn hear(command: &mut Command, longest: Duration, most: u64) -> io::Result<Heard> {
    die_together(command);
    let mut child =
        Ended(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?);
    let output = collect(child.0.stdout.take(), most)?;
    let words = collect(child.0.stderr.take(), most)?;
    let status = child.within(longest)?;
    drop(child);
    Ok(Heard {
        status,
        output: output.join().unwrap_or_default(),
        words: words.join().unwrap_or_default(),
    })
}

/// Reads both pipes while the program lives: a full one would stop it.
fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> io::Result<JoinHandle<String>> {
    start("collect", move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What came before an error is what was heard.
            let _ = pipe.take(most).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A child that is ended when dropped.
struct Ended(Child);

impl Ended {
    fn within(&mut self, longest: Duration) -> io::Result<Option<ExitStatus>> {
        wait_for(longest, LOOK_EVERY, || self.0.try_wait().transpose()).transpose()
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        // Both fail only for one that has ended and been waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
