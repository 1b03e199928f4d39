//! The English text of every finding: the only place where results are put into words.
//!
//! Plain `match` and `format!`: the compiler checks that every finding has a text and every value a
//! place in it, and nothing is read or parsed at run time. Numbers, units and plurals come from
//! `analysis::words`.

pub(crate) mod audit;

use analysis::capacity::End;
use analysis::causes::summaries;
use analysis::claims::{self, Wish, with_interval};
use analysis::comparison::contrasts::{Across, Decision, FALSE_DISCOVERIES, Quality, Row};
use analysis::experiment::{Effect, POWER, Unit, decisive, foremost, worse};
use analysis::finding::{
    CheckResult, Compared, Extent, Finding, Fix, Job, LateWakeup, MeasurementCompared, Met,
    Periodic, Phase, Point, Price, QualityCompared, Scan, Schedulability, SelfTestResult,
    Size as TriedSize, Sizes, Speed, Standing, Why, Work, WorstCase,
};
use analysis::held::one_in;
use analysis::published::HARDWARE;
use analysis::real_time::{Grade, RealTime, graded};
use analysis::standards::{Limits, Proof};
use analysis::step_time::Refusal as NotFitted;
use analysis::survey::{Series, System};
use analysis::verdict::{Change, How};
use analysis::words::{
    self, bare, capital, counted, grouped, listed, moment, on, percent, place as place_on,
    quantity, time, times, watts,
};
use blame::Summary;
use plan::{Axis, Disturbed, Elsewhere, Family, ModelAudited, SelfTested};
use stats::{Once, OutOfReach, QuantileClaim, Refusal};
use units::Vicinity;

use crate::answer::Remark;

/// Returns a word for the kind of finding, which is the name of its remark.
pub(crate) fn label(finding: &Finding) -> &'static str {
    match finding {
        // General results
        Finding::OnMachine { finding, .. } => label(finding),
        Finding::Deadlines { .. }
        | Finding::Unknown { .. }
        | Finding::OnlyResult { .. }
        | Finding::Measured { .. }
        | Finding::NoRun
        | Finding::NoValidRun
        | Finding::Checked { .. }
        | Finding::SelfTest { .. } => "Answer",
        Finding::JudgedByPeriod { .. } => "Judged",
        Finding::CertifiesMeasurements | Finding::SharedCpus { .. } => "Note",
        Finding::OwnLateness { .. } => "Late too",
        Finding::NotInjected => "Not seen",
        Finding::NotPermitted { .. } => "Rights",
        Finding::SamplesDiffer { .. } => "Error",
        Finding::InvalidRuns { invalid, runs, .. } if invalid == runs => "Cause",
        Finding::InvalidRuns { .. } => "INVALID",
        Finding::CutOff { .. } => "Cut off",
        Finding::Late { .. } | Finding::ProbableCause { .. } | Finding::NoKnownCause => "Why",
        Finding::FixFirst { .. } => "Fix first",
        Finding::MissRate { .. } | Finding::RareEvents { .. } => "Confidence",
        Finding::Limit { .. } => "Limit",
        Finding::Sizes { .. }
        | Finding::NoSize { .. }
        | Finding::FastestTire { .. }
        | Finding::OwnModel { .. }
        | Finding::Frames { .. }
        | Finding::WorstWakeup { .. }
        | Finding::InterruptsMissed { .. }
        | Finding::ServiceTimes { .. }
        | Finding::NoInversion { .. }
        | Finding::MixResult { .. }
        | Finding::OnlySelfTests
        | Finding::OnlyInTables { .. } => "Results",
        Finding::PlatformGaps { .. }
        | Finding::NoPlatformGap { .. }
        | Finding::NotScanned
        | Finding::IdleExitUnseen => "Platform",
        Finding::SelfTested { .. } => "Self-test",
        Finding::Span { .. }
        | Finding::FewestWakeups { .. }
        | Finding::FewestSteps { .. }
        | Finding::StampCost { .. }
        | Finding::StealHidden
        | Finding::WorstMayBeWorse
        | Finding::Exactness => "Reach",
        Finding::Inconclusive { .. }
        | Finding::WorstNeighbour { .. }
        | Finding::NoHarm
        | Finding::MissesWithoutWork { .. }
        | Finding::MostWork { .. }
        | Finding::NoWorkFits => "Answer",
        Finding::Missed { .. } => "Missed",
        Finding::MissBound { .. } => "Bound",
        Finding::IdleWork { .. } => "Idle",
        Finding::Slower { .. } => "Slower",
        Finding::Run { .. } => "Run",
        Finding::FirstTableOf { .. } => "Only",
        Finding::HarmBegins { .. } => "Onset",
        Finding::NoEffectDetected { .. } => "Others",
        Finding::Better { .. } => "Better",
        Finding::MainCauses { .. } => "Why",
        Finding::NotMeasured { .. } => "Left out",
        // Comparisons and experiments
        Finding::PairCompared { .. }
        | Finding::NoEqualRows { .. }
        | Finding::NotComparable { .. }
        | Finding::Variants { .. } => "Compared",
        Finding::Matched { .. } => "Rows",
        Finding::Best { quality: Quality::Speed, .. } => "Speed",
        Finding::Best { .. } | Finding::Steadiest { .. } => "Steady",
        Finding::ByMeasurement { .. } => "Where",
        Finding::SingleRuns { .. } => "Runs",
        Finding::Tested { .. } | Finding::Exact { .. } => "Evidence",
        Finding::NotInTurns { .. } => "Order",
        Finding::PublishedFigures { .. } => "Note",
        Finding::LoadsNotCarried { .. } => "Loads",
        Finding::WakeupsMissing { .. } => "Incomplete",
        Finding::WorstWakeups { .. } => "Wake-ups",
        Finding::WorstInterrupts { .. } => "Interrupts",
        Finding::LateWakeups { .. } => "Late",
        Finding::PriceOfSteadiness { .. } => "Cost",
        Finding::ClocksDiffer { .. } => "Error",
        Finding::InstructionClock { .. } => "Clock",
        Finding::WorseRow { .. } => "Worse",
        Finding::SettingsHelp { .. }
        | Finding::NoSettingHelps { .. }
        | Finding::NotTogether { .. } => "Answer",
        Finding::PairEffect { .. } => "Pair",
        Finding::Controls { .. } => "Controls",
        Finding::Evidence { .. } => "Evidence",
        Finding::GuestTopology => "Places",
        // Frontier, map, mix and models
        Finding::Edge { .. } | Finding::NoMiss { .. } => "Answer",
        Finding::EdgeEvidence { .. } => "Evidence",
        Finding::NothingBeyond { .. } | Finding::HeldAbove { .. } => "Beyond",
        Finding::Stalls { .. } => "Stalls",
        Finding::Headroom { .. } => "Headroom",
        Finding::SearchEffort { .. }
        | Finding::FullGrid { .. }
        | Finding::Unfinished { .. }
        | Finding::Finished => "Search",
        Finding::ModelMisbehaved { .. } => "Model",
        Finding::OutputsDiffer { .. } => "Outputs",
        Finding::CallTooLong { .. } | Finding::LateByOwnCode { .. } => "Audit",
        Finding::StepPhases { .. } => "Step",
        Finding::BestEffortSteps { .. } => "Work",
        Finding::Schedulability { .. } => "Analysis",
        Finding::StaleInputs { .. } | Finding::FreshInputs { .. } => "Inputs",
        Finding::WorstRunOf { .. } => "Only",
        Finding::OneRunOfMix => "Confidence",
        Finding::FastestSolver { .. } => "Answer",
        Finding::SolversDisturbed { .. } => "Disturbed",
    }
}

/// Returns the finding as the first sentence of an answer.
pub(crate) fn verdict(finding: &Finding) -> String {
    match label(finding) {
        "Answer" => sentence(finding),
        "Missed" => format!("Deadlines missed: {}", sentence(finding)),
        label => format!("{label}: {}", sentence(finding)),
    }
}

