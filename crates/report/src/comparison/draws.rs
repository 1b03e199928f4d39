//! Worst cases as ranges over draws: machines of the lab that differ only in chance.

use analysis::comparison::{Case, Worst};
use analysis::survey::Series;
use analysis::words;

use super::columns::brief;
use crate::document::Cell;

/// Returns `5 draws` or `3 to 5 draws` for these series of the lab; `None` if each has one, and for runs of
/// machines.
pub(super) fn draws<'s, 'a: 's>(
    series: impl IntoIterator<Item = &'s Series<'a>>,
) -> Option<String> {
    let draws = series.into_iter().map(|series| series.max_ns_of_draws().count());
    let draws: Vec<usize> = draws.filter(|draws| *draws > 0).collect();
    let [least, most] = [*draws.iter().min()?, *draws.iter().max()?];
    let fewer = if least < most { format!("{least} to ") } else { String::new() };
    (most > 1).then(|| format!("{fewer}{most} draws"))
}

pub(super) fn draws_of_cases<'s>(
    cases: impl IntoIterator<Item = &'s Case<'s, 's>>,
) -> Option<String> {
    draws(cases.into_iter().flat_map(|case| case.of.iter().flatten().copied()))
}

/// Says that times are ranges over draws, if there are several: `worst, µs`, or `worst over 5 draws, µs: shortest and
/// longest`.
pub(super) fn over_draws(figure: &str, draws: Option<&str>) -> String {
    match draws {
        Some(draws) => format!("{figure} over {draws}, µs: shortest and longest"),
        None => format!("{figure}, µs"),
    }
}

/// Returns a worst case in microseconds, with exact values as its title: `20.1`, or over draws `20.1–36.2`.
pub(super) fn brief_worst(worst: &Worst) -> Cell {
    brief_range(worst.range_ns(), worst.of_draws_ns.len())
}

/// Returns the worst cases of one or several draws, the shortest and the longest, in microseconds.
pub(super) fn brief_range(ends_ns: [f64; 2], draws: usize) -> Cell {
    let [shortest, longest] = ends_ns.map(brief);
    if draws < 2 {
        return longest;
    }
    let draws = words::counted(draws, "draw");
    let title = match shortest.title == longest.title {
        true => format!("{} in each of {draws}", longest.title),
        false => format!("{} to {} over {draws}", shortest.title, longest.title),
    };
    // A narrow column does not break within a range.
    let text = match shortest.text == longest.text {
        true => longest.text.clone(),
        false => format!("{}–\u{2060}{}", shortest.text, longest.text),
    };
    Cell { text, title, ..longest }
}
