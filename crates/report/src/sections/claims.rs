//! Statistical claims of a section's data: quantiles with intervals, the worst case beyond the
//! samples, repeated runs; and the grades of periodic work.

use crate::document::{Cell, Column, Line, Table};
use crate::sections::series::{Metric, by_machine, cells_of, of_series};
use stats::{CONFIDENCE, Distribution, Fit, Level, Once, REACH, Repeats};

use super::metrics::{count, in_words};
use crate::english;
use analysis::claims::{self, QUANTILES, Worst, with_interval};
use analysis::finding::Met;
use analysis::real_time::{Grade, RealTime};
use analysis::standards::Limits;
use analysis::survey::{Series, System};
use analysis::words;

/// Longer tables are folded.
const MOST_LINES: usize = 12;
const LEVELS: [(Once, &str); 3] = [
    (Once::Hour, "Once an hour"),
    (Once::Day, "Once a day"),
    (Once::BillionSamples, "Once in 10⁹"),
];

/// Returns a table of the times of these series, and a table of the repeated ones.
pub(super) fn of(series: &[(&System, &Series)]) -> Vec<Table> {
    let mut timed = series.to_vec();
    timed.retain(|(_, series)| series.latency.is_some());
    let mut repeated = timed.clone();
    repeated.retain(|(_, series)| repeats(series).is_some());
    let mut tables = Vec::new();
    if !timed.is_empty() {
        tables.push(carried(&timed));
    }
    if !repeated.is_empty() {
        let caption = format!("What repeated runs say of the average: {}", measurement(&repeated));
        let mut table = of_series(caption, &repeated, REPEATS);
        table.note = "The interval comes from how far the means of runs lie apart: what another \
                      run would say. All samples taken as one run would claim a narrower one, \
                      since they leave out what differs from run to run."
            .to_owned();
        tables.push(folded(table));
    }
    tables
}

fn folded(mut table: Table) -> Table {
    table.folded = table.rows.len() > MOST_LINES;
    table
}

fn carried(series: &[(&System, &Series)]) -> Table {
    let mut columns: Vec<Column> = ["Case", "Conditions"].map(Column::words).into();
    columns.extend(shown().map(|(name, _)| Column::numbers(name)));
    columns.extend(LEVELS.map(|(_, name)| Column::numbers(name)));
    columns.push(Column::words("To claim more, run"));
    let peers: Vec<&Series> = series.iter().map(|(_, series)| *series).collect();
    let line = |(_, series): &(&System, &Series)| {
        let mut cells = cells_of(series, &peers, &[]);
        cells.extend(series.latency.iter().flat_map(quantiles));
        cells.extend(levels(series));
        cells.push(Cell::text(english::longer(series)));
        Line::of(cells)
    };
    let table = Table {
        caption: format!("What these data carry: {}", measurement(series)),
        columns,
        rows: series.iter().map(line).collect(),
        note: format!(
            "In brackets the interval at {} confidence; a question mark where too few samples set \
             its end. The last columns are what is exceeded once in a time on average, at most {} \
             times as long as was measured, or why the data do not say.",
            words::percent(CONFIDENCE),
            words::quantity(REACH),
        ),
        ..Table::default()
    };
    folded(by_machine(table, series))
}

/// Returns the name of the measurement that all these series share.
fn measurement(series: &[(&System, &Series)]) -> String {
    let name = series.first().map(|(_, series)| &series.spec.measurement);
    name.map_or_else(String::new, |name| name.replace('_', " "))
}

/// The quantiles that fit on a page, by name.
fn shown() -> impl Iterator<Item = (&'static str, f64)> {
    let all = QUANTILES.into_iter().map(|(head, _, q)| (head, q));
    all.filter(|(head, _)| *head != "p90")
}

fn quantiles(latency: &Distribution) -> impl Iterator<Item = Cell> {
    shown().map(|(_, q)| {
        let claim = latency.quantile_claim(q);
        let exact = format!("{} ns", words::grouped(claim.value_ns.unsigned_abs()));
        interval(english::quantile(claim), exact)
    })
}

/// Returns a cell in which the line may break between the figure and its interval.
fn interval(text: String, exact: String) -> Cell {
    Cell { class: "interval", ..Cell::number(text, exact) }
}

fn levels(series: &Series) -> Vec<Cell> {
    let why = match claims::worst(&series.rows) {
        Some(Worst::Fitted(fit)) => {
            return LEVELS.map(|(once, _)| level(fit, once)).into();
        }
        Some(Worst::Refused(refusal)) => english::refusal(refusal),
        Some(Worst::Unknown) => english::ORDER_UNKNOWN.to_owned(),
        None => "no sample".to_owned(),
    };
    vec![Cell { class: "unavailable", more_columns: LEVELS.len() - 1, ..Cell::text(why) }]
}