/// Returns the finding as a sentence.
pub fn sentence(finding: &Finding) -> String {
    match finding {
        // General results
        Finding::OnMachine { machine, finding } => format!("{machine}: {}", sentence(finding)),
        Finding::Deadlines { of, met, standing, latest_ns } => {
            deadlines(of, met, *standing, *latest_ns)
        }
        Finding::Unknown { of, others: 0 } => {
            format!("{}: unknown, all its runs are INVALID.", periodic(of))
        }
        Finding::Unknown { of, others } => {
            format!("{} and {others} more: unknown, all their runs are INVALID.", periodic(of))
        }
        Finding::OnlyResult { run, speed: figures } => {
            let figures = figures.as_ref().map(|figures| speed(figures).join(", "));
            format!("{run}: {}.", figures.as_deref().unwrap_or("no figure"))
        }
        Finding::Measured { runs, figures } => format!(
            "{} in {}, none with a deadline.",
            counted(*figures, "figure"),
            counted(*runs, "run")
        ),
        Finding::NoRun => "No run was measured.".to_owned(),
        Finding::NoValidRun => "INVALID: no run can be used.".to_owned(),
        Finding::Checked { result, missed: broken, due, limit_ns, more_ns, allowed } => {
            let seen = match limit_ns {
                Some(limit) => format!("{} came later than {}", share_of(*broken, *due), ns(*limit)),
                None => missed(*broken, *due),
            };
            let more = more_ns.map(ns).unwrap_or_default();
            match result {
                CheckResult::Pass => format!("PASS: {seen}."),
                CheckResult::NotShownYet => {
                    format!("NOT SHOWN YET: {seen}; {more} more without one would show it.")
                }
                CheckResult::Invalid => {
                    format!("INVALID: a run cannot be used, so nothing is decided; so far {seen}.")
                }
                CheckResult::Fail => {
                    format!("FAIL: {seen}; allowed: {}.", allowed.as_deref().unwrap_or("none"))
                }
            }
        }
        Finding::JudgedByPeriod { max_ns, period_ns } => format!(
            "by the period of {period}: what comes later has missed its next turn, so the limit of {} \
             changes nothing. Give a `--max` below {period}.",
            ns(*max_ns),
            period = ns(*period_ns),
        ),
        Finding::SelfTest { result } => match result {
            SelfTestResult::Certified => {
                "CERTIFIED: late events on this machine are seen, and their causes named correctly."
                    .to_owned()
            }
            SelfTestResult::NotCertified => {
                "NOT CERTIFIED: an event was not seen, or its cause was named wrong.".to_owned()
            }
            SelfTestResult::AllSeen => "SEEN: every injected event, with its cause.".to_owned(),
            SelfTestResult::HostTooBusy => TOO_BUSY.to_owned(),
            SelfTestResult::BrokenClock { reasons } => {
                format!("NOT CERTIFIED: {}.", reasons.join("; "))
            }
        },
        Finding::CertifiesMeasurements => {
            "this certifies the measurements, not the machine.".to_owned()
        }
        Finding::OwnLateness { late, most } => {
            let most = most.as_ref();
            let most = most.map(|(cause, count)| format!(", {} of them by {cause}", grouped(*count)));
            format!(
                "{} without injection{}: this machine's own lateness, not an error of the measurement.",
                counted(*late as usize, "event"),
                most.unwrap_or_default()
            )
        }
        Finding::NotInjected => NOT_INJECTED.to_owned(),
        Finding::NotPermitted { cause, remedy } => warned(cause, remedy),
        Finding::SamplesDiffer { kernel, run, place, setup, samples } => {
            let samples: Vec<String> =
                samples.iter().map(|sample| format!("`{sample}`")).collect();
            format!(
                "Equal set-ups gave different samples: {kernel}, `{run}`, run {place} of set-up \
                 `{setup}` has {}. Something outside of the set-up changed the measurement. `steadfast \
                 lab verify` repeats the runs and compares them.",
                listed(&samples)
            )
        }
        Finding::CutOff { deadlines } => format!(
            "{} passed after the end of the run, before the thread ran.",
            counted(*deadlines as usize, "further deadline")
        ),
        Finding::Late { late, causes } => {
            let causes = causes.iter().map(|(cause, count)| format!("{} by {cause}", grouped(*count)));
            match joined(causes, ", ") {
                none if none.is_empty() => format!("{} late; no cause was found.", grouped(*late)),
                causes => format!("{} late: {causes}.", grouped(*late)),
            }
        }
        Finding::ProbableCause { machine, found } => {
            format!("probably{}: {found}.", on_machine(machine.as_ref()))
        }
        Finding::NoKnownCause => {
            "no counter explains it; `--blame` looks for the cause.".to_owned()
        }
        Finding::FixFirst { machine, fixes } => {
            let machine = machine.as_ref().map(|machine| format!("on {machine}: "));
            machine.unwrap_or_default() + &numbered(&fixes.iter().map(fix).collect::<Vec<_>>())
        }
        Finding::MissRate { of, upper, runs, limit_ns, to_show } => {
            let of = of.as_ref().map(|of| format!("{}: ", rate_and_job(of))).unwrap_or_default();
            let miss = match limit_ns {
                Some(limit) => format!("come later than {}", ns(*limit)),
                None => "miss".to_owned(),
            };
            let to_show = to_show.map(|needed| format!(". To show it: {}", proof(needed)));
            format!(
                "{of}fewer than {} {miss} (95 % confidence, {}){}.",
                one_in(*upper),
                counted(*runs as usize, "run"),
                to_show.unwrap_or_default()
            )
        }
        Finding::RareEvents { of, every_ns } => {
            let of = of.as_ref().map(|of| format!("{}: ", rate_and_job(of))).unwrap_or_default();
            format!("{of}events rarer than one per {} may be unseen.", time(*every_ns))
        }
        Finding::SharedCpus { shared, runs } => format!(
            "{} used every CPU, so Steadfast itself competed with them. Give more CPUs to the machine, \
             or fewer to `--cpus`.",
            of_all(*shared, *runs, "run")
        ),
        Finding::Sizes { of, best, shown, beyond, others } => {
            sizes(of, best, *shown, beyond) + &joined(others.iter().map(other_size), "")
        }
        Finding::NoSize { of, smallest } => {
            let smallest = smallest.as_ref();
            let smallest = smallest.map(|size| format!(": {} on {}", tried(size), threads(size.threads)));
            format!(
                "No measured {} of the {} holds{} ({}){}.",
                of.noun,
                of.measurement,
                at_rate(of),
                of.conditions,
                smallest.unwrap_or_default()
            )
        }
        Finding::FastestTire { updates_per_s, masses, threads: count, solver, takes_ns } => format!(
            "Fastest tire: {} mass updates per second ({} masses on {}, {solver} solver); 60 s of it take \
             {}.",
            quantity(*updates_per_s),
            grouped(*masses),
            threads(*count),
            time(*takes_ns)
        ),
        Finding::OwnModel { model, rate, met, period_ns } => {
            format!("{model} at {rate}: {}.", claim(met, *period_ns))
        }
        Finding::Frames { .. } => frames(finding),
        Finding::WorstWakeup { .. } => worst_wakeup(finding),
        Finding::InterruptsMissed { source, conditions, missed: count, due } => {
            let interrupts = counted(*due as usize, "interrupt");
            format!("`interrupt`, {source} ({conditions}): {} of {interrupts} missed.", grouped(*count))
        }
        Finding::ServiceTimes { services } => {
            let service = |(name, average, worst): &(String, f64, f64)| {
                format!("{name} {} ({})", time(*average), time(*worst))
            };
            let services: Vec<String> = services.iter().map(service).collect();
            format!("Average (and worst): {}.", listed(&services))
        }
        Finding::NoInversion { locks } => {
            let locks: Vec<String> = locks.iter().map(|lock| format!("`{lock}`")).collect();
            format!(
                "No priority inversion was seen with {}: no medium-priority thread delayed a \
                 high-priority one.",
                listed(&locks)
            )
        }
        Finding::MixResult { members, missed: count, due } => {
            format!("Mix of {}: {}.", listed(members), missed(*count, *due))
        }
        Finding::OnlySelfTests => {
            "Only self-tests were run; they do not show what the machine holds.".to_owned()
        }
        Finding::OnlyInTables { measurements } => {
            let names: Vec<String> = measurements.iter().map(|name| format!("`{name}`")).collect();
            format!("{}: see the tables.", listed(&names))
        }
        Finding::PlatformGaps { scan, worst_ns, per_minute, share } => format!(
            "Platform gaps in {}: worst {worst}, {} per minute, {} of the time. A latency up to {worst} \
             may be the platform's, not the kernel's.",
            scanned(scan),
            grouped(per_minute.round() as u64),
            percent(*share),
            worst = time(*worst_ns),
        ),
        Finding::NoPlatformGap { scan, shortest_ns } => {
            format!("No platform gap of {} or more in {}.", ns(*shortest_ns), scanned(scan))
        }
        Finding::NotScanned => "Unknown: no scan for platform gaps was run. `steadfast run platform_gap \
                                --cpus all` runs one."
            .to_owned(),
        Finding::IdleExitUnseen => {
            "On a virtual machine a wake-up also takes what the host needs to resume an idle CPU; a \
             spinning loop does not see that."
                .to_owned()
        }
        Finding::Limit { found, why } => format!("{}. {why}", capital(found)),
        Finding::SelfTested { test: Some(test) } => {
            format!("Self-test: measurements on this machine are {}.", certified(test))
        }
        Finding::SelfTested { test: None } => {
            "Self-test: none on this machine yet; run `steadfast self-test`.".to_owned()
        }
        Finding::Span { runs, invalid, first_unix_ns, last_unix_ns } => {
            let invalid = match invalid {
                0 => String::new(),
                count => format!(" ({count} INVALID and not used)"),
            };
            let (runs, first) = (counted(*runs, "run"), moment(*first_unix_ns));
            match last_unix_ns - first_unix_ns {
                0 => format!("{runs}{invalid}, started at {first}."),
                span => format!(
                    "{runs}{invalid}, started within {} from {first}: events that are rarer may not have \
                     occurred in them.",
                    ns(span)
                ),
            }
        }
        Finding::FewestWakeups { samples } => format!(
            "Each wake-up figure is based on at least {} samples. What occurred in none of them may \
             still occur in up to {} of cases (95 % confidence, rule of three).",
            grouped(*samples),
            percent(3.0 / *samples as f64)
        ),
        Finding::FewestSteps { steps, to_show } => format!(
            "No miss in {} steps means that at most {} of steps miss (95 % confidence, rule of three), \
             not that none ever does. A size holds where its steps without a miss take {}.",
            grouped(*steps),
            percent(3.0 / *steps as f64),
            proof(*to_show)
        ),
        Finding::StampCost { cost_ns, resolution_ns } => {
            let resolution = resolution_ns.map(|ns| format!(" and resolves {}", time(ns)));
            format!(
                "One time stamp costs {}{}. Every latency includes that cost; it is not subtracted.",
                time(*cost_ns),
                resolution.unwrap_or_default()
            )
        }
        Finding::StealHidden => {
            "A virtual machine sees stolen time only as the host reports it, often in steps of 10 ms: \
             shorter stalls look like the kernel's own."
                .to_owned()
        }
        Finding::WorstMayBeWorse => {
            "The worst case seen is not the worst case possible: it grows with the time measured, and \
             with loads that were not tried."
                .to_owned()
        }
        Finding::Exactness => {
            "Averages and extremes are exact. Quantiles come from a histogram and are at most 0.1 % above \
             the true value; a quantile that no sample exceeds is not shown."
                .to_owned()
        }
        Finding::Inconclusive { why } => format!("Inconclusive: {}.", reason(why)),
        Finding::WorstNeighbour { neighbour, place, figure, ratio } => {
            let (place, figure, ratio) = (vicinity(*place), compared(*figure), times(*ratio));
            format!("Worst neighbour: {neighbour} {place} ({figure} is {ratio}x).")
        }
        Finding::NoHarm => "No neighbour is shown to harm (not proof that none does).".to_owned(),
        Finding::Run { run } => run.clone(),
        Finding::FirstTableOf { tables } => format!(
            "this is the first of {}; runs of another kind or set-up are not compared with these. \
             The report has all.",
            counted(*tables, "table")
        ),
        Finding::HarmBegins { neighbour, place, harmful_per_s, harmless_per_s, unit } => {
            let (place, harmful) = (vicinity(*place), quantity(*harmful_per_s));
            let below = harmless_per_s
                .map(|work| format!("; no effect detected at {} per second", quantity(work)));
            format!(
                "{neighbour} {place} harms from {harmful} {unit} per second{}.",
                below.unwrap_or_default()
            )
        }
        Finding::NoEffectDetected { neighbours } => {
            format!("{}: no effect detected (not proof of no effect).", neighbours.join(", "))
        }
        Finding::Better { neighbours } => format!(
            "with {} a figure is better than without, as can happen when a neighbour keeps the CPU \
             out of idle states.",
            listed(neighbours)
        ),
        Finding::MainCauses { causes } => {
            let causes = causes.iter().map(|(neighbour, cause)| format!("{neighbour}: {cause}"));
            format!("most frequent causes of lateness: {}.", joined(causes, "; "))
        }
        Finding::NotMeasured { what, places, why } => {
            let places = joined(places.iter().map(Vicinity::to_string), ", ");
            let places = if places.is_empty() { places } else { format!(" ({places})") };
            let why = why.as_deref().unwrap_or("no valid run");
            format!("{what}{places}: {why}.")
        }
        // Comparisons and experiments
        Finding::PairCompared { names, rows, is_single, speed, steadiness } => {
            pair_compared(names, *rows, *is_single, [speed, steadiness])
        }
        Finding::NoEqualRows { names: [reference, other], fields } => {
            let help = match fields.as_slice() {
                [] => {
                    "`--across FIELD` compares rows that differ in FIELD, such as policy or load."
                        .to_owned()
                }
                fields => format!(
                    "They differ in {}: `--across {}` compares them.",
                    listed(fields),
                    fields.join(",")
                ),
            };
            format!("{other} and {reference} have no row with equal specifications. {help}")
        }
        Finding::NotComparable { names: [reference, other] } => format!(
            "{other} and {reference} are not compared: one counts time in instructions, the other \
             measures it."
        ),
        Finding::Matched { names, rows, across, alone } => {
            let [reference, other] = names;
            let field = |across: &Across| {
                let [one, another] = &across.values;
                format!("{} ({one} on {reference}, {another} on {other})", across.field)
            };
            let fields: Vec<String> = across.iter().map(field).collect();
            let except = if fields.is_empty() { "" } else { " except for " };
            let alone = names.iter().zip(alone).filter(|(_, count)| **count > 0);
            let alone = alone.map(|(name, count)| format!("{count} only on {name}"));
            let alone: Vec<String> = alone.collect();
            let left_out = if alone.is_empty() { "" } else { "; left out: " };
            format!(
                "{} with equal specifications on {reference} and {other}{except}{}{left_out}{}.",
                grouped(*rows as u64),
                listed(&fields),
                listed(&alone)
            )
        }
        Finding::Best { quality, unbeaten, variants } => {
            let (best, worse) = match quality {
                Quality::Speed => ("fastest", "slower"),
                Quality::Steadiness => ("steadiest", "less steady"),
            };
            match unbeaten.as_slice() {
                [] => {
                    format!("No variant is the {best}: each is shown to be {worse} than another.")
                }
                [name] => format!("{name} is the {best} of {variants} variants."),
                several => format!(
                    "The {best} of {variants} variants is not decided between {}: none of them is \
                     shown to be {worse} than another.",
                    listed(several)
                ),
            }
        }
        Finding::Variants { by, names, also, left_out } => {
            let by = listed(by);
            let also = match also.as_slice() {
                [] => String::new(),
                [first, ..] => {
                    format!("; {} also varies, and `--across {first}` compares by it", listed(also))
                }
            };
            let left_out = match left_out {
                0 => String::new(),
                runs => format!("; {} without {by} left out", counted(*runs, "run")),
            };
            format!("runs of one system by {by}: {}{also}{left_out}.", listed(names))
        }
        Finding::ByMeasurement { names: [_, other], measurements } => {
            let measurement = |one: &MeasurementCompared| {
                let sides = [("worse", one.worse), ("better", one.better)];
                let sides = sides.into_iter().filter(|(_, rows)| *rows > 0);
                let sides: Vec<String> =
                    sides.map(|(side, rows)| format!("{side} in {rows}")).collect();
                let rows = counted(one.rows, "row");
                format!("`{}` ({} of {rows})", one.measurement, listed(&sides))
            };
            format!("{other} differs in {}.", joined(measurements.iter().map(measurement), ", "))
        }
        Finding::SingleRuns { names: [reference, other], rows, from_parts } => {
            let rows = counted(*rows, "row");
            let source = match from_parts {
                false => "Run-to-run variation comes from the other rows, a weaker claim",
                true => {
                    "Variation comes from parts of runs and from the other rows, a weak claim: \
                     only rows that stand out can show a difference, not a shift of all rows, and \
                     p99 and late samples are not decided"
                }
            };
            format!(
                "{other} and {reference} have {rows} with one run per side. {source}; use \
                 `--repeat 3`."
            )
        }
        Finding::Tested { comparisons, margin } => format!(
            "{}, false-discovery rate {}; unit of analysis: the run. Ratios within {} of 1 count as \
             equal. \u{201c}No difference shown\u{201d} is not proof of equality.",
            counted(*comparisons, "comparison"),
            percent(FALSE_DISCOVERIES),
            percent(*margin)
        ),
        Finding::Exact { figures, margin } => format!(
            "{} compared without a test: equal runs of the lab are equal to the nanosecond. Ratios \
             within {} of 1 count as equal. Other lists of runs may differ.",
            counted(*figures, "figure"),
            percent(*margin)
        ),
        Finding::NotInTurns { pairs } => format!(
            "{} were not measured in turns: whatever else changed in between looks like a \
             difference, so intervals are wider. A campaign alternates them.",
            joined(pairs.iter().map(|[one, other]| format!("{other} and {one}")), "; ")
        ),
        Finding::PublishedFigures { systems } => format!(
            "Published figures are shown, but not tested or ranked: they come from another machine \
             ({HARDWARE}), without runs. Systems: {}.",
            systems.join("; ")
        ),
        Finding::InvalidRuns { invalid, runs, cause: None } => {
            format!("{} of {} not used.", grouped(*invalid as u64), counted(*runs, "run"))
        }
        Finding::InvalidRuns { invalid, runs, cause: Some([cause, remedy]) } => {
            let count = (invalid < runs).then(|| format!("{invalid} of {runs}: "));
            format!("{}{cause}. Remedy: {remedy}.", count.unwrap_or_default())
        }
        Finding::LoadsNotCarried { loads } => {
            let loads = loads.iter().map(|(load, why)| format!("`{load}` ({why})"));
            let loads: Vec<String> = loads.collect();
            format!("the lab cannot run {}, which are in none of these figures.", listed(&loads))
        }
        Finding::WakeupsMissing { system, loads } => format!(
            "{system} has no valid wake-up at 1 ms under load {}; its worst case may be longer.",
            listed(loads)
        ),
        Finding::WorstWakeups { policy, loads, without_load, worst } => {
            let without = without_load.then(|| "without load".to_owned());
            let under = (*loads > 0).then(|| format!("under {}", counted(*loads, "load")));
            let under: Vec<String> = without.into_iter().chain(under).collect();
            format!(
                "worst of a `{policy}` thread with a period of 1 ms, {}: {}.",
                listed(&under),
                worst_cases(worst)
            )
        }
        Finding::WorstInterrupts { worst } => {
            format!("longest way of an interrupt to its real-time thread: {}.", worst_cases(worst))
        }
        Finding::LateWakeups { limit_ns, late, never } => {
            let limit = time(*limit_ns);
            let load = |one: &LateWakeup| {
                format!("{} ({}, period {})", one.load, time(one.ns), time(one.period_ns))
            };
            let system = |(name, loads): &(String, Vec<LateWakeup>)| {
                let loads: Vec<String> = loads.iter().map(load).collect();
                format!("{name} under {}", listed(&loads))
            };
            let late = match late.as_slice() {
                [] => String::new(),
                late => format!(
                    "real-time wake-ups above {limit}, at any period: {}. ",
                    joined(late.iter().map(system), "; ")
                ),
            };
            let never = match never.as_slice() {
                [] => String::new(),
                names => format!("None above {limit} seen: {}.", listed(names)),
            };
            (late + &never).trim_end().to_owned()
        }
        Finding::Steadiest { system, next, ratio, last } => {
            let last = last.as_ref().map(|(name, ratio)| {
                format!(", that of {name}, the least steady, {}x", quantity(*ratio))
            });
            match ratio {
                ..1.005 => format!(
                    "No system is the steadiest: {system} and {next} have equal worst cases."
                ),
                _ => format!(
                    "{system} is the steadiest system: the worst case of the next, {next}, is {}x \
                     as long{}.",
                    quantity(*ratio),
                    last.unwrap_or_default()
                ),
            }
        }
        Finding::PriceOfSteadiness { steadiest, stock, prices, messages } => {
            let price = |(price, [from, to]): &(Price, [f64; 2])| {
                let (what, figure): (&str, fn(f64) -> String) = match price {
                    Price::Wakeup => ("an average wake-up under the default policy takes", time),
                    Price::TimerInterrupt => ("a timer interrupt reaches its thread in", time),
                    Price::MassUpdates => ("mass updates per second of the tire are", |number| {
                        grouped(number.round() as u64)
                    }),
                };
                format!(
                    "{what} {} instead of {} ({})",
                    figure(*to),
                    figure(*from),
                    factor(*from, *to)
                )
            };
            let messages = messages.map(|(ratio, tests)| {
                let tests = counted(tests, "test");
                format!("messages take {}x as long (geometric mean of {tests})", quantity(ratio))
            });
            let prices: Vec<String> = prices.iter().map(price).chain(messages).collect();
            format!("without load, {steadiest} compared with {stock}: {}.", listed(&prices))
        }
        Finding::ClocksDiffer { counting, measuring } => format!(
            "Clocks differ: {} counts time in instructions, {} measures it. Figures of the one are \
             neither longer nor shorter than those of the other.",
            listed(counting),
            listed(measuring)
        ),
        Finding::InstructionClock { systems, ns } => {
            let whose = match systems.as_slice() {
                [] => "Time".to_owned(),
                systems => format!("On {} time", listed(systems)),
            };
            let length = match ns {
                Some(ns) => format!("{ns} ns per instruction"),
                None => "the same time per instruction of a machine".to_owned(),
            };
            format!("{whose} is counted in instructions: one processor, {length}.")
        }
        Finding::WorseRow {
            names: [reference, other],
            measurement,
            label,
            conditions,
            figures,
        } => {
            let figures = figures.iter().map(|(name, ratio)| format!("{name} {}x", times(*ratio)));
            format!(
                "{other} is worse than {reference}: {measurement} {}, {} ({conditions})",
                words::label(label),
                joined(figures, ", ")
            )
        }
        Finding::SettingsHelp { settings, together } => {
            let together = match together.as_slice() {
                [] => String::new(),
                together => format!("; together {}", effects(together)),
            };
            format!("{} shown to help{together}.", are(settings))
        }
        Finding::NoSettingHelps { harmful } => match harmful.as_slice() {
            [] => "No setting is shown to make a difference (not proof that none does).".to_owned(),
            harmful => format!("No setting helps; {} shown to harm.", are(harmful)),
        },
        Finding::NotTogether { settings, together } => format!(
            "{} each help, but not together ({}): keep one.",
            listed(settings),
            effects(together)
        ),
        Finding::PairEffect { settings: [one, other], both, extra } => format!(
            "`{one}` with `{other}`: {}; {} is {}x what the two effects add up to.",
            effects(both),
            extra.figure,
            times(extra.times[1])
        ),
        Finding::Controls { positive_detected, sham_detected, figure, detectable_ns } => format!(
            "Positive control {}, sham {}; detectable change in {figure}: {} ({} power).",
            if *positive_detected { "detected" } else { "missed" },
            if *sham_detected { "detected" } else { "clean" },
            time(*detectable_ns),
            percent(POWER)
        ),
        Finding::Missed { cases } => {
            let case = |(what, missed, due): &(String, u64, u64)| {
                format!("{} of {} ({what})", grouped(*missed), grouped(*due))
            };
            format!("{}.", joined(cases.iter().map(case), ", "))
        }
        Finding::MissBound { what, upper } => format!(
            "{what}: miss rate below {} (95 % confidence). Other or more work may not fit.",
            one_in(*upper)
        ),
        Finding::MissesWithoutWork { missed, due } => format!(
            "The rates miss deadlines without best-effort work too: {} of {}.",
            grouped(*missed),
            grouped(*due)
        ),
        Finding::MostWork { choice, work } => {
            format!("Best-effort work without a miss: {} ({choice}).", per_second(work))
        }
        Finding::NoWorkFits => {
            "No best-effort work fits: with every choice a rate missed a deadline.".to_owned()
        }
        Finding::IdleWork { work, median, rate } => {
            let [lower, _, upper] = work.per_s.map(quantity);
            let median = median.map(|median| {
                let [lower, ratio, upper] = [median.lower, median.ratio, median.upper].map(times);
                format!("; median response of {rate} {ratio}x ({lower}x to {upper}x)")
            });
            format!("{} ({lower} to {upper}){}.", per_second(work), median.unwrap_or_default())
        }
        Finding::Slower { rate, choices } => {
            let choices =
                choices.iter().map(|(choice, ratio)| format!("{}x with {choice}", times(*ratio)));
            format!("median response of {rate}: {}.", joined(choices, ", "))
        }
        Finding::Evidence { comparisons, reference_runs, least_runs, shams, figure } => {
            let interval =
                |[lower, upper]: &[f64; 2]| format!("{}x to {}x", times(*lower), times(*upper));
            let shams: Vec<String> = shams.iter().map(interval).collect();
            let sham = match shams.as_slice() {
                [] => String::new(),
                shams => format!("; {} of the idle control: {}", compared(*figure), listed(shams)),
            };
            format!(
                "{}, false-discovery rate 5 %; {} to compare with, at least {least_runs} of each \
                 kind{sham}.",
                counted(*comparisons, "comparison"),
                counted(*reference_runs, "run"),
            )
        }
        Finding::GuestTopology => {
            "this is a virtual machine: its hypervisor says which CPUs share a \
                                   core or a cache, and two CPUs may be one."
                .to_owned()
        }
        // Frontier, map, mix and models
        Finding::Edge { axis, rate_hz, limit, held, threads } => {
            edge(axis, *rate_hz, limit.as_deref(), *held, *threads)
        }
        Finding::EdgeEvidence {
            at,
            missed,
            due,
            runs,
            upper,
            upper_per_hour,
            shared_by,
            bad_runs,
            runs_differ,
        } => {
            let shared = counted(*shared_by, at.axis.noun());
            let dependence = match (bad_runs, runs_differ) {
                (Some(_), _) => ", if misses are independent",
                (None, true) => {
                    "; runs differ by more than chance, so the misses of a run count as one"
                }
                (None, false) => "",
            };
            // A bound from a few runs says nothing.
            let bad_runs = bad_runs.filter(|share| *share < 0.5);
            let bad_runs = bad_runs
                .map(|share| format!("; fewer than {} of runs have a miss", percent(share)));
            format!(
                "{}: {} of {} deadlines missed in {}; miss rate below {}, {} per hour (95 % confidence \
                 over {shared}{dependence}){}.",
                point(at),
                grouped(*missed),
                grouped(*due),
                counted(*runs as usize, "run"),
                one_in(*upper),
                quantity(*upper_per_hour),
                bad_runs.unwrap_or_default(),
            )
        }
        Finding::NothingBeyond { axis } => {
            format!("no {} {} was tried.", further(axis), axis.noun())
        }
        Finding::HeldAbove { axis, threads, places } => {
            let places: Vec<String> = places.iter().map(|at| bare(axis, *at)).collect();
            let places = match axis {
                Axis::Setting(_) => format!("{} = {}", axis.unit(2), listed(&places)),
                _ => format!("{} {}", listed(&places), axis.unit(2)),
            };
            let (noun, threads) = (axis.noun(), counted(*threads as usize, "thread"));
            format!(
                "{places} on {threads}: no miss, although an easier {noun} missed; a {noun} above the \
                 first that missed does not count."
            )
        }
        Finding::Stalls { at, missed, due, steps, excused, held, first_missed, steal_ns } => {
            let why = match excused {
                None => "; `--blame` shows the causes".to_owned(),
                Some(0) => ", none because the platform stood still".to_owned(),
                Some(excused) => format!(
                    "; {} of them because the platform stood still (platform gaps, steal), without \
                     which the edge is at {}",
                    grouped(*excused),
                    bracket(&at.axis, *held, *first_missed)
                ),
            };
            let steal = match steal_ns {
                0 => String::new(),
                steal => format!("; the hypervisor reports {} of steal", time(*steal as f64)),
            };
            format!(
                "up to {} a step usually fits its period, and {} of {} deadlines were missed, in \
                 {}{why}{steal}.",
                point(at),
                grouped(*missed),
                grouped(*due),
                counted(*steps as usize, "step"),
            )
        }
        Finding::Headroom { at, steps, p99_ns, worst_ns, larger } => {
            let axis = at.as_ref().map(|at| &at.axis);
            let larger = larger.zip(axis).map(|((end, longer_ns), axis)| {
                let (size, longer) = (place_on(axis, end.size), time(longer_ns));
                let so_far = if end.shown { "" } else { ", not yet shown" };
                format!("; {size} also hold{so_far}, with steps {longer} longer")
            });
            let at = at.as_ref().map(|at| format!("{}: ", point(at)));
            format!(
                "{}{} in the worst of {}, {} or more in 99 % of them{}.",
                at.unwrap_or_default(),
                headroom(*worst_ns),
                counted(*steps as usize, "step"),
                headroom(*p99_ns),
                larger.unwrap_or_default()
            )
        }
        Finding::SearchEffort { runs, measured_ns } => {
            let runs = counted(*runs as usize, "run");
            format!("{runs}, {} of measuring.", time(*measured_ns as f64))
        }
        Finding::FullGrid { axis, places, of_papers } => {
            let of_papers = of_papers.map(|places| {
                format!(
                    "; {} at the resolution of the papers, every {}, who measured 52 470 in all",
                    grouped(places),
                    place_on(axis, axis.grain())
                )
            });
            format!(
                "a full grid over the same range has {} at this resolution{}.",
                counted(*places as usize, axis.noun()),
                of_papers.unwrap_or_default()
            )
        }
        Finding::Unfinished { rate_hz, threads, runs, time_ns } => {
            let rate = rate_hz.map(|rate| format!("{}, ", hertz(rate)));
            format!(
                "{}{}: not finished; about {}, {}, would show both ends.",
                rate.unwrap_or_default(),
                counted(*threads as usize, "thread"),
                counted(*runs as usize, "more run"),
                time(*time_ns as f64)
            )
        }
        Finding::Finished => {
            "finished: both ends are shown everywhere, as close together as requested.".to_owned()
        }
        Finding::ModelMisbehaved {
            steps,
            discarded,
            early_returns,
            other_times,
            log_lines,
            texts_cut,
            threads,
            switches_ns,
        } => {
            let of_steps =
                |count: &u64| format!("{} of {} steps", grouped(*count), grouped(*steps));
            let some = |count: &u64, thing| counted(*count as usize, thing);
            let counts = [
                (discarded, format!("discarded {}", of_steps(discarded))),
                (early_returns, format!("returned early from {}", of_steps(early_returns))),
                (
                    other_times,
                    format!(
                        "ended {} at another time than requested, as where the model's own step does \
                         not divide this one",
                        of_steps(other_times)
                    ),
                ),
                (log_lines, format!("logged {} in its steps", some(log_lines, "line"))),
                (
                    texts_cut,
                    format!(
                        "wrote {} longer than what is recorded",
                        some(texts_cut, "output text")
                    ),
                ),
                (
                    threads,
                    format!(
                        "started {}, with the policy and the CPUs of the stepping thread",
                        some(threads, "thread")
                    ),
                ),
            ];
            let counts = counts.into_iter().filter(|(count, _)| **count > 0).map(|(_, text)| text);
            let switches = switches_ns.map(|ns| {
                format!("switches to its process and back take {} of each step", time(ns))
            });
            format!("{}.", joined(counts.chain(switches), "; "))
        }
        Finding::OutputsDiffer { different, runs, steps } => format!(
            "equal inputs gave different outputs: {different} hashes in {} of {} each.",
            counted(*runs, "run"),
            counted(*steps as usize, "step")
        ),
        Finding::CallTooLong { call_ns, late_after_ns } => format!(
            "the model's call alone takes {} on average, longer than the {} after which a step is late; \
             the causes that are named came on top. {AUDIT}.",
            time(*call_ns),
            time(*late_after_ns as f64)
        ),
        Finding::LateByOwnCode { steps } => format!(
            "{} took longer than usual because of the model's own code. {AUDIT}.",
            counted(*steps as usize, "late step")
        ),
        Finding::StepPhases { shares, step_ns, first_step_ns } => {
            let share = |(phase, share): &(Phase, f64)| {
                let phase = match phase {
                    Phase::Call => "the call",
                    Phase::Inputs => "inputs",
                    Phase::Outputs => "outputs",
                };
                format!("{phase} {:.0} %", share * 100.0)
            };
            let shares: Vec<String> = shares.iter().map(share).collect();
            let first = first_step_ns.map(|ns| format!("; the first took {}", time(ns)));
            format!("{} of {}{}.", listed(&shares), time(*step_ns), first.unwrap_or_default())
        }
        Finding::NoMiss { rates, due } => format!(
            "No deadline missed: {}, {}.",
            counted(*rates, "rate"),
            counted(*due as usize, "deadline")
        ),
        Finding::BestEffortSteps { steps_per_s } => {
            format!("{} best-effort steps per second.", quantity(*steps_per_s))
        }
        Finding::Schedulability { cases } => {
            format!("{}.", joined(cases.iter().map(schedulability), "; "))
        }
        Finding::StaleInputs { cases } => {
            let case = |(member, beyond, uses): &(String, u64, u64)| {
                format!("{} of {} in {member}", grouped(*beyond), grouped(*uses))
            };
            let cases: Vec<String> = cases.iter().map(case).collect();
            format!("older than their source's period and delay: {}.", listed(&cases))
        }
        Finding::FreshInputs { oldest_in, age_ns, period_ns } => {
            let [age, period] =
                [age_ns, period_ns].map(|ns| ns.map_or("–".to_owned(), |ns| time(ns as f64)));
            format!(
                "none older than its source's period and delay; oldest in {oldest_in}: {age}, of a \
                 period of {period}."
            )
        }
        Finding::WorstRunOf { runs } => {
            let runs = counted(*runs, "run");
            format!("this is the run of {runs} with the most misses. The report has all.")
        }
        Finding::OneRunOfMix => {
            "one run shows only what happened in it, and an analysis with measured \
                                 costs is not a proof."
                .to_owned()
        }
        Finding::FastestSolver { machine, solvers } => {
            let on = machine.as_ref().map(|machine| format!(" on {machine}"));
            format!("Fastest solver{}: {}.", on.unwrap_or_default(), by_size(solvers))
        }
        Finding::SolversDisturbed { rates, of, enough, least } => format!(
            "{rates} of {of} rates are too low, since something else used the CPUs: the threads had \
             them for less than {} of the time, at worst for {}.",
            percent(*enough),
            percent(*least)
        ),
    }
}

