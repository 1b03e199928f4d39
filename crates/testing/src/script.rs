//! Programs that a test writes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable script for `/bin/sh`. A separate process writes it: a program that another
/// test starts at this moment would inherit the open file, and the kernel refuses to execute a file
/// that is open for writing.
pub fn write_script(path: &Path, lines: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut writer = shell.spawn().expect("there is a shell");
    let mut text = writer.stdin.take().expect("it is piped");
    write!(text, "#!/bin/sh\n{lines}\n").expect("the shell reads");
    drop(text);
    assert!(writer.wait().is_ok_and(|ended| ended.success()), "{} is written", path.display());
}