fn level(fit: &Fit, once: Once) -> Cell {
    let found = fit.levels.iter().find(|level| level.once == once);
    let words = |level: &Level| {
        let text = with_interval(level.value_ns, Some(level.lower_ns), Some(level.upper_ns));
        let rests_on = format!(
            "shape {}, from {} times above {}",
            words::quantity(fit.shape),
            fit.exceedances,
            words::time(fit.threshold_ns as f64)
        );
        interval(text, rests_on)
    };
    let beyond = fit.out_of_reach.iter().find(|level| level.once == once);
    let none = beyond
        .map_or_else(|| "more often than the largest times".to_owned(), english::out_of_reach);
    found.map_or_else(|| Cell::none(none), words)
}

fn repeats(series: &Series) -> Option<Repeats> {
    let runs: Vec<&Distribution> =
        series.rows.iter().filter_map(|row| row.latency.as_ref()).collect();
    Repeats::of(&runs)
}

const REPEATS: &[Metric] = &[
    Metric::Own("Runs", |series| of_repeats(series, |r| count(r.runs))),
    Metric::Own("Mean of runs", |series| {
        of_repeats(series, |r| {
            let (low, high) = (r.mean_ns - r.margin_ns, r.mean_ns + r.margin_ns);
            interval(
                with_interval(r.mean_ns, Some(low), Some(high)),
                "from the means of runs".to_owned(),
            )
        })
    }),
    Metric::Own("Interval of all samples as one run", |series| {
        of_repeats(series, |r| Cell::number(format!("± {}", words::time(r.pooled_margin_ns)), ""))
    }),
    Metric::Own("Deviation between runs", |series| of_repeats(series, |r| in_words(r.between_ns))),
    Metric::Own("Deviation within runs", |series| of_repeats(series, |r| in_words(r.within_ns))),
    Metric::Own("Variance between runs", |series| {
        of_repeats(series, |r| Cell::number(words::percent(r.share_between()), "of all variance"))
    }),
];

fn of_repeats(series: &Series, cell: fn(&Repeats) -> Cell) -> Cell {
    repeats(series).map_or_else(|| Cell::none("one run"), |repeats| cell(&repeats))
}

/// Returns the grade (hard, firm or soft) of each series with deadlines.
pub(super) fn real_time(series: &[(&System, &Series)], limits: &Limits) -> Option<Table> {
    let graded: Vec<(&System, &Series, RealTime)> = series
        .iter()
        .filter_map(|(system, series)| {
            Some((*system, *series, RealTime::of_series(series, limits)?))
        })
        .collect();
    let shown: Vec<(&System, &Series)> =
        graded.iter().map(|(system, series, _)| (*system, *series)).collect();
    let peers: Vec<&Series> = shown.iter().map(|(_, series)| *series).collect();
    let mut columns: Vec<Column> = ["Case", "Conditions", "Verdict"].map(Column::words).into();
    columns.extend(["Periods", "Missed"].map(Column::numbers));
    columns.extend(
        ["Misses, at 95 % confidence", "To claim firm, run"]
            .map(|head| Column { numeric: false, ..Column::words(head) }),
    );
    let line = |(_, series, real_time): &(&System, &Series, RealTime)| {
        let mut cells = cells_of(series, &peers, &[]);
        cells.extend([
            verdict(real_time),
            count(real_time.held.tries.due),
            count(real_time.held.tries.missed),
            Cell::text(english::bounds(&Met::from(&real_time.held), real_time.period.0)),
            Cell::text(longer(real_time, limits)),
        ]);
        Line::of(cells)
    };
    let table = Table {
        caption: "Hard, firm, soft".to_owned(),
        columns,
        rows: graded.iter().map(line).collect(),
        note: format!(
            "{limits}. A verdict is shown over {}; else it says what was counted so far. The \
             interval is what that can claim: of misses that come one by one, and where runs differ \
             more than chance allows, of runs.",
            english::proof(limits.proof())
        ),
        ..Table::default()
    };
    (!graded.is_empty()).then(|| folded(by_machine(table, &shown)))
}

fn longer(real_time: &RealTime, limits: &Limits) -> String {
    let more = real_time.longer(limits);
    more.map_or_else(String::new, |time| {
        format!("{} more without a miss", words::time(time.0 as f64))
    })
}

fn verdict(real_time: &RealTime) -> Cell {
    Cell {
        class: match (real_time.grade, real_time.is_shown()) {
            (Grade::Hard, true) => "good",
            (Grade::Hard, false) | (Grade::Firm | Grade::Soft, _) => "",
            (Grade::Missed, _) => "bad",
        },
        ..Cell::text(real_time.verdict())
    }
}
