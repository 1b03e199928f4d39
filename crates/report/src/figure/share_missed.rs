//! The share of missed deadlines by model size or rate: a point per probe of a search.

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use crate::english;
use analysis::words;

/// The probes on one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Probes {
    pub name: String,
    /// Sizes or rates with their shares.
    pub points: Vec<(u64, Share)>,
    /// The largest size or rate that holds.
    pub edge: Option<u64>,
}

/// The missed deadlines of a probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share {
    pub missed: u64,
    pub due: u64,
    /// The ends of the 95 % interval of the share.
    pub interval: [f64; 2],
}

const HEIGHT: usize = 300;
const SIZE: f64 = 9.0;
/// The lower end of the logarithmic axis; smaller shares are drawn here.
const LEAST: f64 = 1e-6;

/// Draws a point per probe with its interval, and a line at each edge. `None` for fewer than two
/// points.
pub(crate) fn share_missed(name: &str, over: &plan::Axis, all: &[Probes]) -> Option<Figure> {
    let points = || all.iter().flat_map(|probes| &probes.points);
    let [least, most] = span(points().map(|(place, _)| over.number((*place).max(1))))?;
    let [lowest, _] = span(points().map(|(_, share)| lower(share)))?;
    let title = format!("{}, {}", words::capital(over.noun()), over.unit(2));
    let room = 1.1;
    let panel = Panel {
        x: Axis::log(&title, Unit::Count, [least / room, most * room]),
        y: Axis::log("missed deadlines, share", Unit::Share, [lowest / 2.0, 1.5]),
        series: all.iter().enumerate().flat_map(|one| series(over, one)).collect(),
        guides: all.iter().filter_map(|probes| edge(over, probes, [lowest / 2.0, 1.5])).collect(),
    };
    let caption = "Share of missed deadlines of each probe, with its 95 % interval; a point at the lower end of an open \
                   symbol missed none. The vertical line is the edge: the largest that holds.";
    (points().count() > 1).then(|| Figure::new(name, caption, HEIGHT, panel))
}

fn lower(share: &Share) -> f64 {
    let drawn = [share.interval[0], share.interval[1]].into_iter().find(|end| *end > LEAST);
    drawn.unwrap_or(LEAST)
}

fn series(over: &plan::Axis, (index, probes): (usize, &Probes)) -> Vec<Series> {
    let look = Look::points(index);
    let needle = |(place, share): &(u64, Share)| {
        let at = over.number((*place).max(1));
        Mark { to: Some(share.interval[1].max(LEAST)), ..Mark::at(at, lower(share)) }
    };
    let point = |(place, share): &(u64, Share)| {
        let at = over.number((*place).max(1));
        let height = if share.missed == 0 {
            share.interval[1]
        } else {
            share.missed as f64 / share.due.max(1) as f64
        };
        let told = format!(
            "{}, {}: {} ({} to {})",
            probes.name,
            words::place(over, *place),
            english::missed(share.missed, share.due),
            words::percent(share.interval[0]),
            words::percent(share.interval[1]),
        );
        Mark { size: Some(SIZE), ..Mark::at(at, height.max(LEAST)).hover(told) }
    };
    let points = |is_clean: bool| {
        let alike = probes.points.iter().filter(move |(_, share)| (share.missed == 0) == is_clean);
        alike.map(point).collect()
    };
    let open = Look { open: true, ..look };
    let line = Look { symbol: None, ..look };
    vec![
        Series::new("", Kind::Needles, line, probes.points.iter().map(needle).collect()),
        Series::new(probes.name.clone(), Kind::Points, look, points(false)),
        Series::new(
            format!("{}, no miss (upper end)", probes.name),
            Kind::Points,
            open,
            points(true),
        ),
    ]
}

fn edge(over: &plan::Axis, probes: &Probes, [low, high]: [f64; 2]) -> Option<Guide> {
    let place = probes.edge?;
    let at = over.number(place.max(1));
    let label = format!("holds {}", words::bare(over, place));
    Some(Guide::dashed([[at, low], [at, high]], &label))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(missed: u64) -> Share {
        Share { missed, due: 1000, interval: [missed as f64 / 2e3, (missed + 3) as f64 / 1e3] }
    }

    #[test]
    fn every_probe_is_a_point_and_the_edge_is_marked() {
        let points = vec![(500, share(0)), (1000, share(1)), (2000, share(900))];
        let probes = Probes { name: "1 thread".into(), points, edge: Some(500) };
        let figure = share_missed("x", &plan::Axis::Rate, &[probes]).unwrap();
        let panel = &figure.panels[0];
        let points: usize = panel.series[1..].iter().map(|series| series.marks.len()).sum();
        assert_eq!((points, panel.guides.len()), (3, 1));
        assert_eq!(share_missed("x", &plan::Axis::Rate, &[]), None);
    }
}
