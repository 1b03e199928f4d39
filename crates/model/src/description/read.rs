//! From the text to the description.

use std::borrow::Cow;
use std::collections::HashSet;

use roxmltree::{Document, Node, ParsingOptions};

use super::described::Description;
use super::experiment::experiment;
use super::interface::{Kind, interfaces};
use super::structure::structure;
use super::targets::Targets;
use super::variable::{Dimension, References, Variable, variables};
use super::version::FmiVersion;
use super::xml::{broken, child, children, needed, text};
use crate::Refused;

/// Elements, attributes and texts of the largest description that is read; those of large
/// vehicles have some 500 000.
const MOST_NODES: u32 = 8_000_000;
const ROOT: &str = "fmiModelDescription";

impl Description {
    /// Reads the text of a `modelDescription.xml`.
    ///
    /// # Errors
    /// One line where it is no XML, is of FMI 1 or of no known version, offers no interface, or
    /// has variables without name, type or value reference, names twice, or references to what
    /// it does not have.
    pub fn read(text: &[u8]) -> Result<Self, Refused> {
        parsed(text)
    }
}

fn parsed(bytes: &[u8]) -> Result<Description, Refused> {
    let text = decoded(bytes);
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).map_err(|error| {
        Refused::new(format!(
            "its modelDescription.xml is no XML that can be read ({error}); export the model again"
        ))
    })?;
    of_root(document.root_element())
}

/// UTF-8 as the standard asks for, or else one byte a letter, as older programs write.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').into(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn of_root(root: Node) -> Result<Description, Refused> {
    let version = version(root)?;
    let interfaces = interfaces(root, version)?;
    if interfaces.is_empty() {
        let kinds = Kind::ALL.map(Kind::name).join(", ");
        let none = format!("the model offers none of {kinds}");
        return Err(broken(root, &none));
    }
    let found = variables(root, version)?;
    named_once(&found)?;
    let references = found.iter().map(|(_, variable, _)| variable.reference);
    let targets = Targets::new(version, references);
    let linked = found.into_iter().map(|one| linked(one, &targets));
    let variables = linked.collect::<Result<Vec<_>, _>>()?;
    let token = match version {
        FmiVersion::V2 => "guid",
        FmiVersion::V3 => "instantiationToken",
    };
    Ok(Description {
        version,
        name: named(root)?,
        description: text(root, "description"),
        tool: text(root, "generationTool"),
        token: text(root, token),
        interfaces,
        experiment: experiment(root)?,
        structure: structure(root, version, &variables, &targets)?,
        variables,
        log_categories: log_categories(root),
    })
}

/// The model's name, which is shown alone: its identifier stands in where it is missing.
fn named(root: Node) -> Result<String, Refused> {
    match text(root, "modelName") {
        name if !name.trim().is_empty() => Ok(name),
        _ => {
            let kind = children(root).find(|node| node.has_attribute("modelIdentifier"));
            kind.map_or_else(|| needed(root, "modelName"), |node| needed(node, "modelIdentifier"))
        }
    }
}

fn version(root: Node) -> Result<FmiVersion, Refused> {
    if !root.has_tag_name(ROOT) {
        let name = root.tag_name().name();
        return Err(broken(root, &format!("it begins with `{name}` and not with `{ROOT}`")));
    }
    let told = needed(root, "fmiVersion")?;
    match told.split('.').next() {
        Some("2") => Ok(FmiVersion::V2),
        Some("3") => Ok(FmiVersion::V3),
        Some("1") => Err(Refused::new(
            "it is an FMU of FMI 1, and 2.0 and 3.0 are run; export the model again as one of these",
        )),
        _ => Err(Refused::new(format!(
            "it is an FMU of FMI `{told}`, and 2.0 and 3.0 are run; export the model again as one of these"
        ))),
    }
}

type Found<'a, 'x> = (Node<'a, 'x>, Variable, References);

fn named_once(found: &[Found]) -> Result<(), Refused> {
    let mut names = HashSet::new();
    for (node, variable, _) in found {
        for name in variable.aliases.iter().chain([&variable.name]) {
            if !names.insert(name) {
                return Err(broken(*node, &format!("two variables have the name `{name}`")));
            }
        }
    }
    Ok(())
}

/// A variable with what it refers to made places.
fn linked((node, variable, references): Found, targets: &Targets) -> Result<Variable, Refused> {
    let or_unknown = |place: Option<usize>, what: &str, told: u32| {
        place.ok_or_else(|| {
            let name = &variable.name;
            let line = format!("{what} of variable `{name}` is `{told}`, which no variable has");
            broken(node, &line)
        })
    };
    let derivative_of = references.derivative_of.map(|told| {
        let place = targets.place(told);
        or_unknown(place, "`derivative`", told)
    });
    let clocks = references.clocks.iter().map(|told| {
        let place = targets.with_reference(*told);
        or_unknown(place, "a clock", *told)
    });
    let dimensions = references.dimensions.iter().map(|dimension| match dimension {
        Ok(length) => Ok(Dimension::Fixed(*length)),
        Err(told) => {
            let place = targets.with_reference(*told);
            or_unknown(place, "a dimension", *told).map(Dimension::Of)
        }
    });
    Ok(Variable {
        derivative_of: derivative_of.transpose()?,
        clocks: clocks.collect::<Result<_, _>>()?,
        dimensions: dimensions.collect::<Result<_, _>>()?,
        ..variable.clone()
    })
}

fn log_categories(root: Node) -> Vec<String> {
    let all = child(root, "LogCategories").into_iter().flat_map(children);
    all.map(|category| text(category, "name")).filter(|name| !name.is_empty()).collect()
}
