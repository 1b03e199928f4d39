//! The structure of a system as its description writes it: nested elements and their connections.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::document::{listed, mistake, needed};
use super::parameters::{Binding, bindings};
use super::transform::{Transform, boolean, transformation};
use crate::description::xml::{child, children, flag, text};
use crate::refused::Refused;

/// A system or a component; only a component has a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) connectors: Vec<Connector>,
    pub(super) bindings: Vec<Binding>,
    pub(super) content: Content,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    Component { source: String, implementation: String },
    System { elements: Vec<Element>, connections: Vec<Connection> },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Connector {
    pub(super) name: String,
    pub(super) unit: Option<String>,
    /// The name of its enumeration.
    enumeration: Option<String>,
}

/// A connection between two connectors, each with its element; the system itself has none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Connection {
    pub(super) start: (Option<String>, String),
    pub(super) end: (Option<String>, String),
    pub(super) converts_units: bool,
    pub(super) transform: Transform,
}

/// The values of the items of each enumeration.
pub(super) type Enumerations = BTreeMap<String, BTreeMap<String, f64>>;

pub(super) fn enumerations(root: Node) -> Result<Enumerations, Refused> {
    let item = |node: Node| {
        let value = node.attribute("value").and_then(|value| value.trim().parse().ok());
        let value = value.ok_or_else(|| mistake(node, "Item has no value that is a number"))?;
        Ok((needed(node, "name")?, value))
    };
    let enumeration = |node: Node| {
        let items = children(node).filter(|child| child.has_tag_name("Item")).map(item);
        Ok((needed(node, "name")?, items.collect::<Result<_, Refused>>()?))
    };
    listed(root, "Enumerations", "Enumeration").map(enumeration).collect()
}

/// Reads a system with all that it contains.
pub(super) fn system(node: Node, known: &Enumerations) -> Result<Element, Refused> {
    let mut elements = Vec::new();
    for node in children(node).filter(|child| child.has_tag_name("Elements")).flat_map(children) {
        elements.push(match node.tag_name().name() {
            "Component" => component(node)?,
            "System" => system(node, known)?,
            "SignalDictionaryReference" => {
                return Err(mistake(node, "signal dictionaries are not supported"));
            }
            other => return Err(mistake(node, &format!("the element `{other}` is not supported"))),
        });
    }
    for (place, element) in elements.iter().enumerate() {
        if elements[..place].iter().any(|other| other.name == element.name) {
            return Err(mistake(node, &format!("two elements have the name `{}`", element.name)));
        }
    }
    let connectors = connectors(node)?;
    let nodes = listed(node, "Connections", "Connection");
    let connections = nodes.map(|node| connection(node, &connectors, &elements, known));
    let connections = connections.collect::<Result<_, _>>()?;
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let content = Content::System { elements, connections };
    Ok(Element { name, connectors, bindings: bindings(node)?, content })
}

fn component(node: Node) -> Result<Element, Refused> {
    let kind = node.attribute("type").unwrap_or("application/x-fmu-sharedlibrary");
    let name = needed(node, "name")?;
    if kind != "application/x-fmu-sharedlibrary" {
        let what = format!("the component `{name}` is of type {kind}; only FMUs are supported");
        return Err(mistake(node, &what));
    }
    Ok(Element {
        connectors: connectors(node)?,
        bindings: bindings(node)?,
        content: Content::Component {
            source: needed(node, "source")?,
            implementation: text(node, "implementation"),
        },
        name,
    })
}

fn connectors(node: Node) -> Result<Vec<Connector>, Refused> {
    let connector = |node: Node| {
        if child(node, "Dimension").is_some() {
            let what = format!(
                "the connector `{}` is an array, which is not supported",
                text(node, "name")
            );
            return Err(mistake(node, &what));
        }
        let unit = children(node).find_map(|kind| kind.attribute("unit")).map(str::to_owned);
        let enumeration = children(node).find(|kind| kind.has_tag_name("Enumeration"));
        Ok(Connector {
            name: needed(node, "name")?,
            unit,
            enumeration: enumeration.map(|node| text(node, "name")),
        })
    };
    listed(node, "Connectors", "Connector").map(connector).collect()
}

fn connection(
    node: Node,
    own: &[Connector],
    elements: &[Element],
    known: &Enumerations,
) -> Result<Connection, Refused> {
    let end = |element: &str, connector: &str| {
        let name = needed(node, connector)?;
        let element = node.attribute(element).map(str::to_owned);
        let connectors = match &element {
            None => own,
            Some(wanted) => {
                let found = elements.iter().find(|one| one.name == *wanted);
                let what = format!("a connection names the element `{wanted}`, which is not there");
                &found.ok_or_else(|| mistake(node, &what))?.connectors
            }
        };
        let found = connectors.iter().find(|connector| connector.name == name);
        let of = element.as_deref().unwrap_or("the system");
        let what = format!("a connection names the connector `{name}` of {of}, which is not there");
        let connector = found.ok_or_else(|| mistake(node, &what))?;
        let items = connector.enumeration.as_ref().and_then(|name| known.get(name));
        Ok::<_, Refused>(((element, name), items))
    };
    let (start, start_items) = end("startElement", "startConnector")?;
    let (end, end_items) = end("endElement", "endConnector")?;
    let value = |items: Option<&BTreeMap<String, f64>>, word: &str| items?.get(word).copied();
    Ok(Connection {
        start,
        end,
        converts_units: !flag(node, "suppressUnitConversion"),
        transform: transformation(node, &|word| value(start_items, word), &|word| {
            value(end_items, word).or_else(|| boolean(word).filter(|_| end_items.is_none()))
        })?,
    })
}
