//! The order of the publications' systems beside the order found here.

use analysis::comparison::{Comparison, Order, orders, standing_for};
use analysis::{published, words};

use crate::document::{Block, Cell, Column, Line, Table};

/// A line for each test and figure, and in words how much of the order is the same; nothing
/// where no two systems are both here and in a publication.
pub(super) fn order(comparison: &Comparison) -> Vec<Block> {
    let orders = orders(comparison);
    if orders.is_empty() {
        return Vec::new();
    }
    let (pairs, turned) = orders.iter().fold((0, 0), |(pairs, turned), order| {
        (pairs + order.pairs().len(), turned + order.turned().len())
    });
    let heads = ["Test", "As published, least first", "Here, least first", "Turned round"];
    let stand = standing_for(&comparison.systems);
    let stand: Vec<String> = stand
        .iter()
        .map(|(kind, system)| match system.name.as_str() {
            name if name == *kind => name.to_owned(),
            name => format!("{kind} is {name}"),
        })
        .collect();
    vec![Block::Table(Table {
        caption: format!(
            "The order of the published systems: {} of {} in the order published",
            pairs - turned,
            words::counted(pairs, "pair")
        ),
        columns: heads.into_iter().map(Column::words).collect(),
        rows: orders.iter().map(row).collect(),
        note: format!(
            "µs, without load. Here {}. What is turned round need not be a system\u{2019}s doing: \
             other versions, another machine ({}){}.",
            words::listed(&stand),
            published::HARDWARE,
            match comparison.is_of_lab() {
                true => ", and a clock that tells time where this one counts instructions",
                false => "",
            }
        ),
        folded: false,
    })]
}

fn row(order: &Order) -> Line {
    let test = format!("{}, {}", order.test.replace('_', " "), order.figure);
    let turned: Vec<String> =
        order.turned().iter().map(|(less, more)| format!("{less} before {more}")).collect();
    let turned = match turned.is_empty() {
        true => Cell::none("the same order"),
        false => Cell::text(turned.join(", ")),
    };
    Line::of(vec![
        Cell::text(test),
        Cell::text(listed(&order.published, &order.bounds)),
        Cell::text(listed(&order.found, &[])),
        turned,
    ])
}

/// `Xenomai 0.39, Linux > 1 000`.
fn listed(systems: &[(&str, f64)], bounds: &[&str]) -> String {
    let each = systems.iter().map(|(name, ns)| {
        let more = if bounds.contains(name) { "> " } else { "" };
        format!("{name} {more}{}", words::brief_micros(*ns))
    });
    each.collect::<Vec<_>>().join(", ")
}
