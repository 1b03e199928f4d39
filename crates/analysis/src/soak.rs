//! A soak: a run of days in intervals. What it has shown so far, where it has gaps, and what has
//! changed on the machine.
//!
//! Everything is computed from one interval at a time, so that memory does not grow with the soak.

use std::collections::BTreeMap;

use plan::{IntervalFound, Machine, Outcome, Row, Shared, fact};
use serde::Serialize;
use serde_json::{Value, json};
use stats::{Distribution, MissRate};

use crate::fields::fields;
use crate::real_time;
use crate::survey::steal_ns;
use crate::words::rfc3339;

/// Upper bounds of the bins that pictures and metrics show, in nanoseconds: 1, 2 and 5 of each power
/// of ten from 1 µs to 1 s.
pub const BOUNDS_NS: [u64; 19] = {
    let mut bounds = [0; 19];
    let mut at = 0;
    while at < bounds.len() {
        bounds[at] = [1, 2, 5][at % 3] * 10_u64.pow(3 + at as u32 / 3);
        at += 1;
    }
    bounds
};
/// Bins between these bounds, and one above them.
pub const BINS: usize = BOUNDS_NS.len() + 1;
/// The cause of a miss whose cause was not searched for, or not found.
pub const UNKNOWN: &str = "unknown";
/// The causes after the first ones, so that many short-lived tasks need no more memory.
pub const OTHERS: &str = "other causes";
const MOST_CAUSES: usize = 20;
/// The wall clock was set if it moved by more against the clock of the stamps.
const CLOCK_STEP_NS: i64 = 500_000_000;
const MOST_LISTED: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    pub began_at: String,
    pub began_unix_ns: u64,
    pub length_ns: u64,
    pub due: u64,
    pub executed: u64,
    pub skipped: u64,
    /// Periods without a step, and steps that ended too late.
    pub missed: u64,
    pub max_ns: Option<i64>,
    pub max_at: Option<String>,
    /// Missed periods by cause; more than one cause may be a part of a miss.
    pub causes: BTreeMap<String, u64>,
    pub histogram: Vec<u64>,
    /// The hottest sensor, in degrees Celsius, when it began.
    pub temperature_c: Option<f64>,
    /// The slowest measured CPU, when it began.
    pub frequency_khz: Option<u64>,
    pub steal_ns: u64,
    pub changes: Vec<Change>,
    pub valid: bool,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The begin of the interval that first had the new value.
    pub before: String,
    pub what: String,
    pub from: Value,
    pub to: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The machine was started again: power, reboot or crash.
    Boot,
    /// The program ended, and was started again later.
    Stopped,
    Suspended,
    /// The samples were not taken over in time.
    Lost,
    /// No step was made: these periods count as skipped.
    Stalled,
    /// The wall clock was set; nothing is missing.
    ClockSet,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    pub from: String,
    pub from_unix_ns: u64,
    pub to: String,
    pub length_ns: i64,
    pub reason: Reason,
}

/// The last interval, as far as the next one is compared with it.
#[derive(Debug)]
struct Last {
    place: IntervalFound,
    end_unix_ns: u64,
    machine: Shared<Machine>,
}

#[derive(Debug, Default)]
pub struct Soak {
    pub intervals: u64,
    /// Intervals whose conditions were not as requested; they are not part of the claim.
    pub invalid: u64,
    pub boots: u64,
    pub due: u64,
    pub executed: u64,
    pub skipped: u64,
    pub missed: u64,
    /// Due and missed periods of valid intervals.
    pub claimed: [u64; 2],
    pub causes: BTreeMap<String, u64>,
    pub histogram: [u64; BINS],
    pub sum_ns: i128,
    /// The largest value, and when it was due.
    pub max: Option<(i64, String)>,
    pub gap_count: u64,
    /// The first gaps and changes, up to a thousand of each.
    pub gaps: Vec<Gap>,
    pub changes: Vec<Change>,
    last: Option<Last>,
}

/// A soak as a picture of bounded size: when it gets too wide, neighbouring columns are merged.
#[derive(Debug, Clone)]
pub struct Picture {
    pub columns: Vec<Column>,
    pub merged: u64,
    in_last: u64,
}

