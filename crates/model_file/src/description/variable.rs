//! The variables of a model.

use roxmltree::Node;
use serde::Serialize;

use super::clock::{Clock, clock};
use super::xml::{broken, child, children, list, needed, number, text};
use crate::Refused;
use rt::fmi::Version;

base::named! {
    /// The type of a variable's values. FMI 2's `Real` is `Float64`, its `Integer` is `Int32`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Type {
        Float64 = "Float64",
        Float32 = "Float32",
        Int8 = "Int8",
        UInt8 = "UInt8",
        Int16 = "Int16",
        UInt16 = "UInt16",
        Int32 = "Int32",
        UInt32 = "UInt32",
        Int64 = "Int64",
        UInt64 = "UInt64",
        Boolean = "Boolean",
        /// Text in UTF-8.
        String = "String",
        Enumeration = "Enumeration",
        Binary = "Binary",
        Clock = "Clock",
    }
}

impl Type {
    /// Returns the type of that name in either version of FMI.
    fn of(name: &str) -> Option<Self> {
        match name {
            "Real" => Some(Self::Float64),
            "Integer" => Some(Self::Int32),
            name => Self::named(name),
        }
    }
}

base::named! {
    /// The purpose of a variable.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Causality {
        /// Set before the model is initialised.
        Parameter = "parameter",
        CalculatedParameter = "calculatedParameter",
        /// A parameter that determines the size of arrays (FMI 3).
        StructuralParameter = "structuralParameter",
        /// Set from outside while the model runs.
        Input = "input",
        Output = "output",
        Local = "local",
        /// Simulated time.
        Independent = "independent",
        Dependent = "dependent",
    }
}

base::named! {
    /// When a variable's value may change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Variability {
        Constant = "constant",
        /// It does not change after initialisation.
        Fixed = "fixed",
        /// It can be changed between steps, from outside.
        Tunable = "tunable",
        /// It changes only at events.
        Discrete = "discrete",
        Continuous = "continuous",
    }
}

/// Length of an array in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    Fixed(u64),
    /// The length given by a structural parameter, by its place among the variables.
    Of(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// No other variable has it.
    pub name: String,
    pub aliases: Vec<String>,
    /// The value reference, by which functions identify it.
    pub reference: u32,
    pub kind: Type,
    pub causality: Causality,
    pub variability: Variability,
    /// Its start values as written in the file; empty if the model computes them. An array may have
    /// one value for all its elements.
    pub start: Vec<String>,
    /// The dimensions; empty for a scalar.
    pub dimensions: Vec<Dimension>,
    pub unit: Option<String>,
    /// The author's description; empty if there is none.
    pub description: String,
    /// Place of the variable of which it is the time derivative.
    pub derivative_of: Option<usize>,
    /// Places of the clocks at whose ticks it changes.
    pub clocks: Vec<usize>,
    pub clock: Option<Clock>,
}

/// Reads all variables with their elements. Instead of the places of other variables they have the
/// references in the file: they may refer to later variables.
pub(super) fn variables<'a, 'x>(
    root: Node<'a, 'x>,
    version: Version,
) -> Result<Vec<(Node<'a, 'x>, Variable)>, Refused> {
    let nodes = child(root, "ModelVariables").into_iter().flat_map(children);
    let typed = |node| Some((node, typed(node, version)?));
    let variables = nodes.filter_map(typed).map(|(node, typed)| {
        let (kind, detail) = typed?;
        Ok((node, variable(node, kind, detail)?))
    });
    variables.collect()
}

/// Returns a variable's type and the element with its details; `None` if it is not a variable.
fn typed<'a, 'x>(
    node: Node<'a, 'x>,
    version: Version,
) -> Option<Result<(Type, Node<'a, 'x>), Refused>> {
    let of = |node: Node<'a, 'x>| Some((Type::of(node.tag_name().name())?, node));
    match version {
        Version::Two => node.has_tag_name("ScalarVariable").then(|| {
            let untyped = || format!("variable `{}` has no type", text(node, "name"));
            children(node).find_map(of).ok_or_else(|| broken(node, &untyped()))
        }),
        Version::Three => of(node).map(Ok),
    }
}

fn variable(node: Node, kind: Type, detail: Node) -> Result<Variable, Refused> {
    let name = node.attribute("name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| broken(node, "a variable has no name"))?;
    let reference = number(node, "valueReference")?
        .ok_or_else(|| broken(node, &format!("variable `{name}` has no value reference")))?;
    let word = |attribute| node.attribute(attribute).map(str::trim);
    let causality = word("causality").and_then(Causality::named).unwrap_or(Causality::Local);
    let variability = word("variability").and_then(Variability::named);
    let aliases = children(node).filter(|child| child.has_tag_name("Alias"));
    Ok(Variable {
        name: name.to_owned(),
        aliases: aliases.map(|alias| needed(alias, "name")).collect::<Result<_, _>>()?,
        reference,
        kind,
        causality,
        variability: variability.unwrap_or_else(|| default_variability(causality, kind)),
        start: start(detail, kind),
        unit: detail.attribute("unit").map(str::to_owned),
        description: text(node, "description"),
        clock: (kind == Type::Clock).then(|| clock(node)).transpose()?,
        derivative_of: number(detail, "derivative")?.map(|given: u32| given as usize),
        clocks: list(node, "clocks").map(|given: u32| given as usize).collect(),
        dimensions: dimensions(node)?,
    })
}

/// The standard's default for a missing variability.
fn default_variability(causality: Causality, kind: Type) -> Variability {
    use Causality::{CalculatedParameter, Parameter, StructuralParameter};
    match (causality, kind) {
        (Parameter | CalculatedParameter | StructuralParameter, _) => Variability::Fixed,
        (_, Type::Float64 | Type::Float32) => Variability::Continuous,
        _ => Variability::Discrete,
    }
}

/// Reads start values. A text is one value in FMI 2, and has separate elements in FMI 3.
fn start(detail: Node, kind: Type) -> Vec<String> {
    let elements = children(detail).filter(|child| child.has_tag_name("Start"));
    let own: Vec<String> = elements.map(|start| text(start, "value")).collect();
    match detail.attribute("start") {
        None => own,
        Some(text) if matches!(kind, Type::String | Type::Binary) => vec![text.to_owned()],
        Some(text) => text.split_whitespace().map(str::to_owned).collect(),
    }
}

fn dimensions(node: Node) -> Result<Vec<Dimension>, Refused> {
    let elements = children(node).filter(|child| child.has_tag_name("Dimension"));
    let lengths = elements.map(|dimension| {
        let fixed = number(dimension, "start")?.map(Dimension::Fixed);
        let held = number(dimension, "valueReference")?;
        let held = held.map(|given: u32| Dimension::Of(given as usize));
        let neither = || broken(dimension, "a dimension has neither a length nor a reference");
        fixed.or(held).ok_or_else(neither)
    });
    lengths.collect()
}
