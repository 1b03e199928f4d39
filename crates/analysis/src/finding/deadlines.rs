//! Statements about runs, deadlines and miss rates.

use base::{Nanos, Vicinity};
use serde::Serialize;

use super::periodic::{Job, Met, Periodic, Speed};
use super::said::{Said, Standing, statements};
use super::why::{Compared, interval_x};
use crate::held::one_in;
use crate::phrases::{joined, list, maybe, missed, ns, of_all, on_machine, rate, share_of, some};
use crate::standards::Proof;
use crate::words::{capital, counted, grouped, listed, moment, percent, time, time_beyond};

statements! { AboutDeadlines {
    /// Results of the deadlines of periodic work.
    Deadlines { of: Periodic, met: Met, standing: Standing, latest_ns: Option<i64> }
        => Said::answer(*standing, deadlines(of, met, *standing, *latest_ns));

    Unknown { of: Periodic, others: usize }
        "Answer" = match others {
            0 => format!("{}: unknown, all its runs are INVALID.", of.words()),
            _ => format!("{} and {others} more: unknown, all their runs are INVALID.", of.words()),
        };

    /// The latest work without a real-time policy where other work has one, and how many other cases are not judged
    /// either.
    NotJudged { of: Periodic, policy: String, met: Met, latest_ns: Option<i64>, others: usize }
        "Not judged": "{}{} ({}, {policy}); {}no real-time policy.",
            maybe(*latest_ns, |ns| format!("worst {}, ", time(ns as f64))), missed(met.missed, met.due), of.words(),
            maybe(some(*others), |others| format!("{others} more came no later; "));

    /// The only valid run, which has no deadline.
    OnlyResult { run: String, speed: Option<Speed> }
        "Answer", Plain: "{run}: {}.",
            speed.as_ref().map_or("no figure".to_owned(), |speed| speed.figures().join(", "));

    /// Valid runs without a deadline, and how many figures they give.
    Measured { effort: String, figures: usize }
        "Answer", Plain: "{} in {effort}, none with a deadline.", counted(*figures, "figure");

    NoRun
        "Answer", Plain: "No run was measured.";

    NoValidRun
        "Answer", Bad: "INVALID: no run can be used.";

    Checked {
        result: CheckResult,
        missed: u64,
        due: u64,
        /// Upper bound of the share that is missed, 0 to 1, with 95 % confidence.
        upper: f64,
        /// The limit that what was missed came later than; `None`: than its period.
        limit_ns: Option<u64>,
        /// How much longer to measure until it is decided.
        more_ns: Option<u64>,
        /// The misses that are allowed, as a user types them; `None`: none.
        allowed: Option<String>
    }
        => {
            let seen = match limit_ns {
                Some(limit) => format!("{} came later than {}", share_of(*missed, *due), ns(*limit)),
                None => crate::phrases::missed(*missed, *due),
            };
            let more = maybe(*more_ns, ns);
            match result {
                CheckResult::Pass => {
                    let rate = one_in(*upper);
                    Said::answer(Standing::Good, format!("PASS: {seen}, so fewer than {rate} (95 % confidence)."))
                }
                CheckResult::NotShownYet => {
                    let words = format!("NOT SHOWN YET: {seen}; {more} more without one would show it.");
                    Said::answer(Standing::Open, words)
                }
                CheckResult::Invalid => {
                    let why = "a run cannot be used, so nothing is decided";
                    Said::answer(Standing::Bad, format!("INVALID: {why}; so far {seen}."))
                }
                CheckResult::Fail => {
                    let allowed = allowed.as_deref().unwrap_or("none");
                    Said::answer(Standing::Bad, format!("FAIL: {seen}; allowed: {allowed}."))
                }
            }
        };

    /// A limit beyond the period changes nothing.
    JudgedByPeriod { max_ns: u64, period_ns: u64 }
        "Judged": "by the period of {0}: what comes later has missed its next turn, so the limit of {1} changes \
            nothing. Give a `--max` below {0}.", ns(*period_ns), ns(*max_ns);

    /// A late sample ended runs before their planned time; the latest such sample in words.
    EndedEarly { runs: usize, ended: usize, cause: String }
        "Answer": "ENDED EARLY: {}{cause}.", match (ended, runs) {
            (_, 1) => String::new(),
            (1, _) => format!("{}: ", of_all(1, *runs, "run")),
            _ => format!("{}; in one, ", of_all(*ended, *runs, "run")),
        };

    /// Deadlines that passed after the end of a run, before the thread ran.
    CutOff { deadlines: u64 }
        "Cut off": "{} passed after the end of the run; the thread ran only later.",
            counted(*deadlines as usize, "further deadline");

    /// Upper bound on the share of deadlines that are missed or come too late; `to_show` is what it takes to show that
    /// it holds, if that is not shown.
    MissRate { of: Option<Periodic>, upper: f64, runs: u64, limit_ns: Option<u64>, to_show: Option<Proof> }
        "Confidence": "{}{} {} (95 % confidence, {}){}.", about(of.as_ref()),
            // A bound near 1 excludes nothing.
            if *upper < 0.99 { format!("fewer than {}", one_in(*upper)) } else { "up to all".to_owned() },
            limit_ns.map_or("miss".to_owned(), |limit| format!("come later than {}", ns(limit))),
            counted(*runs as usize, "run"), maybe(*to_show, |needed| format!(". To show it: {}", needed.words()));

    RareEvents { of: Option<Periodic>, every_ns: f64 }
        "Confidence": "{}events rarer than one per {} may be missed.", about(of.as_ref()), time(*every_ns);

    /// The CPU that is shown to be worse than the others that were measured at the same time.
    WorstCpu(cpu: WorstCpu)
        "Worst CPU" = cpu.words();

    OwnModel { model: String, rate: String, met: Met, period_ns: u64 }
        "Results": "{model} at {rate}: {}.", met.claim(Nanos(*period_ns).into());

    /// Results of the frames of a run's processes; `each` is the number of frames of one process.
    Frames {
        processes: u64, fill: String, rate: String, conditions: String,
        overran: u64, executed: u64, skipped: u64, due: u64, each: u64, shown: bool
    }
        "Results" = {
            let processes = counted(*processes as usize, "process");
            let what = format!("{processes} with frames of {fill} at {rate} ({conditions})");
            let each = counted(*each as usize, "frame");
            let periods = maybe(some(*skipped), |skipped| {
                format!("; {} of {} periods had none", grouped(skipped), grouped(*due))
            });
            match (overran + skipped, shown) {
                (0, true) => format!("Holds {what}: no overrun in {each} each."),
                (0, false) => format!("{}: no overrun so far in {each} each.", capital(&what)),
                _ => {
                    let (overran, executed) = (grouped(*overran), counted(*executed as usize, "frame"));
                    format!("Does not hold {what}: {overran} of {executed} overran{periods}.")
                }
            }
        };

    /// The conditions with the worst wake-up of a policy; `share` is the highest quantile that the number of samples
    /// supports, and `within_ns` its value.
    WorstWakeup {
        policy: String, period_ns: u64, loads: String, samples: u64, share: f64, within_ns: i64,
        worst_ns: i64, worst_at_ns: u64, skipped: u64, due: u64
    }
        "Results": "`{policy}` thread with a period of {}: woke within {} in {}; worst {}, {} after the start \
            ({loads}){}.",
            ns(*period_ns), time(*within_ns as f64),
            if *share == 1.0 { format!("all {samples} cases") } else { format!("{} of cases", percent(*share)) },
            time(*worst_ns as f64), ns(*worst_at_ns),
            maybe(some(*skipped), |skipped| {
                format!("; {} of {} periods were skipped", grouped(skipped), grouped(*due))
            });

    /// Interrupts that did not reach their thread in time.
    InterruptsMissed { source: String, conditions: String, missed: u64, due: u64 }
        "Results": "`interrupt`, {source} ({conditions}): {} of {} missed.",
            grouped(*missed), counted(*due as usize, "interrupt");

    /// Average and worst times of services of the kernel.
    ServiceTimes { services: Vec<(String, f64, f64)> }
        "Results": "Average (and worst): {}.", list(services.iter().map(|(name, average, worst)| {
            format!("{name} {} ({})", time(*average), time(*worst))
        }));

    NoInversion { locks: Vec<String> }
        "Results": "No priority inversion was seen with {}: no medium-priority thread delayed a high-priority one.",
            quoted(locks);

    MixResult { members: Vec<String>, missed: u64, due: u64 }
        "Results": "Mix of {}: {}.", listed(members), crate::phrases::missed(*missed, *due);

    OnlySelfTests
        "Results": "Only self-tests were run; they do not show what the machine holds.";

    /// Measurements that tables show, and no sentence.
    OnlyInTables { measurements: Vec<String> }
        "Results": "{}: see the tables.", quoted(measurements);

    /// What limits a machine, and why that matters.
    Limit { found: String, why: &'static str }
        "Limit": "{}. {why}", capital(found);

    /// When the runs were made.
    Span { runs: usize, invalid: usize, first_unix_ns: u64, last_unix_ns: u64 }
        "Reach" = {
            let invalid = maybe(some(*invalid), |count| format!(" ({count} INVALID and not used)"));
            let (runs, first) = (counted(*runs, "run"), moment(*first_unix_ns));
            match last_unix_ns - first_unix_ns {
                0 => format!("{runs}{invalid}, started at {first}."),
                span => format!(
                    "{runs}{invalid}, started within {} from {first}: events that are rarer may not have occurred in \
                     them.",
                    ns(span)
                ),
            }
        };

    /// The fewest samples that a wake-up figure rests on.
    FewestWakeups { samples: u64 }
        "Reach": "Each wake-up figure is based on at least {} samples. What occurred in none of them may still occur \
            in up to {} of cases (95 % confidence, rule of three).",
            grouped(*samples), percent(3.0 / *samples as f64);

    /// The fewest steps without a miss that a size rests on.
    FewestSteps { steps: u64, to_show: Proof }
        "Reach": "No miss in {} steps means that at most {} of steps miss (95 % confidence, rule of three), not that \
            none ever does. A size holds where its steps without a miss take {}.",
            grouped(*steps), percent(3.0 / *steps as f64), to_show.words();

    /// Nothing is known of something that was tried in these places (empty if the place is not a condition), as the
    /// first INVALID run says; `None` without any run.
    NotMeasured { what: String, places: Vec<Vicinity>, why: Option<String> }
        "Left out": "{what}{}: {}.",
            maybe(some(joined(places.iter().map(Vicinity::to_string), ", ")), |places| format!(" ({places})")),
            why.as_deref().unwrap_or("no valid run");

    /// Runs whose figures are in no other finding, with cause and remedy of the first of them, where an answer has room
    /// for them.
    InvalidRuns { invalid: usize, runs: usize, cause: Option<[String; 2]> }
        => Said::new(if invalid == runs { "Cause" } else { "INVALID" }, match cause {
            None => format!("{} of {} not used.", grouped(*invalid as u64), counted(*runs, "run")),
            Some([cause, remedy]) => {
                let part = (invalid < runs).then_some(invalid);
                let count = maybe(part, |invalid| format!("{invalid} of {runs}: "));
                format!("{count}{cause}. Remedy: {remedy}.")
            }
        });

    /// What missed deadlines, with missed and due deadlines.
    Missed { cases: Vec<(String, u64, u64)> }
        "Missed", Bad: "{}.", joined(cases.iter().map(|(what, missed, due)| {
            format!("{} of {} ({what})", grouped(*missed), grouped(*due))
        }), ", ");

    /// The upper end of the 95 % interval of the miss rate of what missed no deadline.
    MissBound { what: String, upper: f64 }
        "Bound": "{what}: miss rate below {} (95 % confidence). Other or more work may not fit.", one_in(*upper);
}}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It is shown to hold.
    Pass,
    /// It does not hold.
    Fail,
    /// Nothing contradicts it, but it is not shown.
    NotShownYet,
    /// A run was INVALID, so nothing is known.
    Invalid,
}

