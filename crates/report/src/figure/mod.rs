//! Figures: the parts of an analysis that are drawn as charts; `None` if there is nothing to draw.

mod bars;
mod blamed;
mod bubbles;
mod histogram;
mod inversion;
mod multiples;
mod outputs;
mod over_time;
mod predicted;
mod price;
mod range;
mod ratios;
mod real_fast;
mod timeline;

pub(crate) use crate::document::Chart as Figure;
pub(crate) use bars::{Panel, bars};
pub(crate) use blamed::blamed;
pub(crate) use bubbles::bubbles;
pub(crate) use histogram::{Line, histogram, survival, with_deadlines};
pub(crate) use inversion::{Held, Wait, inversion};
pub(crate) use multiples::{Row as MultiplesRow, Times, multiples};
pub(crate) use outputs::outputs;
pub(crate) use over_time::{Gaps, OverTime, over_time, share_time, strip};
pub(crate) use predicted::predicted;
pub(crate) use price::{Bought, Traded, bought, price};
pub(crate) use range::{Range, ranges};
pub(crate) use ratios::{Ratio, ratios};
pub(crate) use real_fast::{Curve, real_fast};
pub(crate) use timeline::timeline;

/// Returns the minimum and maximum of the finite values; `None` without any.
pub(crate) fn span(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|value| value.is_finite()).fold(None, |ends, value| {
        let [least, most] = ends.unwrap_or([value; 2]);
        Some([least.min(value), most.max(value)])
    })
}

#[cfg(test)]
mod tests {
    use crate::document::{Kind, Mark, Series};
    use analysis::Analysis;
    use analysis::standards::DEFAULT_STANDARDS;
    use testing::{experiment, mixes, neighbours, outcomes};

    #[test]
    fn every_point_bar_and_line_shows_its_values_under_the_pointer() {
        for runs in [
            outcomes::everything(),
            outcomes::lab(),
            outcomes::two_machines(),
            vec![outcomes::blamed("hog")],
            vec![outcomes::own_model("real-time", 1)],
            experiment::tried_knobs(),
            mixes::choices(),
            neighbours::matrix(),
        ] {
            let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
            let document = crate::document(&analysis);
            for chart in document.charts() {
                let has_values = |series: &&Series| {
                    let mut marks = series.marks.iter().map(|mark: &Mark| !mark.hover.is_empty());
                    match series.kind {
                        Kind::Points | Kind::Spans(_) => marks.all(|has| has),
                        Kind::Line | Kind::Steps => marks.any(|has| has),
                        // The end of an interval; its mark is shared by both values.
                        Kind::Needles => true,
                    }
                };
                let mut series = chart.panels.iter().flat_map(|panel| &panel.series);
                let without = series.find(|series| !has_values(series));
                assert_eq!(without, None, "{}", chart.name);
            }
        }
    }
}
