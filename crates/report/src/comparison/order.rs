//! The published order of systems, and the measured order.

use analysis::comparison::{Comparison, Order, orders, standing_for};
use analysis::{published, words};

use crate::document::{Block, Cell, TableOf};

/// Returns a line for each test and figure; empty unless at least two systems are both measured and
/// in a publication.
pub(super) fn order(comparison: &Comparison) -> Vec<Block> {
    let orders = orders(comparison);
    if orders.is_empty() {
        return Vec::new();
    }
    let pairs: usize = orders.iter().map(|order| order.pairs().len()).sum();
    let turned: usize = orders.iter().map(|order| order.turned().len()).sum();
    let stand = standing_for(&*comparison.systems);
    let stand = stand.iter().map(|(kind, system)| match system.name.as_str() {
        name if name == *kind => name.to_owned(),
        name => format!("{kind} is {name}"),
    });
    let clock = if comparison.is_of_lab() {
        ", and a clock that measures time where this one counts instructions"
    } else {
        ""
    };
    let note = format!(
        "µs, without load. Here {}. A reversed pair need not be due to the systems: other \
         versions, another machine ({}){clock}.",
        words::listed(&stand.collect::<Vec<_>>()),
        published::HARDWARE,
    );
    let caption = format!(
        "The order of the published systems: {} of {} in the order published",
        pairs - turned,
        words::counted(pairs, "pair")
    );
    let table = TableOf::of(&orders)
        .text("Test", |order| format!("{}, {}", order.test.replace('_', " "), order.figure))
        .text("As published, least first", |order| listed(&order.published, &order.bounds))
        .text("Here, least first", |order| listed(&order.found, &[]))
        .text("Reversed", reversed)
        .note(note)
        .table(caption);
    vec![Block::Table(table)]
}

fn reversed(order: &Order) -> Cell {
    let pairs: Vec<String> =
        order.turned().iter().map(|(less, more)| format!("{less} before {more}")).collect();
    if pairs.is_empty() { Cell::none("the same order") } else { Cell::text(pairs.join(", ")) }
}

/// `Xenomai 0.39, Linux > 1 000`.
fn listed(systems: &[(&str, f64)], bounds: &[&str]) -> String {
    let each = systems.iter().map(|(name, ns)| {
        let more = if bounds.contains(name) { "> " } else { "" };
        format!("{name} {more}{}", words::brief_micros(*ns))
    });
    each.collect::<Vec<_>>().join(", ")
}
