//! Reads a zip archive and its directory. What an archive claims about itself is limited before it
//! is used.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive};
use rawzip::{ZipArchiveEntryWayfinder, ZipFileHeaderRecord};

use crate::refused::{Refused, refused};

/// The most entries that an archive may have.
const MOST_ENTRIES: usize = 100_000;
/// The most bytes that all entries together may unpack to.
const MOST_BYTES: u64 = 16 << 30;
/// An archive may unpack to this many times its size, or to [`ALWAYS_BYTES`] if that is more.
const MOST_RATIO: u64 = 200;
const ALWAYS_BYTES: u64 = 1 << 30;
/// The longest name of an entry, in bytes.
const MOST_NAME: usize = 1024;

/// The bit of a Unix mode by which the owner may execute a file.
const OWNER_EXECUTES: u32 = 0o100;

const REMEDY: &str = "export the model again with a program that you trust";

#[derive(Debug)]
struct Entry {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
    crc: u32,
    /// Size of its content in bytes, according to the directory.
    size: u64,
    /// Whether its owner may execute it.
    is_executable: bool,
}

/// The files of an archive by their names, which are relative, normalised and distinct.
#[derive(Debug)]
pub(crate) struct Entries {
    archive: ZipArchive<FileReader>,
    /// Names in the order of the archive.
    order: Vec<String>,
    files: HashMap<String, Entry>,
}

