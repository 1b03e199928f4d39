//! The variables of a model.

use roxmltree::Node;
use serde::Serialize;

use super::clock::{Clock, clock};
use super::version::FmiVersion;
use super::xml::{broken, child, children, list, needed, number, text};
use crate::Refused;

/// What a variable's values are. FMI 2's `Real` is `Float64`, its `Integer` is `Int32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Type {
    /// 64 bits.
    Float64,
    /// 32 bits.
    Float32,
    /// With sign, 8 bits.
    Int8,
    /// Without sign, 8 bits.
    UInt8,
    /// With sign, 16 bits.
    Int16,
    /// Without sign, 16 bits.
    UInt16,
    /// With sign, 32 bits.
    Int32,
    /// Without sign, 32 bits.
    UInt32,
    /// With sign, 64 bits.
    Int64,
    /// Without sign, 64 bits.
    UInt64,
    /// True or false.
    Boolean,
    /// Text in UTF-8.
    String,
    /// One of some numbers with names.
    Enumeration,
    /// Bytes.
    Binary,
    /// Ticks.
    Clock,
}

impl Type {
    const ALL: [(&str, Self); 17] = [
        ("Float64", Self::Float64),
        ("Float32", Self::Float32),
        ("Int8", Self::Int8),
        ("UInt8", Self::UInt8),
        ("Int16", Self::Int16),
        ("UInt16", Self::UInt16),
        ("Int32", Self::Int32),
        ("UInt32", Self::UInt32),
        ("Int64", Self::Int64),
        ("UInt64", Self::UInt64),
        ("Boolean", Self::Boolean),
        ("String", Self::String),
        ("Enumeration", Self::Enumeration),
        ("Binary", Self::Binary),
        ("Clock", Self::Clock),
        ("Real", Self::Float64),
        ("Integer", Self::Int32),
    ];

    /// As FMI 3 names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        name_of(&Self::ALL, self)
    }
}

/// What a variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Causality {
    /// Set before the model is initialised.
    Parameter,
    /// It follows from parameters.
    CalculatedParameter,
    /// A parameter that sizes arrays (FMI 3).
    StructuralParameter,
    /// Set from outside while the model runs.
    Input,
    /// Told to the outside.
    Output,
    /// Known inside alone.
    Local,
    /// Simulated time.
    Independent,
    /// FMI 3's `dependent`.
    Dependent,
}

impl Causality {
    const ALL: [(&str, Self); 8] = [
        ("parameter", Self::Parameter),
        ("calculatedParameter", Self::CalculatedParameter),
        ("structuralParameter", Self::StructuralParameter),
        ("input", Self::Input),
        ("output", Self::Output),
        ("local", Self::Local),
        ("independent", Self::Independent),
        ("dependent", Self::Dependent),
    ];

    /// As the description has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        name_of(&Self::ALL, self)
    }
}

/// When a variable's value may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Variability {
    /// Never.
    Constant,
    /// Not after initialisation.
    Fixed,
    /// Between steps, from outside.
    Tunable,
    /// At events.
    Discrete,
    /// Always.
    Continuous,
}

impl Variability {
    const ALL: [(&str, Self); 5] = [
        ("constant", Self::Constant),
        ("fixed", Self::Fixed),
        ("tunable", Self::Tunable),
        ("discrete", Self::Discrete),
        ("continuous", Self::Continuous),
    ];

    /// As the description has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        name_of(&Self::ALL, self)
    }
}

/// Length of an array in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// So many.
    Fixed(u64),
    /// As many as a structural parameter says, by its place among the variables.
    Of(usize),
}

/// One variable of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name, which no other variable has.
    pub name: String,
    /// Other names of it (FMI 3).
    pub aliases: Vec<String>,
    /// By what it is asked for and set.
    pub reference: u32,
    /// What its values are.
    pub kind: Type,
    /// What it is for.
    pub causality: Causality,
    /// When it may change.
    pub variability: Variability,
    /// Its values at the start as the file writes them, one a value; empty where the model
    /// computes them. An array may have one value for all its elements.
    pub start: Vec<String>,
    /// Empty for a scalar.
    pub dimensions: Vec<Dimension>,
    /// Unit, where one is told.
    pub unit: Option<String>,
    /// What the author tells of it; empty where nothing is told.
    pub description: String,
    /// Place of the variable that it is the derivative of, by time.
    pub derivative_of: Option<usize>,
    /// Places of the clocks at whose ticks it changes.
    pub clocks: Vec<usize>,
    /// How it ticks, where it is a clock.
    pub clock: Option<Clock>,
}

impl Variable {
    /// The first value at the start as a count.
    pub(crate) fn first_start(&self) -> Option<u64> {
        self.start.first()?.trim().parse().ok()
    }
}

/// References of a variable to others, as the file has them.
#[derive(Debug, Default)]
pub(super) struct References {
    /// FMI 2: number of a variable, from 1; FMI 3: a value reference.
    pub(super) derivative_of: Option<u32>,
    pub(super) clocks: Vec<u32>,
    /// A length, or the value reference of what holds it.
    pub(super) dimensions: Vec<Result<u64, u32>>,
}

/// All variables with what they refer to, which may stand behind them.
pub(super) fn variables<'a, 'x>(
    root: Node<'a, 'x>,
    version: FmiVersion,
) -> Result<Vec<(Node<'a, 'x>, Variable, References)>, Refused> {
    let nodes = child(root, "ModelVariables").into_iter().flat_map(children);
    let known = nodes.filter_map(|node| Some((node, typed(node, version)?)));
    known
        .map(|(node, typed)| {
            let (kind, detail) = typed.ok_or_else(|| {
                let name = text(node, "name");
                broken(node, &format!("variable `{name}` has no type"))
            })?;
            variable(node, kind, detail)
        })
        .collect()
}

/// A variable's type and the element that has its details; `None` for an element that is no
/// variable, and inside it where a variable has no type.
#[expect(clippy::option_option, reason = "what is no variable, and one without a type")]
fn typed<'a, 'x>(node: Node<'a, 'x>, version: FmiVersion) -> Option<Option<(Type, Node<'a, 'x>)>> {
    let of = |node: Node<'a, 'x>| Some((named(&Type::ALL, node.tag_name().name())?, node));
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
        causality: one_of(&Causality::ALL, node, "causality").unwrap_or(Causality::Local),
        variability: one_of(&Variability::ALL, node, "variability")
            .unwrap_or_else(|| usual(node, kind)),
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

fn one_of<T: Copy>(all: &[(&str, T)], node: Node, attribute: &str) -> Option<T> {
    named(all, node.attribute(attribute)?.trim())
}

fn named<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    let (_, one) = all.iter().find(|(known, _)| *known == name)?;
    Some(*one)
}

/// The first name of a value in a table that has all of them.
fn name_of<T: PartialEq + Copy>(all: &[(&'static str, T)], value: T) -> &'static str {
    let found = all.iter().find(|(_, one)| *one == value);
    found.map_or("", |(name, _)| name)
}

/// What the standard takes where no variability is told.
fn usual(node: Node, kind: Type) -> Variability {
    let causality = one_of(&Causality::ALL, node, "causality");
    let is_parameter = matches!(
        causality,
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

/// Texts stand whole in FMI 2 and in elements of their own in FMI 3.
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
