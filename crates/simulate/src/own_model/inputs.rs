//! Inputs over time, read from a file of comma-separated values.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::csv;
use super::times::Times;

/// How close to the start of a step a moment must be to belong to it, as a share of the step: more
/// than what is lost by writing times with few digits.
const REACHED: f64 = 1e-3;

/// Returns how far from a time of the model another one may be to be equal, in seconds.
#[inline]
pub(super) fn near(step_s: f64, time_s: f64) -> f64 {
    // Neighbouring doubles may be farther apart, as in seconds since 1970.
    (step_s * REACHED).max(time_s.abs() * f64::EPSILON)
}

/// The inputs of a run: one row per moment, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Inputs {
    /// The names of the variables, in the order of their columns.
    pub(super) names: Vec<String>,
    /// Whether each value holds until the next moment; otherwise it is interpolated linearly.
    pub(super) holds: Vec<bool>,
    moments: Vec<f64>,
    values: Vec<f64>,
    times: Times,
}

/// The last moment of the file that has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cursor(usize);

impl Inputs {
    /// Reads a file whose first column is `time`, in seconds. A column of several values per cell
    /// becomes as many columns, `u[1]` and so on. An error names the first invalid line by its
    /// number.
    pub(super) fn read(text: &str, times: Times) -> Result<Self, String> {
        let mut lines = csv::lines(text);
        let (_, head) = lines.next().ok_or("it is empty")?;
        let heads = csv::cells(head).map_err(|why| format!("in its first line {why}"))?;
        if heads[0] != "time" {
            return Err(format!(
                "its first column is `{}`, not `time`; separate columns by commas",
                heads[0]
            ));
        }
        let (mut inputs, mut widths) = (Self { times, ..Self::default() }, Vec::new());
        for (number, line) in lines {
            let row = row(&heads, line).and_then(|row| inputs.push(&heads, &mut widths, &row));
            row.map_err(|why| format!("line {number}: {why}"))?;
        }
        if inputs.moments.is_empty() {
            return Err("it has no values".to_owned());
        }
        inputs.names = names(&heads[1..], &widths[1..])?;
        inputs.holds = vec![false; inputs.names.len()];
        Ok(inputs)
    }

    /// Adds a row. The first one sets how many values the cells of each column have.
    fn push(
        &mut self,
        heads: &[String],
        widths: &mut Vec<usize>,
        row: &[Vec<f64>],
    ) -> Result<(), String> {
        if widths.is_empty() {
            *widths = row.iter().map(Vec::len).collect();
        }
        let differs = row.iter().zip(&*widths).position(|(cell, width)| cell.len() != *width);
        if let Some(column) = differs {
            let (head, counted) = (&heads[column], base::counted(row[column].len(), "value"));
            return Err(format!("`{head}` has {counted}, but {} in the first row", widths[column]));
        }
        let [time] = row[0][..] else { return Err("it has several times".to_owned()) };
        if self.moments.last().is_some_and(|last| *last > time) {
            return Err("its time is before that of the previous line".to_owned());
        }
        self.moments.push(time);
        self.values.extend(row[1..].iter().flatten());
        Ok(())
    }

    /// Brings the columns into another order, given by the position that each has now.
    pub(super) fn reorder(&mut self, columns: &[usize]) {
        let row = |row: &[f64]| columns.iter().map(|column| row[*column]).collect::<Vec<_>>();
        if !columns.is_empty() {
            self.values = self.values.chunks_exact(columns.len()).flat_map(row).collect();
            self.names = columns.iter().map(|column| self.names[*column].clone()).collect();
        }
    }

    /// Returns the first value that, rounded, is outside the range of its column, if that has one:
    /// the time, the column and the value.
    pub(super) fn outside(
        &self,
        ranges: &[Option<RangeInclusive<f64>>],
    ) -> Option<(f64, usize, f64)> {
        let rows = self.moments.iter().zip(self.values.chunks_exact(ranges.len().max(1)));
        let is_outside = |(column, value): &(usize, &f64)| {
            ranges[*column].as_ref().is_some_and(|range| !range.contains(&value.round()))
        };
        rows.flat_map(|(time, row)| {
            let outside = row.iter().enumerate().filter(is_outside);
            outside.map(|(column, value)| (*time, column, *value))
        })
        .next()
    }

