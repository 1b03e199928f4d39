//! Small histograms in rows and columns, all with the same axes (FRA 4.3).

use stats::Distribution;

use analysis::bins::{Bin, log_bins};
use analysis::words;

use crate::document::{Multiples, Picture, Pictures};

/// Width of a picture in its own units; the page stretches it.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;

/// The samples of a picture.
#[derive(Clone, Copy)]
pub(crate) struct Times<'a> {
    pub samples: &'a Distribution,
    /// The shortest and the longest worst case of a run, in nanoseconds.
    pub worst_ns: [f64; 2],
}

pub(crate) type Row<'a> = (String, Vec<Option<Times<'a>>>);

struct Axes {
    shortest_ns: f64,
    longest_ns: f64,
    most: f64,
}

/// Draws a picture for each distribution, on logarithmic axes. `None` if no distribution has a
/// sample of 1 ns or more.
pub(crate) fn multiples(
    caption: String,
    columns: Vec<String>,
    rows: &[Row],
    limit_ns: f64,
) -> Option<Multiples> {
    let all = || rows.iter().flat_map(|(_, row)| row.iter().flatten());
    let bins = || all().flat_map(|times| log_bins(times.samples));
    let axes = Axes {
        shortest_ns: bins().map(|bin| bin.from_ns).reduce(f64::min)?,
        longest_ns: bins().map(|bin| bin.to_ns).fold(limit_ns * 1.2, f64::max),
        most: bins().map(|bin| bin.count).max()? as f64,
    };
    let picture = |Times { samples, worst_ns }: &Times| Picture {
        outline: axes.outline(&log_bins(samples)),
        samples: words::grouped(samples.count()),
        worst: words::time_range(*worst_ns),
        is_above: worst_ns[1] > limit_ns,
    };
    let row = |(name, row): &Row| Pictures {
        name: name.clone(),
        pictures: row.iter().map(|cell| cell.as_ref().map(picture)).collect(),
    };
    let vertical = |x: f64| format!("M{x:.0} 0V{HEIGHT:.0}");
    let decades = axes.decades();
    Some(Multiples {
        caption,
        columns,
        rows: rows.iter().map(row).collect(),
        grid: decades.iter().map(|ns| vertical(axes.x(*ns))).collect(),
        ticks: decades.iter().map(|ns| (axes.x(*ns) / WIDTH * 100.0, words::time(*ns))).collect(),
        limit: vertical(axes.x(limit_ns)),
        size: [WIDTH, HEIGHT],
    })
}

impl Axes {
    fn x(&self, ns: f64) -> f64 {
        (ns / self.shortest_ns).log10() / (self.longest_ns / self.shortest_ns).log10() * WIDTH
    }

    /// The height of a bin; a single sample is visible.
    fn y(&self, count: u64) -> f64 {
        const FOOT: f64 = 1.6;
        match count {
            0 => HEIGHT,
            count => {
                let share = (count as f64 * FOOT).log10() / (self.most * FOOT).log10();
                HEIGHT * (1.0 - share * 0.94)
            }
        }
    }

    fn decades(&self) -> Vec<f64> {
        let first = self.shortest_ns.log10().ceil() as i32;
        let last = self.longest_ns.log10().floor() as i32;
        (first..=last).map(|decade| 10f64.powi(decade)).collect()
    }

    fn outline(&self, bins: &[Bin]) -> String {
        let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
            return String::new();
        };
        let step = |bin: &Bin| format!("V{:.0}H{:.0}", self.y(bin.count), self.x(bin.to_ns));
        let steps: String = bins.iter().map(step).collect();
        let (left, right) = (self.x(first.from_ns), self.x(last.to_ns));
        format!("M{left:.0} {HEIGHT:.0}{steps}H{right:.0}V{HEIGHT:.0}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::distribution;

    fn times(samples: &Distribution) -> Option<Times<'_>> {
        Some(Times { samples, worst_ns: [samples.max.value_ns as f64; 2] })
    }

    fn of(values: &[i64]) -> Distribution {
        distribution(values).unwrap()
    }

    #[test]
    fn all_pictures_have_one_axis_and_what_is_above_the_limit_is_marked() {
        let (short, long) = (of(&[10_000, 11_000]), of(&[10_000, 5_000_000]));
        let rows = [
            ("a".to_owned(), vec![times(&short), None]),
            ("b".to_owned(), vec![times(&long), times(&short)]),
        ];
        let columns = vec!["one".to_owned(), "two".to_owned()];
        let drawn = multiples(String::new(), columns, &rows, 1e6).unwrap();
        let pictures = |row: usize| &drawn.rows[row].pictures;
        assert_eq!(pictures(0)[1], None);
        assert_eq!(pictures(0)[0], pictures(1)[1]);
        assert!(pictures(1)[0].as_ref().unwrap().is_above);
        assert!(!pictures(0)[0].as_ref().unwrap().is_above);
        let ticks: Vec<&str> = drawn.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["10 µs", "100 µs", "1 ms"]);
    }

    #[test]
    fn without_a_sample_there_is_nothing_to_draw() {
        assert_eq!(multiples(String::new(), vec![], &[], 1e6), None);
    }
}
