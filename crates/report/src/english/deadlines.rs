//! The English text about runs, deadlines and miss rates.

use analysis::finding::{
    AboutDeadlines as About, CheckResult, Job, Met, Periodic, Said, Speed, Standing,
};
use analysis::held::{from_to, one_in};
use analysis::phrases::{
    joined, list, maybe, missed, ns, number_missed, on_machine, rate, share_of, some,
};
use analysis::real_time::{Grade, RealTime, graded};
use analysis::spacing::Spacing;
use analysis::standards::{Limits, Proof};
use analysis::survey::{Series, System};
use analysis::words::{
    self, capital, counted, grouped, listed, moment, percent, quantity, time, time_beyond,
};
use units::{Nanos, Vicinity};

use super::label::Label;

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::Deadlines { of, met, standing, latest_ns } => {
            "Answer".judged(*standing, deadlines(of, met, *standing, *latest_ns))
        }
        About::Unknown { of, others: 0 } => {
            "Answer".says(format!("{}: unknown, all its runs are INVALID.", periodic(of)))
        }
        About::Unknown { of, others } => "Answer".says(format!(
            "{} and {others} more: unknown, all their runs are INVALID.",
            periodic(of)
        )),
        About::NotJudged { of, policy, met, latest_ns, others } => "Not judged".says({
            let worst = maybe(*latest_ns, |ns| format!("worst {}, ", time(ns as f64)));
            let missed = missed(met.missed, met.due);
            let others = maybe(some(*others), |others| format!("{others} more came no later; "));
            format!("{worst}{missed} ({}, {policy}); {others}no real-time policy.", periodic(of))
        }),
        About::OnlyResult { run, speed: figures } => "Answer".plain({
            let figures = figures.as_ref().map(|figures| speed(figures).join(", "));
            format!("{run}: {}.", figures.as_deref().unwrap_or("no figure"))
        }),
        About::Measured { runs, figures } => "Answer".plain(format!(
            "{} in {}, none with a deadline.",
            counted(*figures, "figure"),
            counted(*runs, "run")
        )),
        About::NoRun => "Answer".plain("No run was measured."),
        About::NoValidRun => "Answer".bad("INVALID: no run can be used."),
        About::Checked { result, missed: broken, due, upper, limit_ns, more_ns, allowed } => {
            let seen = match limit_ns {
                Some(limit) => {
                    format!("{} came later than {}", share_of(*broken, *due), ns(*limit))
                }
                None => missed(*broken, *due),
            };
            let more = maybe(*more_ns, ns);
            match result {
                CheckResult::Pass => "Answer".good(format!(
                    "PASS: {seen}, so fewer than {} (95 % confidence).",
                    one_in(*upper)
                )),
                CheckResult::NotShownYet => "Answer"
                    .says(format!("NOT SHOWN YET: {seen}; {more} more without one would show it.")),
                CheckResult::Invalid => "Answer".bad(format!(
                    "INVALID: a run cannot be used, so nothing is decided; so far {seen}."
                )),
                CheckResult::Fail => "Answer".bad(format!(
                    "FAIL: {seen}; allowed: {}.",
                    allowed.as_deref().unwrap_or("none")
                )),
            }
        }
        About::JudgedByPeriod { max_ns, period_ns } => "Judged".says(format!(
            "by the period of {period}: what comes later has missed its next turn, so the limit of \
             {} changes nothing. Give a `--max` below {period}.",
            ns(*max_ns),
            period = ns(*period_ns),
        )),
        About::CutOff { deadlines } => "Cut off".says(format!(
            "{} passed after the end of the run; the thread ran only later.",
            counted(*deadlines as usize, "further deadline")
        )),
        About::MissRate { of, upper, runs, limit_ns, to_show } => "Confidence".says({
            let of = maybe(of.as_ref(), |of| format!("{}: ", rate_and_job(of)));
            let miss = match limit_ns {
                Some(limit) => &format!("come later than {}", ns(*limit)),
                None => "miss",
            };
            let to_show = maybe(*to_show, |needed| format!(". To show it: {}", proof(needed)));
            // A bound near 1 excludes nothing.
            let share = match upper {
                0.99.. => "up to all",
                _ => &format!("fewer than {}", one_in(*upper)),
            };
            let runs = counted(*runs as usize, "run");
            format!("{of}{share} {miss} (95 % confidence, {runs}){to_show}.")
        }),
        About::RareEvents { of, every_ns } => "Confidence".says({
            let of = maybe(of.as_ref(), |of| format!("{}: ", rate_and_job(of)));
            format!("{of}events rarer than one per {} may be missed.", time(*every_ns))
        }),
        About::OwnModel { model, rate, met, period_ns } => {
            "Results".says(format!("{model} at {rate}: {}.", claim(met, Nanos(*period_ns).into())))
        }
        About::Frames {
            processes,
            fill,
            rate,
            conditions,
            overran,
            executed,
            skipped,
            due,
            each,
            shown,
        } => "Results".says({
            let processes = counted(*processes as usize, "process");
            let what = format!("{processes} with frames of {fill} at {rate} ({conditions})");
            let each = counted(*each as usize, "frame");
            let periods = maybe(some(*skipped), |skipped| {
                format!("; {} of {} periods had none", grouped(skipped), grouped(*due))
            });
            match (overran + skipped, shown) {
                (0, true) => format!("Holds {what}: no overrun in {each} each."),
                (0, false) => format!("{}: no overrun so far in {each} each.", capital(&what)),
                _ => format!(
                    "Does not hold {what}: {} of {} overran{periods}.",
                    grouped(*overran),
                    counted(*executed as usize, "frame")
                ),
            }
        }),
        About::WorstWakeup {
            policy,
            period_ns,
            loads,
            samples,
            share,
            within_ns,
            worst_ns,
            worst_at_ns,
            skipped,
            due,
        } => "Results".says({
            let cases = match share {
                1.0 => format!("all {samples} cases"),
                share => format!("{} of cases", percent(*share)),
            };
            let skipped = maybe(some(*skipped), |skipped| {
                format!("; {} of {} periods were skipped", grouped(skipped), grouped(*due))
            });
            format!(
                "`{policy}` thread with a period of {}: woke within {} in {cases}; worst {}, {} \
                 after the start ({loads}){skipped}.",
                ns(*period_ns),
                time(*within_ns as f64),
                time(*worst_ns as f64),
                ns(*worst_at_ns),
            )
        }),
        About::InterruptsMissed { source, conditions, missed: count, due } => "Results".says({
            let (count, interrupts) = (grouped(*count), counted(*due as usize, "interrupt"));
            format!("`interrupt`, {source} ({conditions}): {count} of {interrupts} missed.")
        }),
        About::ServiceTimes { services } => "Results".says({
            let service = |(name, average, worst): &(String, f64, f64)| {
                format!("{name} {} ({})", time(*average), time(*worst))
            };
            format!("Average (and worst): {}.", list(services.iter().map(service)))
        }),
        About::NoInversion { locks } => "Results".says({
            let locks = list(locks.iter().map(|lock| format!("`{lock}`")));
            format!(
                "No priority inversion was seen with {locks}: no medium-priority thread delayed a \
                 high-priority one."
            )
        }),
        About::MixResult { members, missed: count, due } => {
            "Results".says(format!("Mix of {}: {}.", listed(members), missed(*count, *due)))
        }
        About::OnlySelfTests => {
            "Results".says("Only self-tests were run; they do not show what the machine holds.")
        }
        About::OnlyInTables { measurements } => "Results".says({
            let names = list(measurements.iter().map(|name| format!("`{name}`")));
            format!("{names}: see the tables.")
        }),
        About::Limit { found, why } => "Limit".says(format!("{}. {why}", capital(found))),
        About::Span { runs, invalid, first_unix_ns, last_unix_ns } => "Reach".says({
            let invalid = maybe(some(*invalid), |count| format!(" ({count} INVALID and not used)"));
            let (runs, first) = (counted(*runs, "run"), moment(*first_unix_ns));
            match last_unix_ns - first_unix_ns {
                0 => format!("{runs}{invalid}, started at {first}."),
                span => format!(
                    "{runs}{invalid}, started within {} from {first}: events that are rarer may \
                     not have occurred in them.",
                    ns(span)
                ),
            }
        }),
        About::FewestWakeups { samples } => "Reach".says(format!(
            "Each wake-up figure is based on at least {} samples. What occurred in none of them \
             may still occur in up to {} of cases (95 % confidence, rule of three).",
            grouped(*samples),
            percent(3.0 / *samples as f64)
        )),
        About::FewestSteps { steps, to_show } => "Reach".says(format!(
            "No miss in {} steps means that at most {} of steps miss (95 % confidence, rule of \
             three), not that none ever does. A size holds where its steps without a miss take {}.",
            grouped(*steps),
            percent(3.0 / *steps as f64),
            proof(*to_show)
        )),
        About::NotMeasured { what, places, why } => "Left out".says({
            let places = some(joined(places.iter().map(Vicinity::to_string), ", "));
            let places = maybe(places, |places| format!(" ({places})"));
            let why = why.as_deref().unwrap_or("no valid run");
            format!("{what}{places}: {why}.")
        }),
        About::InvalidRuns { invalid, runs, cause } => {
            let label = if invalid == runs { "Cause" } else { "INVALID" };
            label.says(match cause {
                None => {
                    format!("{} of {} not used.", grouped(*invalid as u64), counted(*runs, "run"))
                }
                Some([cause, remedy]) => {
                    let part = (invalid < runs).then_some(invalid);
                    let count = maybe(part, |invalid| format!("{invalid} of {runs}: "));
                    format!("{count}{cause}. Remedy: {remedy}.")
                }
            })
        }
        About::Missed { cases } => "Missed".bad({
            let case = |(what, missed, due): &(String, u64, u64)| {
                format!("{} of {} ({what})", grouped(*missed), grouped(*due))
            };
            format!("{}.", joined(cases.iter().map(case), ", "))
        }),
        About::MissBound { what, upper } => "Bound".says(format!(
            "{what}: miss rate below {} (95 % confidence). Other or more work may not fit.",
            one_in(*upper)
        )),
    }
}

