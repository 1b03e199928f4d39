//! The English text about the machine: self-test, causes, fixes and what limits the measurement.

use analysis::causes::summaries;
use analysis::finding::{AboutMachine as About, Fix, MainCause, Said, Scan, SelfTestResult, Stall};
use analysis::phrases::{joined, list, maybe, ns, of_all, on_machine, some, warned};
use analysis::survey::System;
use analysis::verdict::{Change, How};
use analysis::words::{capital, counted, grouped, moment, percent, quantity, time};
use blame::Summary;
use plan::{Disturbed, Elsewhere, Family, ModelAudited, SelfTested};

use crate::answer::Remark;

use super::label::Label;

pub(super) fn said(finding: &About) -> Said {
    match finding {
        About::SelfTest { result } => match result {
            SelfTestResult::Certified => "Answer".good(
                "CERTIFIED: late events on this machine are seen, and their causes named \
                 correctly.",
            ),
            SelfTestResult::AllSeen => "Answer".good("SEEN: every injected event, with its cause."),
            SelfTestResult::HostTooBusy => "Answer".says(TOO_BUSY),
            SelfTestResult::NotCertified { reasons } => "Answer".bad({
                let first = reasons.first().map_or("", String::as_str);
                let more = maybe(some(reasons.len().saturating_sub(1)), |more| {
                    format!("; and {}", counted(more, "more reason"))
                });
                format!("NOT CERTIFIED: {first}{more}.")
            }),
        },
        About::CertifiesMeasurements => {
            "Note".says("this certifies the measurements, not the machine.")
        }
        About::OwnLateness { late, most } => "Also late".says({
            let most = maybe(most.as_ref(), |(cause, count)| {
                format!(", {} of them by {cause}", grouped(*count))
            });
            format!(
                "{} without injection{most}: this machine's own lateness, not an error of the \
                 measurement.",
                counted(*late as usize, "event"),
            )
        }),
        About::NotInjected => "Not tested".says(NOT_INJECTED),
        About::NotPermitted { cause, remedy } => "Rights".says(warned(cause, remedy)),
        About::SamplesDiffer { kernel, run, place, setup, samples } => "Error".says({
            let samples = list(samples.iter().map(|sample| format!("`{sample}`")));
            format!(
                "Equal set-ups gave different samples: {kernel}, `{run}`, run {place} of set-up \
                 `{setup}` has {samples}. Something outside of the set-up changed the measurement. \
                 `steadfast lab verify` repeats the runs and compares them."
            )
        }),
        About::Late { late, missed, causes } => {
            "Why".says(format!("{}.", late_by(*late, *missed, causes)))
        }
        About::ProbableCause { machine, found } => {
            "Why".says(format!("probably{}: {found}.", on_machine(machine.as_ref())))
        }
        About::NoKnownCause { is_searched: true, stall, largest, .. } => "Why".says(format!(
            "unknown{}: no two causes that were found explain half of it{}; `--verbose` lists them.",
            maybe(stall.as_ref(), stalled),
            maybe(largest.as_ref(), |part| {
                format!("; at most a part: {}", times_of(&part.cause, part.missed))
            })
        )),
        About::NoKnownCause { is_searched: false, is_of_size: true, .. } => {
            "Why".says("unknown; the same run with `--blame` looks for the cause.")
        }
        About::NoKnownCause { is_searched: false, stall, .. } => "Why".says(format!(
            "unknown{}; the same command with `--blame` looks for the cause.",
            maybe(stall.as_ref(), stalled)
        )),
        About::HiddenQuota => "Unseen".says(
            "whether a CPU quota held it back: only the host shows the control groups outside this \
             container (`cpu.max`).",
        ),
        About::HiddenBudget => "Unseen".says(
            "whether a real-time budget held it back: only the host shows the control groups outside \
             this container (`cpu.rt_runtime_us`).",
        ),
        About::FixFirst { machine, fixes } => Remark::FIX_FIRST.says({
            let machine = maybe(machine.as_ref(), |machine| format!("on {machine}: "));
            machine + &numbered(&fixes.iter().map(fix).collect::<Vec<_>>())
        }),
        About::SharedCpus { shared, runs } => "Note".says(format!(
            "{} used every CPU, so Steadfast itself competed with them. Give more CPUs to the \
             machine, or fewer to `--cpus`.",
            of_all(*shared, *runs, "run")
        )),
        About::PlatformGaps { scan, worst_ns, per_minute, share } => "Platform".says(format!(
            "Platform gaps in {}: worst {worst}, {} per minute, {} of the time. A latency up to \
             {worst} may be the platform's, not the kernel's.",
            scanned(scan),
            grouped(per_minute.round() as u64),
            percent(*share),
            worst = time(*worst_ns),
        )),
        About::NoPlatformGap { scan, shortest_ns } => "Platform".says(format!(
            "No platform gap of {} or more in {}.",
            ns(*shortest_ns),
            scanned(scan)
        )),
        About::NotScanned => "Platform".says(
            "Unknown: no scan for platform gaps was run. `steadfast run platform_gap --cpus all` \
             runs one.",
        ),
        About::IdleExitUnseen => "Platform".says(
            "On a virtual machine a wake-up also takes what the host needs to resume an idle CPU; \
             a spinning loop does not see that.",
        ),
        About::SelfTested { test: Some(test) } => "Self-test"
            .says(format!("Self-test: measurements on this machine are {}.", certified(test))),
        About::SelfTested { test: None } => {
            "Self-test".says("Self-test: none on this machine yet; run `steadfast self-test`.")
        }
        About::StampCost { cost_ns, resolution_ns } => "Reach".says({
            let resolution = maybe(*resolution_ns, |ns| format!(" and resolves {}", time(ns)));
            format!(
                "One time stamp costs {}{resolution}. Every latency includes that cost; it is not \
                 subtracted.",
                time(*cost_ns)
            )
        }),
        About::StealHidden { is_reported: false } => "Reach".says(
            "This virtual machine reports no stolen time: whether the host stopped a CPU cannot be \
             seen, and such a stall looks like the kernel's or the program's own.",
        ),
        About::StealHidden { is_reported: true } => "Reach".says(
            "A virtual machine sees stolen time only as the host reports it, often in steps of \
             10 ms: shorter stalls look like the kernel's own.",
        ),
        About::WorstMayBeWorse => "Reach".says(
            "The worst case seen is not the worst case possible: it grows with the time measured, \
             and with loads that were not tried.",
        ),
        About::Exactness => "Reach".says(
            "Averages and extremes are exact. Quantiles come from a histogram and are at most \
             0.1 % above the true value; a quantile that no sample exceeds is not shown.",
        ),
        About::MainCauses { causes } => "Why".says({
            let causes = causes.iter().map(|(neighbour, cause)| format!("{neighbour}: {cause}"));
            format!("most frequent causes of lateness: {}.", joined(causes, "; "))
        }),
        About::GuestTopology => "Places".says(
            "the hypervisor says which CPUs share a core or a cache; two CPUs of this virtual \
             machine may be one.",
        ),
    }
}

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

