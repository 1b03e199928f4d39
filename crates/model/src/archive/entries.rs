//! The directory of a zip archive, and reading from it. What an archive says of itself is
//! bounded before it is believed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive};
use rawzip::{ZipArchiveEntryWayfinder, ZipFileHeaderRecord};

use crate::Refused;

/// The most entries of an archive that is read.
const MOST_ENTRIES: usize = 100_000;
/// The most bytes that all entries may unpack to.
const MOST_BYTES: u64 = 16 << 30;
/// An archive may unpack to so many times its size, or to [`ALWAYS_BYTES`].
const MOST_RATIO: u64 = 200;
const ALWAYS_BYTES: u64 = 1 << 30;
/// The longest name of an entry.
const MOST_NAME: usize = 1024;

const MEND: &str = "export the model again with a program that you trust";

/// One file of an archive.
#[derive(Debug)]
struct Entry {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
    crc: u32,
    /// Bytes of its content as the directory says.
    size: u64,
}

/// The files of an archive by their names, which are relative, clean and different.
#[derive(Debug)]
pub(super) struct Entries {
    archive: ZipArchive<FileReader>,
    /// In the order of the archive.
    order: Vec<String>,
    files: HashMap<String, Entry>,
}

impl Entries {
    pub(super) fn read(path: &Path) -> Result<Self, Refused> {
        if !fs::metadata(path)?.is_file() {
            return Err(Refused::new("it is no file; name an FMU, which is one"));
        }
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(file, &mut buffer).map_err(|error| {
            Refused::new(format!(
                "it is no zip archive that can be read ({error}), and an FMU is one; export or copy it again"
            ))
        })?;
        let (order, files) = listed(&archive, &mut buffer)?;
        bounded(&files, size)?;
        apart(&archive, &files)?;
        Ok(Self { archive, order, files })
    }

    /// Names of all files, in the order of the archive.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// The content of a file; `None` where there is none of that name.
    pub(super) fn bytes(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Refused> {
        let Some(entry) = self.files.get(name) else {
            return Ok(None);
        };
        if entry.size > most {
            let (size, most) = (entry.size >> 20, most >> 20);
            return Err(Refused::new(format!(
                "{name} in it unpacks to {size} MiB, and at most {most} MiB are read; {MEND}"
            )));
        }
        let mut bytes = Vec::new();
        self.copy(name, &mut bytes)?;
        Ok(Some(bytes))
    }

    /// The first bytes of a file, at most so many; unlike all else without its checksum.
    pub(super) fn head(&self, name: &str, most: u64) -> Result<Vec<u8>, Refused> {
        let Some(entry) = self.files.get(name) else {
            return Ok(Vec::new());
        };
        let place = self.archive.get_entry(entry.place).map_err(broken(name))?;
        let mut bytes = Vec::new();
        let mut reader = self.unpacking(name, entry, place.reader())?.take(most);
        reader.read_to_end(&mut bytes).map_err(broken(name))?;
        Ok(bytes)
    }

    /// Copies a file's content, at most as much as the directory says, and compares its
    /// checksum.
    pub(super) fn copy(&self, name: &str, to: &mut impl io::Write) -> Result<(), Refused> {
        let missing = || Refused::new(format!("{name} is not in it"));
        let entry = self.files.get(name).ok_or_else(missing)?;
        let place = self.archive.get_entry(entry.place).map_err(broken(name))?;
        let unpacking = self.unpacking(name, entry, place.reader())?;
        let mut checked = place.verifying_reader(unpacking.take(entry.size));
        io::copy(&mut checked, to).map_err(broken(name))?;
        Ok(())
    }

    fn unpacking<'r>(
        &self,
        name: &str,
        entry: &Entry,
        reader: impl Read + 'r,
    ) -> Result<Box<dyn Read + 'r>, Refused> {
        if entry.is_encrypted {
            return Err(Refused::new(format!(
                "{name} in it is encrypted; export the model without a password"
            )));
        }
        match entry.method {
            CompressionMethod::STORE => Ok(Box::new(reader)),
            CompressionMethod::DEFLATE => Ok(Box::new(DeflateDecoder::new(reader))),
            other => Err(Refused::new(format!(
                "{name} in it is packed by {other:?}, and FMI allows deflate alone; pack it again with zip"
            ))),
        }
    }

    /// What to say of an archive without a description.
    pub(super) fn no_description(&self, name: &str) -> Refused {
        let inside = self.names().find(|path| path.ends_with(&format!("/{name}")));
        Refused::new(match inside {
            Some(path) => format!(
                "{name} stands in it as {path}; pack the files themselves and not their folder"
            ),
            None => format!("no {name} is in it, so it is no FMU; name an FMU"),
        })
    }
}