pub(crate) fn remark(finding: &Finding) -> Remark {
    Remark::new(label(finding), sentence(finding))
}

/// Returns the first finding as a verdict, and each other one after its label.
pub(crate) fn sentences(findings: &[Finding]) -> Vec<String> {
    let mut all = findings.iter();
    let first = all.next().map(verdict);
    first.into_iter().chain(all.map(named)).collect()
}

/// Returns the finding after its label, as one text.
pub(crate) fn named(finding: &Finding) -> String {
    format!("{}: {}", label(finding), sentence(finding))
}

fn reason(why: &Why) -> String {
    match why {
        Why::NothingToCompare => "there are no valid runs of both kinds to compare".to_owned(),
        Why::NoSham => "no idle control (sham) was measured".to_owned(),
        Why::ControlsNotSet { controls } => {
            format!("{} could not be set, so nothing is claimed", listed(controls))
        }
        Why::Unfinished => {
            "the experiment ended before its controls were tried; the same command continues it"
                .to_owned()
        }
        Why::ShamDetected => {
            "the sham, which changes nothing, shows an effect, so nothing is claimed".to_owned()
        }
        Why::PositiveControlMissed => {
            "the positive control shows no effect, so nothing is claimed".to_owned()
        }
        Why::ShamDiffers { figure, interval: [lower, upper] } => format!(
            "the idle control (sham) also differs from quiet runs ({} {}x to {}x)",
            compared(*figure),
            times(*lower),
            times(*upper)
        ),
    }
}

