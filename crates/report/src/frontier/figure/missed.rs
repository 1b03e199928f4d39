//! The missed-deadline map: sizes by threads, as any miss and by number of misses.

use analysis::capacity::{Grid, Line};
use analysis::frontier::Frontier;
use analysis::frontier::{Edges, Mark};
use analysis::share::ManyMisses;
use analysis::standards::Standards;
use analysis::words;
use stats::Tries;

use crate::document::{
    Axis, COLOURS, Guide, Kind, Look, Mark as Drawn, Panel, Series, Side, Symbol, Unit,
};
use crate::figure::Figure;

/// The colour of sizes that are shown to miss no deadline.
const SHOWN: &str = "#9CCFAA";
/// The colour of sizes without a miss, but with too few deadlines to show it.
const CLEAN: &str = "#8A949E";
const MISSED: &str = "#B3261E";
const FEW: [[u8; 3]; 2] = [[0xF7, 0xDC, 0x7A], [0xE8, 0x83, 0x2E]];

const ROW: usize = 44;
/// With more sizes than this, numbers do not fit above the squares.
const ROOM_FOR_NUMBERS: usize = 7;
/// Minimum width of half the map, and the size of a square, both in CSS pixels.
const WIDTH: f64 = 300.0;
const SQUARE: [f64; 2] = [3.0, 15.0];

const HALVES: [(&str, bool); 2] = [("any deadline missed", false), ("deadlines missed", true)];

/// Returns a colour between yellow and orange by the logarithm of the number of misses.
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

pub(crate) fn missed_deadlines(name: &str, map: &Frontier, standards: &Standards) -> Figure {
    let (grid, many) = (&map.grid, map.many);
    let machine = &grid.system;
    let caption = format!(
        "{machine}, {}. Green missed none, which shows {}; an empty square missed none so far. Left: red missed at least one. Right: \
         yellow to orange by how many were missed, red where {many} were. Squares are smaller \
         where sizes lie close together. The bar is after the last size that is soft real time.",
        grid.rate().into_iter().chain([grid.conditions()]).collect::<Vec<_>>().join(", "),
        standards.limits.shown_in_words(),
    );
    let half = |(title, counts): (&str, bool)| {
        let panel = Panel::new(size_axis(grid, title), threads_axis(grid), squares(map, counts));
        panel.guides(ends_of_use(map))
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
        // A setting can be 0 or negative.
        record::Axis::Setting(_) => {
            Axis::linear(&title, Unit::Number, [least.min(most), least.max(most)])
        }
        _ => Axis::log(&title, Unit::Number, [least / MARGIN, most * MARGIN]),
    }
}

fn threads_axis(grid: &Grid) -> Axis {
    let threads = grid.lines.iter().rev().map(|line| line.threads.to_string());
    Axis { title: "threads".to_owned(), ..Axis::rows(threads.collect()) }
}

fn row(grid: &Grid, line: usize) -> f64 {
    (grid.lines.len() - 1 - line) as f64
}

/// The width of a size's square, small enough not to touch its neighbours in the row.
fn across(axis: &Axis, grid: &Grid, line: &Line, count: u64) -> f64 {
    let place = |count: &u64| axis.place(grid.axis.number(*count));
    let others = line.sizes.keys().filter(|other| **other != count);
    let gaps = others.map(|other| (place(other) - place(&count)).abs());
    (WIDTH * gaps.fold(1.0, f64::min)).clamp(SQUARE[0], SQUARE[1])
}