/// The figures of a CPU that is shown to be worse than the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorstCpu {
    /// `CPU 1`.
    pub cpu: String,
    /// The figure that shows it.
    pub figure: Compared,
    /// The figure on this CPU: nanoseconds, or the share of deadlines that were missed, 0 to 1.
    pub value: f64,
    /// The same of all other CPUs together.
    pub others: f64,
    /// Lower end, estimate and upper end of the ratio of both, or of their odds.
    pub times: [f64; 3],
}

impl WorstCpu {
    /// `CPU 1, p99.9 52 µs; the other CPUs 13 µs (3.1x to 5x).`
    fn words(&self) -> String {
        let Self { cpu, figure, value, others, times: [lower, _, upper] } = self;
        let of = |value: f64| match (figure, value) {
            (Compared::MissOdds, 0.0) => "none".to_owned(),
            (Compared::MissOdds, share) => one_in(share),
            _ => time(value),
        };
        let name = if *figure == Compared::MissOdds { "missed" } else { figure.name() };
        let odds = if *figure == Compared::MissOdds { ", odds" } else { "" };
        let ratio = interval_x([*lower, *upper]);
        format!("{cpu}, {name} {}; the other CPUs {} ({ratio}{odds}).", of(*value), of(*others))
    }
}

/// Returns the start of a sentence about periodic work.
fn about(of: Option<&Periodic>) -> String {
    maybe(of, |of| format!("{}: ", of.rate_and_job()))
}