/// The name of a figure in sentences and column heads.
pub(crate) fn compared(figure: Compared) -> &'static str {
    match figure {
        Compared::MissOdds => "odds of a miss",
        Compared::P999 => "p99.9",
        Compared::P99 => "p99",
        Compared::Median => "median",
    }
}

/// `12.3 million mass updates per second`.
pub(crate) fn per_second(work: &Work) -> String {
    format!("{} {} per second", quantity(work.per_s[1]), work.unit)
}

fn vicinity(place: Vicinity) -> &'static str {
    match place {
        Vicinity::SameCpu => "on the same CPU",
        Vicinity::Sibling => "on the SMT sibling",
        Vicinity::SharedCache => "on a CPU that shares the cache",
        Vicinity::OtherCache => "on a CPU with another cache",
        Vicinity::OtherSocket => "in another socket",
    }
}

fn joined(texts: impl Iterator<Item = String>, separator: &str) -> String {
    texts.collect::<Vec<String>>().join(separator)
}

// Comparisons and experiments

/// Heading of the explanation of the lab's clock.
pub(crate) const CLOCK: &str = "What this clock means, and what it cannot say";

const CLOCK_IN_SHORT: &str = "Figures compare paths through kernels, and are equal for equal setups on every \
                              host. Caches, TLBs, DMA and firmware are not modelled: nothing here predicts a \
                              piece of hardware.";
