//! Parameter values of SSP: bindings, sets of values (SSV) and mappings (SSM).

use roxmltree::Node;

use super::document::{self, listed, mistake, needed};
use super::transform::{Transform, transformation};
use super::units::Units;
use crate::description::xml::{child, children, flag};
use crate::refused::{Refused, refused};

/// Values that are bound to an element, either in the document or in another file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Binding {
    prefix: String,
    values: Place<Vec<Parameter>>,
    mapping: Option<Place<Vec<Entry>>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Place<T> {
    Here(T),
    /// The path of a file in the archive.
    File(String),
}

/// A value, as it is written, for a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) value: String,
    /// Its unit, with the units of its file.
    pub(super) unit: Option<(String, Units)>,
    pub(super) converts_units: bool,
    transform: Transform,
}

/// An entry of a mapping.
#[derive(Debug, Clone, PartialEq)]
struct Entry {
    source: String,
    target: String,
    converts_units: bool,
    transform: Transform,
}

impl Parameter {
    /// Returns the value, converted from its unit, then transformed by its mapping, and then on its
    /// way to another connector.
    pub(super) fn value_in(
        &self,
        conversion: &Transform,
        way: Option<&Transform>,
    ) -> Result<String, Refused> {
        let way = way.unwrap_or(&Transform::SAME);
        if [conversion, &self.transform, way].into_iter().all(Transform::is_same) {
            return Ok(self.value.clone());
        }
        let number: Option<f64> = match &*self.value {
            "true" => Some(1.0),
            "false" => Some(0.0),
            text => text.parse().ok(),
        };
        let text = || refused!("`{}` of `{}` is not a number", self.value, self.name);
        let value = way.of(self.transform.of(conversion.of(number.ok_or_else(text)?)?)?)?;
        Ok(value.to_string())
    }
}

impl Binding {
    /// Returns the values under the names that they have in the element, by a reader of files.
    pub(super) fn values(
        &self,
        file: &dyn Fn(&str) -> Result<Vec<u8>, Refused>,
    ) -> Result<Vec<Parameter>, Refused> {
        let mut values = match &self.values {
            Place::Here(values) => values.clone(),
            Place::File(path) => document::read(path, &file(path)?, "ParameterSet", set)?,
        };
        for parameter in &mut values {
            parameter.name.insert_str(0, &self.prefix);
        }
        let entries = match &self.mapping {
            None => return Ok(values),
            Some(Place::Here(entries)) => entries.clone(),
            Some(Place::File(path)) => {
                document::read(path, &file(path)?, "ParameterMapping", mapping)?
            }
        };
        let mapped = entries.into_iter().filter_map(|entry| {
            let found = values.iter().find(|parameter| parameter.name == entry.source)?;
            Some(Parameter {
                name: entry.target,
                converts_units: entry.converts_units,
                transform: entry.transform,
                ..found.clone()
            })
        });
        Ok(mapped.collect())
    }
}

pub(super) fn bindings(node: Node) -> Result<Vec<Binding>, Refused> {
    listed(node, "ParameterBindings", "ParameterBinding").map(binding).collect()
}

fn binding(node: Node) -> Result<Binding, Refused> {
    of_type(node, "application/x-ssp-parameter-set")?;
    let set_here = child(node, "ParameterValues").and_then(|values| child(values, "ParameterSet"));
    let values = match (source(node)?, set_here) {
        (Some(path), None) => Place::File(path),
        (None, Some(values)) => Place::Here(set(values)?),
        _ => {
            return Err(mistake(node, "ParameterBinding needs either a source or ParameterValues"));
        }
    };
    let mapped = child(node, "ParameterMapping").map(|node| {
        of_type(node, "application/x-ssp-parameter-mapping")?;
        match (source(node)?, child(node, "ParameterMapping")) {
            (Some(path), None) => Ok(Place::File(path)),
            (None, Some(entries)) => mapping(entries).map(Place::Here),
            _ => Err(mistake(node, "ParameterMapping needs either a source or its content")),
        }
    });
    let prefix = node.attribute("prefix").unwrap_or_default().to_owned();
    Ok(Binding { prefix, values, mapping: mapped.transpose()? })
}

fn of_type(node: Node, known: &str) -> Result<(), Refused> {
    match node.attribute("type") {
        Some(other) if other != known => {
            Err(mistake(node, &format!("parameters of type {other} are not supported")))
        }
        _ => Ok(()),
    }
}

fn source(node: Node) -> Result<Option<String>, Refused> {
    if node.attribute("sourceBase").is_some_and(|base| base != "SSD") {
        return Err(mistake(node, "a source within a component is not supported"));
    }
    Ok(node.attribute("source").filter(|path| !path.is_empty()).map(str::to_owned))
}

/// Reads a set of values.
fn set(root: Node) -> Result<Vec<Parameter>, Refused> {
    let units = Units::read(root)?;
    listed(root, "Parameters", "Parameter").map(|node| parameter(node, &units)).collect()
}

fn parameter(node: Node, units: &Units) -> Result<Parameter, Refused> {
    let name = needed(node, "name")?;
    let typed =
        children(node).filter(|child| !child.has_tag_name("Annotations")).collect::<Vec<_>>();
    let [typed] = *typed else {
        let what =
            format!("the parameter `{name}` has not exactly one value, as it must have here");
        return Err(mistake(node, &what));
    };
    let lacks = || mistake(typed, &format!("the parameter `{name}` has no value"));
    let value = typed.attribute("value").ok_or_else(lacks)?.to_owned();
    if typed.has_tag_name("Enumeration") && value.parse::<f64>().is_err() {
        let what = format!("the parameter `{name}` has a name of an enumeration; write its number");
        return Err(mistake(typed, &what));
    }
    Ok(Parameter {
        name,
        value,
        unit: typed.attribute("unit").map(|unit| (unit.to_owned(), units.clone())),
        converts_units: true,
        transform: Transform::SAME,
    })
}

fn mapping(root: Node) -> Result<Vec<Entry>, Refused> {
    let entries = children(root).filter(|entry| entry.has_tag_name("MappingEntry"));
    let entry = |node| {
        Ok(Entry {
            source: needed(node, "source")?,
            target: needed(node, "target")?,
            converts_units: !flag(node, "suppressUnitConversion"),
            transform: transformation(node, &|_| None, &|_| None)?,
        })
    };
    entries.map(entry).collect()
}
