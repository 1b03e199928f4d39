//! The variables of a model.

use roxmltree::Node;
use serde::Serialize;

use super::clock::{Clock, clock};
use super::version::FmiVersion;
use super::xml::{broken, child, children, list, needed, number, text};
use crate::Refused;

units::named! {
    /// The type of a variable's values. FMI 2's `Real` is `Float64`, its `Integer` is `Int32`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
        /// One of several named numbers.
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

units::named! {
    /// The purpose of a variable.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Causality {
        /// Set before the model is initialised.
        Parameter = "parameter",
        /// Computed from parameters.
        CalculatedParameter = "calculatedParameter",
        /// A parameter that determines the size of arrays (FMI 3).
        StructuralParameter = "structuralParameter",
        /// Set from outside while the model runs.
        Input = "input",
        /// Read from outside.
        Output = "output",
        /// Used only inside the model.
        Local = "local",
        /// Simulated time.
        Independent = "independent",
        /// FMI 3's `dependent`.
        Dependent = "dependent",
    }
}

units::named! {
    /// When a variable's value may change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Variability {
        /// It never changes.
        Constant = "constant",
        /// It does not change after initialisation.
        Fixed = "fixed",
        /// It can be changed between steps, from outside.
        Tunable = "tunable",
        /// It changes only at events.
        Discrete = "discrete",
        /// It can change at any time.
        Continuous = "continuous",
    }
}

/// Length of an array in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A fixed length.
    Fixed(u64),
    /// The length given by a structural parameter, by its place among the variables.
    Of(usize),
}

/// One variable of a model.
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
    /// How it ticks, if it is a clock.
    pub clock: Option<Clock>,
}

impl Variable {
    /// Returns the first start value as a count.
    pub(crate) fn first_start(&self) -> Option<u64> {
        self.start.first()?.trim().parse().ok()
    }
}

/// References of a variable to others, as in the file.
#[derive(Debug, Default)]
pub(super) struct References {
    /// In FMI 2 the number of a variable, counted from 1; in FMI 3 a value reference.
    pub(super) derivative_of: Option<u32>,
    pub(super) clocks: Vec<u32>,
    /// Lengths, or the value references of the variables that contain them.
    pub(super) dimensions: Vec<Result<u64, u32>>,
}

/// Reads all variables with their references, which may refer to later variables.
pub(super) fn variables<'a, 'x>(
    root: Node<'a, 'x>,
    version: FmiVersion,
) -> Result<Vec<(Node<'a, 'x>, Variable, References)>, Refused> {
    let nodes = child(root, "ModelVariables").into_iter().flat_map(children);
    let known = nodes.filter_map(|node| Some((node, typed(node, version)?)));
    let variables = known.map(|(node, typed)| {
        let untyped = || format!("variable `{}` has no type", text(node, "name"));
        let (kind, detail) = typed.ok_or_else(|| broken(node, &untyped()))?;
        variable(node, kind, detail)
    });
    variables.collect()
}

/// Returns a variable's type and the element with its details. The outer `None` is for an element
/// that is not a variable, the inner one for a variable without a type.
#[expect(
    clippy::option_option,
    reason = "an element that is not a variable, or a variable without a type"
)]
fn typed<'a, 'x>(node: Node<'a, 'x>, version: FmiVersion) -> Option<Option<(Type, Node<'a, 'x>)>> {
    let of = |node: Node<'a, 'x>| Some((Type::of(node.tag_name().name())?, node));
    match version {
        FmiVersion::V2 => node.has_tag_name("ScalarVariable").then(|| children(node).find_map(of)),
        FmiVersion::V3 => of(node).map(Some),
    }
}

fn variable<'a, 'x>(
    node: Node<'a, 'x>,
    kind: Type,
    detail: Node<'a, 'x>,
) -> Result<(Node<'a, 'x>, Variable, References), Refused> {
    let name = node.attribute("name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| broken(node, "a variable has no name"))?;
    let reference = number(node, "valueReference")?
        .ok_or_else(|| broken(node, &format!("variable `{name}` has no value reference")))?;
    let aliases = children(node).filter(|child| child.has_tag_name("Alias"));
    let variable = Variable {
        name: name.to_owned(),
        aliases: aliases.map(|alias| needed(alias, "name")).collect::<Result<_, _>>()?,
        reference,
        kind,
        causality: causality(node).unwrap_or(Causality::Local),
        variability: node
            .attribute("variability")
            .and_then(|name| Variability::named(name.trim()))
            .unwrap_or_else(|| default_variability(node, kind)),
        start: start(detail, kind),
        dimensions: Vec::new(),
        unit: detail.attribute("unit").map(str::to_owned),
        description: text(node, "description"),
        derivative_of: None,
        clocks: Vec::new(),
        clock: (kind == Type::Clock).then(|| clock(node)).transpose()?,
    };
    let references = References {
        derivative_of: number(detail, "derivative")?,
        clocks: list(node, "clocks"),
        dimensions: dimensions(node)?,
    };
    Ok((node, variable, references))
}

fn causality(node: Node) -> Option<Causality> {
    Causality::named(node.attribute("causality")?.trim())
}

/// The standard's default for a missing variability.
fn default_variability(node: Node, kind: Type) -> Variability {
    let is_parameter = matches!(
        causality(node),
        Some(
            Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter
        )
    );
    match kind {
        _ if is_parameter => Variability::Fixed,
        Type::Float64 | Type::Float32 => Variability::Continuous,
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

fn dimensions(node: Node) -> Result<Vec<Result<u64, u32>>, Refused> {
    let elements = children(node).filter(|child| child.has_tag_name("Dimension"));
    let lengths = elements.map(|dimension| {
        let fixed = number(dimension, "start")?.map(Ok);
        let held = number(dimension, "valueReference")?.map(Err);
        let neither = || broken(dimension, "a dimension has neither a length nor a reference");
        fixed.or(held).ok_or_else(neither)
    });
    lengths.collect()
}
