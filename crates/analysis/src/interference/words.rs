//! A matrix in sentences.

use std::collections::BTreeMap;

use units::Vicinity;

use super::cell::Cell;
use super::matrix::{Matrix, SHAM};
use crate::answer::Remark;
use crate::ratio::Ratio;
use crate::words;

impl Matrix {
    /// What the end of the tail is called: `p99.9`.
    #[must_use]
    pub fn tail(&self) -> &'static str {
        match self.tail_share {
            Some(share) if share > 0.99 => "p99.9",
            _ => "p99",
        }
    }

    /// What is shown to harm, the worst first.
    #[must_use]
    pub fn harmful(&self) -> Vec<&Cell> {
        let mut cells: Vec<&Cell> = self.cells.iter().filter(|cell| cell.harms()).collect();
        cells.sort_by(|one, other| other.worst().total_cmp(&one.worst()));
        cells
    }

    /// The cells of the sham.
    pub(super) fn shams(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.aggressor == SHAM)
    }
}

impl Cell {
    /// How many times the worst that is shown of it is.
    pub(super) fn worst(&self) -> f64 {
        let all = self.ratios("").into_iter();
        let worse = all.filter_map(|(_, ratio)| ratio.filter(Ratio::is_worse));
        worse.map(|ratio| ratio.ratio).fold(0.0, f64::max)
    }

    /// `3.10 times at p99.9`, of what counts most among what is shown.
    pub(super) fn harm(&self, tail: &'static str) -> String {
        let mut all = self.ratios(tail).into_iter();
        let worse = all.find_map(|(name, ratio)| {
            let ratio = ratio.filter(Ratio::is_worse)?;
            Some((name, ratio))
        });
        worse.map_or_else(String::new, |(name, ratio)| {
            let times = words::times(ratio.ratio);
            match name {
                "odds of a miss" => format!("{times} times the odds of a miss"),
                name => format!("{times} times at {name}"),
            }
        })
    }
}

/// The answer in a sentence.
pub(super) fn verdict(matrix: &Matrix) -> String {
    let tail = matrix.tail();
    if matrix.sham_shows {
        return "Nothing can be claimed: the sham, which sleeps, shows a difference itself."
            .to_owned();
    }
    if matrix.shams().all(|cell| cell.runs == 0) {
        return "Nothing can be claimed: no sham, which sleeps, was measured beside.".to_owned();
    }
    match matrix.harmful().as_slice() {
        [] => "No neighbour that was tried shows to harm.".to_owned(),
        [worst, ..] => {
            format!("Fear {} {} ({}).", worst.aggressor, worst.place.in_words(), worst.harm(tail))
        }
    }
}

/// Everything that is to be said of a matrix but for its verdict, each under a name.
pub(super) fn remarks(matrix: &Matrix) -> Vec<Remark> {
    let mut all = Vec::new();
    let is_claimed = !matrix.sham_shows && matrix.shams().any(|cell| cell.runs > 0);
    if is_claimed {
        all.extend(steps(matrix).into_iter().map(|step| Remark::new("Steps", step)));
        all.extend(not_shown(matrix).map(|told| Remark::new("No harm", told)));
        all.extend(better(matrix).map(|told| Remark::new("Better", told)));
    }
    all.extend(causes(matrix).map(|told| Remark::new("Why", told)));
    all.extend(left_out(matrix).map(|told| Remark::new("Left out", told)));
    all.push(Remark::new("Sure?", how_sure(matrix)));
    if matrix.is_guest {
        let told = "This is a virtual machine: who shares a core or a cache is what its hypervisor \
                    says, and two of its CPUs may be one.";
        all.push(Remark::new("Places", told));
    }
    all
}

/// All of it, for a page and for a terminal with room.
#[must_use]
pub fn sentences(matrix: &Matrix) -> Vec<String> {
    let remarks = remarks(matrix).into_iter().map(|remark| remark.sentence());
    [verdict(matrix)].into_iter().chain(remarks).collect()
}

