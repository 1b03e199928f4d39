//! Efficiency, variation and predictability, by test and load and in general (TEL 2.2, 2.3).

use analysis::Analysis;
use analysis::lists::each_once;
use analysis::merit::{Bubble, Case, Merits};
use analysis::share::Tolerance;
use stats::Merit;

use crate::document::{Block, Cell, Column, Section, Table, TableOf, Unit};
use crate::figure::{self, Figure, Panel};

pub(crate) fn shown(analysis: &Analysis) -> Option<Section> {
    let tolerance = analysis.standards.tolerance;
    let all = &analysis.figures_of_merit.systems;
    let mut section = in_general(analysis, "")?;
    let loads = loads(all);
    for (index, merits) in all.iter().enumerate() {
        section.blocks.extend(pairs(index, merits, &loads, tolerance).map(Block::Figure));
        section.blocks.push(Block::Table(cases(merits, tolerance)));
    }
    Some(section)
}

/// Returns the section with the general figures only, as a table and as bubbles, whose caption ends with a remark.
pub(crate) fn in_general(analysis: &Analysis, remark: &str) -> Option<Section> {
    let tolerance = analysis.standards.tolerance;
    let all = &analysis.figures_of_merit.systems;
    let mut blocks = vec![Block::Table(general(all, tolerance))];
    blocks.extend(comparison(all, tolerance, remark).map(Block::Figure));
    let introduction = format!(
        "Efficiency is the average time of a test; variation is its longest minus its shortest \
         time; predictability is the share of times that lie at most {tolerance} above the average. \
         Small, small and large are good. The formulas are the papers\u{2019}. This one rewards outliers: \
         a few very long times raise the average, and with it what passes for predictable; so it means \
         nothing beside a large variation, and no verdict rests on it. Of each test the first row counts; a system\u{2019}s \
         general figures are plain averages over its tests and loads."
    );
    let title = "Efficiency, variation, predictability";
    (!all.is_empty()).then(|| Section::of("merit", title, introduction, blocks))
}

impl<R> TableOf<'_, R> {
    fn merit(self, tolerance: Tolerance, merit: fn(&R) -> Option<&Merit>) -> Self {
        let micros = move |row: &R, figure: fn(&Merit) -> f64| {
            merit(row).map_or_else(Cell::default, |merit| Cell::micros(figure(merit)))
        };
        let unit = format!("within {tolerance}");
        self.number("Efficiency, µs", move |row| micros(row, |merit| merit.efficiency_ns))
            .number("Variation, µs", move |row| micros(row, |merit| merit.variation_ns))
            .column(Column { unit, ..Column::numbers("Predictability") }, move |row| {
                let share = merit(row).and_then(|merit| merit.predictability);
                Cell::or(share, "the average is below 0", Cell::share)
            })
    }
}

fn general(all: &[Merits], tolerance: Tolerance) -> Table {
    let why = "no test and load that every system measured";
    let mut notes =
        vec!["Plain averages: tests and loads that take long weigh most in them.".to_owned()];
    notes.extend(all.iter().filter_map(dominance));
    TableOf::of(all)
        .text("System", |merits| &merits.system)
        .unless(|merits| merits.general.is_none().then(|| Cell::text(why)))
        .merit(tolerance, |merits| Some(&merits.general.as_ref()?.merit))
        .number("Tests and loads", |merits| {
            Cell::count(merits.general.as_ref().map_or(0, |general| general.cases as u64))
        })
        .note(notes.join(" "))
        .table("General figures: averages over tests and loads")
}

/// Names the cases that contribute most to a plain average.
fn dominance(merits: &Merits) -> Option<String> {
    let general = merits.general.as_ref().filter(|general| general.cases > 1)?;
    let (efficient, of_efficiency) = &general.most_of_efficiency;
    let (varying, of_variation) = &general.most_of_variation;
    Some(format!(
        "{}: the largest part of the efficiency is {efficient} ({:.0} %), of the variation {varying} \
         ({:.0} %).",
        merits.system,
        of_efficiency * 100.0,
        of_variation * 100.0
    ))
}

fn comparison(all: &[Merits], tolerance: Tolerance, remark: &str) -> Option<Figure> {
    let bubbles: Vec<Bubble> = all.iter().filter_map(Merits::bubble).collect();
    let caption = format!(
        "One bubble per system; its area is the predictability (times at most {tolerance} above the \
         average), which the paper draws as the radius, and the ring around it is what 100 % would fill. The best system is large and \
         near the origin. Averages over the tests and loads that every system measured; runs \
         under a real-time policy, where there are any.{remark}"
    );
    figure::bubbles("comparison", &caption, &bubbles)
}

fn loads(all: &[Merits]) -> Vec<String> {
    let cases = all.iter().flat_map(|merits| &merits.cases);
    let mut loads = each_once(cases.map(|case| case.load.clone()));
    loads.sort_by_key(|load| load != "no load");
    loads
}

/// Draws two charts of two figures of merit, a panel each.
fn pairs(
    index: usize,
    merits: &Merits,
    loads: &[String],
    tolerance: Tolerance,
) -> impl Iterator<Item = Figure> {
    let system = &merits.system;
    let time = |title, value| Panel { title, unit: Unit::Time, value };
    let variation = time("variation", |case| Some(case.merit.variation_ns));
    let (title, unit) = ("predictability", Unit::Share);
    let predictability = Panel { title, unit, value: |case| case.merit.predictability };
    let pairs = [
        (
            "average-worst",
            [
                time("average (efficiency)", |case| Some(case.merit.efficiency_ns)),
                time("worst case", |case| Some(case.worst_ns())),
            ],
            format!(
                "{system}: average and worst case of each test, without and with load. The axes \
                 are logarithmic: equal lengths are equal ratios."
            ),
        ),
        (
            "variation-predictability",
            [variation, predictability],
            format!(
                "{system}: variation and predictability of each test, without and with load. \
                 Predictable is what takes at most {tolerance} longer than the average."
            ),
        ),
    ];
    pairs.into_iter().filter_map(move |(name, panels, caption)| {
        figure::bars(&format!("{name}-{}", index + 1), &caption, panels, loads, &merits.cases)
    })
}

fn cases(merits: &Merits, tolerance: Tolerance) -> Table {
    let note = "The averages are over the tests and loads that every system measured, and of these, \
        if there are any, the runs under a real-time policy.";
    TableOf::of(&merits.cases)
        .text("Test", Case::test)
        .text("Conditions", |case| &case.conditions)
        .text("Load", |case| &case.load)
        .merit(tolerance, |case| Some(&case.merit))
        .number("Worst, µs", |case| Cell::micros(case.worst_ns()))
        .number("Samples", |case| Cell::count(case.latency.count()))
        .text("In the averages", |case| if case.counts { "yes" } else { "no" })
        .note(note)
        .table(format!("{}: figures of each test and load", merits.system))
}
