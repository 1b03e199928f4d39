//! The commands that would compile a model's sources into a binary.

use std::env::consts::ARCH;
use std::path::Path;

use base::{quoted, quoted_file};
use roxmltree::{Document, Node};
use rt::fmi::Version;

use super::entries::Entries;
use crate::description::Interface;
use crate::platform::names;

/// The file in which FMI 3 describes the sources.
const BUILD: &str = "sources/buildDescription.xml";
/// The largest build description that is read, in bytes.
const MOST_BUILD: u64 = 16 << 20;

#[derive(Default)]
struct Build {
    /// Paths below `sources`.
    files: Vec<String>,
    /// Preprocessor definitions and folders of headers.
    flags: Vec<String>,
}

/// Returns the command line that unpacks the sources, compiles them and adds the binary.
pub(super) fn compiler_line(
    path: &Path,
    entries: &Entries,
    version: Version,
    interface: &Interface,
) -> Option<String> {
    let identifier = &interface.model_identifier;
    let (number, mut build) = match version {
        Version::Two => (2, Build { files: interface.sources.clone(), flags: Vec::new() }),
        Version::Three => (3, described(entries, identifier)),
    };
    if build.files.is_empty() {
        // The C sources that no description lists.
        let files = entries.names().filter_map(|name| name.strip_prefix("sources/"));
        build.files = files.filter(|name| name.ends_with(".c")).map(str::to_owned).collect();
    }
    if build.files.is_empty() {
        return None;
    }
    build.flags.push(format!("-DFMI{number}_OVERRIDE_FUNCTION_PREFIX"));
    let files = build.files.iter().map(|file| format!("sources/{file}"));
    let words = build.flags.into_iter().chain(files);
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    // The standard's headers, if the sources come without them.
    let header = format!("/fmi{number}Functions.h");
    let has_headers = entries.names().any(|name| name.ends_with(&header));
    let headers = if has_headers { "" } else { r#" -I"$FMI_HEADERS""# };
    let whole = std::path::absolute(path).unwrap_or_default();
    let folder = format!("binaries/{}", names(version, ARCH)[0]);
    Some(format!(
        "unzip -d x {} && cd x && mkdir -p {folder} && cc -shared -fPIC -O2 -Isources{headers} {} \
         -o {} -lm && zip -r {} binaries",
        quoted_file(path),
        words.join(" "),
        quoted(&format!("{folder}/{identifier}.so")),
        quoted_file(&whole),
    ))
}

fn described(entries: &Entries, identifier: &str) -> Build {
    let text = entries.bytes(BUILD, MOST_BUILD);
    let text = text.ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let Ok(document) = Document::parse(&text) else {
        return Build::default();
    };
    let configurations = document.root_element().children();
    let own = configurations.filter(|node| {
        let for_model = node.attribute("modelIdentifier");
        for_model.is_none_or(|name| name == identifier)
    });
    let mut build = Build::default();
    for node in own.flat_map(|node| node.descendants()) {
        let name = node.attribute("name").unwrap_or_default();
        match node.tag_name().name() {
            "SourceFile" => build.files.push(name.to_owned()),
            "IncludeDirectory" => build.flags.push(format!("-Isources/{name}")),
            "PreprocessorDefinition" => build.flags.push(definition(node, name)),
            _ => (),
        }
    }
    build
}

fn definition(node: Node, name: &str) -> String {
    match node.attribute("value") {
        Some(value) => format!("-D{name}={value}"),
        None => format!("-D{name}"),
    }
}