/// Of a load that was tried at several intensities: from which work on it shows.
fn steps(matrix: &Matrix) -> Vec<String> {
    let mut loads: BTreeMap<(&str, Vicinity), Vec<&Cell>> = BTreeMap::new();
    for cell in matrix.cells.iter().filter(|cell| cell.runs > 0) {
        let name = cell.aggressor.split(['%', ':']).next().unwrap_or_default();
        loads.entry((name, cell.place)).or_default().push(cell);
    }
    let several = loads.into_iter().filter(|(_, cells)| cells.len() > 1);
    let told = several.filter_map(|((name, place), mut cells)| {
        let work = |cell: &&Cell| cell.work_per_s.unwrap_or_default();
        cells.sort_by(|one, other| work(one).total_cmp(&work(other)));
        let first = cells.iter().position(|cell| cell.harms())?;
        // What is less and harms more has another reason than how much it is.
        cells[first..].iter().all(|cell| cell.harms()).then_some(())?;
        let at = |cell: &&Cell| format!("{} {} a second", words::quantity(work(cell)), cell.unit);
        let below = first.checked_sub(1).map(|below| {
            format!(", and does not show at {}", words::quantity(work(&cells[below])))
        });
        Some(format!(
            "{name} {} matters at {}{}.",
            place.in_words(),
            at(&cells[first]),
            below.unwrap_or_default()
        ))
    });
    told.collect()
}

/// What shows nothing wherever it was tried.
fn not_shown(matrix: &Matrix) -> Option<String> {
    let mut loads: BTreeMap<&str, bool> = BTreeMap::new();
    let tried = matrix.cells.iter().filter(|cell| cell.runs > 0 && cell.aggressor != SHAM);
    for cell in tried {
        *loads.entry(&cell.aggressor).or_default() |= cell.harms();
    }
    let quiet = loads.iter().filter(|(_, harms)| !**harms);
    let names: Vec<String> = quiet.map(|(name, _)| (*name).to_owned()).collect();
    (!names.is_empty()).then(|| {
        let verb = if names.len() == 1 { "does" } else { "do" };
        format!("{} {verb} not show to harm, which is not shown to be none.", words::listed(&names))
    })
}

/// What is shown to be better with a neighbour, which surprises those who do not think of CPUs
/// that it keeps awake.
fn better(matrix: &Matrix) -> Option<String> {
    let is_better = |cell: &&Cell| {
        let all = cell.ratios("").into_iter().filter_map(|(_, ratio)| ratio);
        let mut shown = all.filter(|ratio| ratio.shown);
        shown.any(|ratio| ratio.ratio < 1.0) && !cell.harms()
    };
    let names: Vec<String> = (matrix.cells.iter().filter(is_better)).map(Cell::name).collect();
    (!names.is_empty()).then(|| {
        format!(
            "with {} something is shown to be better than without, as where a CPU stays awake.",
            words::listed(&names)
        )
    })
}

/// Main causes of the worst.
fn causes(matrix: &Matrix) -> Option<String> {
    let worst = matrix.harmful().into_iter().take(2);
    let told = worst.filter_map(|cell| Some(format!("{}: {}", cell.name(), cell.cause.as_ref()?)));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("late most often by: {}.", told.join("; ")))
}

fn left_out(matrix: &Matrix) -> Option<String> {
    let mut loads: BTreeMap<&str, (Vec<String>, &str)> = BTreeMap::new();
    for cell in matrix.cells.iter().filter(|cell| cell.runs == 0) {
        let why = cell.why_invalid.as_deref().unwrap_or("no valid run");
        let entry = loads.entry(&cell.aggressor).or_insert((Vec::new(), why));
        entry.0.push(cell.place.to_string());
    }
    let told = loads
        .into_iter()
        .map(|(name, (places, why))| format!("{name} ({}): {why}", places.join(", ")));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("; ") + ".")
}

fn how_sure(matrix: &Matrix) -> String {
    let shams = matrix.shams().filter_map(|cell| cell.tail);
    let shams: Vec<String> = shams
        .map(|tail| format!("{} to {}", words::times(tail.lower), words::times(tail.upper)))
        .collect();
    let shams = match shams.is_empty() {
        true => String::new(),
        false => format!("; the sham is {} times at {}", words::listed(&shams), matrix.tail()),
    };
    let least = matrix.cells.iter().map(|cell| cell.runs).filter(|runs| *runs > 0);
    format!(
        "{}, of those shown 5 % chance; runs are the unit: {} quiet, {} or more a neighbour{shams}.",
        words::counted(matrix.comparisons, "comparison"),
        matrix.quiet_runs,
        least.min().unwrap_or_default(),
    )
}