/// Returns `1 kHz thread, load cpu`; with several machines, after the machine's name.
pub(crate) fn periodic(of: &Periodic) -> String {
    let job = match &of.job {
        Job::Thread => "thread",
        Job::Frames { processes, start, fill } => {
            let fill = maybe(fill.as_ref(), |fill| format!(" of {fill}"));
            let processes = maybe(processes.as_ref(), |count| format!(" x {count}"));
            let start = maybe(start.as_ref(), |start| format!(", start {start}"));
            &format!("frames{fill}{processes}{start}")
        }
        Job::Model { name } => &format!("model {name}"),
        Job::Step { measurement, .. } => measurement,
    };
    let machine = maybe(of.machine.as_ref(), |machine| format!("{machine}: "));
    format!("{machine}{} {job}{}", rate(of.period_ns), conditions(of))
}

/// `, load cpu, with --blame`.
fn conditions(of: &Periodic) -> String {
    let loads = maybe(of.loads.as_ref(), |loads| format!(", {loads}"));
    loads + if of.is_searched { ", with --blame" } else { "" }
}

/// Returns the job without details that a verdict omits: `1 kHz thread`.
fn rate_and_job(of: &Periodic) -> String {
    let job = match &of.job {
        Job::Frames { .. } => Job::Frames { processes: None, start: None, fill: None },
        job => job.clone(),
    };
    periodic(&Periodic { job, loads: None, is_searched: false, ..of.clone() })
}

