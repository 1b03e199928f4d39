//! What the self-test of a machine found: disturbances of known length, compared with what was
//! measured and blamed.

use base::Nanos;
use serde::{Deserialize, Serialize};

use crate::fact::DISTURBED;
use crate::{Outcome, SelfTested, Warning};

/// The measurement whose runs are the disturbances of a self-test.
pub const SELF_TEST: &str = "self_test";
/// The parameter with the name of a disturbance.
pub const DISTURBANCE: &str = "disturbance";

/// The fewest events of a kind that can show whether 95 % were blamed correctly.
const LEAST_EVENTS: u64 = 20;
/// The least share of injected events that must be blamed on the right cause.
const LEAST_BLAMED: f64 = 0.95;
/// The largest allowed deviation of the measured median length, as a share of the injected one.
pub const LENGTH_WITHIN: f64 = 0.1;

/// One disturbance: what was injected, and how the measurement reported it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disturbed {
    /// Name of the disturbance.
    pub name: String,
    /// What was done, in a few words.
    pub what: String,
    /// Cause on which it must be blamed; empty if nothing is injected.
    pub cause: String,
    /// Why it could not be injected; null if nothing prevented it.
    pub not_injected: Option<String>,
    /// Why causes were judged by counters alone; null if they were not.
    pub not_traced: Option<String>,
    /// Number of injected events, as recorded by the injector.
    pub injected: u64,
    /// Number of further events, not counted in `injected`, in which the injector itself was
    /// disturbed, as its own CPU time shows.
    pub spoilt: u64,
    /// Number of injected events that were seen as lateness.
    pub seen: u64,
    /// Number of injected events blamed mainly on the right cause.
    pub blamed: u64,
    /// Total overlap, in nanoseconds, of the seen events (by the injector's own stamps) with what
    /// was late during them, from due time to end.
    pub injected_ns: i64,
    /// Total time, in nanoseconds, attributed to the right cause in what was late during the seen
    /// events.
    pub measured_ns: i64,
    /// Median ratio of the measured to the injected length of an event; null if no event was seen.
    pub length_ratio: Option<f64>,
    /// Whether reading the conditions back found the one that was not applied; in a run's row,
    /// false until the run is judged; null if the disturbance does not require this, or has no
    /// result.
    pub read_back: Option<bool>,
    /// Causes on which events were blamed instead of the right one.
    pub mistaken: Vec<Elsewhere>,
    /// Causes of lateness while nothing was injected.
    pub elsewhere: Vec<Elsewhere>,
    /// Step in which the clock advances, in nanoseconds, if it is 10 µs or more; else 0.
    #[serde(default)]
    pub clock_step_ns: u64,
}

/// Late events that share one main cause, other than the injected one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Elsewhere {
    /// Main cause, in words.
    pub cause: String,
    /// Whether the platform under this kernel caused it, or may have caused it.
    pub of_host: bool,
    /// Number of events with this main cause.
    pub count: u64,
    /// Longest time from due time to end among these events, in nanoseconds.
    pub longest_ns: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Everything was injected, seen, measured and blamed as required.
    Certified,
    NotCertified,
    /// The host disturbed the injectors, or stopped during their events, so often that the rest is
    /// not enough for an answer.
    TooBusyToTell,
    /// The clock advances in steps that are too coarse to measure lateness.
    BrokenClock,
}

