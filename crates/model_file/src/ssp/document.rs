//! XML documents of SSP (1.0 and 2.0): which elements they consist of, and mistakes in them.

use roxmltree::{Document, Node, ParsingOptions};

use crate::description::decoded;
use crate::description::xml::{children, refuse_many_attributes};
use crate::refused::{Refused, refused};

/// The largest document that is read, in bytes.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// The most elements and texts of a document.
const MOST_NODES: u32 = 1_000_000;
/// The deepest nesting of elements.
const MOST_LEVELS: usize = 200;

/// Reads a document and returns what `read` makes of its root, which must have this name.
pub(super) fn read<T>(
    file: &str,
    bytes: &[u8],
    root: &str,
    read: impl FnOnce(Node) -> Result<T, Refused>,
) -> Result<T, Refused> {
    let text = decoded(bytes);
    refuse_many_attributes(&text).map_err(|why| refused!("{file}: {}", why.why()))?;
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options)
        .map_err(|error| refused!("{file} is not valid XML ({error}); export the system again"))?;
    let node = document.root_element();
    if !node.has_tag_name(root) {
        let found = node.tag_name().name();
        return Err(refused!("{file} has a root `{found}`; expected `{root}`"));
    }
    let is_deep = |node: Node| node.ancestors().count() > MOST_LEVELS;
    if node.descendants().filter(Node::is_element).any(is_deep) {
        return Err(refused!("{file} has elements in more than {MOST_LEVELS} levels"));
    }
    read(node).map_err(|why| refused!("{file}: {}", why.why()))
}

/// Returns a mistake in an element, with its line.
pub(super) fn mistake(node: Node, what: &str) -> Refused {
    let at = node.document().text_pos_at(node.range().start).row;
    refused!("line {at}: {what}")
}

/// Returns the elements of this name in a list, such as each `Connector` of `Connectors`.
pub(super) fn listed<'a, 'x: 'a>(
    node: Node<'a, 'x>,
    list: &'static str,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'x>> {
    let lists = children(node).filter(move |child| child.has_tag_name(list));
    lists.flat_map(children).filter(move |child| child.has_tag_name(name))
}

/// Returns the text of an attribute that must exist.
pub(super) fn needed(node: Node, attribute: &str) -> Result<String, Refused> {
    let value = node.attribute(attribute).filter(|value| !value.trim().is_empty());
    let name = node.tag_name().name();
    let missing = || mistake(node, &format!("{name} has no `{attribute}`"));
    value.map(str::to_owned).ok_or_else(missing)
}

/// Returns a finite number, or the default if the attribute is missing.
pub(super) fn number_or(node: Node, attribute: &str, default: f64) -> Result<f64, Refused> {
    let Some(text) = node.attribute(attribute) else { return Ok(default) };
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| mistake(node, &format!("`{attribute}` is `{text}`, not a finite number")))
}
