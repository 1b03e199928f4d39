//! Samples that may differ from a baseline: a file beside it with one line for each run, the hash
//! of exactly these samples and the reason. Lines that begin with `#` are comments.

use std::io;
use std::path::Path;

use analysis::gate::Allowance;
use anyhow::{Context, Result, bail};

const LARGEST: u64 = 1 << 20;

/// Returns the allowances in a file; none if it does not exist. An error names file and line.
pub(super) fn read(path: &Path) -> Result<Vec<Allowance>> {
    let bytes = match rt::read::bounded(path, LARGEST) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(why).with_context(|| path.display().to_string()),
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read =
        |(number, line)| allowance(line).with_context(|| format!("{}:{number}", path.display()));
    lines.map(read).collect()
}

fn allowance(line: &str) -> Result<Allowance> {
    let (samples, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if samples.len() != 64 || !samples.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        bail!("expected the SHA-256 of the samples of a run, and the reason why they may differ");
    }
    if reason.trim().is_empty() {
        bail!("the reason is missing; write why these samples may differ");
    }
    Ok(Allowance { samples_sha256: samples.to_owned(), reason: reason.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn odd_lists_are_read_or_refused_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.allowed");
        let samples = "0123456789abcdef".repeat(4);
        let seed = format!("# comment\n\n{samples} Linux 6.1.3 traces more\r\n{samples}\tagain\n");
        testing::try_corpus(&[seed], 2_000, |input| {
            fs::write(&path, input).unwrap();
            match read(&path) {
                Ok(all) => assert!(all.iter().all(|one| !one.reason.is_empty())),
                Err(why) => assert!(why.to_string().contains("main.allowed:"), "{why}"),
            }
        });
    }

    #[test]
    fn an_allowance_is_a_hash_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.allowed");
        assert_eq!(read(&path).unwrap(), []);
        let samples = "0123456789abcdef".repeat(4);
        fs::write(&path, format!("# comment\n\n{samples} Linux 6.1.3 traces more\n")).unwrap();
        let reason = "Linux 6.1.3 traces more".to_owned();
        assert_eq!(read(&path).unwrap(), [Allowance { samples_sha256: samples.clone(), reason }]);
        for (line, expected) in [(&*samples, "the reason is missing"), ("any reason", "SHA-256")] {
            fs::write(&path, line).unwrap();
            let why = format!("{:#}", read(&path).unwrap_err());
            assert!(why.contains(expected) && why.contains("main.allowed:1"), "{why}");
        }
    }
}
