//! Outputs and states of a model, and the ways in which a description refers to variables.

use std::collections::HashMap;

use roxmltree::Node;
use rt::fmi::Version;

use super::variable::{Causality, Variable};
use super::xml::{broken, child, children, list, number};
use crate::Refused;

/// A continuous state, by the places of its variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The state; `None` if a model without Model Exchange does not name it.
    pub state: Option<usize>,
    pub derivative: usize,
}

/// Outputs, states and event indicators of a model, in the order of its functions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Structure {
    pub outputs: Vec<usize>,
    /// For each output, the variables on which it depends directly; `None` if the description does
    /// not say, so that it may depend on all.
    pub feedthrough: Vec<Option<Vec<usize>>>,
    pub states: Vec<State>,
    /// Number of event indicators; an array counts as one.
    pub event_indicators: u64,
}

/// Reads the model's structure, or derives it from the variables if the description has none.
pub(super) fn structure(
    root: Node,
    version: Version,
    variables: &[Variable],
    targets: &Targets,
) -> Result<Structure, Refused> {
    let Some(node) = child(root, "ModelStructure") else {
        return Ok(followed(variables));
    };
    let derivatives = unknowns(node, version, ["Derivatives", "ContinuousStateDerivative"]);
    let states = derivatives.map(|unknown| {
        let derivative = place(unknown, version, targets)?;
        let state = variables[derivative].derivative_of;
        Ok::<_, Refused>(State { state, derivative })
    });
    let outputs = || unknowns(node, version, ["Outputs", "Output"]);
    let places = outputs().map(|unknown| place(unknown, version, targets));
    let feedthrough = outputs().map(|unknown| dependencies(unknown, targets));
    let indicators = children(node).filter(|child| child.has_tag_name("EventIndicator"));
    Ok(Structure {
        states: states.collect::<Result<_, _>>()?,
        outputs: places.collect::<Result<_, _>>()?,
        feedthrough: feedthrough.collect(),
        event_indicators: match version {
            Version::Two => number(root, "numberOfEventIndicators")?.unwrap_or(0),
            Version::Three => indicators.count() as u64,
        },
    })
}

/// Lists the unknowns: FMI 2 has one element with a list, FMI 3 one element for each.
fn unknowns<'a, 'x: 'a>(
    node: Node<'a, 'x>,
    version: Version,
    [list, single]: [&'static str; 2],
) -> impl Iterator<Item = Node<'a, 'x>> {
    let (parent, name) = match version {
        Version::Two => (child(node, list), "Unknown"),
        Version::Three => (Some(node), single),
    };
    let all = parent.into_iter().flat_map(children);
    all.filter(move |unknown| unknown.has_tag_name(name))
}

fn place(unknown: Node, version: Version, targets: &Targets) -> Result<usize, Refused> {
    let attribute = match version {
        Version::Two => "index",
        Version::Three => "valueReference",
    };
    let given: Option<u32> = number(unknown, attribute)?;
    given.and_then(|given| targets.place(given as usize)).ok_or_else(|| {
        let given = unknown.attribute(attribute).unwrap_or_default();
        let what = format!("ModelStructure names {attribute} `{given}`, which no variable has");
        broken(unknown, &what)
    })
}

/// Reads the variables on which an unknown depends; `None` if that is not said.
fn dependencies(unknown: Node, targets: &Targets) -> Option<Vec<usize>> {
    unknown.attribute("dependencies")?;
    let given = list(unknown, "dependencies");
    Some(given.filter_map(|given: usize| targets.place(given)).collect())
}

fn followed(variables: &[Variable]) -> Structure {
    let all = || variables.iter().enumerate();
    let outputs = all().filter(|(_, variable)| variable.causality == Causality::Output);
    let states = all().filter_map(|(derivative, variable)| {
        Some(State { state: Some(variable.derivative_of?), derivative })
    });
    let outputs: Vec<usize> = outputs.map(|(place, _)| place).collect();
    Structure {
        feedthrough: vec![None; outputs.len()],
        outputs,
        states: states.collect(),
        event_indicators: 0,
    }
}

/// All variables to which a description can refer.
pub(super) struct Targets {
    version: Version,
    count: usize,
    by_reference: HashMap<usize, usize>,
}

impl Targets {
    /// Indexes variables by these value references, in their order. If several have the same one,
    /// the first counts.
    pub(super) fn new(version: Version, references: impl Iterator<Item = usize>) -> Self {
        let (mut count, mut by_reference) = (0, HashMap::new());
        for reference in references {
            by_reference.entry(reference).or_insert(count);
            count += 1;
        }
        Self { version, count, by_reference }
    }

    /// Returns the place to which a number refers: FMI 2 counts variables from 1, FMI 3 uses their
    /// value references.
    pub(super) fn place(&self, number: usize) -> Option<usize> {
        match self.version {
            Version::Two => number.checked_sub(1).filter(|place| *place < self.count),
            Version::Three => self.with_reference(number),
        }
    }

    /// Returns the place of the variable with a value reference.
    pub(super) fn with_reference(&self, reference: usize) -> Option<usize> {
        self.by_reference.get(&reference).copied()
    }
}
