//! Views: what the report computes from the results of several measurements.

use crate::{merit, rhealstone};

/// A named result that is not a measurement: nothing is run for it.
pub struct View {
    pub name: &'static str,
    pub summary: &'static str,
    pub source: &'static str,
    pub measurements: fn() -> Vec<&'static str>,
}

/// The table of views, in the order of the page.
pub static VIEWS: &[View] = &[
    View {
        name: "rhealstone",
        summary: "six times of a real-time kernel side by side, their composite last",
        source: "Rhealstone",
        measurements: || rhealstone::COMPONENTS.map(|(_, name, _)| name).into(),
    },
    View {
        name: "figures_of_merit",
        summary: "efficiency, variation and predictability of each test, load and system",
        source: "TEL 2.2, 2.3",
        measurements: || merit::tests().collect(),
    },
];

pub fn view(name: &str) -> Option<&'static View> {
    VIEWS.iter().find(|view| view.name == name)
}
