//! Matrices at first glance.

use plan::Outcome;

use super::cell::Cell;
use super::matrix::Matrix;
use super::words::{remarks, verdict};
use crate::answer::{Answer, Line, Remark, Standing, effort, subject};
use crate::ratio::Ratio;
use crate::survey::System;
use crate::words;

/// Cells that are told by their figures.
const MOST: usize = 6;

/// Which neighbour is to be feared, by how much, and which does not show.
#[must_use]
pub fn glance(systems: &[System], matrices: &[Matrix]) -> Answer {
    let subject = subject(systems);
    let effort = effort(systems.iter().flat_map(|s| &s.outcomes).copied());
    let Some(matrix) = matrices.first() else {
        return Answer {
            subject,
            effort,
            standing: Standing::Open,
            verdict: "Nothing can be said: no quiet run and neighbour were measured.".to_owned(),
            ..Answer::default()
        };
    };
    let harmful = matrix.harmful();
    let standing = match harmful.is_empty() || matrix.sham_shows {
        true => Standing::Open,
        false => Standing::Bad,
    };
    let mut told = remarks(matrix);
    told.insert(0, Remark::new("Of", matrix.of.clone()));
    if matrices.len() > 1 {
        let told_of = format!(
            "the first of {}: runs of other kinds, or of another set-up of the machine, are not \
             compared with these. The report has all.",
            words::counted(matrices.len(), "table")
        );
        told.insert(1, Remark::new("Only", told_of));
    }
    Answer {
        subject,
        effort,
        standing,
        verdict: verdict(matrix),
        lines: harmful.into_iter().take(MOST).map(|cell| line(matrix, cell)).collect(),
        remarks: told,
    }
}

/// The same where all runs belong to matrices.
pub(crate) fn alone(
    systems: &[System],
    outcomes: &[&Outcome],
    matrices: &[Matrix],
) -> Option<Answer> {
    let is_beside = |run: &&&Outcome| run.header.spec.vicinity.is_some();
    let beside = outcomes.iter().filter(is_beside).count();
    (!matrices.is_empty() && 2 * beside > outcomes.len()).then(|| glance(systems, matrices))
}

fn line(matrix: &Matrix, cell: &Cell) -> Line {
    let figure = |name: &str, ratio: Option<Ratio>| {
        let ratio = ratio.map_or_else(|| "–".to_owned(), |ratio| words::times(ratio.ratio));
        format!("{name} {ratio} times")
    };
    Line {
        what: cell.name(),
        figures: vec![figure(matrix.tail(), cell.tail), figure("median", cell.median)],
    }
}
