//! Runs a program and collects its output within a limited time.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rt::ending::end_family;
use rt::process::die_together;
use rt::thread::{start, wait_for};

const LOOK_EVERY: Duration = Duration::from_millis(10);

pub(crate) struct Heard {
    /// Its exit status; `None` if it had to be ended.
    pub(crate) status: Option<ExitStatus>,
    /// What it wrote to standard output.
    pub(crate) output: String,
    /// What it wrote to standard error.
    pub(crate) words: String,
}

/// Runs a program without input until it ends, at most for `longest`. It is not left behind, not
/// even if this process is killed. At most `most` bytes of each output are read; a program that
/// prints more is ended.
///
/// # Errors
/// If it cannot be started; `NotFound` if it is missing.
pub(crate) fn hear(command: &mut Command, longest: Duration, most: u64) -> io::Result<Heard> {
    die_together(command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Guarded(command.spawn()?);
    let is_full = Arc::new(AtomicBool::new(false));
    let output = collect(child.0.stdout.take(), most, &is_full)?;
    let words = collect(child.0.stderr.take(), most, &is_full)?;
    let ended = || match is_full.load(Ordering::Relaxed) {
        true => Some(None),
        false => child.0.try_wait().transpose().map(Some),
    };
    let status = wait_for(longest, LOOK_EVERY, ended).flatten().transpose()?;
    drop(child);
    Ok(Heard {
        status,
        output: output.join().unwrap_or_default(),
        words: words.join().unwrap_or_default(),
    })
}

/// Reads a pipe while the program runs, because a full pipe would stop the program.
fn collect(
    pipe: Option<impl Read + Send + 'static>,
    most: u64,
    is_full: &Arc<AtomicBool>,
) -> io::Result<JoinHandle<String>> {
    let is_full = Arc::clone(is_full);
    start("collect", move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // Keep what came before an error.
            let _ = pipe.take(most).read_to_end(&mut bytes);
        }
        is_full.fetch_or(bytes.len() as u64 >= most, Ordering::Relaxed);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A child that is ended when dropped, with what it has started: a script may have started the
/// emulator.
#[derive(Debug)]
pub(crate) struct Guarded(pub(crate) Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        end_family(&mut self.0);
    }
}
