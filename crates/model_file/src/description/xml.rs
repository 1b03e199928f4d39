//! Typed access to the attributes of an element, whose number is bounded.

use std::str::FromStr;

use roxmltree::Node;

use crate::refused::{Refused, refused};

/// The most attributes of an element; FMI's own elements have about twenty.
const MOST_ATTRIBUTES: usize = 1_000;

pub(crate) fn child<'a, 'x>(node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
    children(node).find(|child| child.has_tag_name(name))
}

pub(crate) fn children<'a, 'x>(node: Node<'a, 'x>) -> impl Iterator<Item = Node<'a, 'x>> {
    node.children().filter(Node::is_element)
}

/// Returns the text of an attribute; empty if it is missing.
pub(crate) fn text(node: Node, attribute: &str) -> String {
    node.attribute(attribute).unwrap_or_default().to_owned()
}

/// Returns an attribute that must exist.
pub(crate) fn needed(node: Node, attribute: &str) -> Result<String, Refused> {
    let value = node.attribute(attribute).map(str::trim);
    let value = value.filter(|value| !value.is_empty());
    value.map(str::to_owned).ok_or_else(|| {
        let what = node.tag_name().name();
        broken(node, &format!("{what} has no `{attribute}`"))
    })
}

pub(crate) fn flag(node: Node, attribute: &str) -> bool {
    matches!(node.attribute(attribute).map(str::trim), Some("true" | "1"))
}

/// Returns a number; `None` if the attribute is missing.
pub(crate) fn number<T: FromStr>(node: Node, attribute: &str) -> Result<Option<T>, Refused> {
    let Some(text) = node.attribute(attribute) else {
        return Ok(None);
    };
    let line = || format!("`{attribute}` is `{text}`, which is not a valid number");
    text.trim().parse().map(Some).map_err(|_| broken(node, &line()))
}

/// Reads a duration in seconds above 0; some programs write 0 for a missing one.
pub(crate) fn seconds(node: Node, attribute: &str) -> Result<Option<f64>, Refused> {
    Ok(number(node, attribute)?.filter(|time: &f64| time.is_finite() && *time > 0.0))
}

/// Returns all numbers of a list, and skips everything else.
pub(crate) fn list<T: FromStr>(node: Node, attribute: &str) -> impl Iterator<Item = T> {
    let text = node.attribute(attribute).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok())
}

/// Returns an error about an element of the description, with its line.
pub(crate) fn broken(node: Node, what: &str) -> Refused {
    let at = node.document().text_pos_at(node.range().start).row;
    refused!(
        "line {at} of its modelDescription.xml: {what}; export the model again, or correct the file"
    )
}

/// Refuses elements with more attributes than any model has, because the parser compares each
/// attribute with all others.
pub(crate) fn refuse_many_attributes(text: &str) -> Result<(), Refused> {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = match rest {
            comment if comment.starts_with("!--") => comment.find("-->"),
            data if data.starts_with("![CDATA[") => data.find("]]>"),
            element => {
                let (attributes, end) = attributes(element);
                if attributes > MOST_ATTRIBUTES {
                    let name = element.chars().take_while(|letter| letter.is_alphanumeric());
                    let name: String = name.take(40).collect();
                    return Err(refused!(
                        "an element `{name}` of its modelDescription.xml has more than {MOST_ATTRIBUTES} attributes; export the \
                         model again"
                    ));
                }
                end
            }
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
    Ok(())
}

/// Counts an element's attributes, up to one too many, and finds its end.
fn attributes(element: &str) -> (usize, Option<usize>) {
    let (mut quote, mut count) = (None, 0);
    for (place, letter) in element.bytes().enumerate() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(letter),
            (None, b'=') => count += 1,
            (None, b'>') => return (count, Some(place)),
            (None, _) => {}
        }
        if count > MOST_ATTRIBUTES {
            return (count, None);
        }
    }
    (count, None)
}
