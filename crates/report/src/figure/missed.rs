//! The missed-deadline map: sizes against threads, binary and by count.

use stats::Tries;

use super::Figure;
use crate::document::{
    Axis, COLOURS, Guide, Kind, Look, Mark as Drawn, Panel, Series, Side, Symbol, Unit,
};
use analysis::capacity::{Grid, Line};
use analysis::map::{Edges, ManyMisses, Mark};
use analysis::standards::Standards;
use analysis::words;

/// Shown to miss none.
const SHOWN: &str = "#9CCFAA";
/// No miss, in too few deadlines to show that there is none.
const CLEAN: &str = "#8A949E";
const MISSED: &str = "#B3261E";
/// From one missed deadline to many.
const FEW: [[u8; 3]; 2] = [[0xF7, 0xDC, 0x7A], [0xE8, 0x83, 0x2E]];

const ROW: usize = 44;
/// More sizes than this have no room for numbers above their squares.
const ROOM_FOR_NUMBERS: usize = 7;
/// CSS pixels that a half of the map is at least wide, and that a square is across.
const WIDTH: f64 = 300.0;
const SQUARE: [f64; 2] = [4.0, 15.0];

/// One half of the map: what it shows, and whether it counts.
const HALVES: [(&str, bool); 2] = [("any deadline missed", false), ("deadlines missed", true)];

/// From yellow to orange by the logarithm of how many were missed.
fn by_count(tries: Tries, many: ManyMisses) -> String {
    let most = (many.share() * tries.due as f64).max(1.0);
    let place = (tries.missed as f64).ln() / most.ln().max(f64::MIN_POSITIVE);
    let place = place.clamp(0.0, 1.0);
    let channel = |c: usize| {
        let [from, to] = FEW.map(|colour| f64::from(colour[c]));
        (from + (to - from) * place).round() as u8
    };
    let [red, green, blue] = [0, 1, 2].map(channel);
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// Both halves of the map of one grid, with the end of its use.
pub(crate) fn missed_deadlines(
    name: &str,
    machine: &str,
    grid: &Grid,
    edges: &[Edges],
    standards: &Standards,
) -> Figure {
    let many = standards.many;
    let caption = format!(
        "{machine}, {}. Green is shown to miss no deadline (over {}), an empty square missed none so \
         far. Left: red missed at least one. Right: \
         yellow to orange by how many were missed, red where {many} were. The bar stands after the last \
         size that is soft real time.",
        grid.rate().into_iter().chain([grid.conditions()]).collect::<Vec<_>>().join(", "),
        standards.limits.shown_in_words(),
    );
    let half = |(title, counts): (&str, bool)| Panel {
        x: size_axis(grid, title),
        y: threads_axis(grid),
        series: squares(grid, standards, counts),
        guides: ends_of_use(grid, edges),
    };
    let height = grid.lines.len().max(2) * ROW;
    Figure::several(name, caption, height, HALVES.map(half).into())
}

fn size_axis(grid: &Grid, title: &str) -> Axis {
    const MARGIN: f64 = 1.25;
    let sizes = grid.distinct_sizes();
    let [least, most] =
        [sizes.first(), sizes.last()].map(|end| grid.axis.number(end.copied().unwrap_or(1)));
    let title = format!("{} ({title})", grid.axis.unit(2));
    match grid.axis {
        // A value may be 0, or below.
        plan::Axis::Setting(_) => {
            Axis::linear(&title, Unit::Number, [least.min(most), least.max(most)])
        }
        _ => Axis::log(&title, Unit::Number, [least / MARGIN, most * MARGIN]),
    }
}

/// A row a number of threads, the most on top.
fn threads_axis(grid: &Grid) -> Axis {
    let threads = grid.lines.iter().rev().map(|line| line.threads.to_string());
    Axis { title: "threads".to_owned(), ..Axis::rows(threads.collect()) }
}

fn row(grid: &Grid, line: usize) -> f64 {
    (grid.lines.len() - 1 - line) as f64
}

/// A series for each kind of size.
fn squares(grid: &Grid, standards: &Standards, counts: bool) -> Vec<Series> {
    let square = |colour| Look::plain(colour).with(Symbol::Square);
    let clean = Look { open: true, ..square(CLEAN) };
    let few = format!("missed, but not {}", standards.many);
    let mut series = [
        ("shown to miss no deadline", square(SHOWN)),
        ("missed none so far", clean),
        ("missed", square(MISSED)),
        (&few, square(COLOURS[4])),
    ]
    .map(|(name, look)| Series::new(name, Kind::Points, look, Vec::new()));
    let sizes = grid.distinct_sizes().len();
    let across = match sizes {
        ..=ROOM_FOR_NUMBERS => SQUARE[1],
        _ => (WIDTH / sizes as f64).clamp(SQUARE[0], SQUARE[1]),
    };
    for (place, line) in grid.lines.iter().enumerate() {
        for (count, size) in &line.sizes {
            let tries = size.deadlines;
            let mark = Mark::of(line, size, grid.period(*count), standards);
            let kind = match mark {
                Mark::Shown => 0,
                Mark::Clean => 1,
                Mark::Soft | Mark::Missed if counts => 3,
                Mark::Soft | Mark::Missed | Mark::Many => 2,
            };
            let [missed, due] = [tries.missed, tries.due].map(words::grouped);
            let told = grid.size_in_words(*count);
            let hover = format!("{told}: {missed} of {due} deadlines missed");
            let label = match counts && sizes <= ROOM_FOR_NUMBERS {
                true => missed,
                false => String::new(),
            };
            let at = Drawn::at(grid.axis.number(*count), row(grid, place));
            series[kind].marks.push(Drawn {
                size: Some(across),
                colour: (kind == 3).then(|| by_count(tries, standards.many)),
                ..at.hover(hover).label(label, Side::Above)
            });
        }
    }
    series.into_iter().filter(|series| !series.marks.is_empty()).collect()
}

/// Bars between the last size that is soft real time and the next one.
fn ends_of_use(grid: &Grid, edges: &[Edges]) -> Vec<Guide> {
    const REACH: f64 = 0.42;
    const LAST: f64 = 1.12;
    let end = |(place, line): (usize, &Line)| {
        let own = edges.iter().find(|edges| edges.threads == Some(line.threads))?;
        let (usable, _) = own.usable?;
        let next = line.sizes.keys().find(|next| **next > usable);
        let last = grid.axis.number(usable);
        let between = |next: &u64| match grid.axis {
            plan::Axis::Setting(_) => f64::midpoint(last, grid.axis.number(*next)),
            _ => (last * grid.axis.number(*next)).sqrt(),
        };
        let x = next.map_or(last * LAST, between);
        let row = row(grid, place);
        Some(Guide {
            points: vec![[x, row - REACH], [x, row + REACH]],
            label: String::new(),
            name: String::new(),
            dashed: false,
        })
    };
    grid.lines.iter().enumerate().filter_map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_tell_few_from_more() {
        let of = |missed| by_count(Tries::one(1000, missed), ManyMisses::default());
        assert_eq!((of(1).as_str(), of(100).as_str()), ("#F7DC7A", "#E8832E"));
        assert!(of(10) != of(1) && of(10) != of(100));
    }
}