    /// Values at the start of the model's time.
    pub(super) fn at_start(&self) -> Vec<Option<f64>> {
        let mut values = vec![0.0; self.names.len()];
        if !values.is_empty() {
            self.at(0, &mut Cursor::default(), &mut values);
        }
        values.into_iter().map(Some).collect()
    }

    /// Values at the start of a step; constant before the first moment and after the last. A moment
    /// within [`REACHED`] of the start has come, and its values are not interpolated.
    #[inline]
    pub(super) fn at(&self, number: u64, cursor: &mut Cursor, values: &mut [f64]) {
        self.at_time(self.times.at(number), cursor, values);
    }

    /// Does the same as [`Self::at`] for a time of the model, in seconds.
    #[inline]
    pub(super) fn at_time(&self, time: f64, cursor: &mut Cursor, values: &mut [f64]) {
        let near = near(self.times.step, time);
        while self.moments.get(cursor.0 + 1).is_some_and(|next| *next <= time + near) {
            cursor.0 += 1;
        }
        let row = |at: usize| &self.values[at * self.names.len()..];
        let (from, here) = (self.moments[cursor.0], row(cursor.0));
        let Some(to) = self.moments.get(cursor.0 + 1).filter(|_| time > from + near) else {
            values.copy_from_slice(&here[..values.len()]);
            return;
        };
        let next = row(cursor.0 + 1);
        for (place, value) in values.iter_mut().enumerate() {
            *value = match self.holds[place] {
                true => here[place],
                false => here[place] + (next[place] - here[place]) * ((time - from) / (to - from)),
            };
        }
    }
}

/// Returns the numbers in the cells of a line.
fn row(heads: &[String], line: &str) -> Result<Vec<Vec<f64>>, String> {
    let cells = csv::cells(line)?;
    if cells.len() != heads.len() {
        let found = base::counted(cells.len(), "cell");
        return Err(format!("it has {found}, but the first line has {}", heads.len()));
    }
    let numbers = |(cell, head): (&String, &String)| {
        csv::numbers(cell)
            .filter(|numbers| !numbers.is_empty())
            .ok_or_else(|| format!("`{cell}` for `{head}` is not a finite number, true or false"))
    };
    cells.iter().zip(heads).map(numbers).collect()
}