fn broken<E: std::fmt::Display>(name: &str) -> impl Fn(E) -> Refused {
    move |error| {
        Refused::new(format!("{name} in it is broken ({error}); copy or export the model again"))
    }
}

type Listed = (Vec<String>, HashMap<String, Entry>);

/// A file may stand in it twice where both are the same, as some programs pack it.
fn listed(archive: &ZipArchive<FileReader>, buffer: &mut [u8]) -> Result<Listed, Refused> {
    let (mut order, mut files) = (Vec::new(), HashMap::new());
    let mut records = archive.entries(buffer);
    let mut count = 0;
    while let Some(record) = records.next_entry().map_err(broken("the directory"))? {
        count += 1;
        if count > MOST_ENTRIES {
            return Err(Refused::new(format!("more than {MOST_ENTRIES} files are in it; {MEND}")));
        }
        let name = clean(&record)?;
        if record.is_dir() || name.is_empty() {
            continue;
        }
        let entry = Entry {
            place: record.wayfinder(),
            method: record.compression_method(),
            is_encrypted: record.flags().is_encrypted(),
            crc: record.crc32(),
            size: record.uncompressed_size_hint(),
        };
        match files.get(&name) {
            None => {
                order.push(name.clone());
                files.insert(name, entry);
            }
            Some(same) if (same.crc, same.size) == (entry.crc, entry.size) => (),
            Some(_) => return Err(Refused::new(format!("{name} is in it twice; {MEND}"))),
        }
    }
    Ok((order, files))
}

/// The path of an entry, parts divided by `/`. Some programs write `\`.
fn clean(record: &ZipFileHeaderRecord) -> Result<String, Refused> {
    let path = record.file_path();
    let name = String::from_utf8_lossy(path.as_bytes()).replace('\\', "/");
    let refuse = |why: &str| {
        let name: String = name.chars().take(100).collect();
        Err(Refused::new(format!("`{name}` in it {why}; {MEND}")))
    };
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with('/') || has_drive {
        return refuse("is an absolute path");
    }
    if name.len() > MOST_NAME || name.contains('\0') {
        return refuse("is no name of a file");
    }
    if record.mode().is_symlink() {
        return refuse("is a link");
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    match parts.contains(&"..") {
        true => refuse("climbs out of the archive"),
        false => Ok(parts.join("/")),
    }
}

/// That the files together unpack to a size that somebody may have meant.
fn bounded(files: &HashMap<String, Entry>, size: u64) -> Result<(), Refused> {
    let sizes = files.values().map(|entry| entry.size);
    let all = sizes.fold(0, u64::saturating_add);
    let most = MOST_BYTES.min(ALWAYS_BYTES.max(size.saturating_mul(MOST_RATIO)));
    match all > most {
        true => Err(Refused::new(format!(
            "it unpacks to {} MiB, and at most {} MiB of an archive of this size; {MEND}",
            all >> 20,
            most >> 20
        ))),
        false => Ok(()),
    }
}

/// That no two files share bytes of the archive, as those of a bomb do.
fn apart(archive: &ZipArchive<FileReader>, files: &HashMap<String, Entry>) -> Result<(), Refused> {
    let ranges = files.iter().map(|(name, entry)| {
        let place = archive.get_entry(entry.place).map_err(broken(name))?;
        Ok(place.compressed_data_range())
    });
    let mut ranges = ranges.collect::<Result<Vec<_>, Refused>>()?;
    ranges.sort_unstable();
    let overlap = ranges.windows(2).any(|pair| pair[1].0 < pair[0].1);
    match overlap {
        true => Err(Refused::new(format!("files in it share their bytes; {MEND}"))),
        false => Ok(()),
    }
}
