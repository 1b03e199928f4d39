//! Ratios between the figures of two systems, as charts.

use analysis::comparison::{Comparison, Contrasts, Pair, Row};
use analysis::effect::{self, Effect, FIGURES, Quality};
use analysis::words;

use crate::document::Block;
use crate::figure::{self, Figure, Ratio};

/// Maximum number of rows in the first picture.
const MOST_AT_TOP: usize = 12;
/// Pictures with more rows are longer than a screen, and are folded.
const MOST_UNFOLDED: usize = 40;

/// Draws the largest differences that are shown; if there are none, the first figure of each row.
/// `None` if several systems are compared exactly, or nothing is compared.
pub(crate) fn foremost(comparison: &Comparison) -> Option<Figure> {
    let contrasts = &comparison.contrasts;
    if contrasts.is_overview() {
        return None;
    }
    let mut ratios = differences(contrasts);
    let shown = ratios.len();
    if shown == 0 {
        // The first figure of each row.
        ratios.extend(contrasts.rows().filter_map(|(pair, row)| {
            row.effects.iter().find_map(|effect| ratio(contrasts, pair, row, effect))
        }));
    }
    let all = ratios.len();
    let ratios = largest(ratios);
    let what = match (shown, all > MOST_AT_TOP) {
        (0, false) => "No difference is shown.".to_owned(),
        (0, true) => format!("No difference is shown; {MOST_AT_TOP} of {all} rows are drawn."),
        (_, false) => "Every difference that is shown.".to_owned(),
        (_, true) => format!("The {MOST_AT_TOP} largest of {all} differences that are shown."),
    };
    let of_what = match contrasts.pairs.as_slice() {
        [Pair { names: [reference, other], .. }] => {
            format!("that of {other} divided by that of {reference}")
        }
        _ => "that of the first system divided by that of the second".to_owned(),
    };
    let caption = format!("{what} Each figure is {of_what}. {}", reading(contrasts));
    figure::ratios("differences", &caption, "ratio", contrasts.margin.share(), &ratios)
}

fn reading(contrasts: &Contrasts) -> String {
    let margin = contrasts.margin;
    match contrasts.comparisons {
        0 => format!("The dot is the ratio, which is exact; broken lines are {margin} from 1."),
        _ => format!(
            "The dot is the ratio, the line its interval at {} confidence; broken lines are {margin} from 1.",
            words::percent(contrasts.confidence())
        ),
    }
}

/// Returns the decisive figure of each quality of each row, if it shows a difference: first speed,
/// then steadiness.
fn differences(contrasts: &Contrasts) -> Vec<Ratio> {
    let of = |quality| {
        let shown = move |(pair, row): (_, &Row)| ratio(contrasts, pair, row, row.shown(quality)?);
        contrasts.rows().filter_map(shown)
    };
    of(Quality::Speed).chain(of(Quality::Steadiness)).collect()
}

/// Returns the largest ratios in their original order, as many as the first picture has room for.
fn largest(mut ratios: Vec<Ratio>) -> Vec<Ratio> {
    let size = |(_, effect): &Ratio| effect.times[1].ln().abs();
    let mut sizes: Vec<f64> = ratios.iter().map(size).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    if let Some(least) = sizes.get(MOST_AT_TOP - 1) {
        ratios.retain(|ratio| size(ratio) >= *least);
    }
    ratios.truncate(MOST_AT_TOP);
    ratios
}

/// Returns a figure of a row; its name includes both systems if there are several pairs.
fn ratio(contrasts: &Contrasts, pair: &Pair, row: &Row, effect: &Effect) -> Option<Ratio> {
    effect.interval()?;
    let [reference, other] = &pair.names;
    let pair = match contrasts.pairs.len() {
        1 => String::new(),
        _ => format!("{other} / {reference}: "),
    };
    Some((format!("{pair}{} of {}", effect.figure.in_words, title(row)), *effect))
}

/// Draws each figure of a pair that shows a difference. Pictures are folded if they are long, or if
/// the top of the page already has every difference.
pub(super) fn of_pair(number: usize, pair: &Pair, contrasts: &Contrasts) -> Vec<Block> {
    let are_at_top = !contrasts.is_overview() && differences(contrasts).len() <= MOST_AT_TOP;
    let [reference, other] = &pair.names;
    let drawn = |figure: &effect::Figure| {
        let ratios = ratios(pair, figure);
        let shown = ratios.iter().filter(|(_, effect)| effect.is_shown).count();
        if shown == 0 {
            return None;
        }
        let name = figure.in_words;
        let drawn = figure::ratios(
            &format!("ratios-{}-{}", figure.name, number + 1),
            &format!("The {name} of {other} divided by that of {reference}."),
            &format!("{name}, ratio"),
            contrasts.margin.share(),
            &ratios,
        )?;
        if ratios.len() <= MOST_UNFOLDED && !are_at_top {
            return Some(Block::Figure(drawn));
        }
        let rows = words::counted(ratios.len(), "row");
        let title = format!("Drawn: {name}, a difference in {shown} of {rows}");
        Some(Block::folded(title, vec![Block::Figure(drawn)]))
    };
    FIGURES.iter().filter_map(drawn).collect()
}

/// Returns a figure of every row; rows that are compared exactly are included only if they differ.
fn ratios(pair: &Pair, figure: &effect::Figure) -> Vec<Ratio> {
    let of_row = |row: &Row| {
        let effect = row.named(figure.name)?;
        effect.interval()?;
        (effect.is_shown || !pair.is_exact()).then(|| (title(row), *effect))
    };
    pair.rows.iter().filter_map(of_row).collect()
}

pub(super) fn title(row: &Row) -> String {
    let test = row.measurement.replace('_', " ");
    format!("{test}: {} ({})", words::label(&row.label), row.conditions)
}