fn deadlines(of: &Periodic, met: &Met, standing: Standing, latest_ns: Option<i64>) -> String {
    let (things, latest) = match &of.job {
        Job::Thread => ("wake-ups", "the latest came {} late"),
        Job::Frames { fill: None, .. } => ("frames", "the latest ended {} after it was due"),
        Job::Frames { fill: Some(fill), .. } => (
            &*format!("frames that fill {fill} of their period"),
            "the latest ended {} after it was due",
        ),
        Job::Model { .. } | Job::Step { .. } => ("steps", "the worst ended {} after it was due"),
    };
    let latest = maybe(latest_ns, |ns| {
        let late = time_beyond(ns as f64, of.period_ns as f64);
        format!("; {}", latest.replace("{}", &late))
    });
    let size = maybe(of.largest_size(), |size| format!(" with {size}"));
    let at = format!("at {}{}{size}", rate(of.period_ns), on_machine(of.machine.as_ref()));
    let all = format!("{} {things}", grouped(met.due));
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
            format!("NOT READY for hard real time {at}: {seen}{latest}{}.", conditions(of))
        }
    }
}

pub(crate) fn speed(speed: &Speed) -> Vec<String> {
    if let Some(needs) = &speed.unavailable {
        return vec![words::unavailable(needs)];
    }
    let figures = [
        speed.steps_per_s.map(|steps| format!("{} steps per second", quantity(steps))),
        speed.average_ns.map(|ns| format!("average {}", time(ns))),
        speed.worst_ns.map(|ns| format!("worst {}", time(ns as f64))),
        speed.samples.map(|samples| format!("of {}", grouped(samples))),
    ];
    figures.into_iter().flatten().collect()
}