/// One or several intervals, or a gap before the next column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Column {
    pub began_at: String,
    pub histogram: [u64; BINS],
    pub max_ns: i64,
    pub due: u64,
    pub causes: BTreeMap<String, u64>,
    /// Whether time right before it was not watched.
    pub is_after_gap: bool,
    pub is_invalid: bool,
}

impl Default for Picture {
    fn default() -> Self {
        Self { columns: Vec::new(), merged: 1, in_last: 0 }
    }
}

impl Picture {
    const WIDEST: usize = 480;

    pub fn add(&mut self, added: &Added) {
        let interval = &added.interval;
        let is_watched = |gap: &Gap| matches!(gap.reason, Reason::ClockSet | Reason::Stalled);
        let mut column = Column {
            began_at: interval.began_at.clone(),
            max_ns: interval.max_ns.unwrap_or(0),
            due: interval.due,
            causes: interval.causes.clone(),
            is_after_gap: !added.gaps.iter().all(is_watched),
            is_invalid: !interval.valid,
            ..Column::default()
        };
        add_counts(&mut column.histogram, &interval.histogram);
        match self.columns.last_mut() {
            Some(last) if self.in_last < self.merged => last.merge(&column),
            _ => {
                self.columns.push(column);
                self.in_last = 0;
            }
        }
        self.in_last += 1;
        if self.columns.len() > Self::WIDEST {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let is_odd = !self.columns.len().is_multiple_of(2);
        let mut columns = std::mem::take(&mut self.columns).into_iter();
        while let Some(mut column) = columns.next() {
            columns.next().into_iter().for_each(|other| column.merge(&other));
            self.columns.push(column);
        }
        self.in_last += if is_odd { 0 } else { self.merged };
        self.merged *= 2;
    }
}

impl Column {
    fn merge(&mut self, other: &Self) {
        add_counts(&mut self.histogram, &other.histogram);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.due += other.due;
        add_causes(&mut self.causes, &other.causes);
        self.is_after_gap |= other.is_after_gap;
        self.is_invalid |= other.is_invalid;
    }
}

#[derive(Debug)]
pub struct Added {
    pub interval: Interval,
    pub gaps: Vec<Gap>,
}

impl Soak {
    pub fn add(&mut self, outcome: &Outcome) -> Added {
        let mut interval = interval(outcome);
        let gaps = self.gaps_before(outcome, &interval);
        self.count_stalled(outcome, &interval);
        let machine = &outcome.header.machine;
        let changed = self.last.as_ref().filter(|last| *last.machine != **machine);
        interval.changes = changed
            .map_or_else(Vec::new, |last| differences(&last.machine, machine, &interval.began_at));
        self.count(&interval, outcome);
        self.last = outcome.found.interval.as_ref().map(|place| Last {
            place: place.clone(),
            end_unix_ns: interval.began_unix_ns + interval.length_ns,
            machine: machine.clone(),
        });
        self.gap_count += gaps.len() as u64;
        self.gaps.extend(gaps.iter().take(MOST_LISTED - self.gaps.len()).cloned());
        let room = MOST_LISTED - self.changes.len();
        self.changes.extend(interval.changes.iter().take(room).cloned());
        Added { interval, gaps }
    }

    pub fn rate(&self) -> Option<MissRate> {
        let [due, missed] = self.claimed;
        MissRate::of(missed, due)
    }

    fn count(&mut self, interval: &Interval, outcome: &Outcome) {
        self.intervals += 1;
        self.due += interval.due;
        self.executed += interval.executed;
        self.skipped += interval.skipped;
        self.missed += interval.missed;
        if interval.valid {
            self.claimed[0] += interval.due;
            self.claimed[1] += interval.missed;
        } else {
            self.invalid += 1;
        }
        add_causes(&mut self.causes, &interval.causes);
        add_counts(&mut self.histogram, &interval.histogram);
        self.sum_ns += headline(outcome).map_or(0, |latency| latency.sum_ns as i128);
        if let (Some(max), Some(at)) = (interval.max_ns, &interval.max_at)
            && self.max.as_ref().is_none_or(|(largest, _)| max > *largest)
        {
            self.max = Some((max, at.clone()));
        }
    }

