//! Recorded outputs compared with a reference, and both over time.

use record::shape::{OutputInterval, OutputOverTime};
use record::{Recording, Row, fact};
use serde_json::{Value, json};

use super::inputs::near;
use super::outputs::{Cell, Outputs};
use super::reference::{CHECK, TOLERANCE, Tolerance, is_requested};
use super::times::Times;

/// Maximum number of outputs that are kept for a drawing.
const MOST_DRAWN: usize = 12;
/// Maximum number of intervals of each of these.
const MOST_INTERVALS: usize = 400;

/// Adds what a recorded run's outputs were to its first row.
pub(super) fn with_outputs(mut rows: Vec<Row>, recording: &Recording) -> Vec<Row> {
    let spec = &recording.header.spec;
    if !spec.record {
        return rows;
    }
    let recorded = Outputs::recorded(recording);
    let reference = Outputs::reference(recording);
    let step_s = spec.parameters.rate().map_or(0.0, |rate| Times::of(0.0, rate).step);
    let tolerance = is_requested(spec).then(|| Tolerance::of(spec).ok()).flatten();
    let checked = tolerance.map(|one| Comparison::of(&recorded, &reference, one, step_s));
    if let Some(row) = rows.first_mut() {
        let first = checked.as_ref().and_then(|compared| compared.first.map(|first| first.column));
        row.tell(&fact::OUTPUTS_OVER_TIME, json!(over_time(&recorded, &reference, first)));
        row.tell(&fact::CHECKED, checked.map(|compared| compared.json(recording)));
    }
    rows
}

/// How recorded outputs compare with their reference, row by row of equal time.
struct Comparison<'o> {
    recorded: &'o Outputs<'o>,
    reference: &'o Outputs<'o>,
    /// The column of the reference for each one that was recorded, and its largest magnitude.
    columns: Vec<Option<(usize, f64)>>,
    tolerance: Tolerance,
    /// Rows with a counterpart, and the number of values in them.
    rows: usize,
    values: usize,
    differing: usize,
    first: Option<First>,
}

/// The first difference: rows of both, and the column of what was recorded.
#[derive(Clone, Copy)]
struct First {
    row: usize,
    reference: usize,
    column: usize,
}

impl<'o> Comparison<'o> {
    fn of(
        recorded: &'o Outputs<'o>,
        reference: &'o Outputs<'o>,
        tolerance: Tolerance,
        step_s: f64,
    ) -> Self {
        let largest = largest(reference);
        let place = |name: &&str| reference.names.iter().position(|known| known == name);
        let columns = recorded.names.iter().map(|name| place(name).map(|at| (at, largest[at])));
        let columns = columns.collect();
        let mut all = Self {
            recorded,
            reference,
            columns,
            tolerance,
            rows: 0,
            values: 0,
            differing: 0,
            first: None,
        };
        all.compare(step_s);
        all
    }

    /// Compares each recorded row with the rows of the reference at its time; where there are
    /// several, as at an event, a value has to be equal to one of them.
    fn compare(&mut self, step_s: f64) {
        let mut from = 0;
        for row in 0..self.recorded.len() {
            let time = self.recorded.time(row);
            let near = near(step_s, time);
            while from < self.reference.len() && self.reference.time(from) < time - near {
                from += 1;
            }
            let is_at =
                |at: &usize| *at < self.reference.len() && self.reference.time(*at) <= time + near;
            let until = (from..).take_while(is_at).count() + from;
            if until > from {
                self.rows += 1;
                self.compare_row(row, from..until);
            }
        }
    }

    fn compare_row(&mut self, row: usize, at_its_time: std::ops::Range<usize>) {
        let mut cells: Vec<(usize, usize, Cell)> = Vec::new();
        for at in at_its_time {
            cells.extend(self.reference.cells(at).map(|(column, cell)| (at, column, cell)));
        }
        let own: Vec<(usize, Cell)> = self.recorded.cells(row).collect();
        for (column, cell) in own {
            let Some((wanted, largest)) = self.columns[column] else { continue };
            let mut others = cells.iter().filter(|(_, column, _)| *column == wanted).peekable();
            let Some((at, ..)) = others.peek().copied() else { continue };
            self.values += 1;
            if !others.any(|(.., other)| self.tolerance.accepts(cell, *other, largest)) {
                self.differing += 1;
                self.first.get_or_insert(First { row, reference: *at, column });
            }
        }
    }

    /// Returns how many rows of each are within the time of both.
    fn in_common(&self) -> [usize; 2] {
        let both = [self.recorded, self.reference];
        let ends = |all: &Outputs| Some((all.time(0), all.time(all.len().checked_sub(1)?)));
        let ends = both.map(|all| (all.len() > 0).then(|| ends(all)).flatten());
        let [Some(own), Some(other)] = ends else { return [0; 2] };
        let (start, end) = (own.0.max(other.0), own.1.min(other.1));
        both.map(|all| (0..all.len()).filter(|row| (start..=end).contains(&all.time(*row))).count())
    }