/// Returns the name of each value of a row.
fn names(heads: &[String], widths: &[usize]) -> Result<Vec<String>, String> {
    let of_column = |(head, width): (&String, &usize)| match width {
        1 => vec![head.clone()],
        _ => (1..=*width).map(|element| format!("{head}[{element}]")).collect(),
    };
    let names: Vec<String> = heads.iter().zip(widths).flat_map(of_column).collect();
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        None => Ok(names),
        Some(twice) => Err(format!(
            "its column `{twice}` occurs twice; name the elements of an array `{twice}[1]` and so on"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    const FILE: &str = "# made by hand\ntime,\"a[1,2]\",b\n0,1,10\n\n0.5,2,20\n0.5,4,30\n1,4,40\n";

    fn every(step: &str) -> Times {
        Times::of(0.0, step.parse().unwrap())
    }

    fn at(numbers: &[u64]) -> Vec<[f64; 2]> {
        let mut inputs = Inputs::read(FILE, every("250ms")).unwrap();
        inputs.holds = vec![false, true];
        let mut cursor = Cursor::default();
        let value = |number: &u64| {
            let mut values = [0.0; 2];
            inputs.at(*number, &mut cursor, &mut values);
            values
        };
        numbers.iter().map(value).collect()
    }

    #[test]
    fn values_hold_or_go_in_a_straight_line() {
        let all = at(&[0, 1, 2, 3, 4, 9]);
        let expected =
            [[1.0, 10.0], [1.5, 10.0], [4.0, 30.0], [4.0, 30.0], [4.0, 40.0], [4.0, 40.0]];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_moment_has_come_at_the_step_of_its_time_whatever_its_digits() {
        let steps = |start: f64, rate: &str, moment: &str| {
            let text = format!("time,a\n{start},0\n{moment},1\n{moment},2\n1e10,2\n");
            let mut inputs = Inputs::read(&text, Times::of(start, rate.parse().unwrap())).unwrap();
            inputs.holds = vec![true];
            let (mut cursor, mut values) = (Cursor::default(), [0.0]);
            let is_before = |number: &u64| {
                inputs.at(*number, &mut cursor, &mut values);
                values[0] < 2.0
            };
            (0..100).take_while(is_before).count()
        };
        for (start, rate, moment, step) in [
            (0.0, "60Hz", "0.5", 30),
            (0.0, "60Hz", "0.016667", 1),
            (0.0, "60Hz", "0.0166667", 1),
            (0.0, "60Hz", "0.0167", 2),
            (0.0, "1/3kHz", "0.3", 100),
            (0.0, "3kHz", "0.000666667", 2),
            (0.0, "44.1kHz", "0.0002267574", 10),
            (0.0, "10Hz", "0.7", 7),
            (0.0, "10Hz", "0.7000000001", 7),
            (0.0, "10Hz", "0.6999999999", 7),
            (0.0, "10Hz", "0.701", 8),
            (0.0, "10Hz", "0.75", 8),
            (1.7e9, "1kHz", "1700000000.033", 33),
            (1.7e9, "10kHz", "1700000000.0033", 33),
            (-1.0, "10Hz", "0", 10),
        ] {
            assert_eq!(steps(start, rate, moment), step, "{start} {rate} {moment}");
        }
    }

    #[test]
    fn a_ramp_has_the_exact_values_of_its_rows() {
        let text = "time,a\n0,0\n0.033333,1\n0.066667,2\n0.1,3\n";
        let mut inputs = Inputs::read(text, every("1/30s")).unwrap();
        inputs.holds = vec![false];
        let (mut cursor, mut values) = (Cursor::default(), [0.0]);
        for number in 0..4 {
            inputs.at(number, &mut cursor, &mut values);
            assert_eq!(values[0].to_bits(), (number as f64).to_bits());
        }
    }

    #[test]
    fn the_first_number_that_a_type_cannot_hold_is_found() {
        let text = "time,a,b\n0,1.5,2\n0.5,254.6,255.4\n1,300,-1\n";
        let inputs = Inputs::read(text, every("250ms")).unwrap();
        let byte = || Some(0.0..=255.0);
        assert_eq!(inputs.outside(&[None, byte()]), Some((1.0, 1, -1.0)));
        assert_eq!(inputs.outside(&[byte(), byte()]), Some((1.0, 0, 300.0)));
        assert_eq!(inputs.outside(&[None, None]), None);
    }

    #[test]
    fn a_cell_may_have_the_elements_of_an_array() {
        let inputs = Inputs::read("time,a,u\n0,1,1 2 3\n1,2,4 5 true\n", every("1s")).unwrap();
        assert_eq!(inputs.names, ["a", "u[1]", "u[2]", "u[3]"]);
        assert_eq!(inputs.values, [1.0, 1.0, 2.0, 3.0, 2.0, 4.0, 5.0, 1.0]);
    }

    #[test]
    fn an_invalid_file_is_refused_with_its_line() {
        for (text, why) in [
            ("", "empty"),
            ("a,b\n", "its first column is `a`, not `time`"),
            ("Time,a\n0,1\n", "`Time`"),
            ("time;a\n0;1\n", "`time;a`, not `time`; separate columns by commas"),
            ("time,a,a\n0,1,2\n", "column `a` occurs twice"),
            ("time,a,a[2]\n0,1 2,3\n", "column `a[2]` occurs twice"),
            ("time,a\n0,1 2\n1,1\n", "line 3: `a` has 1 value, but 2 in the first row"),
            ("time,a\n0,\n", "line 2: `` for `a`"),
            ("time,a\n0 1,2\n", "line 2: it has several times"),
            ("time,a\n", "no values"),
            ("time,a\n0,x\n", "line 2"),
            ("time,a\n0,nan\n", "line 2"),
            ("time,a\n0\n", "line 2"),
            ("time,a\n1,1\n0,1\n", "line 3"),
            ("time,\"a\n1,1\n", "quote"),
        ] {
            refuses(Inputs::read(text, every("1s")), why);
        }
    }

    #[test]
    fn odd_inputs_are_read_or_refused() {
        let seeds = [FILE, "time,u\n0,1 2 3\n1e3,4 5 6\n", "time,\"a \"\"b\"\"\"\n-1,0\n"];
        testing::try_corpus(&seeds, 3_000, |input| {
            let Ok(mut inputs) = Inputs::read(&String::from_utf8_lossy(input), every("250ms"))
            else {
                return;
            };
            let mut values = vec![0.0; inputs.names.len()];
            for holds in [true, false] {
                inputs.holds.fill(holds);
                let mut cursor = Cursor::default();
                (0..9).for_each(|number| inputs.at(number, &mut cursor, &mut values));
            }
            let _ = inputs.at_start();
        });
    }
}
