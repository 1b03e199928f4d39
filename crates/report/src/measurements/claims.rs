//! Statistical claims of a section's data: quantiles with intervals, the worst case beyond the
//! samples, repeated runs; and the grades of periodic work.

use analysis::claims::{self, QUANTILES, Worst, with_interval};
use analysis::finding::Met;
use analysis::real_time::{Grade, RealTime};
use analysis::standards::Limits;
use analysis::survey::{Series, System};
use analysis::words;
use stats::{CONFIDENCE, Distribution, Level, Once, REACH, Repeats};

use crate::document::{Block, Cell, Mood, Table, TableOf};
use crate::sections::metrics::quantile;

/// Longer tables are folded.
const MOST_LINES: usize = 12;
const LEVELS: [(Once, &str); 3] = [
    (Once::Hour, "Once per hour"),
    (Once::Day, "Once per day"),
    (Once::BillionSamples, "Once in 10⁹"),
];

/// Returns a table of the times of these series, and one of the repeated series, if there are any. Imported files
/// carry no claim: they do not state the order of their samples.
pub(super) fn claim_blocks(series: &[(&System, &Series)]) -> Vec<Block> {
    let mut timed = series.to_vec();
    timed.retain(|(_, series)| series.latency.is_some());
    timed.retain(|(_, series)| series.spec.imported.is_none());
    let repeated = repeated(&timed);
    Block::all_filled([carried(&timed), repeated].map(Block::Table))
}

fn folded(mut table: Table) -> Table {
    table.folded = table.rows.len() > MOST_LINES;
    table
}

fn carried(series: &[(&System, &Series)]) -> Table {
    let note = format!(
        "In brackets the interval at {} confidence; a question mark where too few samples set \
         its end. The last columns are what is exceeded once in a time on average, at most {} \
         times as long as was measured, or why the data do not say.",
        words::percent(CONFIDENCE),
        words::quantity(REACH),
    );
    // Those that fit on a page.
    let quantiles = QUANTILES.into_iter().filter(|(name, ..)| *name != "p90");
    let table = TableOf::of(series)
        .identified(|row| *row)
        .each(quantiles, |table, (name, _, share)| {
            table.number(name, move |(_, series)| {
                let times = series.latency.as_ref();
                quantile(&series.rows, times, share, |_| {
                    Cell::or(times, "no sample", |times| claim(times, share))
                })
            })
        })
        .unless(|(_, series)| no_level(series))
        .each(LEVELS, |table, (once, name)| {
            table.number(name, move |(_, series)| level(series, once))
        })
        .always()
        .text("To claim more, run", |(_, series)| claims::longer_in_words(series))
        .note(note + as_if_independent(series) + &clock_step(series))
        .table(format!("What these data carry: {}", measurement(series)));
    folded(table)
}

/// Says that intervals of quantiles ignore how much samples depend on each other, where that is
/// unknown.
fn as_if_independent(series: &[(&System, &Series)]) -> &'static str {
    let mut timed = series.iter().filter_map(|(_, series)| series.latency.as_ref());
    match timed.any(|latency| latency.dependence.is_none()) {
        true => {
            " Runs of older versions did not store how much samples depend on each other: their \
             intervals treat samples as independent, and may be too narrow."
        }
        false => "",
    }
}

/// Describes the coarsest clock of these machines; empty if all are finer than a nanosecond.
fn clock_step(series: &[(&System, &Series)]) -> String {
    let steps = series.iter().filter_map(|(system, _)| system.machine.clock_step_ns());
    steps.reduce(f64::max).map_or_else(String::new, |step| {
        format!(" The clock advances in steps of {}: no time is known better.", words::time(step))
    })
}

/// Returns the name of the measurement that all these series share.
fn measurement(series: &[(&System, &Series)]) -> String {
    let name = series.first().map(|(_, series)| &series.spec.measurement);
    name.map_or_else(String::new, |name| name.replace('_', " "))
}

fn claim(latency: &Distribution, share: f64) -> Cell {
    let claim = latency.quantile_claim(share);
    let exact = format!("{} ns", words::grouped(claim.value_ns.unsigned_abs()));
    Cell::interval(claims::quantile(claim), exact)
}

fn no_level(series: &Series) -> Option<Cell> {
    let why = match claims::worst(&series.rows) {
        Some(Worst::Fitted(_)) => return None,
        Some(Worst::Refused(refusal)) => claims::refusal(refusal),
        Some(Worst::Unknown) => claims::ORDER_UNKNOWN.to_owned(),
        None => "no sample".to_owned(),
    };
    Some(Cell::text(why).of_mood(Mood::Detail))
}