fn quoted(names: &[String]) -> String {
    list(names.iter().map(|name| format!("`{name}`")))
}

fn deadlines(of: &Periodic, met: &Met, standing: Standing, latest_ns: Option<i64>) -> String {
    let (thing, latest) = match &of.job {
        Job::Thread => ("wake-up", "the latest came {} late"),
        Job::Frames { .. } => ("frame", "the latest ended {} after it was due"),
        Job::Model { .. } | Job::Step { .. } => ("step", "the worst ended {} after it was due"),
    };
    let fill = match &of.job {
        Job::Frames { fill: Some(fill), .. } if met.due == 1 => {
            format!(" that fills {fill} of its period")
        }
        Job::Frames { fill: Some(fill), .. } => format!(" that fill {fill} of their period"),
        _ => String::new(),
    };
    let latest = maybe(latest_ns, |ns| {
        let late = time_beyond(ns as f64, of.period_ns as f64);
        format!("; {}", latest.replace("{}", &late))
    });
    let size = maybe(of.largest_size(), |size| format!(" with {size}"));
    let at = format!("at {}{}{size}", rate(of.period_ns), on_machine(of.machine.as_ref()));
    let all = counted(met.due as usize, thing) + &fill;
    let seen = match met.missed {
        0 => format!("no miss in {all}"),
        count => format!("{} of {all} missed", grouped(count)),
    };
    let runs = counted(met.runs as usize, "run");
    match standing {
        Standing::Good if met.missed == 0 => {
            format!("SHOWN to hold {at}: {seen} of {runs} (fewer than {}).", one_in(met.upper))
        }
        Standing::Good => format!("SHOWN to hold {at}: {seen} in {runs}, as allowed."),
        Standing::Open | Standing::Plain if met.missed == 0 => {
            format!("NO MISS SEEN {at} in {all}; not yet shown to hold.")
        }
        Standing::Open | Standing::Plain => {
            format!("NOT SHOWN YET to hold {at}: {seen}, so far as allowed.")
        }
        Standing::Bad => {
            format!("NOT READY for hard real time {at}: {seen}{latest}{}.", of.conditions())
        }
    }
}
