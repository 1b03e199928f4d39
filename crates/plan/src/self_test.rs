//! What the self-test of a machine found: disturbances of known length against what was
//! measured and blamed.

use serde::{Deserialize, Serialize};

use crate::fact::DISTURBED;
use crate::{Outcome, SelfTested, Warning};

/// The measurement whose runs are the disturbances of a self-test.
pub const SELF_TEST: &str = "self_test";
/// Its parameter: the name of a disturbance.
pub const DISTURBANCE: &str = "disturbance";

/// Fewer events of a kind do not tell 95 % from less.
pub const LEAST_EVENTS: u64 = 20;
/// Of the injected events at least this share is blamed on the right cause.
pub const LEAST_BLAMED: f64 = 0.95;
/// The measured length lies within this share of the injected one, in the median.
pub const LENGTH_WITHIN: f64 = 0.1;

/// One disturbance: what was injected, and what the measurement made of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Disturbed {
    /// Its name.
    pub name: String,
    /// What was done, in a few words; empty for the stretch without any.
    pub what: String,
    /// What it must be blamed on.
    pub cause: String,
    /// Why it could not be injected.
    pub not_injected: Option<String>,
    /// Why causes were judged by counters alone.
    pub not_traced: Option<String>,
    /// Events injected, by the injector's own record.
    pub injected: u64,
    /// More of them, in which the injector itself was disturbed, by its own CPU time: what
    /// they should come to is not known.
    pub spoilt: u64,
    /// Those that were seen as something late.
    pub seen: u64,
    /// Those of which the right cause is the main one.
    pub blamed: u64,
    /// Time of all events seen, from when something was due in them, by the injector's
    /// own stamps, in nanoseconds.
    pub injected_ns: i64,
    /// The time that the right cause was given of it.
    pub measured_ns: i64,
    /// Measured over injected length of an event, in the median.
    pub length_ratio: Option<f64>,
    /// Whether reading back found what was not as asked, where that is to be found;
    /// false until it is known.
    pub read_back: Option<bool>,
    /// What events were blamed on instead.
    pub mistaken: Vec<Elsewhere>,
    /// What was late while nothing was injected.
    pub elsewhere: Vec<Elsewhere>,
}

/// Late things with one main cause, other than the one injected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Its main cause, in words.
    pub cause: String,
    /// Whether the platform under this kernel was at work, or nothing tells it from that.
    pub of_host: bool,
    /// How often.
    pub count: u64,
    /// The latest one, in nanoseconds after its due time.
    pub longest_ns: i64,
}

/// What a self-test comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Everything was injected, seen, measured and blamed as it must be.
    Certified,
    /// Something was not.
    NotCertified,
    /// The host disturbed the injectors or stood still in their events so often that what is
    /// left does not tell.
    TooBusyToTell,
}

/// Why a machine is not certified.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shortcoming {
    what: String,
    /// Whether events in which the host was at work make it up.
    of_host: bool,
}

impl Answer {
    /// The answer to disturbances, and why it is no certificate.
    #[must_use]
    pub fn to(disturbances: &[Disturbed]) -> (Self, Vec<String>) {
        let all: Vec<Shortcoming> = disturbances.iter().flat_map(Disturbed::shortcomings).collect();
        let is_busy = disturbances.iter().any(Disturbed::met_a_busy_host);
        let answer = match () {
            () if all.is_empty() => Self::Certified,
            () if is_busy && all.iter().all(|one| one.of_host) => Self::TooBusyToTell,
            () => Self::NotCertified,
        };
        (answer, all.into_iter().map(|one| one.what).collect())
    }
}

/// What the self-test of a machine found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelfTest {
    /// The machine.
    pub machine_id: String,
    /// Version of the program that tested.
    pub tool_version: String,
    /// When, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    /// Whether everything was injected, seen, measured and blamed as it must be.
    pub certified: bool,
    /// That, or why not: a host that was too busy is no failure.
    pub answer: Answer,
    /// Why it is not certified.
    pub reasons: Vec<String>,
    /// Every disturbance, and the stretch without any.
    pub disturbances: Vec<Disturbed>,
}

