//! The files of a certificate and the list of their hashes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use analysis::finding::Disagreement;
use anyhow::{Context, Result};
use lab::sha256;

use super::stated::Stated;
use crate::startup::files::put;

pub(super) const PAGE: &str = "certificate.html";
pub(super) const BADGE: &str = "badge.svg";
pub(super) const JSON: &str = "certificate.json";
pub(super) const STORE: &str = "results.db";
/// The hashes of all other files, as `sha256sum` prints them.
pub(super) const SUMS: &str = "SHA256SUMS";
pub(super) const SIGNATURE: &str = "SHA256SUMS.sig";

pub(super) fn files(stated: &Stated) -> [(&'static str, String); 3] {
    let certified = stated.certified();
    [(PAGE, certified.page), (BADGE, certified.badge), (JSON, certified.json)]
}

/// The files of a certificate whose hashes are listed, and those beside them.
const HASHED: [&str; 4] = [PAGE, BADGE, JSON, STORE];
const BESIDE: [&str; 2] = [SUMS, SIGNATURE];

fn sha256_of(file: &Path) -> Result<String> {
    Ok(model_file::sha256(file)?.0)
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

/// Returns the number of files in a folder, and the first that is missing, added or changed.
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
    let problem = match misplaced(&present, &sums) {
        None => changed(folder, &sums)?,
        problem => problem,
    };
    Ok((files, problem))
}

/// Returns the first file that no certificate has, that is not an ordinary file, or that is missing. `present`
/// says of each name whether it is an ordinary file.
fn misplaced(
    present: &BTreeMap<String, bool>,
    sums: &BTreeMap<String, String>,
) -> Option<Disagreement> {
    let is_added = |file: &&String| !HASHED.contains(&&***file) && !BESIDE.contains(&&***file);
    if let Some(file) = present.keys().find(is_added) {
        return Some(Disagreement::Added { file: file.clone() });
    }
    if let Some(file) = sums.keys().find(|file| !HASHED.contains(&&***file)) {
        return Some(Disagreement::Added { file: file.clone() });
    }
    if let Some((file, _)) = present.iter().find(|(_, is_file)| !**is_file) {
        return Some(Disagreement::NotAFile { file: file.clone() });
    }
    let is_missing = |file: &&str| !present.contains_key(*file) || !sums.contains_key(*file);
    let missing = HASHED.into_iter().find(is_missing)?;
    Some(Disagreement::Missing { file: missing.to_owned() })
}

fn changed(folder: &Path, sums: &BTreeMap<String, String>) -> Result<Option<Disagreement>> {
    for (file, hash) in sums {
        let (path, file) = (folder.join(file), file.clone());
        if rt::read::too_sparse(&path).is_some() {
            return Ok(Some(Disagreement::Sparse { file }));
        }
        if sha256_of(&path)? != *hash {
            return Ok(Some(Disagreement::Changed { file }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_lists_are_in_their_only_form_or_refused() {
        let lines = HASHED.map(|name| format!("{}  {name}\n", sha256(name.as_bytes())));
        testing::try_corpus(&[lines.concat()], 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            let Some(sums) = read(&text) else { return };
            assert_eq!(listed(&sums), text);
            let present = HASHED.map(|name| (name.to_owned(), true)).into();
            let is_whole = sums.len() == 4 && HASHED.iter().all(|name| sums.contains_key(*name));
            assert_eq!(misplaced(&present, &sums).is_none(), is_whole);
        });
    }
}
