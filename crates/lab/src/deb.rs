//! Reads what the lab needs from a Debian package with a kernel (`deb(5)`): an `ar` archive whose
//! member `data.tar` contains the files.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use tar::{Archive, Entry};

use crate::LabError;
use crate::change::Parts;
use crate::module::Module;
use crate::packing::{unpack, unpack_all};
use crate::requirements::LARGEST;

/// The modules that the lab needs, each after those on which it depends. `uio` and
/// `uio_pci_generic` pass interrupts of a device to a thread in user space.
const MODULES: [&str; 2] = ["uio", "uio_pci_generic"];

/// What one or more packages have of a kernel.
#[derive(Default)]
struct Found {
    image: Option<Vec<u8>>,
    configuration: Option<Vec<u8>>,
    modules: Vec<Module>,
}

/// Reads the packages of one kernel: Debian 14 has its image, modules and configuration in three.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Parts, LabError> {
    let mut found = Found::default();
    for path in paths {
        let file = File::open(path).map_err(LabError::file(path))?;
        search(BufReader::new(file), &mut found).map_err(|error| bad(path, error.to_string()))?;
    }
    let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
    let image = found.image.ok_or_else(|| bad(first, "it contains no vmlinuz".to_owned()))?;
    let parts = Parts::of(image)
        .map_err(|why| bad(first, format!("the vmlinuz in it is unusable: {why}")))?;
    found.modules.sort_by_key(|module| MODULES.iter().position(|name| module.is(name)));
    let Found { configuration, modules, .. } = found;
    Ok(Parts { modules, configuration, ..parts })
}

fn bad(path: &Path, why: String) -> LabError {
    LabError::BadPackage { path: path.to_owned(), why }
}

/// Adds what a package has. Searches the whole package, so that damage anywhere in it is found.
fn search(package: impl Read, found: &mut Found) -> io::Result<()> {
    let (name, data) = data_member(package)?;
    let (name, files) = unpack(&name, data)?;
    if name != "data.tar" {
        return Err(damaged(&format!("it uses an unknown compression, {name}")));
    }
    let mut archive = Archive::new(files);
    for file in archive.entries()? {
        let mut file = file?;
        if !file.header().entry_type().is_file() {
            continue;
        }
        let path = String::from_utf8_lossy(&file.path_bytes()).into_owned();
        match wanted(path.trim_start_matches("./")) {
            Some(Wanted::Image) => found.image = Some(contents(&mut file)?),
            Some(Wanted::Configuration) => found.configuration = Some(contents(&mut file)?),
            Some(Wanted::Module(name)) => found.modules.push(module(name, &mut file)?),
            None => {}
        }
    }
    // Read on to the checksums, which are at the end.
    io::copy(&mut archive.into_inner(), &mut io::sink())?;
    Ok(())
}

enum Wanted<'a> {
    Image,
    Configuration,
    Module(&'a str),
}

/// Returns what a file is, by its path; Debian 14 has all below `usr/lib/modules/RELEASE`.
fn wanted(path: &str) -> Option<Wanted<'_>> {
    let (folder, name) = path.rsplit_once('/')?;
    let modules = folder.strip_prefix("usr/").unwrap_or(folder).strip_prefix("lib/modules/");
    match (folder, modules) {
        ("boot", _) if name.starts_with("vmlinuz-") => Some(Wanted::Image),
        ("boot", _) if name.starts_with("config-") => Some(Wanted::Configuration),
        (_, Some(release)) if !release.contains('/') => match name {
            "vmlinuz" => Some(Wanted::Image),
            "config" => Some(Wanted::Configuration),
            _ => None,
        },
        (_, Some(_)) if is_wanted(name) => Some(Wanted::Module(name)),
        _ => None,
    }
}

/// Whether this is the file of a needed module; newer kernels compress them: `uio.ko`, `uio.ko.xz`.
fn is_wanted(name: &str) -> bool {
    let stem = name.split_once(".ko").map(|(stem, _)| stem);
    stem.is_some_and(|stem| MODULES.contains(&stem))
}

fn module(name: &str, file: &mut Entry<impl Read>) -> io::Result<Module> {
    let packed = contents(file)?;
    let (name, contents) = unpack_all(name, packed.as_slice())?;
    if contents.len() as u64 > LARGEST {
        return Err(damaged("a module in it is larger than 1 GiB"));
    }
    Ok(Module { file_name: name.to_owned(), contents })
}

fn contents(file: &mut Entry<impl Read>) -> io::Result<Vec<u8>> {
    if file.size() > LARGEST {
        return Err(damaged("a file in it is larger than 1 GiB"));
    }
    let mut contents = Vec::new();
    file.read_to_end(&mut contents)?;
    if contents.len() as u64 != file.size() {
        return Err(damaged("it is cut off"));
    }
    Ok(contents)
}

/// Size of the header before each member of an `ar` archive, in bytes.
const MEMBER_HEADER: usize = 60;

/// Returns name and contents of the member that begins with `data.tar`.
fn data_member(mut package: impl Read) -> io::Result<(String, impl Read)> {
    let mut magic = [0; 8];
    read_exactly(&mut package, &mut magic)?;
    if &magic != b"!<arch>\n" {
        return Err(damaged("it is not a Debian package"));
    }
    loop {
        let mut header = [0; MEMBER_HEADER];
        read_exactly(&mut package, &mut header)?;
        let (name, size) = member(&header).ok_or_else(|| damaged("it is damaged"))?;
        if name.starts_with("data.tar") {
            return Ok((name, package.take(size)));
        }
        // Members begin at even offsets.
        let skipped = size.next_multiple_of(2);
        io::copy(&mut package.by_ref().take(skipped), &mut io::sink())?;
    }
}

/// Reads name and size from the header of a member.
fn member(header: &[u8; MEMBER_HEADER]) -> Option<(String, u64)> {
    let text = |from, to| str::from_utf8(&header[from..to]).ok().map(str::trim_end);
    let name = text(0, 16)?.trim_end_matches('/').to_owned();
    let size = text(48, 58)?.parse().ok()?;
    header.ends_with(b"`\n").then_some((name, size))
}

fn read_exactly(from: &mut impl Read, into: &mut [u8]) -> io::Result<()> {
    from.read_exact(into).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("it is cut off"),
        _ => error,
    })
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests;