    fn json(&self, recording: &Recording) -> Value {
        let parameters = &recording.header.spec.parameters;
        let [rows, reference_rows] = self.in_common();
        let known = |name: &&&str| self.recorded.names.contains(name);
        let compared = self.reference.names.iter().filter(known).count();
        let left_out = self.recorded.names.iter().zip(&self.columns);
        let left_out = left_out.filter(|(_, column)| column.is_none()).map(|(name, _)| *name);
        json!({
            "reference": parameters.word(CHECK),
            "tolerance": parameters.word(TOLERANCE),
            "outputs": compared,
            "not_compared": left_out.collect::<Vec<_>>(),
            "rows": self.rows,
            "recorded_rows": rows,
            "reference_rows": reference_rows,
            "values": self.values,
            "differing": self.differing,
            "first": self.first.map(|first| self.difference(first)),
        })
    }

    fn difference(&self, First { row, reference, column }: First) -> Value {
        let (wanted, largest) = self.columns[column].unwrap_or_default();
        let own = cell(self.recorded, row, column);
        let other = cell(self.reference, reference, wanted);
        let number = |cell: Option<Cell<'_>>| cell.and_then(Cell::number);
        let text = |cell: Option<Cell<'_>>| cell.map(Cell::text);
        let allowed = number(other).map(|number| self.tolerance.allowed(number, largest));
        json!({
            "time_s": self.recorded.time(row),
            "row": row + 1,
            "reference_row": reference + 1,
            "output": self.recorded.names[column],
            "value": text(own),
            "reference": text(other),
            "difference": number(own).zip(number(other)).map(|(own, other)| own - other),
            "allowed": allowed,
        })
    }
}

fn cell<'t>(outputs: &Outputs<'t>, row: usize, column: usize) -> Option<Cell<'t>> {
    outputs.cells(row).find(|(at, _)| *at == column).map(|(_, cell)| cell)
}

impl Tolerance {
    fn accepts(self, own: Cell, other: Cell, largest: f64) -> bool {
        match own.number().zip(other.number()) {
            Some((own, other)) => (own - other).abs() <= self.allowed(other, largest),
            None => own.is_same_text(other),
        }
    }
}

/// Returns the largest magnitude in each column.
fn largest(outputs: &Outputs) -> Vec<f64> {
    let mut all = vec![0.0_f64; outputs.names.len()];
    for (column, cell) in (0..outputs.len()).flat_map(|row| outputs.cells(row)) {
        all[column] = all[column].max(cell.number().unwrap_or(0.0).abs());
    }
    all
}

/// Returns outputs that are numbers over time, that at `first` before the others.
fn over_time<'o>(
    recorded: &Outputs<'o>,
    reference: &Outputs,
    first: Option<usize>,
) -> Vec<OutputOverTime<'o>> {
    let own = points(recorded);
    let mut others = points(reference);
    let place = |name: &str| reference.names.iter().position(|known| *known == name);
    let numbered = recorded.names.iter().zip(own).enumerate();
    let mut drawn: Vec<_> = numbered.filter(|(_, (_, points))| !points.is_empty()).collect();
    drawn.sort_by_key(|(column, _)| Some(*column) != first);
    let drawn = drawn.into_iter().take(MOST_DRAWN).map(|(_, (name, points))| {
        let reference = place(name).map(|at| std::mem::take(&mut others[at]));
        OutputOverTime {
            output: name,
            intervals: intervals(&points),
            reference: reference.map(|points| intervals(&points)),
        }
    });
    drawn.collect()
}

/// Returns time and value of the finite numbers in each column.
fn points(outputs: &Outputs) -> Vec<Vec<[f64; 2]>> {
    let mut all = vec![Vec::new(); outputs.names.len()];
    for row in 0..outputs.len() {
        let time = outputs.time(row);
        for (column, cell) in outputs.cells(row) {
            let number = cell.number().filter(|number| number.is_finite());
            all[column].extend(number.map(|number| [time, number]));
        }
    }
    all
}

/// Returns the start, the least and the largest value of intervals of equally many points.
fn intervals(points: &[[f64; 2]]) -> Vec<OutputInterval> {
    let interval = |points: &[[f64; 2]]| {
        let values = || points.iter().map(|[_, value]| *value);
        [
            points[0][0],
            values().fold(f64::INFINITY, f64::min),
            values().fold(f64::NEG_INFINITY, f64::max),
        ]
    };
    points.chunks(points.len().div_ceil(MOST_INTERVALS).max(1)).map(interval).collect()
}

