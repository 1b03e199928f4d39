//! Standard output and standard error, whose readers may leave.

use std::io::{self, Write, stderr, stdout};

use anyhow::Result;
use units::{shown, shown_lines};

/// Writes text to standard output at once; what came from elsewhere commands no terminal.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    out.write_all(shown_lines(text).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Says something on standard error, where anybody reads it. It is one line, whatever the names
/// and values in it hold: control characters are written out.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(stderr(), "{}", shown(line));
}

/// Refuses to work for nobody: standard output was closed before the program began.
pub(crate) fn expect_open() -> Result<()> {
    if rt::streams::output_was_closed() {
        tell("error: standard output is closed; send it to /dev/null where nobody is to read it");
        return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
    }
    Ok(())
}

/// Whether an error only says that nobody reads standard output any more, as in
/// `steadfast list | head -1`.
pub(crate) fn nobody_reads(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