fn level(series: &Series, once: Once) -> Cell {
    let Some(Worst::Fitted(fit)) = claims::worst(&series.rows) else {
        return Cell::none("no sample");
    };
    let found = fit.levels.iter().find(|level| level.once == once);
    let none = match fit.out_of_reach.iter().find(|level| level.once == once) {
        Some(beyond) => claims::out_of_reach(beyond),
        None => "more often than the largest times".to_owned(),
    };
    Cell::or(found, none, |level: &Level| {
        let text = with_interval(level.value_ns, Some(level.lower_ns), Some(level.upper_ns));
        let rests_on = format!(
            "shape {}, from {} times above {}",
            words::quantity(fit.shape),
            fit.exceedances,
            words::time(fit.threshold_ns as f64)
        );
        Cell::interval(text, rests_on)
    })
}

fn repeated(series: &[(&System, &Series)]) -> Table {
    let repeated = series.iter().filter_map(|(system, series)| {
        let runs = series.rows.iter().filter_map(|row| row.latency.as_ref());
        Some((*system, *series, Repeats::of(&runs.collect::<Vec<_>>())?))
    });
    let repeated: Vec<(&System, &Series, Repeats)> = repeated.collect();
    let note = "The interval comes from how far the means of runs lie apart: what another \
                run would say. All samples taken as one run would claim a narrower one, \
                since they leave out what differs from run to run.";
    let table = TableOf::of(&repeated)
        .identified(|(system, series, _)| (*system, *series))
        .number("Runs", |(.., all)| Cell::count(all.runs))
        .number("Mean of runs", |(.., all)| {
            let (low, high) = (all.mean_ns - all.margin_ns, all.mean_ns + all.margin_ns);
            let mean = with_interval(all.mean_ns, Some(low), Some(high));
            Cell::interval(mean, "from the means of runs")
        })
        .number("Interval of all samples as one run", |(.., all)| {
            Cell::number(format!("± {}", words::time(all.pooled_margin_ns)), "")
        })
        .number("Deviation between runs", |(.., all)| Cell::time(all.between_ns))
        .number("Deviation within runs", |(.., all)| Cell::time(all.within_ns))
        .number("Variance between runs", |(.., all)| {
            Cell::share(all.share_between()).titled("of all variance")
        })
        .note(note);
    folded(table.table(format!("What repeated runs say of the average: {}", measurement(series))))
}

/// Returns the grade (hard, firm or soft) of each series with deadlines.
pub(super) fn real_time(series: &[(&System, &Series)], limits: &Limits) -> Option<Block> {
    let graded = series.iter().filter_map(|(system, series)| {
        Some((*system, *series, RealTime::of_series(series, limits)?))
    });
    let graded: Vec<(&System, &Series, RealTime)> = graded.collect();
    let note = format!(
        "{limits}. A verdict is shown over {}; else it says what was counted so far. The \
         interval is what that can claim: of misses that come one by one, and where runs differ \
         more than chance allows, of runs.",
        limits.proof().words()
    );
    let table = TableOf::of(&graded)
        .identified(|(system, series, _)| (*system, *series))
        .note(note)
        .text("Verdict", |(.., real_time)| verdict(real_time))
        .number("Periods", |(.., real_time)| Cell::count(real_time.held.tries.due))
        .number("Missed", |(.., real_time)| Cell::count(real_time.held.tries.missed))
        .text("Misses, at 95 % confidence", |(.., real_time)| {
            Met::from(&real_time.held).bounds(real_time.due)
        })
        .text("To claim firm, run", move |(.., real_time)| longer(real_time, limits));
    Block::Table(folded(table.table("Hard, firm, soft"))).filled()
}

fn longer(real_time: &RealTime, limits: &Limits) -> String {
    analysis::phrases::maybe(real_time.longer(limits), |time| {
        format!("{} more without a miss", words::time(time.0 as f64))
    })
}

fn verdict(real_time: &RealTime) -> Cell {
    let verdict = Cell::text(real_time.verdict());
    match real_time.grade {
        Grade::Hard if real_time.is_shown() => verdict.judged(true),
        Grade::Hard | Grade::Firm | Grade::Soft => verdict,
        Grade::Missed => verdict.judged(false),
    }
}
