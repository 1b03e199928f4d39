//! Standard output and standard error, whose readers may leave.

use std::io::{self, Write, stderr, stdout};

use anyhow::Result;

/// Writes text to standard output at once.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Says something on standard error, where anybody reads it.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// Whether an error only says that nobody reads standard output any more, as in
/// `steadfast list | head -1`.
pub(crate) fn nobody_reads(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