#[cfg(test)]
mod tests {
    use record::Track;

    use super::super::outputs::REFERENCE;
    use super::super::recorder::Recorder;
    use super::super::setup::tests::spec;
    use super::*;
    use bench::made_run::recording;

    const OUTPUTS: [&str; 2] = ["x", "y"];

    /// A run at 10 Hz whose rows are x, y, and a reference whose rows are time, x, y.
    fn checked(tolerance: &str, rows: &[[f64; 2]], reference: &[[f64; 3]]) -> Row {
        let flags = [("rate", "10Hz"), ("check", "ref.csv"), ("tolerance", tolerance)];
        let mut spec = spec(&flags);
        spec.record = true;
        let track = |name: &str, start, rows: Vec<&[f64]>| {
            let mut recorder = Recorder::with(4000, 0, start);
            rows.iter().for_each(|row| recorder.push(row, &[]));
            recorder.onto(Track::new(name), &OUTPUTS.map(str::to_owned), &[])
        };
        let own = track("model 0", Some(0.0), rows.iter().map(<[f64; 2]>::as_slice).collect());
        let mut other = track("state", None, reference.iter().map(<[f64; 3]>::as_slice).collect());
        other.columns[0].name = REFERENCE.to_owned();
        let rows = with_outputs(vec![Row::default()], &recording(spec, vec![own, other]));
        rows.into_iter().next().unwrap()
    }

    fn told(row: &Row) -> Value {
        row.fact(&fact::CHECKED).unwrap().clone()
    }

    #[test]
    fn rows_of_equal_time_are_compared_and_the_first_difference_is_named() {
        let own = [[0.0, 1.0], [0.1, 1.0], [0.2, 1.1], [0.3, 2.0]];
        let reference =
            [[0.0, 0.0, 1.0], [0.1, 0.1, 1.0], [0.15, 9.0, 9.0], [0.2, 0.2, 1.0], [0.3, 0.3, 1.0]];
        let all = told(&checked("0.01", &own, &reference));
        let counts = ["outputs", "rows", "recorded_rows", "reference_rows", "values", "differing"];
        assert_eq!(counts.map(|name| all[name].as_u64().unwrap()), [2, 4, 4, 5, 8, 2]);
        let first = &all["first"];
        assert_eq!([&first["time_s"], &first["output"]], [&json!(0.2), &json!("y")]);
        assert_eq!([&first["row"], &first["reference_row"]], [&json!(3), &json!(4)]);
        assert_eq!([&first["value"], &first["reference"]], [&json!("1.1"), &json!("1.0")]);
        // The largest y is 9.
        assert_eq!(first["allowed"], json!(0.01 * 1.0 + 0.01 * 9.0));
        assert_eq!(told(&checked("0.01+1", &own, &reference))["differing"], 0);
        assert_eq!(told(&checked("0+0", &own, &reference))["differing"], 2);
    }

    #[test]
    fn at_a_jump_each_side_is_right_and_an_empty_cell_is_not_compared() {
        let own = [[0.0, 1.0], [5.0, 1.0]];
        let reference = [[0.0, 0.0, f64::MAX], [0.1, 4.0, 1.0], [0.1, 5.0, 1.0]];
        let all = told(&checked("1e-6", &own, &reference));
        assert_eq!([&all["values"], &all["differing"]], [&json!(3), &json!(0)]);
    }

    #[test]
    fn other_times_are_not_compared() {
        let own = [[0.0, 1.0], [0.1, 1.0], [0.2, 1.0]];
        let reference = [[0.05, 7.0, 7.0], [0.15, 7.0, 7.0]];
        let all = told(&checked("1e-6", &own, &reference));
        assert_eq!([&all["rows"], &all["differing"]], [&json!(0), &json!(0)]);
        assert_eq!([&all["recorded_rows"], &all["reference_rows"]], [&json!(1), &json!(2)]);
    }

    #[test]
    fn what_is_drawn_keeps_the_extremes() {
        let own: Vec<[f64; 2]> = (0..1000).map(|row| [f64::from(row % 7), 1.0]).collect();
        let row = checked("1e-6", &own, &[[0.0, 0.0, 1.0]]);
        let drawn = row.fact(&fact::OUTPUTS_OVER_TIME).unwrap();
        // The output that differs is first.
        assert_eq!([&drawn[0]["output"], &drawn[1]["output"]], [&json!("x"), &json!("y")]);
        let intervals = drawn[0]["intervals"].as_array().unwrap();
        assert_eq!((intervals.len(), &intervals[2]), (334, &json!([0.6, 0.0, 6.0])));
        assert_eq!(drawn[0]["reference"], json!([[0.0, 0.0, 0.0]]));
    }
}