const CLOCK_MEANING: [&str; 4] = [
    "Figures compare the paths that kernels take, by the number of instructions on them. Equal setups \
     (QEMU, its arguments, kernel, parameters, this program, the list of runs) give equal figures on \
     every host, to the nanosecond; where two did not, this report says so.",
    "An instruction takes the same time whatever it does. Caches, TLBs, branch prediction, clock \
     frequencies, memory that devices keep busy (DMA), firmware interrupts, and a second processor \
     with the locks between the two are not modelled.",
    "The figures say nothing about a piece of hardware: not what a kernel would do on a certain machine, \
     and not how large a model that machine holds. A kernel that is steadier here has shorter paths \
     under these loads; how long a path takes on a machine, only that machine can show.",
    "The worst case seen is not the worst case possible: it grows with the time measured, and with \
     loads and devices that were not tried.",
];

/// Explains the clock of the lab, in full or shortened for a terminal.
pub(crate) fn clock_meaning(clock: Option<&Finding>, in_full: bool) -> Vec<String> {
    let meaning = if in_full { &CLOCK_MEANING } else { [CLOCK_IN_SHORT].as_slice() };
    let meaning = meaning.iter().map(|sentence| (*sentence).to_owned());
    clock.map_or_else(Vec::new, |clock| [sentence(clock)].into_iter().chain(meaning).collect())
}

fn pair_compared(
    [reference, other]: &[String; 2],
    rows: usize,
    is_single: bool,
    qualities: [&QualityCompared; 2],
) -> String {
    if qualities.iter().all(|quality| quality.not_decided == rows) {
        return match is_single {
            true => format!(
                "Inconclusive for {other} and {reference}: one run per side says nothing about \
                 run-to-run variation; use `--repeat 3`."
            ),
            false => format!(
                "Inconclusive for {other} and {reference}: too few runs or samples to compare run by \
                 run; lateness takes several runs of 1000 samples per side."
            ),
        };
    }
    let [speed, steadiness] = qualities;
    let shown = [
        ("slower", &speed.worse),
        ("faster", &speed.better),
        ("less steady", &steadiness.worse),
        ("steadier", &steadiness.better),
    ];
    let shown = shown.into_iter().filter_map(|(word, extent)| Some((word, extent.as_ref()?)));
    let shown =
        shown.enumerate().map(|(place, (word, Extent { rows: found, figures, ratios }))| {
            let (than, of) = match place {
                0 => (format!(" than {reference}"), format!(" of {}", counted(rows, "row"))),
                _ => (String::new(), String::new()),
            };
            let figures = figures.iter().map(|figure| (*figure).to_owned()).collect::<Vec<_>>();
            format!(
                "{word}{than} in {found}{of} ({} {})",
                listed(&figures),
                ratios_between(*ratios)
            )
        });
    let shown: Vec<String> = shown.collect();
    let counts = |count: fn(&QualityCompared) -> usize| -> Vec<String> {
        let counts = ["speed", "steadiness"].into_iter().zip(qualities.map(count));
        let counts = counts.filter(|(_, rows)| *rows > 0);
        let places = counts.enumerate();
        let words = places.map(|(place, (name, found))| match place {
            0 => format!("{name} in {found} of {}", counted(rows, "row")),
            _ => format!("{name} in {found}"),
        });
        words.collect()
    };
    let same = counts(|quality| quality.no_difference);
    let undecided = counts(|quality| quality.not_decided);
    let of_pair =
        if shown.is_empty() { format!(" between {other} and {reference}") } else { String::new() };
    let first = (!shown.is_empty()).then(|| format!("{other} is {}.", listed(&shown)));
    let same =
        (!same.is_empty()).then(|| format!("No difference shown{of_pair}: {}.", listed(&same)));
    let undecided =
        (!undecided.is_empty()).then(|| format!("Not decided: {}.", listed(&undecided)));
    joined([first, same, undecided].into_iter().flatten(), " ")
}

/// `1.2x to 3.1x`.
fn ratios_between([least, most]: [f64; 2]) -> String {
    match [least, most].map(quantity) {
        [least, most] if least == most => format!("{least}x"),
        [least, most] => format!("{least}x to {most}x"),
    }
}

/// `a 20 µs (load x); b 3 ms (load y)`.
fn worst_cases(worst: &[WorstCase]) -> String {
    let case = |one: &WorstCase| format!("{} {} ({})", one.system, time(one.ns), one.under);
    joined(worst.iter().map(case), "; ")
}

/// `+23 %`.
fn factor(from: f64, to: f64) -> String {
    let share = to / from - 1.0;
    let sign = if share < 0.0 { "−" } else { "+" };
    format!("{sign}{}", percent(share.abs()))
}

/// `a and b are`.
fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(names))
}

/// Says how the other side of a row differs; empty if it does not differ.
pub(crate) fn row_compared(row: &Row) -> String {
    let of = |quality, worse, better| match row.decision(quality) {
        Decision::Worse => Some(worse),
        Decision::Better => Some(better),
        Decision::NoDifference | Decision::NotDecided => None,
    };
    let shown = [
        of(Quality::Speed, "slower", "faster"),
        of(Quality::Steadiness, "less steady", "steadier"),
    ];
    let shown: Vec<&str> = shown.into_iter().flatten().collect();
    match shown.is_empty() && !row.is_decided() {
        true => "not decided".to_owned(),
        false => shown.join(", "),
    }
}

/// Says what a setting does: `p99 31 µs lower (24 to 38)`, or what would have been detected; also
/// what it makes worse and what it costs in power.
pub fn effects(effects: &[Effect]) -> String {
    let first = match (decisive(effects), foremost(effects)) {
        (Some(effect), _) => effect_with_interval(effect),
        (None, Some(effect)) => {
            let [lower, _, upper] = effect.difference().map(f64::abs);
            format!("no effect detected ({}: less than {})", effect.figure, time(lower.max(upper)))
        }
        (None, None) => "too few valid runs".to_owned(),
    };
    let harm = worse(effects).map(|effect| format!(", but {}", effect_with_interval(effect)));
    let is_power = |effect: &&Effect| effect.unit == Unit::Power && effect.is_shown;
    let power = effects
        .iter()
        .find(is_power)
        .map(|effect| format!(", {} {}", effect.figure, difference(effect)));
    first + &harm.unwrap_or_default() + &power.unwrap_or_default()
}

/// `p99 31 µs lower (24 to 38)`.
fn effect_with_interval(effect: &Effect) -> String {
    let [lower, difference_ns, upper] = match effect.unit {
        Unit::Time | Unit::Power => effect.difference().map(f64::abs),
        Unit::Odds => effect.times.map(|times| times.max(1.0 / times)),
    };
    let end = |end: f64| match effect.unit {
        Unit::Time => words::time_in(end, words::unit(difference_ns).unwrap_or(1.0)),
        Unit::Power => watts(end),
        Unit::Odds => times(end),
    };
    let [least, most] = [lower.min(upper), lower.max(upper)].map(end);
    format!("{} {} ({least} to {most})", effect.figure, difference(effect))
}

/// `31 µs lower`, `1.9 W higher`, `3x as often`.
fn difference(effect: &Effect) -> String {
    let [_, difference, _] = effect.difference();
    let ratio = effect.times[1];
    let direction = if ratio < 1.0 { "lower" } else { "higher" };
    match effect.unit {
        Unit::Time => format!("{} {direction}", time(difference.abs())),
        Unit::Power => format!("{} {direction}", watts(difference.abs())),
        Unit::Odds if ratio < 1.0 => format!("{}x less often", times(1.0 / ratio)),
        Unit::Odds => format!("{}x as often", times(ratio)),
    }
}
// Frontier, map, mix and models

const AUDIT: &str = "`steadfast audit FILE` shows what it does, such as allocations and denormals";

fn edge(
    axis: &Axis,
    rate_hz: Option<f64>,
    limit: Option<&str>,
    held: Option<End>,
    threads: Option<u64>,
) -> String {
    let (thing, largest) = match axis {
        Axis::Masses | Axis::Instances => ("model", "largest"),
        Axis::Rate => ("rate", "highest"),
        Axis::Setting(_) => ("setting", "hardest"),
    };
    let rate = rate_hz.map(|rate| format!(" {}", hertz(rate))).unwrap_or_default();
    let limit = limit.map(|limit| format!(" as {limit}")).unwrap_or_default();
    let Some(End { size, shown }) = held else {
        return format!("No {thing} that was tried holds{rate}{limit}.");
    };
    let held = match threads {
        Some(threads) => on(axis, size, threads),
        None => format!("{} on every number of threads tried", place_on(axis, size)),
    };
    match shown {
        true => format!("{} {thing} shown to hold{rate}{limit}: {held}.", capital(largest)),
        false => {
            format!(
                "No {thing} is shown to hold{rate}{limit}; the {largest} that seems to: {held}."
            )
        }
    }
}

fn further(axis: &Axis) -> &'static str {
    match axis {
        Axis::Masses | Axis::Instances => "larger",
        Axis::Rate => "higher",
        Axis::Setting(_) => "harder",
    }
}

fn point(at: &Point) -> String {
    on(&at.axis, at.place, at.threads)
}

/// Both ends of an edge: `17 920 .. 18 400`; an end that is not shown is `?`.
pub(crate) fn bracket(axis: &Axis, held: Option<End>, missed: Option<End>) -> String {
    let end = |end: Option<End>, none: &str| match end {
        Some(End { size, shown }) => {
            format!("{}{}", bare(axis, size), if shown { "" } else { "?" })
        }
        None => none.to_owned(),
    };
    format!("{} .. {}", end(held, "none"), end(missed, "?"))
}

/// The largest size that holds, the smallest that misses, and the largest that a step usually fits.
pub(crate) fn edge_figures(
    axis: &Axis,
    held: Option<End>,
    missed: Option<End>,
    fits: Option<End>,
) -> Vec<String> {
    let at = |end: End, shown: &str, seems: &str| {
        format!("{} {}", if end.shown { shown } else { seems }, bare(axis, end.size))
    };
    let figures = [
        Some(held.map_or("no size holds".to_owned(), |end| at(end, "holds", "seems to hold"))),
        missed.map(|end| at(end, "misses at", "seems to miss at")),
        fits.map(|end| format!("usually fits to {}", bare(axis, end.size))),
    ];
    figures.into_iter().flatten().collect()
}

/// `1 kHz`, `100 Hz`.
fn hertz(rate: f64) -> String {
    match rate {
        1e3.. => format!("{} kHz", quantity(rate / 1e3)),
        _ => format!("{} Hz", quantity(rate)),
    }
}

fn headroom(ns: i64) -> String {
    let sign = if ns < 0 { "−" } else { "" };
    format!("{sign}{}", time(ns.unsigned_abs() as f64))
}

