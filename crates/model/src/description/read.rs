//! Reads the text of a description.

use std::borrow::Cow;
use std::collections::HashSet;

use roxmltree::{Document, Node, ParsingOptions};

use super::attributes::refuse_many_attributes;
use super::described::Description;
use super::experiment::experiment;
use super::interface::{Kind, interfaces};
use super::structure::structure;
use super::targets::Targets;
use super::variable::{Dimension, References, Variable, variables};
use super::version::FmiVersion;
use super::xml::{broken, child, children, needed, text};
use crate::refused::{Refused, refused};

/// The most elements and texts of a description; those of large vehicles have about 500 000.
const MOST_NODES: u32 = 2_000_000;
/// The most variables of a description; this many take 300 MB.
const MOST_VARIABLES: usize = 300_000;
const ROOT: &str = "fmiModelDescription";

impl Description {
    /// Reads the text of a `modelDescription.xml`.
    ///
    /// # Errors
    /// One line if the text is not XML, is of FMI 1 or of an unknown version, offers no interface,
    /// or has variables without name, type or value reference, duplicate names, or references to
    /// variables that do not exist.
    pub fn read(text: &[u8]) -> Result<Self, Refused> {
        let text = decoded(text);
        refuse_many_attributes(&text)?;
        let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&text, options).map_err(|error| match error {
            roxmltree::Error::NodesLimitReached => refused!(
                "its modelDescription.xml has more than {MOST_NODES} elements and texts; export fewer variables"
            ),
            error => refused!(
                "its modelDescription.xml is not valid XML ({error}); export the model again"
            ),
        })?;
        of_root(document.root_element())
    }
}

/// Decodes UTF-8, as the standard requires, or else one byte per letter, as older programs write.
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
        return Err(broken(root, &format!("the model offers none of {kinds}")));
    }
    let listed = child(root, "ModelVariables").map_or(0, |list| children(list).count());
    if listed > MOST_VARIABLES {
        return Err(refused!(
            "it lists {listed} variables, but the limit is {MOST_VARIABLES}; export fewer"
        ));
    }
    let found = variables(root, version)?;
    named_once(&found)?;
    let references = found.iter().map(|(_, variable, _)| variable.reference);
    let targets = Targets::new(version, references);
    let variables = found.into_iter().map(|one| linked(one, &targets));
    let variables = variables.collect::<Result<Vec<_>, _>>()?;
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

/// Returns the model's name for display; its identifier, if the name is missing.
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
        return Err(broken(root, &format!("it begins with `{name}` instead of `{ROOT}`")));
    }
    let number = needed(root, "fmiVersion")?;
    match number.split('.').next() {
        Some("2") => Ok(FmiVersion::V2),
        Some("3") => Ok(FmiVersion::V3),
        Some("1") => Err(Refused::new(
            "it is an FMU of FMI 1, but only 2.0 and 3.0 are supported; export the model again as one of these",
        )),
        _ => Err(refused!(
            "it is an FMU of FMI `{number}`, but only 2.0 and 3.0 are supported; export the model again as one of these"
        )),
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

/// Returns a variable with its references resolved to places.
fn linked((node, variable, references): Found, targets: &Targets) -> Result<Variable, Refused> {
    let or_unknown = |place: Option<usize>, what: &str, given: u32| {
        place.ok_or_else(|| {
            let name = &variable.name;
            let line = format!("{what} of variable `{name}` is `{given}`, which no variable has");
            broken(node, &line)
        })
    };
    let with_reference = |what, given| or_unknown(targets.with_reference(given), what, given);
    let derivative = |given| or_unknown(targets.place(given), "`derivative`", given);
    let derivative_of = references.derivative_of.map(derivative);
    let clocks = references.clocks.iter().map(|given| with_reference("a clock", *given));
    let dimensions = references.dimensions.iter().map(|dimension| match dimension {
        Ok(length) => Ok(Dimension::Fixed(*length)),
        Err(given) => with_reference("a dimension", *given).map(Dimension::Of),
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