impl Disturbed {
    /// What a run of the self-test found; `None` of any other run.
    #[must_use]
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
        let of_others = |w: &&Warning| w.invalidates() && !is_sought(w);
        let is_found = outcome.warnings.iter().any(|w| is_sought(&w));
        let not_injected = match outcome.warnings.iter().find(of_others) {
            Some(warning) => Some(warning.cause()),
            None if !has_result => Some("the run has no result".to_owned()),
            None if is_found && found.read_back.is_none() => {
                Some("its own policy was not applied".to_owned())
            }
            None => None,
        };
        Some(Self { read_back: found.read_back.map(|_| is_found), not_injected, ..found })
    }

    /// Late events without injection, of this kernel and of the platform under it.
    #[must_use]
    pub fn late_elsewhere(&self) -> [u64; 2] {
        let count = |of_host| {
            let of_it = self.elsewhere.iter().filter(|e| e.of_host == of_host);
            of_it.map(|e| e.count).sum()
        };
        [count(false), count(true)]
    }

    /// Whether enough events are blamed on the right cause.
    #[must_use]
    pub fn is_blamed(&self) -> bool {
        self.blamed as f64 >= LEAST_BLAMED * self.injected as f64
    }

    /// Whether the host was seen at work where nothing was injected, or an injector's own
    /// record tells that it was disturbed.
    fn met_a_busy_host(&self) -> bool {
        self.spoilt > 0 || self.late_elsewhere()[1] > 0
    }

    /// Whether enough events are blamed on the right cause among those in which the host was
    /// not at work.
    fn is_blamed_but_for_the_host(&self) -> bool {
        let of_host = self.mistaken.iter().filter(|one| one.of_host);
        let of_host: u64 = of_host.map(|one| one.count).sum();
        let left = self.injected.saturating_sub(of_host);
        self.blamed as f64 >= LEAST_BLAMED * left as f64
    }

    /// What is short of a certificate; nothing where nothing was to be injected.
    fn shortcomings(&self) -> Vec<Shortcoming> {
        let name = &self.name;
        let short = |what, of_host| Shortcoming { what, of_host };
        if let Some(why) = &self.not_injected {
            return vec![short(format!("`{name}` was not injected: {why}"), false)];
        }
        if self.cause.is_empty() {
            return Vec::new();
        }
        let Self { injected, seen, blamed, .. } = self;
        if *injected < LEAST_EVENTS {
            let spoilt = match self.spoilt {
                0 => String::new(),
                count => format!(", and {count} more were disturbed themselves"),
            };
            let what = format!(
                "`{name}`: {injected} events were injected{spoilt}; {LEAST_EVENTS} are needed"
            );
            return vec![short(what, injected + self.spoilt >= LEAST_EVENTS)];
        }
        let mut reasons = Vec::new();
        if seen < injected {
            let what = format!("`{name}`: {seen} of {injected} events were seen");
            reasons.push(short(what, false));
        }
        if !self.is_blamed() {
            let why = self.not_traced.as_ref();
            let why = why.map_or_else(String::new, |why| format!(" (not traced: {why})"));
            let cause = &self.cause;
            let what =
                format!("`{name}`: {blamed} of {injected} events were blamed on {cause}{why}");
            reasons.push(short(what, self.is_blamed_but_for_the_host()));
        } else if let Some(ratio) = self.length_ratio
            && (ratio - 1.0).abs() > LENGTH_WITHIN
        {
            let what = format!("`{name}`: {ratio:.2} times the injected length was measured");
            reasons.push(short(what, false));
        }
        if self.read_back == Some(false) {
            let what = format!("`{name}`: reading back did not find it");
            reasons.push(short(what, false));
        }
        reasons
    }
}

impl SelfTest {
    /// Certifies a machine, or says why not.
    #[must_use]
    pub fn of(
        machine_id: String,
        tool_version: &str,
        at_unix_ns: u64,
        disturbances: Vec<Disturbed>,
    ) -> Self {
        let (answer, reasons) = Answer::to(&disturbances);
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

    /// What later runs say of it.
    #[must_use]
    pub fn told(&self) -> SelfTested {
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

    fn certified(disturbances: Vec<Disturbed>) -> SelfTest {
        SelfTest::of("machine".into(), "1", 5, disturbances)
    }

    #[test]
    fn all_seen_and_blamed_with_their_length_is_certified() {
        let quiet = Disturbed { name: "quiet".into(), ..Disturbed::default() };
        assert!(certified(vec![good(), quiet]).told().certified);
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
    fn a_host_that_was_at_work_in_the_events_is_too_busy_to_tell_and_hides_nothing_else() {
        let of =
            |of_host, count| Elsewhere { cause: "a stall".into(), of_host, count, longest_ns: 1 };
        let stalled = Disturbed {
            blamed: 30,
            mistaken: vec![of(true, 10)],
            elsewhere: vec![of(true, 1)],
            ..good()
        };
        let spoilt = Disturbed { injected: 10, spoilt: 50, ..good() };
        for busy in [&stalled, &spoilt] {
            let test = certified(vec![good(), busy.clone()]);
            assert_eq!(test.answer, Answer::TooBusyToTell);
            assert!(!test.certified && test.reasons.len() == 1);
        }
        let never_seen_elsewhere = Disturbed { elsewhere: vec![], ..stalled.clone() };
        let mistaken_too =
            Disturbed { mistaken: vec![of(true, 5), of(false, 5)], ..stalled.clone() };
        let wrong = Disturbed { length_ratio: Some(1.2), ..good() };
        for bad in [vec![never_seen_elsewhere], vec![mistaken_too], vec![stalled, wrong]] {
            assert_eq!(certified(bad).answer, Answer::NotCertified);
        }
    }

    #[test]
    fn it_survives_json() {
        let test = certified(vec![good()]);
        let json = serde_json::to_string(&test).unwrap();
        assert_eq!(serde_json::from_str::<SelfTest>(&json).unwrap(), test);
    }
}
