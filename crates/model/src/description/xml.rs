//! Typed access to the attributes of an element.

use std::str::FromStr;

use roxmltree::Node;

use crate::refused::{Refused, refused};

/// Returns the first child element with a name.
pub(super) fn child<'a, 'x>(node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
    children(node).find(|child| child.has_tag_name(name))
}

pub(super) fn children<'a, 'x>(node: Node<'a, 'x>) -> impl Iterator<Item = Node<'a, 'x>> {
    node.children().filter(Node::is_element)
}

/// Returns the text of an attribute; empty if it is missing.
pub(super) fn text(node: Node, attribute: &str) -> String {
    node.attribute(attribute).unwrap_or_default().to_owned()
}

/// Returns an attribute that must exist.
pub(super) fn needed(node: Node, attribute: &str) -> Result<String, Refused> {
    let value = node.attribute(attribute).map(str::trim);
    let value = value.filter(|value| !value.is_empty());
    value.map(str::to_owned).ok_or_else(|| {
        let what = node.tag_name().name();
        broken(node, &format!("{what} has no `{attribute}`"))
    })
}

/// Whether an attribute is true.
pub(super) fn flag(node: Node, attribute: &str) -> bool {
    matches!(node.attribute(attribute).map(str::trim), Some("true" | "1"))
}

/// Returns a number; `None` if the attribute is missing.
pub(super) fn number<T: FromStr>(node: Node, attribute: &str) -> Result<Option<T>, Refused> {
    let Some(text) = node.attribute(attribute) else {
        return Ok(None);
    };
    let line = || format!("`{attribute}` is `{text}`, which is not a valid number");
    text.trim().parse().map(Some).map_err(|_| broken(node, &line()))
}

/// Returns all whole numbers of a list, and skips everything else.
pub(super) fn list<T: FromStr>(node: Node, attribute: &str) -> Vec<T> {
    let text = node.attribute(attribute).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Returns an error about an element of the description, with its line.
pub(super) fn broken(node: Node, what: &str) -> Refused {
    let at = node.document().text_pos_at(node.range().start).row;
    refused!(
        "line {at} of its modelDescription.xml: {what}; export the model again, or correct the file"
    )
}