/// `at least 30 s in 29 runs`.
pub(crate) fn proof(needed: Proof) -> String {
    format!("at least {} in {}", time(needed.time_ns as f64), counted(needed.runs as usize, "run"))
}

/// `0 of 60 000 missed (95 % confidence: fewer than 1 in 20 028, 180 per hour)`.
pub(crate) fn claim(met: &Met, due: Spacing) -> String {
    let missed = number_missed(met.missed, met.due);
    format!("{missed} (95 % confidence: {})", bounds(met, due))
}

pub(crate) fn bounds(met: &Met, due: Spacing) -> String {
    let per_hour = |share: f64| quantity(due.per_hour(share));
    let Met { lower, upper, .. } = *met;
    let most_per_hour = per_hour(upper);
    match met.missed {
        0 => format!("fewer than {}, {most_per_hour} per hour", one_in(upper)),
        _ => format!("{}, {} to {most_per_hour} per hour", from_to(lower, upper), per_hour(lower)),
    }
}

/// Returns a sentence for each measurement of a machine with deadlines: the number of cases without
/// a miss, then each other case.
pub(crate) fn real_time(system: &System, limits: &Limits) -> Vec<String> {
    let sentence = |(name, judged): (&str, Vec<(&Series, RealTime)>)| {
        let peers: Vec<&Series> = judged.iter().map(|(series, _)| *series).collect();
        let (clean, others): (Vec<_>, Vec<_>) =
            judged.iter().partition(|(_, real_time)| real_time.grade == Grade::Hard);
        let alike = clean.chunk_by(|(_, one), (_, other)| one.is_shown() == other.is_shown());
        let alike = alike.filter_map(|alike| in_cases(alike, judged.len()));
        let others = others.iter().map(|(series, real_time)| {
            let (label, conditions) = (words::label(series.label), series.conditions(&peers));
            let claim = claim(&Met::from(&real_time.held), real_time.due);
            format!("{} with {label} ({conditions}): {claim}", real_time.verdict())
        });
        format!("`{name}` {}.", joined(alike.chain(others), "; "))
    };
    graded(system, limits).into_iter().map(sentence).collect()
}

/// Returns the number of cases without a deadline miss, and the weakest claim among them.
fn in_cases(alike: &[(&Series, RealTime)], all: usize) -> Option<String> {
    let claims = alike.iter().map(|(_, real_time)| real_time);
    let upper = |real_time: &RealTime| real_time.held.bound.upper;
    let weakest = claims.max_by(|one, other| upper(one).total_cmp(&upper(other)))?;
    let cases = maybe((all != 1).then_some(all), |all| {
        format!(" in {} of {}", grouped(alike.len() as u64), counted(all, "case"))
    });
    let claim = claim(&Met::from(&weakest.held), weakest.due);
    Some(format!("{}{cases}: {claim}", weakest.verdict()))
}
