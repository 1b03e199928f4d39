//! The share of missed deadlines by model size or rate: a point per probe of a search.

use analysis::capacity::End;
use analysis::held::Held;
use analysis::words;

use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use crate::figure::{Figure, span};

/// The probes on one number of threads.
pub(crate) struct Probes {
    pub name: String,
    pub points: Vec<(u64, Held)>,
    pub edge: Option<End>,
}

const HEIGHT: usize = 300;
const SIZE: f64 = 9.0;
/// The lower end of the logarithmic axis; smaller shares are drawn here.
const LEAST: f64 = 1e-6;

/// Draws a point per probe with its interval, and a line at each edge. `None` for fewer than two
/// points.
pub(crate) fn share_missed(name: &str, over: &record::Axis, all: &[Probes]) -> Option<Figure> {
    let points = || all.iter().flat_map(|probes| &probes.points);
    let [least, most] = span(points().map(|(place, _)| over.number((*place).max(1))))?;
    let [lowest, _] = span(points().map(|(_, held)| lower(held)))?;
    let title = format!("{}, {}", words::capital(over.noun()), over.unit(2));
    const ROOM: f64 = 1.1;
    let heights = [lowest / 2.0, 1.5];
    let x = Axis::log(&title, Unit::Count, [least / ROOM, most * ROOM]);
    let y = Axis::log("missed deadlines, share", Unit::Share, heights);
    let panel = Panel::new(x, y, all.iter().enumerate().flat_map(|probes| series(over, probes)))
        .guides(all.iter().filter_map(|probes| edge(over, probes, heights)));
    let caption = "Share of missed deadlines of each probe, with its 95 % interval; an open symbol missed none, and marks \
                   the upper end. The vertical line is the edge: the largest that holds, or seems to.";
    (points().count() > 1).then(|| Figure::new(name, caption, HEIGHT, panel))
}

fn lower(held: &Held) -> f64 {
    let ends = [held.bound.lower, held.bound.upper];
    ends.into_iter().find(|end| *end > LEAST).unwrap_or(LEAST)
}

fn series(over: &record::Axis, (index, probes): (usize, &Probes)) -> [Series; 3] {
    let look = Look::points(index);
    let at = |place: u64| over.number(place.max(1));
    let needle = |(place, held): &(u64, Held)| Mark {
        to: Some(held.bound.upper.max(LEAST)),
        ..Mark::at(at(*place), lower(held))
    };
    let point = |(place, Held { tries, bound, .. }): &(u64, Held)| {
        let height = match tries.missed {
            0 => bound.upper,
            missed => missed as f64 / tries.due.max(1) as f64,
        };
        let size = words::place(over, *place);
        let missed = analysis::phrases::missed(tries.missed, tries.due);
        let [lower, upper] = [bound.lower, bound.upper].map(words::percent);
        let hover = format!("{}, {size}: {missed} ({lower} to {upper})", probes.name);
        Mark::at(at(*place), height.max(LEAST)).hover(hover).sized(SIZE)
    };
    let points = |is_clean: bool| {
        let alike = probes.points.iter().filter(|(_, held)| (held.tries.missed == 0) == is_clean);
        alike.map(point).collect()
    };
    let needles = probes.points.iter().map(needle).collect();
    let without_miss = format!("{}, no miss (upper end)", probes.name);
    [
        Series::new("", Kind::Needles, look.without_symbol(), needles),
        Series::new(&probes.name, Kind::Points, look, points(false)),
        Series::new(without_miss, Kind::Points, look.open(true), points(true)),
    ]
}

fn edge(over: &record::Axis, probes: &Probes, [low, high]: [f64; 2]) -> Option<Guide> {
    let End { size, shown } = probes.edge?;
    let at = over.number(size.max(1));
    let holds = if shown { "holds" } else { "seems to hold" };
    let label = format!("{holds} {}", words::bare(over, size));
    Some(Guide::dashed([[at, low], [at, high]], &label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Tries;
    use stats::frontier::Demand;

    #[test]
    fn every_probe_is_a_point_and_the_edge_is_marked() {
        let demand = Demand { most: 0.0, shown: 1.0, least: 1000, bad_runs: 1.0 };
        let held = |missed| Held::of(Tries::one(1000, missed), demand, 1);
        let points = vec![(500, held(0)), (1000, held(1)), (2000, held(900))];
        let probes =
            Probes { name: "1 thread".into(), points, edge: Some(End { size: 500, shown: true }) };
        let figure = share_missed("x", &record::Axis::Rate, &[probes]).unwrap();
        let panel = &figure.panels[0];
        let points: usize = panel.series[1..].iter().map(|series| series.marks.len()).sum();
        assert_eq!((points, panel.guides.len()), (3, 1));
        assert_eq!(share_missed("x", &record::Axis::Rate, &[]), None);
    }
}