fn schedulability(case: &Schedulability) -> String {
    let verdict = match (case.schedulable, case.missed) {
        (true, true) => match &case.cause {
            Some(cause) => format!("schedulable, but misses seen (main cause: {cause})"),
            None => "schedulable, but misses seen (`--blame` shows the cause)".to_owned(),
        },
        (true, false) => "schedulable, no misses".to_owned(),
        (false, true) => "not schedulable, misses seen".to_owned(),
        (false, false) => "not schedulable, no misses (the worst case did not occur)".to_owned(),
    };
    format!("{}: {verdict}", listed(&case.members))
}

/// `simd below 57 000 masses, fused above`.
fn by_size(solvers: &[(String, u64)]) -> String {
    match solvers {
        [(solver, _)] => solver.clone(),
        [(first, _), (second, from)] => {
            format!("{first} below {} masses, {second} above", grouped(*from))
        }
        several => {
            let from = |(solver, from): &(String, u64)| format!("{solver} from {}", grouped(*from));
            joined(several.iter().map(from), ", ") + " masses"
        }
    }
}

/// Says why the step-time model cannot be fitted.
pub(crate) fn not_fitted(refusal: NotFitted) -> String {
    match refusal {
        NotFitted::TooFew { runs, least } => {
            format!("{} are too few; it takes {least} or more", counted(runs, "run"))
        }
        NotFitted::Inseparable { term } => {
            let runs = match term {
                "locks" => "one thread and several threads",
                "memory" => "sizes within and beyond the last cache",
                "switches" => "more sizes",
                _ => "several sizes",
            };
            format!(
                "the cost of {term} cannot be separated from the rest; runs with {runs} would help"
            )
        }
    }
}

/// Returns the findings of the newest audit of a model's file.
pub(crate) fn audited(audit: &ModelAudited) -> Vec<String> {
    let found = match (&audit.found[..], &audit.not_seen[..]) {
        ([], []) => vec!["Nothing: no step does what a real-time step must not.".to_owned()],
        ([], _) => vec!["Nothing in what could be watched.".to_owned()],
        (found, _) => found.iter().map(|found| format!("{}.", capital(found))).collect(),
    };
    let not_seen = audit.not_seen.iter().map(|what| format!("Not watched: {what}."));
    let when = format!(
        "{}, {} as {}, by version {}; start values and inputs may have differed.",
        moment(audit.at_unix_ns),
        counted(audit.steps as usize, "step"),
        audit.interface,
        audit.tool_version
    );
    found.into_iter().chain(not_seen).chain([when]).collect()
}

// General results

/// Limitations of a self-test.
pub(crate) const NOT_INJECTED: &str = "A load on the other hardware thread of a core (SMT) is not injected: \
                                       how much it slows a loop is not known beforehand.";
pub(crate) const TOO_BUSY: &str = "The host is too busy: whether this machine measures correctly is undecided. \
                                   Run it again when less else runs on the host.";
/// Maximum number of characters for all fixes of an answer: two lines of a terminal.
const FIXES: usize = 130;
/// Maximum number of causes that a sentence names; the others are summed up.
const MOST_CAUSES: usize = 6;

fn ns(ns: impl Into<u64> + Copy) -> String {
    time(ns.into() as f64)
}

fn on_machine(machine: Option<&String>) -> String {
    machine.map_or_else(String::new, |machine| format!(" on {machine}"))
}

/// `missed none of 200`, `missed 12 of 200`.
pub(crate) fn missed(missed: u64, due: u64) -> String {
    format!("missed {}", share_of(missed, due))
}

/// `none of 200`, `7 of 200`.
pub(crate) fn share_of(some: u64, all: u64) -> String {
    let some = if some == 0 { "none".to_owned() } else { grouped(some) };
    format!("{some} of {}", grouped(all))
}

/// `46 runs`, `3 of 46 runs`.
fn of_all(some: usize, all: usize, thing: &str) -> String {
    let all_of_them = counted(all, thing);
    if some == all { all_of_them } else { format!("{some} of {all_of_them}") }
}

/// Returns the cause and the remedy of a warning.
pub(crate) fn warned(cause: &str, remedy: &str) -> String {
    format!("{}. Remedy: {remedy}.", capital(cause))
}

fn rate(period_ns: u64) -> String {
    hertz(1e9 / period_ns as f64)
}

/// Returns `1 kHz thread, load cpu`; with several machines, after the machine's name.
pub(crate) fn periodic(of: &Periodic) -> String {
    let job = match &of.job {
        Job::Thread => "thread".to_owned(),
        Job::Frames { processes, start } => {
            let processes = processes.as_ref().map(|count| format!(" x {count}"));
            let start = start.as_ref().map(|start| format!(", start {start}"));
            format!("frames{}{}", processes.unwrap_or_default(), start.unwrap_or_default())
        }
        Job::Model { name } => format!("model {name}"),
        Job::Step { measurement, .. } => measurement.clone(),
    };
    let machine = of.machine.as_ref().map(|machine| format!("{machine}: "));
    let loads = of.loads.as_ref().map(|loads| format!(", {loads}"));
    let rate = rate(of.period_ns);
    format!("{}{rate} {job}{}", machine.unwrap_or_default(), loads.unwrap_or_default())
}

/// Returns the job without details that a verdict omits: `1 kHz thread`.
fn rate_and_job(of: &Periodic) -> String {
    let job = match &of.job {
        Job::Frames { .. } => Job::Frames { processes: None, start: None },
        job => job.clone(),
    };
    periodic(&Periodic { job, loads: None, ..of.clone() })
}

/// Returns the largest size that holds: `57 000 masses on 2 threads`.
pub(crate) fn largest_size(of: &Periodic) -> Option<String> {
    match &of.job {
        Job::Step { size: Some(size), threads: count, .. } => {
            Some(format!("{size} on {}", threads(*count)))
        }
        _ => None,
    }
}

fn deadlines(of: &Periodic, met: &Met, standing: Standing, latest_ns: Option<i64>) -> String {
    let (things, latest) = match of.job {
        Job::Thread => ("wake-ups", "the latest came {} late"),
        Job::Frames { .. } => ("frames", "the longest took {}"),
        Job::Model { .. } | Job::Step { .. } => ("steps", "the worst ended {} after it was due"),
    };
    let latest = latest_ns.map(|ns| format!("; {}", latest.replace("{}", &time(ns as f64))));
    let size = largest_size(of).map(|size| format!(" with {size}")).unwrap_or_default();
    let at = format!("at {}{}{size}", rate(of.period_ns), on_machine(of.machine.as_ref()));
    let seen = match met.missed {
        0 => format!("no miss in {} {things}", grouped(met.due)),
        count => format!("{} of {} {things} missed", grouped(count), grouped(met.due)),
    };
    let runs = counted(met.runs as usize, "run");
    match standing {
        Standing::Good if met.missed == 0 => {
            format!("SHOWN to hold {at}: {seen} of {runs} (fewer than {}).", one_in(met.upper))
        }
        Standing::Good => format!("SHOWN to hold {at}: {seen} in {runs}, as allowed."),
        Standing::Open | Standing::Plain if met.missed == 0 => {
            format!("NO MISS SEEN {at} in {} {things}; not yet shown to hold.", grouped(met.due))
        }
        Standing::Open | Standing::Plain => {
            format!("NOT SHOWN YET to hold {at}: {seen}, so far as allowed.")
        }
        Standing::Bad => {
            let loads = of.loads.as_ref().map(|loads| format!(", {loads}"));
            let latest = latest.unwrap_or_default() + &loads.unwrap_or_default();
            format!("NOT READY for hard real time {at}: {seen}{latest}.")
        }
    }
}

/// Returns the figures of a measurement without deadlines.
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

/// `at least 10 s in 29 runs`.
pub(crate) fn proof(needed: Proof) -> String {
    format!("at least {} in {}", ns(needed.time_ns), counted(needed.runs as usize, "run"))
}

fn fix(fix: &Fix) -> String {
    match fix {
        Fix::Remedy { remedy } => remedy.clone(),
        Fix::Advice { check, change } => short_change(check, change, FIXES),
        Fix::MoveWorkOf { task, cpus } => format!(
            "find what gives task `{task}` its work, and keep that off {}: the task cannot leave its CPU",
            words::cpus(cpus)
        ),
        Fix::StopTask { task, pid, cpus } => format!(
            "stop task `{task}` (number {pid}), or give it less to do: it has no CPU but {}",
            words::cpus(cpus)
        ),
        Fix::MoveTask { task, pid, cpus, to } => {
            format!("keep task `{task}` off {}: `sudo taskset -cp {to} {pid}`", words::cpus(cpus))
        }
        Fix::MoveInterrupt { interrupt, number, cpus, to } => format!(
            "keep interrupt `{interrupt}` off {}: `echo {to} | sudo tee \
             /proc/irq/{number}/smp_affinity_list`",
            words::cpus(cpus)
        ),
        Fix::LockMemory => {
            "lock memory and touch it before the loop; `steadfast audit FILE` shows where \
                            the step touches new memory"
                .to_owned()
        }
        Fix::RemoveWait => {
            "take the wait out of the step; `steadfast audit FILE` shows where it is".to_owned()
        }
        Fix::ShortenStep => "make the step shorter or the period longer".to_owned(),
    }
}

/// Returns a change of at most `most` characters; if it is longer, where to read it.
pub(crate) fn short_change(check: &str, change: &str, most: usize) -> String {
    match change.chars().count() {
        all if all <= most => change.to_owned(),
        _ => format!("{check}: see steadfast doctor --verbose"),
    }
}

/// Returns as many fixes as there is room for; none is cut, because half a command does harm.
fn numbered(fixes: &[String]) -> String {
    if let [only] = fixes {
        return only.clone();
    }
    let mut text = String::new();
    for (place, fix) in fixes.iter().enumerate() {
        let separator = if place == 0 { "" } else { ";  " };
        let more = format!("{separator}{}. {fix}", place + 1);
        if place > 0 && text.chars().count() + more.chars().count() > FIXES {
            break;
        }
        text += &more;
    }
    text
}

fn threads(count: u64) -> String {
    counted(count as usize, "thread")
}

fn at_rate(of: &Sizes) -> String {
    of.rate.as_ref().map_or_else(String::new, |rate| format!(" at {rate}"))
}

/// `57 000 masses missed none of 200 steps (fewer than 1 in 67)`.
fn tried(size: &TriedSize) -> String {
    let name = size.size.as_deref().unwrap_or_default();
    format!("{name} {}", size.met.as_ref().map(counted_steps).unwrap_or_default())
}

fn counted_steps(met: &Met) -> String {
    let bound = (met.missed == 0).then(|| format!(" (fewer than {})", one_in(met.upper)));
    format!("{} steps{}", missed(met.missed, met.due), bound.unwrap_or_default())
}

/// Returns what holds on the best number of threads, and what was tried beyond it.
fn sizes(of: &Sizes, best: &TriedSize, shown: bool, beyond: &[TriedSize]) -> String {
    let place = format!("{} on {} ({})", at_rate(of), threads(best.threads), of.conditions);
    let beyond = match beyond {
        [] => "nothing beyond was measured".to_owned(),
        beyond => joined(beyond.iter().map(tried), "; "),
    };
    let runs = best.met.map(|met| counted(met.runs as usize, "run")).unwrap_or_default();
    match shown {
        true => {
            let (name, met) = (best.size.as_deref().unwrap_or_default(), best.met.as_ref());
            let met = met.map(counted_steps).unwrap_or_default();
            format!("Holds {name}{place}: {met} in {runs}; {beyond}.")
        }
        false => format!(
            "No {} of the {} is shown to hold{place}: {}; {beyond}.",
            of.noun,
            of.measurement,
            tried(best)
        ),
    }
}

