//! The description of an FMU, `modelDescription.xml` (FMI 2.0 and 3.0). Reading is lenient about
//! what does not matter for running the model, and refuses the rest in one line.

mod clock;
mod experiment;
mod interface;
mod structure;
#[cfg(test)]
mod tests;
mod variable;
pub(crate) mod xml;

use std::borrow::Cow;
use std::collections::HashSet;

use roxmltree::{Document, Node, ParsingOptions};
use rt::fmi::{Kind, Version};

pub use clock::{Clock, Interval};
pub use experiment::Experiment;
pub use interface::Interface;
pub use structure::{State, Structure};
pub use variable::{Causality, Dimension, Type, Variability, Variable};

use crate::refused::{Refused, refused};
use experiment::experiment;
use interface::interfaces;
use structure::{Targets, structure};
use variable::variables;
use xml::{broken, child, children, needed, refuse_many_attributes, text};

/// The most elements and texts of a description; those of large vehicles have about 500 000.
const MOST_NODES: u32 = 2_000_000;
/// The most variables of a description; this many take 300 MB.
const MOST_VARIABLES: usize = 300_000;
const ROOT: &str = "fmiModelDescription";

/// The content of an FMU's description. Places of variables are indices into
/// [`Description::variables`].
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Version of FMI, which determines the functions of its binaries.
    pub version: Version,
    pub name: String,
    /// The author's description; empty if there is none.
    pub description: String,
    /// The program that generated it; empty if unknown.
    pub tool: String,
    /// The token that the model checks when it is instantiated: FMI 2's `guid`, FMI 3's
    /// `instantiationToken`.
    pub token: String,
    /// The kinds in which it can be run; at least one.
    pub interfaces: Vec<Interface>,
    pub experiment: Experiment,
    /// Variables in the order of the file; no name occurs twice.
    pub variables: Vec<Variable>,
    pub structure: Structure,
    pub log_categories: Vec<String>,
}

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

    pub fn interface(&self, kind: Kind) -> Option<&Interface> {
        self.interfaces.iter().find(|one| one.kind == kind)
    }

    /// Returns the place of the variable that has this name or alias.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| {
            variable.name == name || variable.aliases.iter().any(|alias| alias == name)
        })
    }

    /// Returns how many values a variable has if structural parameters have their start values from
    /// the file: 1 for a scalar, the product of the dimensions for an array.
    pub fn elements(&self, variable: &Variable) -> u64 {
        let lengths = variable.dimensions.iter().map(|dimension| match dimension {
            Dimension::Fixed(length) => *length,
            Dimension::Of(place) => {
                let start = self.variables[*place].start.first();
                start.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
            }
        });
        lengths.fold(1, u64::saturating_mul)
    }

    /// Returns the number of continuous states of the model; each element of an array counts.
    pub fn states(&self) -> u64 {
        let derivatives = self.structure.states.iter().map(|state| state.derivative);
        let counts = derivatives.map(|place| self.elements(&self.variables[place]));
        counts.fold(0, u64::saturating_add)
    }
}

/// Decodes UTF-8, as the standard requires, or else one byte per letter, as older programs write.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
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
    let mut found = variables(root, version)?;
    named_once(&found)?;
    let references = found.iter().map(|(_, variable)| variable.reference as usize);
    let targets = Targets::new(version, references);
    for (node, variable) in &mut found {
        link(*node, variable, &targets)?;
    }
    let variables: Vec<Variable> = found.into_iter().map(|(_, variable)| variable).collect();
    let token = match version {
        Version::Two => "guid",
        Version::Three => "instantiationToken",
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

fn version(root: Node) -> Result<Version, Refused> {
    if !root.has_tag_name(ROOT) {
        let name = root.tag_name().name();
        return Err(broken(root, &format!("it begins with `{name}` instead of `{ROOT}`")));
    }
    let number = needed(root, "fmiVersion")?;
    match number.split('.').next() {
        Some("2") => Ok(Version::Two),
        Some("3") => Ok(Version::Three),
        Some("1") => Err(Refused::new(
            "it is an FMU of FMI 1, but only 2.0 and 3.0 are supported; export the model again as one of these",
        )),
        _ => Err(refused!(
            "it is an FMU of FMI `{number}`, but only 2.0 and 3.0 are supported; export the model again as one of these"
        )),
    }
}

fn named_once(found: &[(Node, Variable)]) -> Result<(), Refused> {
    let mut names = HashSet::new();
    for (node, variable) in found {
        for name in variable.aliases.iter().chain([&variable.name]) {
            if !names.insert(name) {
                return Err(broken(*node, &format!("two variables have the name `{name}`")));
            }
        }
    }
    Ok(())
}

/// Replaces a variable's references to others by their places.
fn link(node: Node, variable: &mut Variable, targets: &Targets) -> Result<(), Refused> {
    let or_unknown = |place: Option<usize>, what: &str, given: usize| {
        place.ok_or_else(|| {
            let name = &variable.name;
            let line = format!("{what} of variable `{name}` is `{given}`, which no variable has");
            broken(node, &line)
        })
    };
    if let Some(given) = &mut variable.derivative_of {
        *given = or_unknown(targets.place(*given), "`derivative`", *given)?;
    }
    for given in &mut variable.clocks {
        *given = or_unknown(targets.with_reference(*given), "a clock", *given)?;
    }
    for dimension in &mut variable.dimensions {
        if let Dimension::Of(given) = dimension {
            *given = or_unknown(targets.with_reference(*given), "a dimension", *given)?;
        }
    }
    Ok(())
}

fn log_categories(root: Node) -> Vec<String> {
    let all = child(root, "LogCategories").into_iter().flat_map(children);
    all.map(|category| text(category, "name")).filter(|name| !name.is_empty()).collect()
}
