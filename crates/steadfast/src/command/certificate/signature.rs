//! Signatures of the list of hashes, by the user's own ssh key.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use analysis::finding::{Disagreement, Signer};
use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest, Sha256};

use super::folder::{SIGNATURE, SUMS};

/// What a signature is for, so that no other one of the same key is taken for it.
const NAMESPACE: &str = "steadfast";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----\n";
const END: &str = "-----END SSH SIGNATURE-----\n";
const COLUMNS: usize = 70;
/// What a signature begins with, and its version (PROTOCOL.sshsig of OpenSSH).
const PREAMBLE: &[u8] = b"SSHSIG\0\0\0\x01";

pub(super) fn sign(folder: &Path, key: &Path) -> Result<()> {
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-Y", "sign", "-n", NAMESPACE, "-f"]).arg(key).arg("--").arg(folder.join(SUMS));
    let done = output(&mut keygen)?;
    if !done.status.success() || !folder.join(SIGNATURE).is_file() {
        let said = String::from_utf8_lossy(&done.stderr);
        let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
        let why = lines.collect::<Vec<&str>>().join(" ");
        bail!("--sign {}: ssh-keygen cannot sign with this key: {why}", key.display());
    }
    Ok(())
}

fn output(keygen: &mut Command) -> Result<Output> {
    keygen.output().context("cannot start ssh-keygen; install openssh-client")
}

/// Returns who signed the list of hashes, by the expected `key` if given, or what is wrong.
pub(super) fn checked(
    folder: &Path,
    key: Option<&Path>,
) -> Result<Result<Option<Signer>, Disagreement>> {
    let expected = key.map(public_key).transpose()?;
    let path = folder.join(SIGNATURE);
    if !path.is_file() {
        return Ok(expected.map_or(Ok(None), |_| Err(Disagreement::NotSigned)));
    }
    let armor = String::from_utf8(rt::read::bounded(&path, MOST_BYTES)?).unwrap_or_default();
    let signature = canonical(&armor);
    let Some(signer) = signature.as_deref().and_then(signing_key) else {
        return Ok(Err(Disagreement::NotCanonical { file: SIGNATURE.to_owned() }));
    };
    if !is_signature(folder)? {
        return Ok(Err(Disagreement::SignatureWrong));
    }
    let fingerprint = format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(signer)));
    Ok(match expected {
        Some(expected) if expected != signer => Err(Disagreement::OtherKey { fingerprint }),
        expected => Ok(Some(Signer { fingerprint, is_expected: expected.is_some() })),
    })
}

/// Returns whether the signature is one of the list of hashes, by any key.
fn is_signature(folder: &Path) -> Result<bool> {
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-Y", "check-novalidate", "-n", NAMESPACE, "-s"]).arg(folder.join(SIGNATURE));
    keygen.stdin(Stdio::from(File::open(folder.join(SUMS))?));
    Ok(output(&mut keygen)?.status.success())
}

/// Decodes a signature if it is written exactly as `ssh-keygen` writes it: every bit counts.
fn canonical(armor: &str) -> Option<Vec<u8>> {
    let text = armor.strip_prefix(BEGIN)?.strip_suffix(END)?;
    let packed: String = text.lines().collect();
    let bytes = STANDARD.decode(&packed).ok()?;
    let lines = packed.as_bytes().chunks(COLUMNS).map(String::from_utf8_lossy);
    let rewritten: String = lines.map(|line| format!("{line}\n")).collect();
    (rewritten == text).then_some(bytes)
}

fn signing_key(signature: &[u8]) -> Option<&[u8]> {
    let (length, rest) = signature.strip_prefix(PREAMBLE)?.split_first_chunk()?;
    rest.get(..u32::from_be_bytes(*length) as usize)
}

fn public_key(path: &Path) -> Result<Vec<u8>> {
    let beside = PathBuf::from(format!("{}.pub", path.display()));
    let read = |path: &Path| {
        let text = String::from_utf8(rt::read::bounded(path, MOST_BYTES)?).ok();
        let words = text.as_deref().and_then(|text| text.split_whitespace().nth(1));
        anyhow::Ok(words.and_then(|packed| STANDARD.decode(packed).ok()))
    };
    let shown = path.display();
    let own = read(path).with_context(|| format!("--key {shown}: cannot read this file"))?;
    let key = own.filter(|key| !key.is_empty()).or_else(|| read(&beside).ok().flatten());
    key.with_context(|| format!("--key {shown}: not a public ssh key, such as id_ed25519.pub"))
}

const MOST_BYTES: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_signatures_are_read_or_refused() {
        let key = [&[0, 0, 0, 11][..], b"ssh-ed25519", &[0, 0, 0, 32], &[7; 32]].concat();
        let key_length = (key.len() as u32).to_be_bytes();
        let signed = [PREAMBLE, &key_length, &key, &[1; 120]].concat();
        let packed = STANDARD.encode(signed);
        let lines = packed.as_bytes().chunks(COLUMNS).map(String::from_utf8_lossy);
        let lines: String = lines.map(|line| format!("{line}\n")).collect();
        let seed = format!("{BEGIN}{lines}{END}");
        assert_eq!(signing_key(&canonical(&seed).unwrap()), Some(&*key));
        testing::try_corpus(&[&seed], 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            let Some(bytes) = canonical(&text) else { return };
            assert!(text == seed || Some(bytes) != canonical(&seed), "two texts of one signature");
        });
    }
}