impl Answer {
    /// Returns the answer for these disturbances, and the reasons if it is not `Certified`.
    pub fn derived_from(disturbances: &[Disturbed]) -> (Self, Vec<String>) {
        let clock_step_ns =
            disturbances.iter().map(|disturbed| disturbed.clock_step_ns).max().unwrap_or(0);
        if clock_step_ns > 0 {
            let why = format!(
                "the clock advances in steps of {}; check the clock source \
                 (/sys/devices/system/clocksource/clocksource0/current_clocksource) and LD_PRELOAD",
                Nanos(clock_step_ns)
            );
            return (Self::BrokenClock, vec![why]);
        }
        let all: Vec<_> = disturbances.iter().flat_map(Disturbed::shortcomings).collect();
        let is_busy = disturbances.iter().any(Disturbed::met_a_busy_host);
        let answer = match () {
            () if all.is_empty() => Self::Certified,
            () if is_busy && all.iter().all(|(_, of_host)| *of_host) => Self::TooBusyToTell,
            () => Self::NotCertified,
        };
        (answer, all.into_iter().map(|(what, _)| what).collect())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelfTest {
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    pub machine_id: String,
    /// Version of Steadfast that ran the self-test.
    pub tool_version: String,
    /// Time of the self-test, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    /// Whether everything was injected, seen, measured and blamed as required.
    pub certified: bool,
    /// Result: `certified`, `not_certified`, `too_busy_to_tell` (the host disturbed so many events
    /// that the rest decide nothing) or `broken_clock` (the clock advances in steps of 10 µs or
    /// more).
    pub answer: Answer,
    /// Why it is not certified; empty if it is.
    pub reasons: Vec<String>,
    /// All disturbances, and the run without injection (`quiet`).
    pub disturbances: Vec<Disturbed>,
}

impl Disturbed {
    /// Returns what a run of the self-test found; `None` for any other run.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let spec = &outcome.header.spec;
        (spec.measurement == SELF_TEST).then_some(())?;
        let fact = outcome.rows.first().and_then(|row| row.fact(&DISTURBED));
        let found = fact.and_then(|fact| serde_json::from_value::<Self>(fact.clone()).ok());
        let has_result = found.is_some();
        let found = found.unwrap_or_else(|| Self {
            name: spec.parameters.word(DISTURBANCE).to_owned(),
            ..Self::default()
        });
        let is_sought = |w: &&Warning| matches!(w, Warning::PolicyDiffers { .. });
        let spoils = |w: &&Warning| w.invalidates() && !is_sought(w);
        let is_found = outcome.warnings.iter().any(|w| is_sought(&w));
        let not_injected = match outcome.warnings.iter().find(spoils) {
            Some(warning) => Some(warning.cause()),
            None if !has_result => Some("the run has no result".to_owned()),
            None if is_found && found.read_back.is_none() => {
                Some("its own policy was not applied".to_owned())
            }
            None => None,
        };
        Some(Self { read_back: found.read_back.map(|_| is_found), not_injected, ..found })
    }

    /// Counts the late events outside injections: of this kernel, and of the platform under it.
    pub fn late_elsewhere(&self) -> [u64; 2] {
        let count =
            |of_host| self.elsewhere.iter().filter(|e| e.of_host == of_host).map(|e| e.count).sum();
        [count(false), count(true)]
    }

    /// Whether enough events are blamed on the right cause.
    pub fn is_blamed(&self) -> bool {
        self.blamed as f64 >= LEAST_BLAMED * self.injected as f64
    }

    /// Whether the host was seen at work while nothing was injected, or an injector's own record
    /// shows that it was disturbed.
    fn met_a_busy_host(&self) -> bool {
        self.spoilt > 0
            || self.late_elsewhere()[1] > 0
            || self.mistaken.iter().any(|mistaken| self.is_seen_without_injection(mistaken))
    }

    /// Whether the cause of mistaken events also made something late while nothing was injected:
    /// then it exists, and blaming it is right.
    fn is_seen_without_injection(&self, mistaken: &Elsewhere) -> bool {
        self.elsewhere.iter().any(|late| late.cause == mistaken.cause)
    }

    /// Whether enough events are blamed on the right cause if those are left out in which the host
    /// or another real cause was at work.
    fn is_blamed_without_the_host(&self) -> bool {
        let is_real = |late: &&Elsewhere| late.of_host || self.is_seen_without_injection(late);
        let left_out: u64 = self.mistaken.iter().filter(is_real).map(|late| late.count).sum();
        let left = self.injected.saturating_sub(left_out);
        self.blamed as f64 >= LEAST_BLAMED * left as f64
    }

    /// Returns the reasons against a certificate, each with whether events in which the host was at
    /// work are enough to explain it; none for the run without injection.
    fn shortcomings(&self) -> Vec<(String, bool)> {
        let name = &self.name;
        if let Some(why) = &self.not_injected {
            return vec![(format!("`{name}` was not injected: {why}"), false)];
        }
        if self.cause.is_empty() {
            return Vec::new();
        }
        let Self { injected, seen, blamed, cause, .. } = self;
        if *injected < LEAST_EVENTS {
            let spoilt = match self.spoilt {
                0 => String::new(),
                count => format!(", and {count} more were themselves disturbed"),
            };
            let what = format!(
                "`{name}`: {injected} events were injected{spoilt}; at least {LEAST_EVENTS} are needed"
            );
            return vec![(what, injected + self.spoilt >= LEAST_EVENTS)];
        }
        let mut reasons = Vec::new();
        if seen < injected {
            reasons.push((format!("`{name}`: {seen} of {injected} events were seen"), false));
        }
        if !self.is_blamed() {
            let why = self.not_traced.as_ref();
            let why = why.map_or_else(String::new, |why| format!(" (not traced: {why})"));
            let what =
                format!("`{name}`: {blamed} of {injected} events were blamed on {cause}{why}");
            reasons.push((what, self.is_blamed_without_the_host()));
        } else if let Some(ratio) = self.length_ratio
            && (ratio - 1.0).abs() > LENGTH_WITHIN
        {
            let what = format!("`{name}`: {ratio:.2} times the injected length was measured");
            reasons.push((what, false));
        }
        if self.read_back == Some(false) {
            reasons.push((format!("`{name}`: reading back did not detect the change"), false));
        }
        reasons
    }
}

impl SelfTest {
    pub fn of(
        machine_id: String,
        tool_version: &str,
        at_unix_ns: u64,
        disturbances: Vec<Disturbed>,
    ) -> Self {
        let (answer, reasons) = Answer::derived_from(&disturbances);
        Self {
            machine_id,
            tool_version: tool_version.to_owned(),
            at_unix_ns,
            certified: answer == Answer::Certified,
            answer,
            reasons,
            disturbances,
        }
    }