pub(crate) const NOT_INJECTED: &str = "A load on the other hardware thread of a core (SMT) is not injected: \
                                       how much it slows a loop is not known beforehand.";

pub(crate) const TOO_BUSY: &str = "The host is too busy: whether this machine measures correctly is undecided. \
                                   Run it again when less else runs on the host.";

/// Maximum number of characters for all fixes of an answer: two lines of a terminal.
const FIXES: usize = 130;

/// Maximum number of causes that a sentence names; the others are summed up.
const MOST_CAUSES: usize = 6;

/// `at worst on CPU 1, 9.1 s after the start`, in brackets, with a blank before them.
fn stalled(Stall { cpus, at_ns }: &Stall) -> String {
    format!(" (at worst on {}, {} after the start)", cpus.in_words(), ns(*at_ns))
}

/// ``task `hog` (fifo:90, number 7), once, for 1.2 s: 1 200 of 1 200 missed``.
fn late_by(late: u64, missed: u64, causes: &[MainCause]) -> String {
    let each = joined(causes.iter().map(|cause| times_of(cause, missed)), "; ");
    match missed {
        0 => format!("{} late, none missed: {each}", grouped(late)),
        _ => each,
    }
}

/// `task hog (fifo:90), 3 times, for at most 2 ms: 7 of 12 missed`.
fn times_of(cause: &MainCause, missed: u64) -> String {
    let longest = time(cause.longest_ns as f64);
    let times = match cause.late {
        1 => format!("once, for {longest}"),
        several => format!("{} times, for at most {longest}", grouped(several)),
    };
    let missed = maybe(some(missed), |all| {
        format!(": {} of {} missed", grouped(cause.missed), grouped(all))
    });
    // Next to its cause: the end of a long sentence is cut.
    let unnamed = if cause.is_unnamed { " (`--blame` names it)" } else { "" };
    format!("{}{unnamed}, {times}{missed}", cause.cause)
}

