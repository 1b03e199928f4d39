//! Statements about causes, the platform, rights and self-tests.

use base::CpuSet;
use blame::Cause;
use serde::Serialize;

use super::fix::{Fix, numbered};
use super::said::{Said, Standing, statements};
use crate::causes::Main;
use crate::phrases::{joined, list, maybe, ns, of_all, on_machine, some, warned};
use crate::words::{counted, grouped, moment, percent, time};

statements! { AboutMachine {
    SelfTest { result: SelfTestResult }
        => match result {
            SelfTestResult::Certified => Said::answer(
                Standing::Good,
                "CERTIFIED: late events on this machine are seen, and their causes named correctly.",
            ),
            SelfTestResult::AllSeen => Said::answer(Standing::Good, "SEEN: every injected event, with its cause."),
            SelfTestResult::HostTooBusy => Said::answer(Standing::Open, TOO_BUSY),
            SelfTestResult::NotCertified { reasons } => {
                let first = reasons.first().map_or("", String::as_str);
                let more = maybe(some(reasons.len().saturating_sub(1)), |more| {
                    format!("; and {}", counted(more, "more reason"))
                });
                Said::answer(Standing::Bad, format!("NOT CERTIFIED: {first}{more}."))
            }
        };

    CertifiesMeasurements
        "Note": "this certifies the measurements, not the machine.";

    /// Late events without injection, and the main cause.
    OwnLateness { late: u64, most: Option<(String, u64)> }
        "Also late": "{} without injection{}: this machine's own lateness, not an error of the measurement.",
            counted(*late as usize, "event"),
            maybe(most.as_ref(), |(cause, count)| format!(", {} of them by {cause}", grouped(*count)));

    /// A self-test without injected disturbances.
    NotInjected
        "Not tested": "{NOT_INJECTED}";

    /// Permissions that runs lacked, so that they measured without.
    NotPermitted { cause: String, remedy: String }
        "Rights" = warned(cause, remedy);

    /// Equal set-ups of the lab gave different samples.
    SamplesDiffer { kernel: String, run: String, place: u64, setup: String, samples: Vec<String> }
        "Error": "Equal set-ups gave different samples: {kernel}, `{run}`, run {place} of set-up `{setup}` has {}. \
            Something outside of the set-up changed the measurement. `steadfast lab verify` repeats the runs and \
            compares them.", list(samples.iter().map(|sample| format!("`{sample}`")));

    /// How many events of a run were late, how many deadlines it missed, and the main causes.
    Late { late: u64, missed: u64, causes: Vec<MainCause> }
        "Why": "{}.", late_by(*late, *missed, causes);

    /// A count that explains the lateness.
    ProbableCause { machine: Option<String>, found: String }
        "Why": "probably{}: {found}.", on_machine(machine.as_ref());

    /// Nothing explains the lateness, which was largest there; whether a search looked for causes, and the largest that
    /// it found; whether it is about one size of several, so that not the whole command needs to be repeated to look
    /// for causes.
    NoKnownCause { is_searched: bool, is_of_size: bool, stall: Option<Stall>, largest: Option<Part> }
        "Why" = {
            let stall = maybe(stall.as_ref(), Stall::words);
            match (is_searched, is_of_size) {
                (true, _) => format!(
                    "unknown{stall}: no two causes that were found explain half of it{}; `--verbose` lists them.",
                    maybe(largest.as_ref(), |part| format!("; at most a part: {}", part.cause.words(part.missed)))
                ),
                (false, true) => "unknown; the same run with `--blame` looks for the cause.".to_owned(),
                (false, false) => format!("unknown{stall}; the same command with `--blame` looks for the cause."),
            }
        };

    /// A quota on CPU time may have held the work back, in a control group that cannot be seen.
    HiddenQuota
        "Unseen": "whether a CPU quota held it back: only the host shows the control groups outside this container \
            (`cpu.max`).";

    /// A real-time budget may have held the work back, in a control group that cannot be seen.
    HiddenBudget
        "Unseen": "whether a real-time budget held it back: only the host shows the control groups outside this \
            container (`cpu.rt_runtime_us`).";

    /// What to change first, on which of several machines.
    FixFirst { machine: Option<String>, fixes: Vec<Fix> }
        "Fix first": "{}{}", maybe(machine.as_ref(), |machine| format!("on {machine}: ")), numbered(fixes);

    /// Runs that used every CPU, this program's too.
    SharedCpus { shared: usize, runs: usize }
        "Note": "{} used every CPU, so Steadfast itself competed with them. Give more CPUs to the machine, or fewer to \
            `--cpus`.", of_all(*shared, *runs, "run");

    /// Gaps in which hypervisor or firmware had the CPU.
    PlatformGaps { scan: Scan, worst_ns: f64, per_minute: f64, share: f64 }
        "Platform": "Platform gaps in {1}: worst {0}, {2} per minute, {3} of the time. A latency up to {0} may be the \
            platform's, not the kernel's.",
            time(*worst_ns), scan.words(), grouped(per_minute.round() as u64), percent(*share);

    /// No gap was at least as long as the shortest that counts.
    NoPlatformGap { scan: Scan, shortest_ns: u64 }
        "Platform": "No platform gap of {} or more in {}.", ns(*shortest_ns), scan.words();

    /// Latencies were judged without a scan for gaps.
    NotScanned
        "Platform": "Unknown: no scan for platform gaps was run. `steadfast run platform_gap --cpus all` runs one.";

    /// A loop that spins does not see the cost of waking an idle virtual CPU.
    IdleExitUnseen
        "Platform": "On a virtual machine a wake-up also takes what the host needs to resume an idle CPU; a spinning \
            loop does not see that.";

    /// The self-test of the machine that results are of, if there is one.
    SelfTested { test: Option<record::SelfTested> }
        "Self-test": "Self-test: {}.", test.as_ref().map_or(
            "none on this machine yet; run `steadfast self-test`".to_owned(),
            |test| format!("measurements on this machine are {}", certified(test))
        );

    /// What taking a time stamp costs, and the resolution of the clock.
    StampCost { cost_ns: f64, resolution_ns: Option<f64> }
        "Reach": "One time stamp costs {}{}. Every latency includes that cost; it is not subtracted.",
            time(*cost_ns), maybe(*resolution_ns, |ns| format!(" and resolves {}", time(ns)));

    /// A virtual machine sees time that its host took only as the host reports it, if at all.
    StealHidden { is_reported: bool }
        "Reach" = match is_reported {
            false => "This virtual machine reports no stolen time: whether the host stopped a CPU cannot be seen, and \
                such a stall looks like the kernel's or the program's own.",
            true => "A virtual machine sees stolen time only as the host reports it, often in steps of 10 ms: shorter \
                stalls look like the kernel's own.",
        };

    WorstMayBeWorse
        "Reach": "The worst case seen is not the worst case possible: it grows with the time measured, and with loads \
            that were not tried.";

    Exactness
        "Reach": "Averages and extremes are exact. Quantiles come from a histogram and are at most 0.1 % above the true \
            value; a quantile that no sample exceeds is not shown.";

    /// Main causes of late events: loads with their places, each with its main cause.
    MainCauses { causes: Vec<(String, String)> }
        "Why": "most frequent causes of lateness: {}.",
            joined(causes.iter().map(|(neighbour, cause)| format!("{neighbour}: {cause}")), "; ");

    GuestTopology
        "Places": "the hypervisor says which CPUs share a core or a cache; two CPUs of this virtual machine may be one.";
}}

