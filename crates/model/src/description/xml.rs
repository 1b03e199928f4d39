//! Attributes of an element, each read as what it is.

use std::str::FromStr;

use roxmltree::Node;

use crate::Refused;

/// The first child element of a name.
pub(super) fn child<'a, 'x>(node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
    children(node).find(|child| child.has_tag_name(name))
}

/// All child elements.
pub(super) fn children<'a, 'x>(node: Node<'a, 'x>) -> impl Iterator<Item = Node<'a, 'x>> {
    node.children().filter(Node::is_element)
}

/// The text of an attribute; empty where there is none.
pub(super) fn text(node: Node, attribute: &str) -> String {
    node.attribute(attribute).unwrap_or_default().to_owned()
}

/// An attribute that must be there.
pub(super) fn needed(node: Node, attribute: &str) -> Result<String, Refused> {
    let value = node.attribute(attribute).map(str::trim);
    let value = value.filter(|value| !value.is_empty());
    value.map(str::to_owned).ok_or_else(|| {
        let what = node.tag_name().name();
        broken(node, &format!("{what} has no `{attribute}`"))
    })
}

/// True where an attribute says so.
pub(super) fn flag(node: Node, attribute: &str) -> bool {
    matches!(node.attribute(attribute).map(str::trim), Some("true" | "1"))
}

/// A number, where there is one.
pub(super) fn number<T: FromStr>(node: Node, attribute: &str) -> Result<Option<T>, Refused> {
    let Some(text) = node.attribute(attribute) else {
        return Ok(None);
    };
    let number = text.trim().parse();
    let no_number = |_| broken(node, &format!("`{attribute}` is `{text}`, no number for it"));
    number.map(Some).map_err(no_number)
}

/// All whole numbers of a list; those that are none are left out.
pub(super) fn list<T: FromStr>(node: Node, attribute: &str) -> Vec<T> {
    let text = node.attribute(attribute).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// A line about an element of the description, with where it stands.
pub(super) fn broken(node: Node, what: &str) -> Refused {
    let at = node.document().text_pos_at(node.range().start).row;
    Refused::new(format!(
        "line {at} of its modelDescription.xml: {what}; export the model again, or mend the file"
    ))
}
