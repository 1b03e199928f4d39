//! Finds circles in a graph.

use std::collections::{BTreeMap, BTreeSet};

/// What uses what, by name.
pub(crate) type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the names of a shortest circle, in which each name uses the next one and the last one
/// uses the first; `None` if there is no circle.
pub(crate) fn circle(graph: &Graph) -> Option<Vec<String>> {
    let circles = graph.keys().filter_map(|name| way_back(graph, name));
    circles.min_by_key(Vec::len)
}

/// Returns the shortest path from a name back to itself.
fn way_back(graph: &Graph, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in graph.get(way.last()?).into_iter().flatten() {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push([way.as_slice(), std::slice::from_ref(next)].concat());
                }
            }
        }
        ways = longer;
    }
    None
}
