//! Tables of series.

use analysis::survey::{Series, System, distinct};
use analysis::words;
use record::Fact;

use crate::document::{Cell, Column, Form, Table, TableOf};

#[derive(Clone, Copy)]
pub(crate) enum Metric {
    /// The head, and a function that returns the figure of a series.
    Own(&'static str, fn(&Series) -> Cell),
    /// A declared fact, whose name is the head, and a function that returns the figure of a series.
    Of(&'static Fact, fn(&Series, &Fact) -> Cell),
}

impl Metric {
    pub(crate) fn column(&self) -> Column {
        match self {
            Self::Own(head, _) => Column::numbers(head),
            Self::Of(fact, _) => Column::of_fact(fact),
        }
    }

    pub(crate) fn figure(&self, series: &Series) -> Cell {
        match self {
            Self::Own(_, figure) => figure(series),
            Self::Of(fact, figure) => figure(series, fact),
        }
    }
}

/// Returns a table of series: case, conditions, then the metrics; with a line above the series of
/// each machine if there are several machines.
pub(crate) fn of_series(
    caption: impl Into<String>,
    series: &[(&System, &Series)],
    metrics: &[Metric],
) -> Table {
    TableOf::of(series).measured(|row| *row, metrics).table(caption)
}

impl<'r, R> TableOf<'r, R> {
    /// Adds the case, the conditions and the metrics of each row's series, and names the machines.
    pub(crate) fn measured<'a: 'r>(
        self,
        series: impl Fn(&'r R) -> (&'r System<'a>, &'r Series<'a>) + Copy + 'r,
        metrics: &'r [Metric],
    ) -> Self {
        let needs = move |row| {
            let needs = series(row).1.unavailable().filter(|_| !metrics.is_empty());
            needs.map(|needs| Cell::unavailable(needs, 1))
        };
        let metric = |table: Self, metric: &'r Metric| {
            table.column(metric.column(), move |row| metric.figure(series(row).1))
        };
        self.identified(series).unless(needs).each(metrics, metric).always()
    }

    /// Adds the case and the conditions of each row's series; with several machines, a line above
    /// the rows of each.
    pub(crate) fn identified<'a: 'r>(
        self,
        series: impl Fn(&'r R) -> (&'r System<'a>, &'r Series<'a>) + Copy + 'r,
    ) -> Self {
        let peers: Vec<&Series> = self.rows.iter().map(|row| series(row).1).collect();
        let machines = distinct(self.rows.iter().map(|row| &series(row).0.machine_id));
        let table = self
            .text("Case", move |row| case(series(row).1))
            .text("Conditions", move |row| conditions(series(row).1, &peers));
        if machines > 1 { table.grouped(move |row| series(row).0.name.clone()) } else { table }
    }
}

pub(crate) fn are_of_one_machine(a: &(&System, &Series), b: &(&System, &Series)) -> bool {
    a.0.machine_id == b.0.machine_id
}

pub(crate) fn case(series: &Series) -> Cell {
    Cell::text(words::label(series.label)).of_form(Form::Case)
}

pub(crate) fn conditions(series: &Series, peers: &[&Series]) -> Cell {
    Cell::text(series.conditions(peers)).of_form(Form::Conditions)
}