/// Returns the largest size on another number of threads.
fn other_size(size: &TriedSize) -> String {
    let held = match &size.size {
        Some(name) if size.shown => format!("{name} hold"),
        Some(_) => tried(size),
        None => "nothing measured holds".to_owned(),
    };
    format!(" On {}: {held}.", threads(size.threads))
}

fn frames(finding: &Finding) -> String {
    let Finding::Frames {
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
    } = finding
    else {
        return String::new();
    };
    let processes = counted(*processes as usize, "process");
    let what = format!("{processes} with frames of {fill} at {rate} ({conditions})");
    let each = counted(*each as usize, "frame");
    let periods = match skipped {
        0 => String::new(),
        skipped => {
            format!("; {} of {} periods had none", grouped(*skipped), grouped(*due))
        }
    };
    match (overran + skipped, shown) {
        (0, true) => format!("Holds {what}: no overrun in {each} each."),
        (0, false) => format!("{}: no overrun so far in {each} each.", capital(&what)),
        _ => format!(
            "Does not hold {what}: {} of {} overran{periods}.",
            grouped(*overran),
            counted(*executed as usize, "frame")
        ),
    }
}

fn worst_wakeup(finding: &Finding) -> String {
    let Finding::WorstWakeup {
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
    } = finding
    else {
        return String::new();
    };
    let cases = match share {
        1.0 => format!("all {samples} cases"),
        share => format!("{} of cases", percent(*share)),
    };
    let skipped = match skipped {
        0 => String::new(),
        skipped => {
            format!("; {} of {} periods were skipped", grouped(*skipped), grouped(*due))
        }
    };
    format!(
        "`{policy}` thread with a period of {}: woke within {} in {cases}; worst {}, {} after the start \
         ({loads}){skipped}.",
        ns(*period_ns),
        time(*within_ns as f64),
        time(*worst_ns as f64),
        ns(*worst_at_ns),
    )
}

fn scanned(scan: &Scan) -> String {
    let Scan { observed_ns, cpus, loads } = scan;
    format!("{} of spinning on {} ({loads})", time(*observed_ns), words::cpus(cpus))
}

/// Returns `certified on … by version …`, or that it is not certified.
pub(crate) fn certified(test: &SelfTested) -> String {
    let certified = if test.certified { "certified" } else { "not certified" };
    format!("{certified} on {} by version {}", moment(test.at_unix_ns), test.tool_version)
}

/// Returns a change without its command.
pub(crate) fn change(change: &Change) -> String {
    let found = change.found.as_ref().map(|found| format!("{}. ", capital(found)));
    let found = found.unwrap_or_default();
    match &change.how {
        How::Command { besides } if besides.is_empty() => format!("{found}To change it:"),
        How::Command { besides } => format!("{found}To change it ({}):", besides.join("; ")),
        How::AtBoot { explained } => format!("{found}On the kernel's command line: {explained}"),
        How::Otherwise { change } => format!("{found}To change it: {change}."),
        How::Run { remedy } => format!("{}.", capital(remedy)),
    }
}

pub(crate) fn all(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(sentence).collect()
}

/// `0 of 60 000 missed (95 % confidence: fewer than 1 in 20 028, 180 per hour)`.
pub(crate) fn claim(met: &Met, period_ns: u64) -> String {
    let (count, due) = (grouped(met.missed), grouped(met.due));
    format!("{count} of {due} missed (95 % confidence: {})", bounds(met, period_ns))
}

/// Returns the interval of the miss rate.
pub(crate) fn bounds(met: &Met, period_ns: u64) -> String {
    let per_hour = |rate: f64| quantity(rate * 3.6e12 / period_ns as f64);
    let Met { lower, upper, .. } = *met;
    match met.missed {
        0 => format!("fewer than {}, {} per hour", one_in(upper), per_hour(upper)),
        _ => format!(
            "{} to {}, {} to {} per hour",
            one_in(lower),
            one_in(upper),
            per_hour(lower),
            per_hour(upper)
        ),
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
            let claim = claim(&Met::from(&real_time.held), real_time.period.0);
            format!("{} with {label} ({conditions}): {claim}", real_time.verdict())
        });
        format!("`{name}` {}.", joined(alike.chain(others), ". "))
    };
    graded(system, limits).into_iter().map(sentence).collect()
}

/// Returns the number of cases without a deadline miss, and the weakest claim among them.
fn in_cases(alike: &[(&Series, RealTime)], all: usize) -> Option<String> {
    let claims = alike.iter().map(|(_, real_time)| real_time);
    let upper = |real_time: &RealTime| real_time.held.bound.upper;
    let weakest = claims.max_by(|one, other| upper(one).total_cmp(&upper(other)))?;
    let cases = match all {
        1 => String::new(),
        all => format!(" in {} of {}", grouped(alike.len() as u64), counted(all, "case")),
    };
    let claim = claim(&Met::from(&weakest.held), weakest.period.0);
    Some(format!("{}{cases}: {claim}", weakest.verdict()))
}

/// Returns the causes that each run found, if it looked for causes.
pub(crate) fn causes(systems: &[System]) -> Vec<String> {
    let of_run = |series: &Series, summary: &Summary| {
        let thing = match Family::of(&series.spec.measurement) {
            Some(Family::Wakeups) => "wake-up",
            Some(Family::Frames) => "frame",
            Some(Family::Models | Family::Mixes) => "step",
            _ => "period",
        };
        let late = counted(summary.late as usize, &format!("late {thing}"));
        let limit = ns(summary.threshold_ns.cast_unsigned());
        let causes = match summary.late {
            0 => String::new(),
            _ => format!(": {}", main_causes(summary)),
        };
        let title = series.spec.title();
        let found = format!("{title}: {late}, more than {limit} after the due time{causes}.");
        [vec![found], lacking(summary)].concat()
    };
    let series = systems.iter().flat_map(|system| &system.series);
    let runs = series.flat_map(|series| {
        let summaries = summaries(series).into_iter();
        summaries.flat_map(move |summary| of_run(series, &summary))
    });
    runs.collect()
}

/// ``10 by task `hog` (fifo:90), 4.8 ms in all; 2 by platform gaps, 0.9 ms in all``.
fn main_causes(summary: &Summary) -> String {
    let mains = || summary.causes.iter().filter(|total| total.main_of > 0);
    let named = mains().take(MOST_CAUSES).map(|total| {
        let time = time(total.time_ns as f64);
        format!("{} by {}, {time} in all", grouped(total.main_of), total.words)
    });
    let mut named: Vec<String> = named.collect();
    let more: u64 = mains().skip(MOST_CAUSES).map(|total| total.main_of).sum();
    let explained = mains().map(|total| total.main_of).sum::<u64>() + summary.contributed;
    let rest = [
        (more, "by others"),
        (summary.contributed, "by several causes, none of which explains half"),
        (summary.late.saturating_sub(explained), "took no longer than usual"),
    ];
    let rest = rest.into_iter().filter(|(count, _)| *count > 0);
    named.extend(rest.map(|(count, what)| format!("{} {what}", grouped(count))));
    named.join("; ")
}

/// Returns the limitations of the evidence for causes.
pub(crate) fn lacking(summary: &Summary) -> Vec<String> {
    let cost = summary.cost.as_ref().map(|cost| {
        format!(
            "Tracing lengthens the median wake-up from {} to {} ({} times).",
            time(cost.off_ns),
            time(cost.on_ns),
            quantity(cost.ratio),
        )
    });
    let not_traced = summary.not_traced.as_ref();
    let is_traced = not_traced.is_none();
    let not_traced = not_traced.map(|why| {
        format!("Nothing was traced ({why}): causes are from counters, which name no task.")
    });
    let lost = (summary.lost_events > 0).then(|| {
        let events = counted(summary.lost_events as usize, "trace event");
        format!("The kernel lost {events} for lack of room.")
    });
    let untraced = summary.late.saturating_sub(summary.traced);
    let untraced = (is_traced && untraced > 0).then(|| {
        let no_room = match summary.windows_not_kept {
            0 => String::new(),
            count => format!(" ({} for lack of room)", grouped(count as u64)),
        };
        let share = format!("{} of {}", grouped(untraced), grouped(summary.late));
        format!("{share} are not in the trace{no_room}; their causes are from counters.")
    });
    [cost, not_traced, lost, untraced].into_iter().flatten().collect()
}

/// The return period of an exceedance.
pub(crate) fn once(once: Once) -> &'static str {
    match once {
        Once::Hour => "once per hour",
        Once::Day => "once per day",
        Once::BillionSamples => "once in 10⁹ samples",
    }
}

pub(crate) fn quantile(claim: QuantileClaim) -> String {
    let [lower, upper] = [claim.lower_ns, claim.upper_ns].map(|end| end.map(|ns| ns as f64));
    with_interval(claim.value_ns as f64, lower, upper)
}

/// Why there is no worst case beyond the samples if their order is unknown.
pub(crate) const ORDER_UNKNOWN: &str =
    "samples of several threads together (see each), or of an older version";

/// Returns the number of samples that a level needs.
pub(crate) fn out_of_reach(level: &OutOfReach) -> String {
    format!("out of reach: takes {} samples in one run", grouped(level.needed))
}

/// Says why there is no worst case beyond the samples.
pub(crate) fn refusal(refusal: &Refusal) -> String {
    let ks = |statistic: &f64, limit: &f64| {
        format!("(Kolmogorov-Smirnov {}, limit {})", quantity(*statistic), quantity(*limit))
    };
    match refusal {
        Refusal::TooFewSamples { samples, needed } => {
            format!("too few: {} samples, {} needed", grouped(*samples), grouped(*needed))
        }
        Refusal::TooFewPeaks { peaks, needed } => {
            format!("too few: {peaks} clusters of large times, {needed} needed")
        }
        Refusal::RateChanges { statistic, limit } => {
            format!("not steady: the rate of large times changes {}", ks(statistic, limit))
        }
        Refusal::SizesChange { statistic, limit } => format!(
            "not steady: large times of the first half differ from those of the second {}",
            ks(statistic, limit)
        ),
        Refusal::Clustered { extremal_index, limit } => format!(
            "too dependent: large times come {} at a time (limit {})",
            quantity(1.0 / extremal_index.max(1e-3)),
            quantity(1.0 / limit)
        ),
        Refusal::Correlated { correlation, limit } => format!(
            "too dependent: each large time predicts the next (rank correlation {}, limit {})",
            quantity(*correlation),
            quantity(*limit)
        ),
        Refusal::Coarse { most_equal, exceedances } => format!(
            "too coarse: {} of the {} largest times are equal",
            grouped(*most_equal),
            grouped(*exceedances)
        ),
        Refusal::DoesNotFit { statistic, limit } => format!(
            "does not fit a generalised Pareto distribution (Anderson-Darling {}, limit {})",
            quantity(*statistic),
            quantity(*limit)
        ),
        Refusal::EndsAbruptly => {
            "does not fit: the largest times end at one value (shape below -1/2)".to_owned()
        }
        Refusal::NoMean { shape, limit } => format!(
            "too heavy-tailed: the mean of large times is not finite (shape {}, limit {})",
            quantity(*shape),
            quantity(*limit)
        ),
    }
}

/// Says what the series could claim if it ran longer.
pub(crate) fn longer(series: &Series) -> String {
    let wish = |(wish, needed, time_ns): (Wish, u64, f64)| {
        let (claim, about, how) = match wish {
            Wish::Quantile(name) => (name, "", "all"),
            Wish::Worst => ("worst", "", "all"),
            Wish::AboutWorst => ("worst", "about ", "all"),
            Wish::Once(level) => (once(level), "", "one run"),
        };
        format!("{claim}: {about}{} samples ({} in {how})", grouped(needed), time(time_ns))
    };
    joined(claims::longer(series).into_iter().map(wish), "; ")
}

