//! A soak: a run of days in intervals. What it has shown so far, where it has gaps, and what has
//! changed on the machine.
//!
//! Everything is computed from one interval at a time, so that memory does not grow with the soak.

mod bins;
mod causes;
mod interval;
mod picture;
mod words;

use self::bins::{add_counts, histogram};
use self::causes::{carried_over, causes_of};
use record::{IntervalFound, Machine, Outcome, Row, Shared};
use stats::{Distribution, HeavyHitters, InOrder, Tries, Weight};

use crate::fields::properties;
use crate::real_time;
use crate::survey::steal_ns;
use crate::words::rfc3339;

pub use bins::{BINS, BOUNDS_NS};
pub use causes::{Listed, MissCause, Share};
pub use interval::{Added, Change, Gap, Interval, Reason};
pub use picture::{Column, Picture};
pub use words::{answer, claim, events, periods};

/// Causes that are counted over the whole time: one that has more than a thousandth of all missed
/// periods is among them, whenever it appeared.
const MOST_CAUSES: usize = 1_000;
/// The wall clock was set if it moved by more against the clock of the stamps.
const CLOCK_STEP_NS: i64 = 500_000_000;
const MOST_LISTED: usize = 1_000;

/// The last interval, as far as the next one is compared with it.
#[derive(Debug)]
struct Last {
    place: IntervalFound,
    end_unix_ns: u64,
    length_ns: u64,
    machine: Shared<Machine>,
    /// The periods after it that its last step missed.
    carried: Vec<Share>,
}

impl Last {
    /// Returns the time from its end to the begin of an interval of the same boot, in nanoseconds.
    fn until(&self, next: &IntervalFound) -> Option<i64> {
        let ended = self.place.began_since_boot_ns?.saturating_add(self.length_ns);
        i64::try_from(i128::from(next.began_since_boot_ns?) - i128::from(ended)).ok()
    }
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
    /// Due and missed periods of valid intervals, in their order.
    claimed: InOrder,
    /// Missed periods by cause, of the largest causes.
    pub causes: HeavyHitters<MissCause, MOST_CAUSES>,
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

impl Soak {
    pub fn add(&mut self, outcome: &Outcome) -> Added {
        let mut interval = interval(outcome);
        let gaps = self.gaps_before(outcome, &interval);
        let carried = self.carried_into(outcome.found.interval.as_ref());
        interval.causes = causes_of(outcome, interval.missed, carried);
        let machine = &outcome.header.machine;
        let changed = self.last.as_ref().filter(|last| *last.machine != **machine);
        interval.changes = changed
            .map_or_else(Vec::new, |last| differences(&last.machine, machine, &interval.began_at));
        self.count(&interval, outcome);
        self.last = outcome.found.interval.as_ref().map(|place| Last {
            place: place.clone(),
            end_unix_ns: interval.began_unix_ns + interval.length_ns,
            length_ns: interval.length_ns,
            machine: machine.clone(),
            carried: carried_over(outcome, interval.missed),
        });
        self.gap_count += gaps.len() as u64;
        self.gaps.extend(gaps.iter().take(MOST_LISTED - self.gaps.len()).cloned());
        let room = MOST_LISTED - self.changes.len();
        self.changes.extend(interval.changes.iter().take(room).cloned());
        Added { interval, gaps }
    }

    /// Returns the largest causes, the largest first.
    pub fn listed_causes(&self) -> Vec<Listed<'_>> {
        let listed = |(cause, missed): (_, Weight)| Listed {
            cause,
            missed_at_least: missed.at_least,
            missed_at_most: missed.at_most,
        };
        self.causes.heaviest().into_iter().map(listed).collect()
    }

    /// Returns the due and missed periods of valid intervals, with what they claim.
    pub fn claimed(&self) -> Tries {
        self.claimed.together()
    }

    fn count(&mut self, interval: &Interval, outcome: &Outcome) {
        self.intervals += 1 + stalled_before(outcome);
        self.due += interval.due;
        self.executed += interval.executed;
        self.skipped += interval.skipped;
        self.missed += interval.missed;
        if interval.valid {
            self.claimed.add(Tries::one(interval.due, interval.missed));
        } else {
            self.invalid += 1;
        }
        interval.causes.iter().for_each(|share| self.causes.add(&share.cause, share.missed));
        add_counts(&mut self.histogram, &interval.histogram);
        self.sum_ns += headline(outcome).map_or(0, |latency| latency.sum_ns as i128);
        if let (Some(max), Some(at)) = (interval.max_ns, &interval.max_at)
            && self.max.as_ref().is_none_or(|(largest, _)| max > *largest)
        {
            self.max = Some((max, at.clone()));
        }
    }

    /// Returns the periods that a step before this interval missed, if none is lost between them.
    fn carried_into(&self, place: Option<&IntervalFound>) -> Vec<Share> {
        let (Some(last), Some(place)) = (&self.last, place) else { return Vec::new() };
        let follows = last.place.number + 1 + place.stalled_before == place.number;
        let is_next = follows && last.place.watch == place.watch;
        if is_next { last.carried.clone() } else { Vec::new() }
    }

    fn gaps_before(&mut self, outcome: &Outcome, interval: &Interval) -> Vec<Gap> {
        let (Some(last), Some(place)) = (&self.last, &outcome.found.interval) else {
            self.boots = self.boots.max(1);
            return Vec::new();
        };
        let began = interval.began_unix_ns;
        let between = began as i64 - last.end_unix_ns as i64;
        let gap = |length_ns, reason| Gap {
            from: rfc3339(last.end_unix_ns),
            from_unix_ns: last.end_unix_ns,
            to: rfc3339(began),
            length_ns,
            reason,
        };
        let clock_set =
            |step: i64| (step.abs() > CLOCK_STEP_NS).then(|| gap(Some(step), Reason::ClockSet));
        if place.watch != last.place.watch {
            let is_same_boot = place.boot == last.place.boot;
            self.boots += u64::from(!is_same_boot);
            let reason = match (is_same_boot, place.is_same_program) {
                (false, _) => Reason::Boot,
                (true, false) => Reason::Stopped,
                (true, true) => Reason::WatchBegan,
            };
            let since_boot = if is_same_boot { last.until(place) } else { None };
            let set = since_boot.and_then(|length| clock_set(between - length));
            let length = since_boot.unwrap_or(between);
            let known = Some(length).filter(|length| *length >= 0);
            return [gap(known, reason)].into_iter().chain(set).collect();
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
        ];
        let relevant = candidates.into_iter().filter(|(length, _, least)| *length > *least);
        let gaps = relevant.map(|(length, reason, _)| gap(Some(length), reason));
        gaps.chain(clock_set(step)).collect()
    }
}

/// Returns how many intervals right before this one had no step: their periods count in it.
pub fn stalled_before(outcome: &Outcome) -> u64 {
    outcome.found.interval.as_ref().map_or(0, |place| place.stalled_before)
}

fn differences(from: &Machine, to: &Machine, before: &str) -> Vec<Change> {
    let [from, to] = [from, to].map(properties);
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
        causes: Vec::new(),
        histogram: latency.map_or_else(|| vec![0; BINS], histogram),
        temperature_c: temperatures.max_by(f64::total_cmp),
        frequency_khz: found.system.start_frequencies_khz.values().min().copied(),
        steal_ns: steal_ns([outcome]).seen(),
        changes: Vec::new(),
        valid: outcome.is_valid(),
        warnings: outcome.warnings.iter().map(record::Warning::cause).collect(),
    }
}

#[cfg(test)]
mod tests;