    /// Counts intervals without any step, as long as this one: all their periods are skipped.
    fn count_stalled(&mut self, outcome: &Outcome, interval: &Interval) {
        let stalled = outcome.found.interval.as_ref().map_or(0, |place| place.stalled_before);
        let periods = stalled * interval.due;
        self.due += periods;
        self.skipped += periods;
        self.missed += periods;
        self.claimed[0] += periods;
        self.claimed[1] += periods;
        if periods > 0 {
            add_cause(&mut self.causes, UNKNOWN, periods);
        }
    }

    fn gaps_before(&mut self, outcome: &Outcome, interval: &Interval) -> Vec<Gap> {
        let (Some(last), Some(place)) = (&self.last, &outcome.found.interval) else {
            self.boots = self.boots.max(1);
            return Vec::new();
        };
        let began = interval.began_unix_ns;
        let between = began as i64 - last.end_unix_ns as i64;
        let gap = |length_ns: i64, reason| Gap {
            from: rfc3339(last.end_unix_ns),
            from_unix_ns: last.end_unix_ns,
            to: rfc3339(began),
            length_ns,
            reason,
        };
        if place.watch != last.place.watch {
            let is_same_boot = place.boot == last.place.boot;
            self.boots += u64::from(!is_same_boot);
            let reason = if is_same_boot { Reason::Stopped } else { Reason::Boot };
            return vec![gap(between, reason)];
        }
        let length = interval.length_ns as i64;
        let missing = place.number.saturating_sub(last.place.number + 1);
        let stalled = place.stalled_before.min(missing);
        let suspended = place.suspended_ns.saturating_sub(last.place.suspended_ns) as i64;
        let step = between - missing as i64 * length - suspended;
        let candidates = [
            ((missing - stalled) as i64 * length, Reason::Lost, 0),
            (stalled as i64 * length, Reason::Stalled, 0),
            (suspended, Reason::Suspended, CLOCK_STEP_NS),
            (step, Reason::ClockSet, CLOCK_STEP_NS),
        ];
        let relevant = candidates.into_iter().filter(|(length, _, least)| length.abs() > *least);
        relevant.map(|(length, reason, _)| gap(length, reason)).collect()
    }
}

fn differences(from: &Machine, to: &Machine, before: &str) -> Vec<Change> {
    let [from, to] = [from, to].map(|machine| fields(json!(machine)));
    let names = from.keys().chain(to.keys().filter(|name| !from.contains_key(*name)));
    let change = |name: &String| {
        let [from, to] = [&from, &to].map(|of| of.get(name).cloned().unwrap_or_default());
        let what = name.replace('_', " ");
        (from != to).then(|| Change { before: before.to_owned(), what, from, to })
    };
    names.filter_map(change).collect()
}

fn headline(outcome: &Outcome) -> Option<&Distribution> {
    outcome.rows.first()?.latency.as_ref()
}

fn interval(outcome: &Outcome) -> Interval {
    let header = &outcome.header;
    let judged = real_time::judged(outcome);
    let sum = |of: fn(&Row) -> u64| judged.iter().map(|row| of(row)).sum::<u64>();
    let missed = real_time::of_run(outcome).map_or(0, |deadlines| deadlines.missed);
    let latency = headline(outcome);
    let began = header.started_unix_ns;
    let found = &outcome.found;
    let temperatures = found.system.start_temperatures_c.values().copied();
    Interval {
        began_at: rfc3339(began),
        began_unix_ns: began,
        length_ns: header.spec.asked.duration.0,
        due: sum(|row| row.due),
        executed: sum(|row| row.executed),
        skipped: sum(|row| row.skipped),
        missed,
        max_ns: latency.map(|latency| latency.max.value_ns),
        max_at: latency.map(|latency| rfc3339(began + latency.max.at_ns)),
        causes: causes(outcome, missed),
        histogram: latency.map_or_else(|| vec![0; BINS], histogram),
        temperature_c: temperatures.max_by(f64::total_cmp),
        frequency_khz: found.system.start_frequencies_khz.values().min().copied(),
        steal_ns: steal_ns(outcome),
        changes: Vec::new(),
        valid: outcome.is_valid(),
        warnings: outcome.warnings.iter().map(plan::Warning::cause).collect(),
    }
}

/// Returns the main causes of late samples, at most as many as periods were missed.
fn causes(outcome: &Outcome, missed: u64) -> BTreeMap<String, u64> {
    let mut causes = BTreeMap::new();
    let blamed = outcome.rows.first().and_then(|row| row.fact(&fact::BLAME));
    let told = blamed.and_then(|blamed| blamed["causes"].as_array());
    let mut left = missed;
    for cause in told.into_iter().flatten() {
        let count = cause["main_of"].as_u64().unwrap_or(0).min(left);
        if let (Some(words), 1..) = (cause["words"].as_str(), count) {
            add_cause(&mut causes, &without_numbers(words), count);
            left -= count;
        }
    }
    if left > 0 {
        add_cause(&mut causes, UNKNOWN, left);
    }
    causes
}

fn add_counts(all: &mut [u64], more: &[u64]) {
    all.iter_mut().zip(more).for_each(|(all, count)| *all += count);
}

fn add_causes(all: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    more.iter().for_each(|(cause, count)| add_cause(all, cause, *count));
}

fn add_cause(all: &mut BTreeMap<String, u64>, cause: &str, count: u64) {
    let has_room = all.len() < MOST_CAUSES || all.contains_key(cause) || cause == UNKNOWN;
    *all.entry(if has_room { cause } else { OTHERS }.to_owned()).or_default() += count;
}

/// Removes policy and number of a task: over days, tasks of one name are one cause.
fn without_numbers(words: &str) -> String {
    let end = |start: usize| words[start..].find(')').map(|length| start + length + 1);
    let parts = words.match_indices(" (").filter_map(|(start, _)| Some(start..end(start)?));
    match parts.into_iter().find(|part| words[part.clone()].contains("number ")) {
        Some(part) => words[..part.start].to_owned() + &words[part.end..],
        None => words.to_owned(),
    }
}

fn histogram(latency: &Distribution) -> Vec<u64> {
    let through = |bound: &u64| latency.count_at_or_below(*bound as f64).unwrap_or(0);
    let up_to = BOUNDS_NS.iter().map(through).chain([latency.count()]);
    let mut below = 0;
    up_to.map(|count| count - std::mem::replace(&mut below, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    const SECOND: u64 = 1_000_000_000;

    /// An interval of one second at this second of 1970, with this many of 1000 periods skipped.
    fn outcome(second: u64, watch: &str, number: u64, boot: &str, skipped: u64) -> Outcome {
        let mut outcome = fixture::outcome("wakeup", units::Policy::Fifo(80), &[]);
        outcome.header.started_unix_ns = second * SECOND;
        outcome.header.spec.asked.duration = units::Nanos(SECOND);
        outcome.warnings.clear();
        outcome.found.interval = Some(IntervalFound {
            watch: watch.to_owned(),
            number,
            stalled_before: 0,
            boot: boot.to_owned(),
            suspended_ns: 0,
        });
        let executed = 1000 - skipped;
        outcome.rows =
            vec![Row { due: 1000, executed, skipped, label: "CPU 0".into(), ..Row::default() }];
        outcome
    }

    #[test]
    fn the_claim_grows_and_counts_every_miss() {
        let mut soak = Soak::default();
        for number in 0..10 {
            soak.add(&outcome(number, "a", number, "one", 0));
        }
        let rate = soak.rate().unwrap();
        assert_eq!((soak.intervals, soak.due, soak.missed), (10, 10_000, 0));
        assert!((1.0 / rate.upper - 10_000.0 / 2.9957).abs() < 5.0, "{rate:?}");
        soak.add(&outcome(10, "a", 10, "one", 3));
        assert_eq!((soak.due, soak.executed + soak.skipped, soak.missed), (11_000, 11_000, 3));
        assert_eq!(soak.causes, BTreeMap::from([(UNKNOWN.to_owned(), 3)]));
        assert!(soak.gaps.is_empty() && soak.boots == 1);
    }

    #[test]
    fn every_gap_is_reported_with_its_reason() {
        let reasons = |next: Outcome| {
            let mut soak = Soak::default();
            soak.add(&outcome(100, "a", 0, "one", 0));
            let gaps = soak.add(&next).gaps;
            gaps.into_iter()
                .map(|gap| (gap.reason, gap.length_ns / SECOND as i64))
                .collect::<Vec<_>>()
        };
        assert_eq!(reasons(outcome(101, "a", 1, "one", 0)), []);
        assert_eq!(reasons(outcome(104, "a", 4, "one", 0)), [(Reason::Lost, 3)]);
        assert_eq!(reasons(outcome(150, "b", 0, "one", 0)), [(Reason::Stopped, 49)]);
        assert_eq!(reasons(outcome(200, "b", 0, "two", 0)), [(Reason::Boot, 99)]);
        assert_eq!(reasons(outcome(3701, "a", 1, "one", 0)), [(Reason::ClockSet, 3600)]);
        let mut asleep = outcome(161, "a", 1, "one", 0);
        asleep.found.interval.as_mut().unwrap().suspended_ns = 60 * SECOND;
        assert_eq!(reasons(asleep), [(Reason::Suspended, 60)]);
        let mut stalled = outcome(103, "a", 3, "one", 0);
        stalled.found.interval.as_mut().unwrap().stalled_before = 2;
        assert_eq!(reasons(stalled), [(Reason::Stalled, 2)]);
    }

    #[test]
    fn periods_of_an_interval_without_a_step_are_skipped() {
        let mut soak = Soak::default();
        let mut stalled = outcome(103, "a", 3, "one", 0);
        stalled.found.interval.as_mut().unwrap().stalled_before = 2;
        soak.add(&stalled);
        assert_eq!((soak.due, soak.executed, soak.skipped), (3000, 1000, 2000));
    }

    #[test]
    fn tasks_of_one_name_are_one_cause_and_many_causes_are_bounded() {
        let words =
            "the kernel at work for task `x` (other:10, number 66), or the platform (hidden)";
        let expected = "the kernel at work for task `x`, or the platform (hidden)";
        assert_eq!(without_numbers(words), expected);
        assert_eq!(without_numbers("a timer (late)"), "a timer (late)");
        let mut causes = BTreeMap::new();
        (0..1000).for_each(|task| add_cause(&mut causes, &format!("task `{task}`"), 1));
        assert_eq!((causes.len(), causes[OTHERS]), (MOST_CAUSES + 1, 1000 - MOST_CAUSES as u64));
    }

    #[test]
    fn a_picture_of_many_intervals_is_bounded_and_loses_no_sample() {
        let (mut soak, mut picture) = (Soak::default(), Picture::default());
        for number in 0..5_000 {
            picture.add(&soak.add(&outcome(number, "a", number, "one", number % 2)));
            assert!(picture.columns.len() <= Picture::WIDEST);
        }
        let columns = || picture.columns.iter();
        assert_eq!(columns().map(|column| column.due).sum::<u64>(), soak.due);
        let missed = columns().flat_map(|column| column.causes.values()).sum::<u64>();
        assert_eq!((missed, picture.merged), (soak.missed, 16));
        assert!(columns().rev().skip(1).all(|column| column.due == 16_000));
    }

    #[test]
    fn a_change_of_the_machine_is_dated() {
        let mut soak = Soak::default();
        let mut first = outcome(0, "a", 0, "one", 0);
        first.header.machine.governors = vec!["performance".to_owned()];
        soak.add(&first);
        let mut next = outcome(1, "a", 1, "one", 0);
        next.header.machine = first.header.machine.clone();
        assert_eq!(soak.add(&next).interval.changes, []);
        let mut changed = outcome(2, "a", 2, "one", 0);
        changed.header.machine = first.header.machine.clone();
        changed.header.machine.governors = vec!["powersave".to_owned()];
        let changes = soak.add(&changed).interval.changes;
        assert_eq!((changes.len(), &*changes[0].what), (1, "governors"));
        assert_eq!(changes[0].to, json!(["powersave"]));
        assert!(changes[0].before.contains("00:00:02"), "{}", changes[0].before);
    }
}
