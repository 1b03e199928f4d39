//! Computes the rows of one source from its stamps.

use record::{Row, Track, Warning, fact};
use serde_json::Value;
use stats::{Distribution, Sample};

use super::track::{ANSWER, Round, text, with_failure};
use super::{answer, periodic};

/// A part of the way from raising the interrupt to the thread.
type Part = (&'static str, fn(&Round) -> i64);

const PARTS: [Part; 2] = [
    ("raise to kernel stamp", |round| round.kernel - round.raised),
    ("kernel stamp to user", |round| round.woke - round.kernel),
];

/// From raising to the thread; if the kernel stamps too, also to its handler and from there.
pub(super) fn of(track: &Track) -> Vec<Row> {
    if let Some(needs) = text(track, "unavailable") {
        return vec![Row::unavailable(&*track.name, needs)];
    }
    if track.name == ANSWER {
        return vec![answer::row(track)];
    }
    let rounds = if periodic::is(track) { periodic::rounds(track) } else { rounds(track) };
    let Some(latency) = distribution(&rounds, |round| round.woke - round.raised) else {
        return vec![unavailable(track)];
    };
    let headline = row(track, track.name.clone(), latency);
    let mut rows = vec![with_facts(headline, track, &rounds)];
    if rounds.iter().any(|round| round.kernel > 0) {
        rows.extend(PARTS.iter().filter_map(|(part, of)| {
            let label = format!("{}: {part}", track.name);
            Some(row(track, label, distribution(&rounds, of)?))
        }));
    }
    rows
}

/// Share of periods without a sample above which a warning is given, in percent.
const MUCH_SKIPPED_PERCENT: u64 = 10;

/// Returns the warnings about a source that worked at least for a while.
pub(super) fn warnings(track: &Track) -> Vec<Warning> {
    let source = &track.name;
    let rows = of(track);
    let Some(row) = rows.first().filter(|row| row.unavailable.is_none()) else {
        return Vec::new();
    };
    let failed = text(track, "failure")
        .map(|reason| Warning::SourceFailed { source: source.clone(), reason: reason.to_owned() });
    let unanswered = row.fact(&fact::UNANSWERED).and_then(Value::as_u64).unwrap_or(0);
    let (source, skipped, due) = (source.clone(), row.skipped, row.due);
    let is_unsteady = unanswered > 0 || 100 * skipped > MUCH_SKIPPED_PERCENT * due;
    let unsteady =
        is_unsteady.then_some(Warning::SourceUnsteady { source, unanswered, skipped, due });
    failed.into_iter().chain(unsteady).collect()
}

/// Returns the row of a source that is not available, or from which no interrupt arrived.
fn unavailable(track: &Track) -> Row {
    let why = text(track, "failure").unwrap_or("no interrupt arrived");
    let needs = text(track, "needs").unwrap_or_default();
    let place = text(track, "device").filter(|device| !device.is_empty());
    let place = place.map_or_else(String::new, |device| format!("{device}: "));
    Row::unavailable(&*track.name, format!("needs {needs}; {place}{why}"))
}

fn row(track: &Track, label: String, latency: Distribution) -> Row {
    let due = track.number("periods") as u64;
    let executed = latency.count();
    let variation = latency.max.value_ns - latency.min.value_ns;
    Row { label, due, executed, skipped: due - executed, latency: Some(latency), ..Row::default() }
        .with(&fact::VARIATION_NS, variation)
}

fn with_facts(row: Row, track: &Track, rounds: &[Round]) -> Row {
    let count = |of: fn(&Round) -> bool| rounds.iter().filter(|round| of(round)).count();
    let row = match periodic::is(track) {
        true => periodic::with_facts(row, track),
        false => row
            .with(&fact::UNANSWERED, count(|round| round.woke == 0))
            .with(&fact::NOT_IN_TIME, count(|round| round.raised == 0))
            .with(&fact::SPURIOUS, track.number(&fact::SPURIOUS)),
    };
    with_failure(row, track)
}

/// Returns every round that was begun. The last one of a source that failed has no end.
fn rounds(track: &Track) -> Vec<Round> {
    let t0 = track.number("t0_ns");
    let at = |values: &[i64], index| values.get(index).copied().unwrap_or(0);
    let round = |(index, raised): (usize, &i64)| Round {
        period: at(track.values("period_index"), index),
        at: raised - t0,
        raised: *raised,
        kernel: at(track.values("kernel_ns"), index),
        woke: at(track.values("woke_ns"), index),
    };
    track.values("raised_ns").iter().enumerate().map(round).collect()
}

fn distribution(rounds: &[Round], of: impl Fn(&Round) -> i64) -> Option<Distribution> {
    let whole = rounds.iter().filter(|round| round.raised > 0 && round.woke > 0);
    Distribution::of(whole.map(|round| Sample {
        value_ns: of(round),
        index: round.period as u64,
        at_ns: round.at as u64,
    }))
}