impl Entries {
    pub(crate) fn read(path: &Path) -> Result<Self, Refused> {
        let file = rt::read::regular(path)?;
        let size = file.metadata()?.len();
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(file, &mut buffer).map_err(|error| {
            refused!(
                "this is not a readable zip archive, as an FMU must be ({error}); export or copy it again"
            )
        })?;
        let (order, files) = listed(&archive, &mut buffer)?;
        bounded(&files, size)?;
        apart(&archive, &files)?;
        Ok(Self { archive, order, files })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// Bytes that a file unpacks to, according to the archive; 0 if there is no such file.
    pub(crate) fn size(&self, name: &str) -> u64 {
        self.files.get(name).map_or(0, |entry| entry.size)
    }

    pub(crate) fn is_executable(&self, name: &str) -> bool {
        self.files.get(name).is_some_and(|entry| entry.is_executable)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Returns the content of a file; `None` if there is no such file.
    pub(crate) fn bytes(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Refused> {
        let Some(entry) = self.files.get(name) else {
            return Ok(None);
        };
        if entry.size > most {
            let (size, most) = (entry.size >> 20, most >> 20);
            return Err(refused!(
                "{name} in the archive unpacks to {size} MiB, but the limit is {most} MiB; {REMEDY}"
            ));
        }
        let mut bytes = Vec::new();
        self.copy(name, &mut bytes)?;
        Ok(Some(bytes))
    }

    /// Returns at most the first `most` bytes of a file. Unlike the other functions, it does not
    /// verify the checksum.
    pub(crate) fn head(&self, name: &str, most: u64) -> Result<Vec<u8>, Refused> {
        let Some(entry) = self.files.get(name) else {
            return Ok(Vec::new());
        };
        let place = self.archive.get_entry(entry.place).map_err(broken(name))?;
        let mut bytes = Vec::new();
        let mut reader = self.unpacking(name, entry, place.reader())?.take(most);
        reader.read_to_end(&mut bytes).map_err(broken(name))?;
        Ok(bytes)
    }

    /// Copies a file's content, at most the size given in the directory, and verifies its checksum.
    pub(crate) fn copy(&self, name: &str, to: &mut impl io::Write) -> Result<(), Refused> {
        let missing = || refused!("the archive has no {name}");
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
            return Err(refused!(
                "{name} in the archive is encrypted; export the model without a password"
            ));
        }
        match entry.method {
            CompressionMethod::STORE => Ok(Box::new(reader)),
            CompressionMethod::DEFLATE => Ok(Box::new(DeflateDecoder::new(reader))),
            other => Err(refused!(
                "{name} in the archive is compressed by {other:?}, but FMI allows only deflate; pack it again with zip"
            )),
        }
    }

    pub(crate) fn no_description(&self, name: &str) -> Refused {
        let inside = self.names().find(|path| path.ends_with(&format!("/{name}")));
        Refused::new(match inside {
            Some(path) => format!(
                "{name} is in the archive as {path}; pack the files themselves, not their folder"
            ),
            None => format!("the archive has no {name}, so it is not an FMU; name an FMU"),
        })
    }
}

fn broken<E: std::fmt::Display>(name: &str) -> impl Fn(E) -> Refused {
    move |error| {
        refused!("{name} in the archive is damaged ({error}); copy or export the model again")
    }
}

type Listed = (Vec<String>, HashMap<String, Entry>);

/// Lists the files. A name may occur twice if both files are equal, because some programs pack them
/// like that.
fn listed(archive: &ZipArchive<FileReader>, buffer: &mut [u8]) -> Result<Listed, Refused> {
    let (mut order, mut files) = (Vec::new(), HashMap::new());
    let mut records = archive.entries(buffer);
    let mut count = 0;
    while let Some(record) = records.next_entry().map_err(broken("the directory"))? {
        count += 1;
        if count > MOST_ENTRIES {
            return Err(refused!("the archive has more than {MOST_ENTRIES} files; {REMEDY}"));
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
            is_executable: record.mode().value() & OWNER_EXECUTES != 0,
        };
        match files.get(&name) {
            None => {
                order.push(name.clone());
                files.insert(name, entry);
            }
            Some(same) if (same.crc, same.size) == (entry.crc, entry.size) => (),
            Some(_) => {
                return Err(refused!("{name} is in the archive twice; {REMEDY}"));
            }
        }
    }
    Ok((order, files))
}

/// Returns the path of an entry, with `/` between its parts. Some programs write `\`.
fn clean(record: &ZipFileHeaderRecord) -> Result<String, Refused> {
    let path = record.file_path();
    let name = String::from_utf8_lossy(path.as_bytes()).replace('\\', "/");
    let refuse = |why: &str| {
        let name: String = name.chars().take(100).collect();
        Err(refused!("`{name}` in the archive {why}; {REMEDY}"))
    };
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with('/') || has_drive {
        return refuse("is an absolute path");
    }
    if name.len() > MOST_NAME || name.contains('\0') {
        return refuse("is not a valid file name");
    }
    if record.mode().is_symlink() {
        return refuse("is a link");
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return refuse("points outside the archive");
    }
    Ok(parts.join("/"))
}

/// Checks that all files together unpack to a plausible size.
fn bounded(files: &HashMap<String, Entry>, size: u64) -> Result<(), Refused> {
    let sizes = files.values().map(|entry| entry.size);
    let all = sizes.fold(0, u64::saturating_add);
    let most = MOST_BYTES.min(ALWAYS_BYTES.max(size.saturating_mul(MOST_RATIO)));
    if all > most {
        let (all, most) = (all >> 20, most >> 20);
        return Err(refused!(
            "it unpacks to {all} MiB, but the limit for an archive of this size is {most} MiB; {REMEDY}"
        ));
    }
    Ok(())
}

/// Checks that no two files share bytes of the archive, as the files of a zip bomb do.
fn apart(archive: &ZipArchive<FileReader>, files: &HashMap<String, Entry>) -> Result<(), Refused> {
    let ranges = files.iter().map(|(name, entry)| {
        let place = archive.get_entry(entry.place).map_err(broken(name))?;
        Ok(place.compressed_data_range())
    });
    let mut ranges = ranges.collect::<Result<Vec<_>, Refused>>()?;
    ranges.sort_unstable();
    if ranges.windows(2).any(|pair| pair[1].0 < pair[0].1) {
        return Err(refused!("files in the archive share their bytes; {REMEDY}"));
    }
    Ok(())
}