/// Returns the late events of each disturbance of a self-test, by cause.
pub(crate) fn by_cause(found: &[Disturbed], which: fn(&Disturbed) -> &[Elsewhere]) -> Vec<String> {
    let sentence = |disturbed: &Disturbed| {
        let each = which(disturbed).iter().map(|late| {
            let longest = time(late.longest_ns as f64);
            format!("{} by {} (at most {longest})", late.count, late.cause)
        });
        let each = joined(each, "; ");
        (!each.is_empty()).then(|| format!("`{}`: {each}.", disturbed.name))
    };
    found.iter().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{blamed, frames, refused, wakeup};
    use crate::{Answer, answer};
    use analysis::Analysis;
    use analysis::standards::Standards;
    use blame::{Cause, CauseTotal, Cost, SomeTask};
    use plan::Outcome;
    use units::Policy;

    fn answered(runs: &[Outcome]) -> Answer {
        answer(&Analysis::of(runs, &Standards::default()))
    }

    fn remark<'a>(answer: &'a Answer, name: &str) -> &'a str {
        let found = answer.remarks.iter().find(|remark| remark.name == name);
        &found.unwrap_or_else(|| panic!("{answer:?}")).words
    }

    fn clean() -> Outcome {
        wakeup(Policy::Fifo(80), None, 8e3, 6e4)
    }

    #[test]
    fn deadlines_are_not_ready_open_or_shown() {
        let open = answered(&[clean()]);
        let verdict = "NO MISS SEEN at 1 kHz in 20 000 wake-ups; not yet shown to hold.";
        assert_eq!(open.verdict, verdict);
        let rate = "fewer than 1 in 6 676 miss (95 % confidence, 1 run). To show it: at least 10 s in 29 runs.";
        assert_eq!(remark(&open, "Confidence"), rate);
        let mut missed = clean();
        missed.rows[0].skipped = 3;
        let bad = answered(&[missed]);
        let verdict = "NOT READY for hard real time at 1 kHz: 3 of 20 000 wake-ups missed; the latest \
                       came 58.1 µs late.";
        assert_eq!(bad.verdict, verdict);
        let rare = "events rarer than one per 6.67 s may be unseen.";
        assert_eq!(remark(&bad, "Confidence"), rare);
        let shown = answered(&vec![clean(); 29]);
        let verdict = "SHOWN to hold at 1 kHz: no miss in 580 000 wake-ups of 29 runs (fewer than 1 in \
                       193 609).";
        assert_eq!(shown.verdict, verdict);
    }

    #[test]
    fn what_is_unknown_follows_the_verdict() {
        let answer = answered(&[clean(), refused()]);
        let end = "to hold. 10 kHz thread: unknown, all its runs are INVALID.";
        assert!(answer.verdict.ends_with(end), "{}", answer.verdict);
        let invalid = remark(&answer, "INVALID");
        assert!(invalid.starts_with("1 of 2: the kernel refused"), "{invalid}");
        assert_eq!(answered(&[refused()]).verdict, "INVALID: no run can be used.");
    }

    #[test]
    fn fixes_are_numbered_commands() {
        let answer = answered(&[blamed("hog")]);
        let first = remark(&answer, "Fix first");
        let keep = "1. keep task `hog` off CPU 1: `sudo taskset -cp 0 4711`";
        assert!(first.starts_with(keep), "{first}");
    }

    #[test]
    fn frames_hold_or_overrun() {
        let runs = [frames("timer", 170_000)];
        let verdict = Analysis::of(&runs, &Standards::default()).verdict;
        let held = "Does not hold 2 processes with frames of 85 % at 100 Hz (`fifo:80`): 1 of 2 000 \
                    frames overran.";
        assert_eq!(all(&verdict.holds), [held]);
    }

    #[test]
    fn causes_have_counts_and_times() {
        let total = |cause: Cause, main_of, time_ns| CauseTotal {
            words: cause.words(),
            cause,
            main_of,
            part_of: main_of,
            time_ns,
            longest_ns: time_ns,
        };
        let hog = SomeTask { name: "hog".to_owned(), pid: 7, policy: "fifo:90".to_owned() };
        let gaps = total(Cause::PlatformGap, 2, 900_000);
        let summary = Summary {
            threshold_ns: 200_000,
            late: 15,
            traced: 5,
            causes: vec![total(Cause::Task(hog), 10, 4_800_000), gaps],
            contributed: 2,
            not_traced: None,
            lost_events: 5,
            windows_not_kept: 6,
            cost: Some(Cost { off_ns: 5_000.0, on_ns: 6_000.0, more_ns: 1_000.0, ratio: 1.2 }),
            told: Vec::new(),
            worst: Vec::new(),
        };
        let causes = "10 by task `hog` (fifo:90, number 7), 4.8 ms in all; 2 by platform gaps \
                      (hypervisor or firmware), 900 µs in all; 2 by several causes, none of which \
                      explains half; 1 took no longer than usual";
        assert_eq!(main_causes(&summary), causes);
        let lacking = lacking(&summary);
        let expected = [
            "Tracing lengthens the median wake-up from 5 µs to 6 µs (1.2 times).",
            "The kernel lost 5 trace events for lack of room.",
            "10 of 15 are not in the trace (6 for lack of room); their causes are from counters.",
        ];
        assert_eq!(lacking, expected);
    }
}

#[cfg(test)]
mod comparisons {
    use super::*;

    fn names() -> [String; 2] {
        ["idle".to_owned(), "busy".to_owned()]
    }

    fn undecided(rows: usize) -> QualityCompared {
        QualityCompared { worse: None, better: None, no_difference: 0, not_decided: rows }
    }

    #[test]
    fn a_comparison_reads_as_sentences() {
        let extent = |rows, figures: &[&'static str], ratios| {
            Some(Extent { rows, figures: figures.to_vec(), ratios })
        };
        let compared = Finding::PairCompared {
            names: names(),
            rows: 9,
            is_single: false,
            speed: QualityCompared { worse: extent(3, &["mean"], [1.2, 3.1]), ..undecided(0) },
            steadiness: QualityCompared {
                better: extent(1, &["p99"], [0.5, 0.5]),
                no_difference: 6,
                ..undecided(2)
            },
        };
        let single = Finding::PairCompared {
            names: names(),
            rows: 9,
            is_single: true,
            speed: undecided(9),
            steadiness: undecided(9),
        };
        let across =
            vec![Across { field: "load".to_owned(), values: ["none", "cpu"].map(str::to_owned) }];
        let best = |unbeaten: &[&str]| Finding::Best {
            quality: Quality::Speed,
            unbeaten: unbeaten.iter().map(|name| (*name).to_owned()).collect(),
            variants: 3,
        };
        let steadiest = |ratio| Finding::Steadiest {
            system: "rt".to_owned(),
            next: "stock".to_owned(),
            ratio,
            last: None,
        };
        for (finding, words) in [
            (
                compared,
                "busy is slower than idle in 3 of 9 rows (mean 1.2x to 3.1x) and steadier in 1 (p99 \
                 0.5x). No difference shown: steadiness in 6 of 9 rows. Not decided: steadiness in 2 \
                 of 9 rows.",
            ),
            (
                single,
                "Inconclusive for busy and idle: one run per side says nothing about run-to-run \
                 variation; use `--repeat 3`.",
            ),
            (
                Finding::NoEqualRows { names: names(), fields: vec!["policy".to_owned()] },
                "busy and idle have no row with equal specifications. They differ in policy: \
                 `--across policy` compares them.",
            ),
            (
                Finding::Matched { names: names(), rows: 9, across, alone: [2, 0] },
                "9 with equal specifications on idle and busy except for load (none on idle, cpu on \
                 busy); left out: 2 only on idle.",
            ),
            (best(&["a"]), "a is the fastest of 3 variants."),
            (
                best(&["a", "b"]),
                "The fastest of 3 variants is not decided between a and b: none of them is shown to be \
                 slower than another.",
            ),
            (
                steadiest(97.4),
                "rt is the steadiest system: the worst case of the next, stock, is 97.4x as long.",
            ),
            (steadiest(1.0), "No system is the steadiest: rt and stock have equal worst cases."),
            (
                Finding::SingleRuns { names: names(), rows: 1, from_parts: false },
                "busy and idle have 1 row with one run per side. Run-to-run variation comes from the \
                 other rows, a weaker claim; use `--repeat 3`.",
            ),
            (
                Finding::NotInTurns { pairs: vec![names()] },
                "busy and idle were not measured in turns: whatever else changed in between looks \
                 like a difference, so intervals are wider. A campaign alternates them.",
            ),
            (
                Finding::Inconclusive { why: Why::ShamDetected },
                "Inconclusive: the sham, which changes nothing, shows an effect, so nothing is \
                 claimed.",
            ),
            (
                Finding::NoSettingHelps { harmful: Vec::new() },
                "No setting is shown to make a difference (not proof that none does).",
            ),
        ] {
            assert_eq!(sentence(&finding), words);
        }
    }

    #[test]
    fn the_price_of_steadiness_has_a_change_for_each_figure() {
        let price = Finding::PriceOfSteadiness {
            steadiest: "rt".to_owned(),
            stock: "stock".to_owned(),
            prices: vec![(Price::Wakeup, [4e3, 5e3]), (Price::MassUpdates, [32e6, 30.4e6])],
            messages: Some((1.2, 7)),
        };
        assert_eq!(
            sentence(&price),
            "without load, rt compared with stock: an average wake-up under the default policy takes 5 µs \
             instead of 4 µs (+25 %), mass updates per second of the tire are 30 400 000 instead of \
             32 000 000 (−5 %) and messages take 1.2x as long (geometric mean of 7 tests)."
        );
    }
}

#[cfg(test)]
mod searches {
    use super::*;

    #[test]
    fn edges_name_what_holds_first() {
        let words = |axis: &Axis, held: Option<(u64, bool)>, rate_hz| {
            let held = held.map(|(size, shown)| End { size, shown });
            edge(axis, rate_hz, None, held, Some(2))
        };
        let rate = Some(1e3);
        for (found, expected) in [
            (
                words(&Axis::Masses, Some((17_920, true)), rate),
                "Largest model shown to hold 1 kHz: 17 920 masses on 2 threads.",
            ),
            (
                words(&Axis::Masses, Some((400, false)), rate),
                "No model is shown to hold 1 kHz; the largest that seems to: 400 masses on 2 threads.",
            ),
            (words(&Axis::Masses, None, rate), "No model that was tried holds 1 kHz."),
            (
                words(&Axis::Rate, Some((2_400, true)), None),
                "Highest rate shown to hold: 2 400 Hz on 2 threads.",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn fastest_solvers_are_named_by_size() {
        let solvers = |names: &[(&str, u64)]| {
            let solvers = names.iter().map(|(name, from)| ((*name).to_owned(), *from)).collect();
            sentence(&Finding::FastestSolver { machine: None, solvers })
        };
        let two = [("simd", 5_900), ("fused", 57_000)];
        assert_eq!(solvers(&two[..1]), "Fastest solver: simd.");
        assert_eq!(solvers(&two), "Fastest solver: simd below 57 000 masses, fused above.");
        let three = [two[0], two[1], ("simd", 1_000_000)];
        let words =
            "Fastest solver: simd from 5 900, fused from 57 000, simd from 1 000 000 masses.";
        assert_eq!(solvers(&three), words);
    }
}