    /// Returns what a run records about the self-test of its machine.
    pub fn summary(&self) -> SelfTested {
        SelfTested {
            certified: self.certified,
            at_unix_ns: self.at_unix_ns,
            tool_version: self.tool_version.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Disturbed {
        Disturbed {
            name: "hog".into(),
            cause: "the hog".into(),
            injected: 40,
            seen: 40,
            blamed: 38,
            length_ratio: Some(0.95),
            ..Disturbed::default()
        }
    }

    fn late(of_host: bool, count: u64) -> Elsewhere {
        let cause = if of_host { "a stall" } else { "a task" };
        Elsewhere { cause: cause.into(), of_host, count, longest_ns: 1 }
    }

    fn certified(disturbances: Vec<Disturbed>) -> SelfTest {
        SelfTest::of("machine".into(), "1", 5, disturbances)
    }

    #[test]
    fn a_machine_is_certified_if_all_events_are_seen_and_blamed() {
        let quiet = Disturbed { name: "quiet".into(), ..Disturbed::default() };
        assert!(certified(vec![good(), quiet]).summary().certified);
    }

    #[test]
    fn each_shortcoming_is_a_reason() {
        for (change, word) in [
            ((|d| d.seen = 39) as fn(&mut Disturbed), "seen"),
            (|d| d.blamed = 37, "blamed"),
            (|d| d.length_ratio = Some(1.2), "length"),
            (|d| d.read_back = Some(false), "reading back"),
            (|d| (d.injected, d.spoilt) = (19, 41), "41 more"),
            (|d| d.not_injected = Some("sudo".into()), "sudo"),
        ] {
            let mut bad = good();
            change(&mut bad);
            let test = certified(vec![good(), bad]);
            assert!(!test.certified);
            assert_eq!(test.reasons.len(), 1, "{:?}", test.reasons);
            assert!(test.reasons[0].contains(word), "{:?}", test.reasons);
        }
    }

    #[test]
    fn a_coarse_clock_is_named_before_anything_else() {
        let coarse = Disturbed { clock_step_ns: 1_000_000, seen: 0, ..good() };
        let test = certified(vec![good(), coarse]);
        assert_eq!(test.answer, Answer::BrokenClock);
        assert!(test.reasons[0].starts_with("the clock advances in steps of 1ms"), "{test:?}");
    }

    /// On a busy host, another task may keep the CPU in an injected event too: blaming it is right.
    #[test]
    fn a_mistaken_cause_that_is_seen_without_injection_leaves_the_answer_open() {
        let mut met = Disturbed { blamed: 20, mistaken: vec![late(false, 20)], ..good() };
        assert_eq!(certified(vec![met.clone()]).answer, Answer::NotCertified);
        met.elsewhere = vec![late(false, 1)];
        assert_eq!(certified(vec![met]).answer, Answer::TooBusyToTell);
    }

    #[test]
    fn a_busy_host_makes_the_answer_uncertain_but_hides_no_other_shortcoming() {
        let (mistaken, elsewhere) = (vec![late(true, 10)], vec![late(true, 1)]);
        let stalled = Disturbed { blamed: 30, mistaken, elsewhere, ..good() };
        let spoilt = Disturbed { injected: 10, spoilt: 50, ..good() };
        for busy in [&stalled, &spoilt] {
            let test = certified(vec![good(), busy.clone()]);
            assert_eq!(test.answer, Answer::TooBusyToTell);
            assert!(!test.certified && test.reasons.len() == 1);
        }
        let never_seen_elsewhere = Disturbed { elsewhere: vec![], ..stalled.clone() };
        let mistaken = vec![late(true, 5), late(false, 5)];
        let mistaken_too = Disturbed { mistaken, ..stalled.clone() };
        let wrong = Disturbed { length_ratio: Some(1.2), ..good() };
        for bad in [vec![never_seen_elsewhere], vec![mistaken_too], vec![stalled, wrong]] {
            assert_eq!(certified(bad).answer, Answer::NotCertified);
        }
    }

    #[test]
    fn a_self_test_is_equal_after_json() {
        let test = certified(vec![good()]);
        let json = serde_json::to_string(&test).unwrap();
        assert_eq!(serde_json::from_str::<SelfTest>(&json).unwrap(), test);
    }
}