fn squares(map: &Frontier, counts: bool) -> Vec<Series> {
    let (grid, many) = (&map.grid, map.many);
    let square = |colour| Look::plain(colour).with(Symbol::Square);
    let few = format!("misses, but not {many}");
    let mut series = [
        ("shown to miss no deadline", square(SHOWN)),
        ("missed none so far", square(CLEAN).open(true)),
        ("missed", square(MISSED)),
        (&few, square(COLOURS[4])),
    ]
    .map(|(name, look)| Series::new(name, Kind::Points, look, Vec::new()));
    let is_numbered = counts && grid.distinct_sizes().len() <= ROOM_FOR_NUMBERS;
    let axis = size_axis(grid, "");
    for (place, line) in grid.lines.iter().enumerate() {
        for (count, size) in &line.sizes {
            let tries = size.deadlines;
            let kind = match map.mark(line, *count) {
                Mark::Shown => 0,
                Mark::Clean => 1,
                Mark::Soft | Mark::Missed if counts => 3,
                Mark::Soft | Mark::Missed | Mark::Many => 2,
            };
            let missed = analysis::phrases::number_missed(tries.missed, tries.due);
            let hover = format!("{}: {missed}", grid.size_in_words(*count));
            let label = if is_numbered { words::grouped(tries.missed) } else { String::new() };
            let at = Drawn::at(grid.axis.number(*count), row(grid, place));
            series[kind].marks.push(Drawn {
                size: Some(across(&axis, grid, line, *count)),
                colour: (kind == 3).then(|| by_count(tries, many)),
                ..at.hover(hover).label(label, Side::Above)
            });
        }
    }
    // A kind without a square is in the legend too, because the caption names its colour.
    series.into()
}

/// Draws bars between the last size that is soft real time and the next one.
fn ends_of_use(map: &Frontier) -> Vec<Guide> {
    const REACH: f64 = 0.42;
    const LAST: f64 = 1.12;
    let grid = &map.grid;
    let end = |(place, (line, edges)): (usize, (&Line, Edges))| {
        let (usable, _) = edges.usable?;
        let next = line.sizes.keys().find(|next| **next > usable);
        let last = grid.axis.number(usable);
        let between = |next: &u64| match grid.axis {
            record::Axis::Setting(_) => f64::midpoint(last, grid.axis.number(*next)),
            _ => (last * grid.axis.number(*next)).sqrt(),
        };
        let x = next.map_or(last * LAST, between);
        let row = row(grid, place);
        Some(Guide::solid([[x, row - REACH], [x, row + REACH]], ""))
    };
    grid.lines.iter().zip(map.edges()).enumerate().filter_map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::tire;
    use analysis::capacity::grids;
    use analysis::frontier;
    use analysis::standards::DEFAULT_STANDARDS;
    use analysis::survey::systems;

    #[test]
    fn squares_lie_apart_and_the_legend_has_every_colour_of_the_caption() {
        let sizes = [500].into_iter().chain((0..20).map(|step| 1_000 + 60 * step));
        let runs: Vec<_> = sizes.map(|size| tire("real-time", size, 1, 100, 20)).collect();
        let systems = systems(&runs);
        let grid = grids(&systems[0]).remove(0);
        let maps = frontier::grid_frontiers([grid.into()], &DEFAULT_STANDARDS);
        let chart = missed_deadlines("map", &maps[0], &DEFAULT_STANDARDS);
        let legend: Vec<&str> = chart.legend().iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(legend[..3], ["shown to miss no deadline", "missed none so far", "missed"]);
        let panel = &chart.panels[0];
        let marks = || panel.series.iter().flat_map(|series| &series.marks);
        let mut squares: Vec<(f64, f64)> =
            marks().map(|mark| (panel.x.place(mark.x) * WIDTH, mark.size.unwrap())).collect();
        squares.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in squares.windows(2) {
            let [(left, a), (right, b)] = [pair[0], pair[1]];
            assert!(right - left >= (a + b) / 2.0 - 1e-9, "{squares:?}");
        }
        assert!(squares[0].1 > 2.0 * squares[5].1, "alone it is large: {squares:?}");
    }

    #[test]
    fn colours_tell_few_from_more() {
        let of = |missed| by_count(Tries::one(1000, missed), ManyMisses::default());
        assert_eq!((of(1).as_str(), of(100).as_str()), ("#F7DC7A", "#E8832E"));
        assert!(of(10) != of(1) && of(10) != of(100));
    }
}