pub const NOT_INJECTED: &str = "A load on the other hardware thread of a core (SMT) is not injected: \
                                how much it slows a loop is not known beforehand.";

pub const TOO_BUSY: &str = "The host is too busy: whether this machine measures correctly is undecided. \
                            Run it again when less else runs on the host.";

/// ``task `hog` (fifo:90, number 7), once, for 1.2 s: 1 200 of 1 200 missed``.
fn late_by(late: u64, missed: u64, causes: &[MainCause]) -> String {
    let each = joined(causes.iter().map(|cause| cause.words(missed)), "; ");
    match missed {
        0 => format!("{} late, none missed: {each}", grouped(late)),
        _ => each,
    }
}

/// A main cause of lateness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MainCause {
    pub cause: String,
    /// Whether it is a task whose name a search for causes would show.
    pub is_unnamed: bool,
    /// Number of late events of which it is the main cause, and of deadlines missed because of them.
    pub late: u64,
    pub missed: u64,
    /// The most time that it took of one event, in nanoseconds.
    pub longest_ns: i64,
}

impl MainCause {
    /// Describes a cause on these CPUs, which a search for causes found or counters showed.
    pub(crate) fn of(main: &Main, cpus: &CpuSet, is_searched: bool) -> Self {
        let Main { late, missed, longest_ns, .. } = *main;
        let cause = match &main.cause {
            Cause::UnknownTask => format!("another task on {}", cpus.in_words()),
            cause => cause.words_for(main.tasks),
        };
        let is_unnamed = main.cause == Cause::UnknownTask && !is_searched;
        Self { cause, is_unnamed, late, missed, longest_ns }
    }

    /// `task hog (fifo:90), 3 times, for at most 2 ms: 7 of 12 missed`.
    fn words(&self, missed: u64) -> String {
        let longest = time(self.longest_ns as f64);
        let times = match self.late {
            1 => format!("once, for {longest}"),
            several => format!("{} times, for at most {longest}", grouped(several)),
        };
        let missed = maybe(some(missed), |all| {
            format!(": {} of {} missed", grouped(self.missed), grouped(all))
        });
        // Next to its cause: the end of a long sentence is cut.
        let unnamed = if self.is_unnamed { " (`--blame` names it)" } else { "" };
        format!("{}{unnamed}, {times}{missed}", self.cause)
    }
}

/// A cause that explains less than half.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub cause: MainCause,
    /// Number of deadlines that the run missed in all.
    pub missed: u64,
}

/// Where and when the latest event of a run was due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stall {
    pub cpus: CpuSet,
    /// In nanoseconds after the start of the run.
    pub at_ns: u64,
}

impl Stall {
    /// `at worst on CPU 1, 9.1 s after the start`, in brackets, with a blank before them.
    fn words(&self) -> String {
        format!(" (at worst on {}, {} after the start)", self.cpus.in_words(), ns(self.at_ns))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelfTestResult {
    /// Every disturbance was seen and named.
    Certified,
    /// Disturbances were missed or blamed on something else.
    NotCertified { reasons: Vec<String> },
    /// Stored disturbances were all seen; whether these are enough for a certificate is unknown.
    AllSeen,
    /// Too little could be injected to tell.
    HostTooBusy,
}

/// Returns `certified on … by version …`, or that it is not certified.
pub fn certified(test: &record::SelfTested) -> String {
    let certified = if test.certified { "certified" } else { "not certified" };
    format!("{certified} on {} by version {}", moment(test.at_unix_ns), test.tool_version)
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scan {
    pub observed_ns: f64,
    pub cpus: CpuSet,
    pub loads: String,
}

impl Scan {
    fn words(&self) -> String {
        let Self { observed_ns, cpus, loads } = self;
        format!("{} of spinning on {} ({loads})", time(*observed_ns), cpus.in_words())
    }
}
