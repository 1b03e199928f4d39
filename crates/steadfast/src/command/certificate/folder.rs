//! The files of a certificate and the list of their hashes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use analysis::finding::Disagreement;
use anyhow::{Context, Result};
use lab::sha256;

use super::stated::Stated;
use crate::files::put;

pub(super) const PAGE: &str = "certificate.html";
const BADGE: &str = "badge.svg";
pub(super) const JSON: &str = "certificate.json";
pub(super) const STORE: &str = "results.db";
/// The hashes of all other files, as `sha256sum` prints them.
pub(super) const SUMS: &str = "SHA256SUMS";
pub(super) const SIGNATURE: &str = "SHA256SUMS.sig";

pub(super) fn files(stated: &Stated) -> [(&'static str, String); 3] {
    let certified = stated.certified();
    [(PAGE, certified.page), (BADGE, certified.badge), (JSON, certified.json)]
}

fn sha256_of(file: &Path) -> Result<String> {
    Ok(model::sha256(file)?.0)
}

/// Writes everything that follows from the store in the folder.
pub(super) fn write(folder: &Path, stated: &Stated) -> Result<()> {
    let mut sums = BTreeMap::from([(STORE.to_owned(), sha256_of(&folder.join(STORE))?)]);
    for (name, text) in files(stated) {
        put(&folder.join(name), &text, "-o")?;
        sums.insert(name.to_owned(), sha256(text.as_bytes()));
    }
    put(&folder.join(SUMS), listed(&sums), "-o")
}

fn listed(sums: &BTreeMap<String, String>) -> String {
    sums.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect()
}

/// Returns the hashes in the list; `None` if it is not in the form in which it was written.
fn read(list: &str) -> Option<BTreeMap<String, String>> {
    let mut sums = BTreeMap::new();
    for line in list.lines() {
        let (hash, name) = line.split_once("  ")?;
        sums.insert(name.to_owned(), hash.to_owned());
    }
    (listed(&sums) == list).then_some(sums)
}

const MOST_BYTES: u64 = 1 << 20;

/// Returns the number of files in a folder, and the first that is missing, unlisted or changed.
pub(super) fn checked(folder: &Path) -> Result<(usize, Option<Disagreement>)> {
    let place = folder.display();
    let list = rt::read::bounded(folder.join(SUMS), MOST_BYTES).with_context(|| {
        format!("{place} is not a certificate, since it has no {SUMS}; name a folder that `steadfast certificate` made")
    })?;
    let mut present = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        present.insert(name, entry.file_type()?.is_file());
    }
    let files = present.len();
    let Some(sums) = String::from_utf8(list).ok().as_deref().and_then(read) else {
        return Ok((files, Some(Disagreement::NotCanonical { file: SUMS.to_owned() })));
    };
    let is_known = |file: &str| sums.contains_key(file) || [SUMS, SIGNATURE].contains(&file);
    if let Some((file, _)) = present.iter().find(|(file, is_file)| !**is_file || !is_known(file)) {
        return Ok((files, Some(Disagreement::Unlisted { file: file.clone() })));
    }
    let is_missing = |file: &&str| !present.contains_key(*file) || !sums.contains_key(*file);
    let mut expected = sums.keys().map(String::as_str).chain([PAGE, BADGE, JSON, STORE]);
    if let Some(file) = expected.find(is_missing) {
        return Ok((files, Some(Disagreement::Missing { file: file.to_owned() })));
    }
    for (file, hash) in &sums {
        if sha256_of(&folder.join(file))? != *hash {
            return Ok((files, Some(Disagreement::Changed { file: file.clone() })));
        }
    }
    Ok((files, None))
}
