//! Worst cases as ranges over draws: machines of the lab that differ only in chance.

use analysis::comparison::Case;
use analysis::survey::Series;
use analysis::words;

/// Returns `5 draws` or `3 to 5 draws` for these series of the lab; `None` if each has one, and for runs of
/// machines.
pub(super) fn draws<'s, 'a: 's>(
    series: impl IntoIterator<Item = &'s Series<'a>>,
) -> Option<String> {
    let draws = series.into_iter().map(|series| series.max_ns_of_draws().count());
    let draws: Vec<usize> = draws.filter(|draws| *draws > 0).collect();
    let [fewest, most] = [*draws.iter().min()?, *draws.iter().max()?];
    (most > 1).then(|| words::counted_range([fewest, most], "draw"))
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
