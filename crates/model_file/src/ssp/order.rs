//! The order in which the parts of a system step, by direct feedthrough, and its algebraic loops.

use crate::refused::{Refused, refused};

/// A connection between two parts, by their positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Its name, such as `A.y -> B.u`, and that of the input, such as `B.u`.
    pub(super) name: String,
    pub(super) input: String,
    /// Whether an output of `to` depends on it within a step.
    pub(super) is_direct: bool,
}

/// Returns the positions of the parts in an order in which each one follows the sources of its
/// direct inputs, and otherwise the first one is first.
///
/// # Errors
/// Names an algebraic loop, and the input at which a delay would break it.
pub(super) fn order(parts: usize, edges: &[Edge]) -> Result<Vec<usize>, Refused> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < parts {
        let is_ready = |part: &usize| {
            let mut direct = edges.iter().filter(|edge| edge.is_direct && edge.to == *part);
            !order.contains(part) && direct.all(|edge| order.contains(&edge.from))
        };
        match (0..parts).find(is_ready) {
            Some(part) => order.push(part),
            None => return Err(refused_loop(&cycle(parts, edges, &order))),
        }
    }
    Ok(order)
}

/// Returns the edges of a loop among the parts that are not in the order.
fn cycle<'e>(parts: usize, edges: &'e [Edge], order: &[usize]) -> Vec<&'e Edge> {
    let is_left = |part: &usize| !order.contains(part);
    let mut way: Vec<&Edge> = Vec::new();
    let mut part = (0..parts).find(is_left).unwrap_or(0);
    loop {
        // Each part that is left has a direct source that is left.
        let into =
            edges.iter().find(|edge| edge.is_direct && edge.to == part && is_left(&edge.from));
        let Some(edge) = into else { return way };
        way.push(edge);
        part = edge.from;
        if let Some(start) = way.iter().position(|edge| edge.to == part) {
            way.drain(..start);
            way.reverse();
            return way;
        }
    }
}

fn refused_loop(cycle: &[&Edge]) -> Refused {
    let names: Vec<&str> = cycle.iter().map(|edge| edge.name.as_str()).collect();
    let input = cycle.last().map_or("", |edge| edge.input.as_str());
    refused!(
        "algebraic loop: {}; each value would depend on itself within a step; break it by a delay of one step: \
         --delay {input}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize, is_direct: bool) -> Edge {
        let [source, user] = [from, to].map(|part| ["A", "B", "C"][part]);
        let input = format!("{user}.u");
        Edge { from, to, name: format!("{source}.y -> {input}"), input, is_direct }
    }

    #[test]
    fn parts_follow_the_sources_of_their_direct_inputs() {
        assert_eq!(order(3, &[edge(2, 0, true), edge(0, 1, true)]).unwrap(), [2, 0, 1]);
        assert_eq!(order(3, &[edge(0, 1, false), edge(1, 0, true)]).unwrap(), [1, 0, 2]);
        assert_eq!(order(2, &[]).unwrap(), [0, 1]);
    }

    #[test]
    fn a_loop_is_named_with_its_connections_and_a_remedy() {
        let loops = [edge(0, 1, true), edge(1, 2, true), edge(2, 1, true)];
        let why = order(3, &loops).unwrap_err().to_string();
        assert!(why.starts_with("algebraic loop: B.y -> C.u, C.y -> B.u;"), "{why}");
        assert!(why.ends_with("--delay B.u"), "{why}");
        let own = order(1, &[edge(0, 0, true)]).unwrap_err().to_string();
        assert!(own.starts_with("algebraic loop: A.y -> A.u;"), "{own}");
    }
}
