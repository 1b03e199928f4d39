//! Charts as SVG in the page. Positions are in percent and letters in pixels, so that a chart fills
//! any width and stays readable.

mod ends;
mod frame;
mod guides;
mod hover;
mod legend;
mod lines;
mod marks;
mod panel;
mod ticks;

use crate::document::Chart;

pub(super) fn chart(chart: &Chart) -> String {
    let is_alone = chart.stacked || chart.panels.len() == 1;
    let panels = chart.panels.iter().enumerate();
    let panels = panels.map(|(place, panel_data)| panel::panel(chart, panel_data, place, is_alone));
    let class = if chart.stacked { "panels stacked" } else { "panels" };
    format!("<div class=\"{class}\">{}</div>{}", panels.collect::<String>(), legend::legend(chart))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Side, Symbol, Unit};
    use proptest::prelude::*;

    fn of(x: Axis, marks: Vec<Mark>, kind: Kind) -> Chart {
        let look = Look::plain("#000").with(Symbol::Circle);
        let series = Series::new("<b> & co", kind, look, marks);
        Chart::new("one", "", 200, Panel::new(x, axis("up"), [series]))
    }

    /// Returns a chart without marks.
    fn empty() -> Chart {
        of(axis(""), vec![], Kind::Points)
    }

    fn axis(title: &str) -> Axis {
        Axis::linear(title, Unit::Number, [0.0, 1.0])
    }

    /// Returns the positions in percent from all attributes with these names.
    fn places(html: &str) -> Vec<f64> {
        let names = [" x=\"", " y=\"", " width=\"", " height=\""];
        let values = names.iter().flat_map(|name| html.split(name).skip(1));
        let percent = values.filter_map(|rest| rest.split_once('"')?.0.strip_suffix('%'));
        percent.map(|place| place.parse().unwrap()).collect()
    }

    #[test]
    fn no_text_ends_its_element() {
        let mark = Mark::at(0.5, 0.5).hover("</title><script>").label("a<b", Side::Left);
        let html = chart(&of(axis("<i>"), vec![mark], Kind::Points));
        assert!(!["<script", "<b>", "<i>"].iter().any(|tag| html.contains(tag)), "{html}");
        let escaped = ["&lt;b&gt;", "a&lt;b", "&lt;i&gt;"];
        assert!(escaped.iter().all(|text| html.contains(text)), "{html}");
    }

    #[test]
    fn what_lies_beyond_an_axis_is_an_arrow_with_its_value() {
        let axis = || Axis::linear("", Unit::Time, [0.0, 100.0]);
        let html = |x| chart(&of(axis(), vec![Mark::at(x, 0.5)], Kind::Points));
        assert!(html(5e6).contains(">5 ms</text>"));
        assert!(!html(5e6).contains("scale(-1 1)") && html(-1.0).contains("scale(-1 1)"));
        assert!(!html(100.0).contains("class=\"label\""));
    }

    #[test]
    fn the_pointer_shows_what_every_line_has_at_a_place() {
        let line = |name: &str| {
            let marks = [0.2, 0.6].map(|x| Mark::at(x, 0.5).hover(format!("{name} {x}")));
            Series::new(name, Kind::Steps, Look::line(0), marks.into())
        };
        let mut both = empty();
        both.panels[0].series = vec![line("one"), line("two")];
        let html = chart(&both);
        assert!(html.contains("<title>one: one 0.2\ntwo: two 0.2</title>"), "{html}");
        assert_eq!(html.matches("<title>").count(), 2);
    }

    #[test]
    fn labels_of_guides_lie_neither_over_each_other_nor_on_other_guides() {
        let mut roofs = empty();
        let tops = [0.5, 0.49, 0.48, 0.9, 1.0];
        let level = |top: f64| Guide::dashed([[0.0, top], [1.0, top]], "the same words");
        roofs.panels[0].guides = tops.map(level).into();
        let html = chart(&roofs);
        let feet = html.split("the same words").filter_map(|before| {
            let place = before.rsplit_once(" y=\"")?.1.split_once('%')?.0;
            Some(place.parse::<f64>().unwrap() / 100.0 * 200.0)
        });
        let feet: Vec<f64> = feet.take(tops.len()).collect();
        assert_eq!(feet.len(), tops.len());
        for (place, foot) in feet.iter().enumerate() {
            assert!((12.0..200.0).contains(foot), "{feet:?}");
            assert!(feet[..place].iter().all(|other| (other - foot).abs() >= 13.9), "{feet:?}");
            let crossed = |top: &f64| (-2.0..10.0).contains(&(foot - (1.0 - top) * 200.0));
            assert!(!tops.iter().any(crossed), "{feet:?}");
        }
    }

    #[test]
    fn many_lines_bear_the_numbers_of_the_legend() {
        let line = |place: usize| {
            let end = if place < 2 { 0.5 } else { place as f64 / 10.0 };
            let marks = vec![Mark::at(0.0, 0.0), Mark::at(0.8, end)];
            Series::new(format!("line {place}"), Kind::Line, Look::line(place), marks)
        };
        let html = |lines: usize| {
            let mut many = empty();
            many.panels[0].series = (0..lines).map(line).collect();
            chart(&many)
        };
        assert!(!html(7).contains("class=\"label\""));
        let many = html(10);
        assert!(many.contains(">1, 2, 6</text>") && many.contains(">10</text>"), "{many}");
        assert!(many.contains("</svg>10. line 9</li>"), "{many}");
    }

    proptest! {
        #[test]
        fn everything_lies_inside(
            values in prop::collection::vec(prop::num::f64::ANY, 0..8),
            range in prop::array::uniform2(prop::num::f64::ANY),
            is_log in prop::bool::ANY,
            kind in prop::sample::select(vec![Kind::Points, Kind::Line, Kind::Steps, Kind::Spans(0.5)]),
        ) {
            let axis = if is_log { Axis::log } else { Axis::linear }("", Unit::Time, range);
            let mark = |value: &f64| Mark { to: Some(-value), ..Mark::at(*value, *value).hover("here") };
            let html = chart(&of(axis, values.iter().map(mark).collect(), kind));
            for place in places(&html) {
                prop_assert!((0.0..=100.0).contains(&place), "{place} in {html}");
            }
            prop_assert!(!html.contains("NaN") || html.contains(">NaN"), "{html}");
        }
    }
}