fn fix(fix: &Fix) -> String {
    match fix {
        Fix::Remedy { remedy } => remedy.clone(),
        Fix::RealTimePolicy => {
            "run it at a real-time priority: `sudo steadfast ... --policy fifo:80`".to_owned()
        }
        Fix::Advice { check, change } => short_change(check, change, FIXES),
        Fix::MoveWorkOf { task, cpus } => format!(
            "find what gives task `{task}` its work, and keep that off {}: the task cannot leave its CPU",
            cpus.in_words()
        ),
        Fix::StopTask { task, pid, cpus } => {
            let number = maybe(*pid, |pid| format!(" (number {pid})"));
            format!(
                "stop task `{task}`{number}, or give it less to do: it has no CPU but {}",
                cpus.in_words()
            )
        }
        Fix::MoveTask { task, pid: Some(pid), cpus, to } => format!(
            "keep task `{task}` off {}: `sudo taskset -cp {to} {pid}` while it runs",
            cpus.in_words()
        ),
        Fix::MoveTask { task, pid: None, cpus, to } => format!(
            "keep every task `{task}` off {}: start them with `taskset -c {to}`",
            cpus.in_words()
        ),
        Fix::MoveInterrupt { interrupt, number, cpus, to } => format!(
            "keep interrupt `{interrupt}` off {}: `echo {to} | sudo tee \
             /proc/irq/{number}/smp_affinity_list`",
            cpus.in_words()
        ),
        Fix::LookForCause { command } => format!("`{command}`"),
        Fix::FindGaps { command } => {
            format!("find out which: `{command}` shows whether the platform stops the CPU")
        }
        Fix::LockMemory => "lock memory: leave out `--memory unlocked`".to_owned(),
        Fix::TouchMemory { audit } => {
            format!("touch all memory before the first step; `{audit}` shows where a step faults")
        }
        Fix::RemoveWait { audit } => format!(
            "take the wait out of the step{}",
            maybe(audit.as_ref(), |audit| format!("; `{audit}` shows where it is"))
        ),
        Fix::KeepFromStopping => {
            "keep what stops the process (a debugger, SIGSTOP) away from it".to_owned()
        }
        Fix::Thaw => "keep its control group from being frozen".to_owned(),
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

fn scanned(scan: &Scan) -> String {
    let Scan { observed_ns, cpus, loads } = scan;
    format!("{} of spinning on {} ({loads})", time(*observed_ns), cpus.in_words())
}

/// Returns `certified on … by version …`, or that it is not certified.
pub(crate) fn certified(test: &SelfTested) -> String {
    let certified = if test.certified { "certified" } else { "not certified" };
    format!("{certified} on {} by version {}", moment(test.at_unix_ns), test.tool_version)
}

pub(crate) fn change(change: &Change) -> String {
    let found = maybe(change.found.as_ref(), |found| format!("{}. ", capital(found)));
    match &change.how {
        How::Command { besides } if besides.is_empty() => format!("{found}To change it:"),
        How::Command { besides } => format!("{found}To change it ({}):", besides.join("; ")),
        How::AtBoot { explained } => format!("{found}On the kernel's command line: {explained}"),
        How::Otherwise { change } => format!("{found}To change it: {change}."),
        How::Run { remedy } => format!("{}.", capital(remedy)),
        How::Fix { fix: Fix::LookForCause { command } } => {
            format!("The cause is unknown; this looks for it: `{command}`")
        }
        How::Fix { fix } => format!("{}.", capital(&self::fix(fix))),
    }
}

pub(crate) fn causes(systems: &[System]) -> Vec<String> {
    let mut found = Vec::new();
    for series in systems.iter().flat_map(|system| &system.series) {
        let thing = match Family::of(&series.spec.measurement) {
            Some(Family::Wakeups) => "wake-up",
            Some(Family::Frames) => "frame",
            Some(Family::Models | Family::Mixes) => "step",
            _ => "period",
        };
        for summary in summaries(series) {
            let late = counted(summary.late as usize, &format!("late {thing}"));
            let limit = ns(summary.threshold_ns.cast_unsigned());
            let causes = maybe(some(summary.late), |_| format!(": {}", main_causes(&summary)));
            let title = series.spec.title();
            found.push(format!("{title}: {late}, more than {limit} after the due time{causes}."));
            found.extend(lacking(&summary));
        }
    }
    found
}

/// ``10 by task `hog` (fifo:90), 4.8 ms in all, 7 missed; 2 by platform gaps, 0.9 ms in all``.
fn main_causes(summary: &Summary) -> String {
    let mains = || summary.causes.iter().filter(|total| total.main_of > 0);
    let named = mains().take(MOST_CAUSES).map(|total| {
        let time = time(total.time_ns as f64);
        // The time is of every event that it is part of.
        let others = Some(total.part_of).filter(|part_of| *part_of != total.main_of);
        let time = match others {
            Some(part_of) => format!(" (part of {}, {time} in all)", grouped(part_of)),
            None => format!(", {time} in all"),
        };
        let missed = maybe(some(total.missed), |missed| format!(", {} missed", grouped(missed)));
        format!("{} by {}{time}{missed}", grouped(total.main_of), total.words)
    });
    let more: u64 = mains().skip(MOST_CAUSES).map(|total| total.main_of).sum();
    let explained = mains().map(|total| total.main_of).sum::<u64>() + summary.contributed;
    let rest = [
        (more, "by others"),
        (summary.contributed, "by several causes, none of which explains half"),
        (summary.late.saturating_sub(explained), "took no longer than usual"),
    ];
    let rest = rest.into_iter().filter(|(count, _)| *count > 0);
    joined(named.chain(rest.map(|(count, what)| format!("{} {what}", grouped(count)))), "; ")
}

pub(crate) fn lacking(summary: &Summary) -> Vec<String> {
    let cost = summary.cost.as_ref().map(|cost| {
        let ([off, on], times) = ([cost.off_ns, cost.on_ns].map(time), quantity(cost.ratio));
        format!("Tracing lengthens the median wake-up from {off} to {on} ({times} times).")
    });
    let not_traced = summary.not_traced.as_ref().map(|why| {
        format!("Nothing was traced ({why}): causes are from counters, which name no task.")
    });
    let lost = some(summary.lost_events).map(|events| {
        let events = counted(events as usize, "trace event");
        format!("The kernel lost {events} for lack of room.")
    });
    let untraced = some(summary.late.saturating_sub(summary.traced));
    let untraced = untraced.filter(|_| not_traced.is_none()).map(|untraced| {
        let no_room = maybe(some(summary.windows_not_kept), |count| {
            format!(" ({} for lack of room)", grouped(count as u64))
        });
        let share = format!("{} of {}", grouped(untraced), grouped(summary.late));
        format!("{share} are not in the trace{no_room}; their causes are from counters.")
    });
    [cost, not_traced, lost, untraced].into_iter().flatten().collect()
}

pub(crate) fn by_cause(found: &[Disturbed], which: fn(&Disturbed) -> &[Elsewhere]) -> Vec<String> {
    let sentence = |disturbed: &Disturbed| {
        let each = which(disturbed).iter().map(|late| {
            let longest = time(late.longest_ns as f64);
            format!("{} by {} (at most {longest})", late.count, late.cause)
        });
        some(joined(each, "; ")).map(|each| format!("`{}`: {each}.", disturbed.name))
    };
    found.iter().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use blame::{Cause, CauseTotal, Cost, SomeTask};

    #[test]
    fn causes_have_counts_and_times() {
        let total = |cause: Cause, main_of, time_ns| CauseTotal {
            words: cause.words(),
            cause,
            main_of,
            missed: if main_of == 10 { 7 } else { 0 },
            part_of: main_of,
            time_ns,
            longest_ns: time_ns,
        };
        let hog = SomeTask { name: "hog".to_owned(), pid: 7, policy: "fifo:90".to_owned() };
        let gaps = total(Cause::PlatformGap, 2, 900_000);
        let summary = Summary {
            threshold_ns: 200_000,
            late: 15,
            missed: 7,
            traced: 5,
            causes: vec![total(Cause::Task(hog), 10, 4_800_000), gaps],
            contributed: 2,
            not_traced: None,
            lost_events: 5,
            windows_not_kept: 6,
            handler_worst_ns: None,
            cost: Some(Cost { off_ns: 5_000.0, on_ns: 6_000.0, more_ns: 1_000.0, ratio: 1.2 }),
            told: Vec::new(),
            worst: Vec::new(),
        };
        let causes = "10 by task `hog` (fifo:90, number 7), 4.8 ms in all, 7 missed; 2 by platform \
                      gaps (hypervisor or firmware), 900 µs in all; 2 by several causes, none of which \
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
