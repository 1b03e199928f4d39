//! An SSP: a zip archive with a system of connected FMUs (SSP 1.0 and 2.0).

mod connected;
mod document;
mod flat;
mod order;
mod parameters;
mod structure;
#[cfg(test)]
mod tests;
mod transform;
mod units;

use std::path::{Path, PathBuf};

pub use connected::{Connected, Link, Part};
pub use transform::Transform;

use crate::archive::entries::Entries;
use crate::refused::{Refused, refused};
use structure::{Content, Element};
use units::Units;

/// The file with the system that is used, of an archive that may have others.
const DESCRIPTION: &str = "SystemStructure.ssd";

/// An SSP whose directory and description have been read.
#[derive(Debug)]
pub struct Ssp {
    pub path: PathBuf,
    /// The version of SSP, such as `1.0`.
    pub version: String,
    pub name: String,
    entries: Entries,
    root: Element,
    units: Units,
}

impl Ssp {
    /// Reads the structure of a system without unpacking its components.
    ///
    /// # Errors
    /// One line that starts with the file's name: the file is not a zip archive or a suspicious one,
    /// as for an FMU; it has no `SystemStructure.ssd`, or one that is not valid or uses what is not
    /// supported.
    pub fn open(path: &Path) -> Result<Self, Refused> {
        Self::read(path).map_err(|why| why.of(path))
    }

    fn read(path: &Path) -> Result<Self, Refused> {
        let entries = Entries::read(path)?;
        let missing = || refused!("the archive has no {DESCRIPTION}, so it is not an SSP");
        let text = entries.bytes(DESCRIPTION, document::MOST_BYTES)?.ok_or_else(missing)?;
        let root = "SystemStructureDescription";
        let (version, name, root, units) = document::read(DESCRIPTION, &text, root, |node| {
            let version = document::needed(node, "version")?;
            if !matches!(version.split('.').next(), Some("1" | "2")) {
                return Err(refused!(
                    "version {version} of SSP is not supported; expected 1.0 or 2.0"
                ));
            }
            let known = structure::enumerations(node)?;
            let system = crate::description::xml::child(node, "System");
            let system = system.ok_or_else(|| document::mistake(node, "there is no System"))?;
            let system = structure::system(system, &known)?;
            Ok((version, document::needed(node, "name")?, system, Units::read(node)?))
        })?;
        Ok(Self { path: path.to_owned(), version, name, entries, root, units })
    }

    /// Whether a file is named like an SSP.
    pub fn is_named(path: &Path) -> bool {
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ssp"))
    }

    /// Returns the number of nested systems, without the root system.
    pub fn systems(&self) -> usize {
        fn inside(element: &Element) -> usize {
            match &element.content {
                Content::Component { .. } => 0,
                Content::System { elements, .. } => 1 + elements.iter().map(inside).sum::<usize>(),
            }
        }
        inside(&self.root) - 1
    }

    /// Returns the path of a file in the archive to which the description refers.
    fn entry(&self, source: &str) -> Result<String, Refused> {
        let path = decoded(source.strip_prefix("./").unwrap_or(source));
        match self.entries.has(&path) {
            true => Ok(path),
            false => Err(refused!(
                "the archive has no file {source}, to which its description refers; only files in the archive are used"
            )),
        }
    }

    fn file(&self, source: &str) -> Result<Vec<u8>, Refused> {
        let path = self.entry(source)?;
        Ok(self.entries.bytes(&path, document::MOST_BYTES)?.unwrap_or_default())
    }
}

/// Returns the text of a URI, in which `%` and two hexadecimal digits are a byte (RFC 3986, 2.1).
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let digit = |at: usize| others.get(at).and_then(|digit| (*digit as char).to_digit(16));
        let (byte, after) = match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => ((high << 4 | low) as u8, &others[2..]),
            _ => (*first, others),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
