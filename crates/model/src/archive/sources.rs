//! The commands that would make a binary of a model's sources.

use roxmltree::Document;

use super::{Archive, MOST_DESCRIPTION};
use crate::description::{FmiVersion, Interface};

/// What FMI 3 says of its sources.
const BUILD: &str = "sources/buildDescription.xml";

/// Unpacks, compiles and adds the binary.
pub(super) fn compiler_line(archive: &Archive, interface: &Interface) -> Option<String> {
    let identifier = &interface.model_identifier;
    let files = match archive.description.version {
        FmiVersion::V2 => interface.sources.clone(),
        FmiVersion::V3 => described(archive, identifier),
    };
    let files = match files.is_empty() {
        true => found(archive),
        false => files,
    };
    if files.is_empty() {
        return None;
    }
    let (version, platform) = match archive.description.version {
        FmiVersion::V2 => (2, older_name()),
        FmiVersion::V3 => (3, format!("{}-linux", std::env::consts::ARCH)),
    };
    let files: Vec<String> = files.iter().map(|file| format!("sources/{file}")).collect();
    let folder = format!("binaries/{platform}");
    Some(format!(
        "unzip -d x {fmu} && cd x && mkdir -p {folder} && cc -shared -fPIC -O2 -Isources -DFMI{version}_OVERRIDE_FUNCTION_PREFIX {} -o {folder}/{identifier}.so -lm && zip -r {} binaries",
        files.join(" "),
        std::path::absolute(&archive.path)
            .unwrap_or_default()
            .display(),
        fmu = archive.path.display(),
    ))
}

/// FMI 2 has names of its own for the platforms that there were.
fn older_name() -> String {
    match std::env::consts::ARCH {
        "x86_64" => "linux64".to_owned(),
        other => format!("{other}-linux"),
    }
}

fn described(archive: &Archive, identifier: &str) -> Vec<String> {
    let text = archive.entries.bytes(BUILD, MOST_DESCRIPTION);
    let text = text.ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let Ok(document) = Document::parse(&text) else {
        return Vec::new();
    };
    let configurations = document.root_element().children();
    let own = configurations.filter(|node| {
        let for_model = node.attribute("modelIdentifier");
        for_model.is_none_or(|name| name == identifier)
    });
    let files = own.flat_map(|node| node.descendants());
    files
        .filter(|node| node.has_tag_name("SourceFile"))
        .filter_map(|node| node.attribute("name").map(str::to_owned))
        .collect()
}

/// Sources that nothing is said of.
fn found(archive: &Archive) -> Vec<String> {
    let names = archive.entries.names();
    let files = names.filter_map(|name| name.strip_prefix("sources/"));
    files
        .filter(|name| name.ends_with(".c"))
        .map(str::to_owned)
        .collect()
}
