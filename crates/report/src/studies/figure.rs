//! The field of all findings of published studies: a row per study, a mark per finding.

use analysis::studies::{Judged, STUDIES, Verdict};
use analysis::words::counted;

use crate::document::{Axis, COLOURS, GREY, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use crate::figure::Figure;

const ROW: usize = 34;
/// Diameter of a mark in CSS pixels.
const MARK: f64 = 11.0;

/// Draws the findings of each study in the paper's order; the symbol is the verdict.
pub(crate) fn verdicts(name: &str, caption: &str, judged: &[Judged]) -> Option<Figure> {
    let is_shown =
        |(study, _): &(&str, &str)| judged.iter().any(|judgement| is_of(judgement, study));
    let studies: Vec<(&str, &str)> = STUDIES.into_iter().filter(is_shown).collect();
    let rows = studies.iter().enumerate().map(|(row, (study, _))| {
        let of_study = judged.iter().filter(|judgement| is_of(judgement, study));
        of_study
            .enumerate()
            .map(move |(place, judgement)| (judgement, mark(judgement, place, row)))
            .collect::<Vec<_>>()
    });
    let marks: Vec<(&Judged, Mark)> = rows.flatten().collect();
    let most = marks.iter().map(|(_, mark)| mark.x).reduce(f64::max)?;
    let series = [
        Look::plain(COLOURS[2]).with(Symbol::Circle),
        Look::plain(COLOURS[1]).with(Symbol::Triangle),
        Look::plain(COLOURS[0]).with(Symbol::Diamond).open(true),
        Look::plain(GREY).with(Symbol::Square).open(true),
        Look::plain(GREY).with(Symbol::Cross).open(true),
    ];
    let series = series.into_iter().enumerate().filter_map(|(kind, look)| {
        let of_kind = marks.iter().filter(|(mark, _)| kind_of(&mark.verdict) == kind);
        let of_kind: Vec<&(&Judged, Mark)> = of_kind.collect();
        let name = of_kind.first()?.0.verdict.name();
        let marks = of_kind.into_iter().map(|(_, mark)| mark.clone()).collect();
        Some(Series::new(name, Kind::Points, look, marks))
    });
    let name_of = |(study, _): &(&str, &str)| {
        let count = judged.iter().filter(|judgement| is_of(judgement, study)).count();
        format!("{study}, {}", counted(count, "finding"))
    };
    let x = Axis::linear("finding, in the paper's order", Unit::Count, [0.0, most + 1.0]);
    let panel = Panel::new(x, Axis::rows(studies.iter().map(name_of).collect()), series);
    Some(Figure::new(name, caption, studies.len() * ROW, panel))
}

fn is_of(judged: &Judged, study: &str) -> bool {
    judged.finding.study() == study
}

fn kind_of(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Holds => 0,
        Verdict::Reversed => 1,
        Verdict::Undecided(_) => 2,
        Verdict::NotMeasured(_) => 3,
        Verdict::NotTestable(_) => 4,
    }
}

fn mark(judged: &Judged, place: usize, row: usize) -> Mark {
    let why = judged.verdict.why_open().map(|why| format!(": {why}")).unwrap_or_default();
    let verdict = judged.verdict.name();
    let finding = &judged.finding;
    let hover = format!("{}: {}\n{verdict}{why}", finding.id, finding.statement);
    Mark::at(place as f64 + 1.0, row as f64).hover(hover).sized(MARK)
}
