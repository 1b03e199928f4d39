//! Collects the output of a process while it runs.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rt::thread::{start, wait_for};

/// At least this many of the last bytes are kept.
const KEPT: usize = 64 << 10;
/// How long the last output of an ended process may take: its children may hold the pipe open.
const SOON: Duration = Duration::from_secs(1);

/// One pipe, read to its end by a separate thread.
#[derive(Debug)]
pub(crate) struct Hearing {
    said: Arc<Mutex<Said>>,
    reader: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Said {
    last: Vec<u8>,
    bytes: u64,
}

impl Hearing {
    pub(crate) fn of(pipe: impl Read + Send + 'static) -> io::Result<Self> {
        let said = Arc::new(Mutex::new(Said::default()));
        let theirs = Arc::clone(&said);
        let reader = start("hear", move || read(pipe, &theirs))?;
        Ok(Self { said, reader })
    }

    /// Number of bytes received so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Returns the end of what was received so far.
    pub(crate) fn text(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said.last).into_owned()
    }

    /// Returns the end of the output of a process that has ended.
    pub(crate) fn last_words(&self) -> String {
        let is_over = || self.reader.is_finished().then_some(());
        wait_for(SOON, Duration::from_millis(1), is_over);
        self.text()
    }
}

fn read(mut pipe: impl Read, said: &Mutex<Said>) {
    let mut chunk = [0; 8 << 10];
    while let Ok(count @ 1..) = pipe.read(&mut chunk) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.bytes += count as u64;
        said.last.extend(&chunk[..count]);
        if let Some(more @ KEPT..) = said.last.len().checked_sub(KEPT) {
            said.last.drain(..more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_output_is_kept() {
        let much = std::iter::repeat_n(b"what is this\n", 100_000).flatten().copied();
        let said: Vec<u8> = much.chain(*b"the end").collect();
        let length = said.len() as u64;
        let hearing = Hearing::of(io::Cursor::new(said)).unwrap();
        let kept = hearing.last_words();
        assert!(kept.ends_with("the end") && (KEPT..=2 * KEPT).contains(&kept.len()));
        assert_eq!(hearing.bytes(), length);
    }
}
