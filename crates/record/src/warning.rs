//! What a reader of a result must know: one list of warnings, and one place that says of each what happened, what to
//! do about it, and whether the run's figures may be used.

use std::path::Path;

use base::{CpuSet, Nanos, Policy, RightBarrier, counted};
use serde::{Deserialize, Serialize};

use crate::right::{LEAVE_IDLE_STATES, WITH_DEVICE, remedy_for_device, remedy_for_held_policy};
use crate::{KnobBarrier, Right, remedy_for};

/// What a warning means for the figures of its run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Valid,
    Invalid,
    /// INVALID by something else during the run, so that a repetition may be free of it.
    Passing,
}
use Effect::{Invalid, Passing, Valid};

/// Returns the time with its first three digits, the others 0.
fn in_three_digits(ns: u64) -> Nanos {
    let unit = 10_u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(2));
    Nanos(ns / unit * unit)
}

/// Returns the time as sentences have it: `71.7 µs`.
fn in_words(time: Nanos) -> String {
    let typed = time.to_string();
    let unit = typed.find(char::is_alphabetic).unwrap_or(typed.len());
    format!("{} {}", &typed[..unit], typed[unit..].replace("us", "µs"))
}

/// Says how late a sample was, and when; rounding does not hide that it was beyond the limit.
fn woke_late(thread: &str, limit_ns: u64, late_ns: u64, at_ns: u64) -> String {
    let late = Some(in_three_digits(late_ns)).filter(|late| late.0 > limit_ns);
    let late = in_words(late.unwrap_or(Nanos(late_ns)));
    format!("`{thread}` woke {late} late, {} after the start", in_words(in_three_digits(at_ns)))
}

struct Account {
    effect: Effect,
    cause: String,
    remedy: String,
}

fn account(effect: Effect, cause: impl Into<String>, remedy: impl Into<String>) -> Account {
    Account { effect, cause: cause.into(), remedy: remedy.into() }
}

/// Returns the end of a sentence about a model with the last lines that it printed, if it printed any. The
/// last one comes first: it is kept when the sentence is cut.
#[must_use]
pub fn quoted_output(printed: &[String]) -> String {
    match printed.split_last() {
        None => String::new(),
        Some((last, [])) => format!("; it printed last: {last}"),
        Some((last, before)) => {
            format!("; it printed last: {last}; before that: {}", before.join(" | "))
        }
    }
}

/// Declares the warnings: the code and the fields of each, and then what it means for the figures, what happened and
/// what to do about it, or an expression for these three.
macro_rules! warnings {
    (
        $($(#[$about:meta])* $code:ident $({ $($(#[$of:meta])* $field:ident: $type:ty),* })?
            $(: $effect:ident, $cause:literal, $remedy:expr;)? $(= $account:expr;)?)*
    ) => {
        /// Something that differed from the request, or that limits what a result says. Reasons are the kernel's words
        /// if it gave any.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "code", rename_all = "snake_case")]
        pub enum Warning {
            $($(#[$about])* $code $({ $($(#[$of])* $field: $type),* })?,)*
        }

        impl Warning {
            fn account(&self) -> Account {
                match self {
                    $(Self::$code $({ $($field),* })? => {
                        $(account($effect, format!($cause), $remedy))?
                        $($account)?
                    })*
                }
            }
        }
    };
}

warnings! {
    /// The thread is `None` if none may have the policy; `privileged` if the process had the right to request it.
    PolicyRefused {
        thread: Option<String>,
        asked: Policy,
        reason: String,
        privileged: bool,
        /// The highest real-time priority that the user's limit grants; 0 for none.
        #[serde(default)]
        granted: u8,
        /// What keeps the process from the right; `None` if it cannot be seen.
        #[serde(default)]
        barrier: Option<RightBarrier>
    } = {
        let whom = match thread {
            Some(thread) => format!("for thread `{thread}`"),
            None => "for measuring threads".to_owned(),
        };
        let lower = asked.priority().and_then(|priority| asked.lowered(priority.checked_sub(*granted)?));
        let lower = lower.filter(|lower| lower != asked);
        let is_held = barrier.map_or(*privileged, RightBarrier::is_held);
        let remedy = match (is_held, asked) {
            (false, _) if let Some(lower) = lower => {
                format!("measure with `--policy {lower}`, the highest priority that this user's limit grants; or {}", remedy_for(*barrier))
            }
            (false, _) => remedy_for(*barrier).to_owned(),
            (true, Policy::Deadline { .. }) => "use every CPU (no `--cpus`, `taskset` or `CPUAffinity=`: the kernel pins no deadline thread), and a share RUNTIME/PERIOD below `sched_rt_runtime_us`".to_owned(),
            (true, _) => remedy_for_held_policy(*barrier),
        };
        account(Invalid, format!("the kernel refused policy {asked} {whom}: {reason}"), remedy)
    };
    /// It was read `before` or `after` the measured loop.
    PolicyDiffers { thread: String, asked: Policy, found: Policy, when: String }: Passing,
        "thread `{thread}` ran under {found} instead of {asked} (read back {when} the measured loop)",
        RESCHEDULED;
    AffinityRefused { thread: String, asked: CpuSet, reason: String }: Invalid,
        "the kernel refused CPUs {asked} for thread `{thread}`: {reason}",
        "name CPUs that are online and inside this process's cpuset: `grep Cpus_allowed_list /proc/self/status`";
    /// They were read `before` or `after` the measured loop.
    AffinityDiffers { thread: String, asked: CpuSet, found: CpuSet, when: String }: Passing,
        "thread `{thread}` ran on CPUs {found} instead of {asked} (read back {when} the measured loop)",
        RESCHEDULED;
    /// The run did not request conditions that need rights which the user lacks.
    NotPermitted {
        rights: Vec<Right>,
        /// What keeps the process from them; `None` if it cannot be seen.
        #[serde(default)]
        barrier: Option<RightBarrier>
    } = {
        let remedy = match rights.as_slice() {
            [Right::IdleStates] => format!("{}; or {LEAVE_IDLE_STATES}", remedy_for_device(*barrier)),
            rights if !rights.contains(&Right::IdleStates) => remedy_for(*barrier).to_owned(),
            _ => match barrier {
                None | Some(RightBarrier::NoCapability | RightBarrier::NoSudo) => remedy_for_device(*barrier).to_owned(),
                Some(_) => format!("{}; for idle states, {WITH_DEVICE}", remedy_for(*barrier)),
            },
        };
        let rights: Vec<&str> = rights.iter().map(|right| right.name()).collect();
        let rights = rights.join(", ");
        account(Valid, format!("measured without these rights, which this user lacks: {rights}"), remedy)
    };
    MemoryLockRefused {
        reason: String,
        /// What keeps the process from the right; `None` if it cannot be seen.
        #[serde(default)]
        barrier: Option<RightBarrier>
    } = {
        let grant = remedy_for(*barrier);
        let remedy = match barrier.is_some_and(RightBarrier::is_held) {
            true => grant.to_owned(),
            false => format!("{grant}; or raise the limit with `ulimit -l unlimited`"),
        };
        account(Invalid, format!("memory could not be locked: {reason}"), remedy)
    };
    /// `/dev/cpu_dma_latency` could not be held, or does not exist.
    LatencyHoldRefused {
        reason: String,
        #[serde(default)]
        is_missing: bool,
        /// What keeps the process from the right; `None` if it cannot be seen.
        #[serde(default)]
        barrier: Option<RightBarrier>
    } = {
        let remedy = if *is_missing { WITH_DEVICE } else { remedy_for_device(*barrier) };
        let remedy = format!("{remedy}; or {LEAVE_IDLE_STATES}");
        account(Invalid, format!("/dev/cpu_dma_latency could not be held at 0 us: {reason}"), remedy)
    };
    LatencyHoldLost { found_us: Option<i32> } = {
        let cause = match found_us {
            Some(us) => format!("/dev/cpu_dma_latency read back {us} us instead of 0 us"),
            None => "/dev/cpu_dma_latency could not be read back".to_owned(),
        };
        account(Passing, cause, "stop the other program that writes /dev/cpu_dma_latency, and run again")
    };
    LoadNotStarted { load: String, reason: String }: Invalid,
        "load `{load}` could not be started: {reason}",
        "fix the reported problem, or choose another load (`steadfast list`)";
    LoadIdle { load: String }: Invalid,
        "load `{load}` did no work during the measurement",
        STARVED_LOAD;
    LoadStalled { load: String }: Invalid,
        "a process of load `{load}` stopped working before the measurement ended",
        STARVED_LOAD;
    LoadPaused { load: String, percent: u64 }: Passing,
        "a process of load `{load}` did almost no work in {percent} % of the run, while it was stopped or its CPU was idle",
        STARVED_LOAD;
    LoadUneven { load: String, percent: u64 }: Valid,
        "a process of load `{load}` did almost no work in {percent} % of the run, while others used its CPU or it waited",
        STARVED_LOAD;
    LoadEnded {
        load: String,
        /// How it ended, in the load's own words if it printed any.
        #[serde(default)]
        reason: String
    } = {
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        account(
            Invalid,
            format!("a process of load `{load}` ended before the measurement did{reason}"),
            "find what ended it (another user, lack of memory, a full disk), and run again",
        )
    };
    /// Other tasks could not be moved off the measured CPUs; a count of 0 means that no move could be tried.
    OthersStayed { count: u64, reason: String } = match count {
        0 => account(
            Invalid,
            format!("no other tasks were moved off the measured CPUs: {reason}"),
            "fix the reported problem, or leave other tasks where they are with `--others stay`",
        ),
        count => account(
            Invalid,
            format!("{} could not be moved off the measured CPUs: {reason}", counted(*count as usize, "other task")),
            "run with `sudo`, or leave other tasks where they are with `--others stay`",
        ),
    };
    PeerSilent { peer: String }: Invalid,
        "no datagram came back from {peer}",
        "start `steadfast echo` on the peer and allow UDP datagrams between the two machines, or use `--peer local`";
    SourceFailed { source: String, reason: String }: Invalid,
        "source `{source}` failed before its run was over: {reason}",
        "fix the reported problem (an unplugged device, a loose wire, another program that uses the source), and run again";
    /// Unanswered interrupts were raised but never received. Their periods are among the skipped ones, which
    /// have no sample.
    SourceUnsteady { source: String, unanswered: u64, skipped: u64, due: u64 }: Valid,
        "source `{source}`: interrupts raised but never received: {unanswered}; periods without a sample: {skipped} of {due}",
        "check its wiring and that no other program uses it, and give it more time with a longer `--period`; the figures include only the interrupts received";
    /// A sample was later than the limit that ends its run.
    StoppedAt { thread: String, limit_ns: u64, late_ns: u64, at_ns: u64, planned_ns: u64 } = {
        let (woke, limit) = (woke_late(thread, *limit_ns, *late_ns, *at_ns), Nanos(*limit_ns));
        let planned = in_words(Nanos(*planned_ns));
        account(
            Valid,
            format!("{woke}, so --stop-at {limit} ended the run, which was planned for {planned}"),
            "the figures cover the time before that; to measure all of the planned time, leave out --stop-at",
        )
    };
    /// A sample was later than the limit that ends its run, and was found only after the run's planned end.
    StoppedTooLate { thread: String, limit_ns: u64, late_ns: u64, at_ns: u64 } = {
        let (woke, limit) = (woke_late(thread, *limit_ns, *late_ns, *at_ns), Nanos(*limit_ns));
        account(
            Valid,
            format!("{woke}, beyond --stop-at {limit}, but the run was over before that was found"),
            "the figures cover all of the planned time; to end at the sample, leave time on another CPU for the thread that looks",
        )
    };
    SamplesLost { track: String, count: u64 } = account(
        Invalid,
        format!("{} of `{track}` did not fit the memory prepared for them", counted(*count as usize, "sample")),
        "measure for a shorter time, and report this as a defect",
    );
    PageFaults { thread: String, count: u64 } = account(
        Valid,
        format!("thread `{thread}` took {} in its measured loop", counted(*count as usize, "page fault")),
        "lock memory (the default), and run with more free memory",
    );
    Migrated { thread: String, count: u64 } = account(
        Passing,
        format!("thread `{thread}` was pinned but moved to another CPU {}", counted(*count as usize, "time")),
        RESCHEDULED,
    );
    LeftPrimaryMode { thread: String, count: u64 } = account(
        Invalid,
        format!("thread `{thread}` left the real-time core for Linux {} in its measured loop", counted(*count as usize, "time")),
        "the thread used a service of Linux that the core lacks (docs/dual-kernels.md lists what the core offers): choose another variant, such as `--peer none` for frames, or use the build without the core's feature",
    );
    /// A machine of the lab was to boot with a parameter that its kernel passed on to user space. The models are those
    /// that the kernel has, for the parameter that chooses one.
    ParameterRefused { parameter: String, models: Vec<String> } = match models.as_slice() {
        [] => account(
            Invalid,
            format!("the kernel did not take the parameter {parameter}"),
            "correct its name or value (Documentation/admin-guide/kernel-parameters.txt of this kernel), or leave it out",
        ),
        models => account(
            Invalid,
            format!("requested {parameter}; the kernel has {}", models.join(", ")),
            "request one of these models, or another kernel",
        ),
    };
    ModeSwitchesUncounted { thread: String }: Invalid,
        "the real-time core does not report how often thread `{thread}` left it for Linux",
        "use a core that counts this for the threads that it knows (a kernel with CONFIG_XENO_OPT_STATS for Cobalt, CONFIG_EVL_RUNSTATS for EVL)";
    Stolen { cpu: usize, steal_ns: u64 } = account(
        Valid,
        format!("the hypervisor took CPU {cpu} away for {:.0} ms of the run", *steal_ns as f64 / 1e6),
        "measure on bare metal, or give the virtual machine its own physical CPUs",
    );
    NiceInherited { nice: i8 }: Valid,
        "threads of policy other ran at nice {nice}, inherited from whatever started this program",
        "start it without `nice`, or request a nice value, for example with `--policy other:0`";
    /// The control group limits CPU time; the limit is in words.
    CpuBudget { granted: String }: Valid,
        "the control group may use {granted}; when that is used up, the kernel stops it until the next period",
        "remove the limit (`echo max | sudo tee /sys/fs/cgroup/GROUP/cpu.max`; under version 1 `echo -1` into cpu.cfs_quota_us; a container without --cpus and --cpu-quota), or start the program outside the group";
    /// Another process measured on one of the CPUs at the same time; `asked` if the user allowed it.
    MeasuredBeside { who: String, asked: bool } = match asked {
        true => account(
            Valid,
            format!("another measurement ran on these CPUs at the same time and was not waited for: {who}"),
            "measure alone: without `--beside`, a run waits for other measurements on its CPUs (root waits only for those of root)",
        ),
        false => account(
            Passing,
            format!("another measurement was started while this one ran: {who}"),
            format!("start the same command again, once {} has ended", neighbours(who)),
        ),
    };
    MeasuredBesideUnknown { reason: String }: Valid,
        "it is unknown whether another process measured on these CPUs: {reason}",
        "check it yourself, or use a kernel with time namespaces (Linux 5.6, CONFIG_TIME_NS) and mount /proc";
    /// What a reader of another tool's file must know, in words.
    ImportedAsIs { what: String, advice: String } = account(Valid, what.clone(), advice.clone());
    NoHousekeepingCpu: Valid,
        "every CPU was measured, so the controlling thread of this program competed with them",
        "leave one CPU out of `--cpus`";
    StepsRecorded: Valid,
        "every mass was recorded after every step, in the measured loop, so its times cannot be compared with other runs",
        "measure times without `--record`";
    HousekeepingBeside: Valid,
        "the controlling thread of this program shared a core with a measured CPU",
        "leave one core out of `--cpus`, with all its hardware threads";
    /// The description of the user's own model does not allow steps of the requested size.
    StepSizeUnfit { model: String, asked: String, own: String, takes_multiples: bool, fitting: String } = {
        let cause = match takes_multiples {
            true => format!("{model} steps in multiples of {own}, which a step at {asked} is not"),
            false => format!("{model} takes steps of one size and proposes {own}; a step at {asked} has another"),
        };
        account(Valid, cause, format!("use `--rate {fitting}`"))
    };
    /// The user's own model says that it needs the tool that exported it, which the user ignores.
    ToolIgnored { model: String }: Valid,
        "{model} says that it needs the tool that exported it: without it, outputs may be wrong; if it starts it, the tool's \
         own time counts only where a step waits for it",
        "export it as a standalone FMU, or compare its outputs with those of the tool (`--check`)";
    /// The user's own model ended its run, in this call, such as `step`.
    ModelFailed {
        phase: String,
        step: Option<u64>,
        what: String,
        /// The last lines that it printed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        printed: Vec<String>
    } = {
        let place = step.map_or_else(|| format!("its {phase}"), |step| format!("step {step}"));
        account(
            Invalid,
            format!("the model failed in {place}: {what}{}", quoted_output(printed)),
            "fix the reported problem; `steadfast audit` steps the model under watch and shows what each step does",
        )
    };
    /// The place is empty if nothing was tried.
    KnobRefused { knob: String, asked: String, place: String, reason: String, barrier: KnobBarrier } = {
        let place = if place.is_empty() { String::new() } else { format!(" ({place})") };
        let cause = format!("knob `{knob}` could not be set to {asked}{place}: {reason}");
        account(Invalid, cause, barrier.remedy())
    };
    KnobDiffers { knob: String, asked: String, place: String, found: String }: Invalid,
        "knob `{knob}` took {asked} but read back {found} ({place})",
        "try the value that was read back, or leave this knob out";
    /// A knob changed to another value when other knobs (`by`) of the same run were set after it.
    KnobOverridden { knob: String, asked: String, found: String, by: Vec<String> } = {
        let by = by.join(" or ");
        account(
            Invalid,
            format!("knob `{knob}` changed from {asked} to {found} when {by} was set too"),
            "try them separately, or leave one out",
        )
    };
    /// A knob changed before the run was over; `by` has the running programs that also write it.
    KnobChanged { knob: String, asked: String, found: String, by: Vec<String> } = {
        let (by, remedy) = match by.as_slice() {
            [] => ("by an unknown program".to_owned(), "find what changes settings on this machine (a daemon, another user), stop it, and run again".to_owned()),
            by => (format!("perhaps by {}, which is running", by.join(" or ")), format!("stop it (under systemd: `sudo systemctl stop {}`), and run again", by.join(" "))),
        };
        account(Passing, format!("knob `{knob}` changed from {asked} to {found} during the run, {by}"), remedy)
    };
    /// A knob could not be restored to the value before the run.
    KnobNotGivenBack { knob: String, place: String, before: String, reason: String }: Invalid,
        "knob `{knob}` could not be restored to {before} ({place}): {reason}",
        "write it back by hand, or run `steadfast knobs back` to try again";
    /// Firmware or kernel slowed the CPUs during the run, in the words of the doctor.
    Slowed { found: String }: Valid,
        "heat or low voltage slowed the CPUs during the run ({found})",
        "cool the machine better, or give it a stronger power supply, and run again";
    ThrottlingReached {
        cpu: usize,
        used_percent: u64,
        granted_percent: u64,
        /// How often stamps show that the kernel then held them back; 0 if it may or may not have.
        #[serde(default)]
        gaps: u64,
        /// The file of a control group, if that limits them.
        #[serde(default)]
        group: Option<String>,
        /// Whether the share is only what kernels usually allow, because the limit cannot be seen.
        #[serde(default)]
        is_usual: bool
    } = {
        let allowed = match (group, is_usual) {
            (Some(file), _) => format!("the control group allows {granted_percent} % ({file})"),
            (None, false) => format!("the kernel allows {granted_percent} %"),
            (None, true) => format!("kernels usually allow {granted_percent} % (the limit of this one cannot be seen)"),
        };
        let means = if group.is_some() { "throttling" } else { "throttling or its fair server" };
        let (effect, cause) = match gaps {
            0 => (Valid, format!("real-time threads used {used_percent} % of CPU {cpu}, and {allowed}: gaps may come from its {means}")),
            gaps => (Invalid, format!("the kernel held back the real-time threads on CPU {cpu} {}, each time after they had used up to {used_percent} % of the time; {allowed} ({})", counted(*gaps as usize, "time"), means.replace("its ", ""))),
        };
        account(effect, cause, format!("leave the CPU more idle time, or {}", lift_throttling(group.as_deref())))
    };
}

impl Warning {
    /// A model ended its run in this phase; what it printed is not known yet.
    #[must_use]
    pub fn model_failed(phase: &str, step: Option<u64>, what: String) -> Self {
        Self::ModelFailed { phase: phase.to_owned(), step, what, printed: Vec::new() }
    }
    /// Whether the run's figures must not be used.
    pub fn invalidates(&self) -> bool {
        self.account().effect != Valid
    }

    pub(crate) fn passes(&self) -> bool {
        self.account().effect == Passing
    }

    /// Returns what happened, in one sentence.
    pub fn cause(&self) -> String {
        self.account().cause
    }

    /// Returns the remedy: a command, a privilege or a setting.
    pub fn remedy(&self) -> String {
        self.account().remedy
    }
}

/// What follows the first words of a process that measured; older results have the last one.
const MEASURED: [&str; 3] = [" had measured on ", " measured on ", " measures on "];

/// Returns the processes that measured, each by its first words: `process 71`.
fn neighbours(who: &str) -> String {
    let end = |one: &str| MEASURED.iter().find_map(|verb| one.find(verb));
    let named: Vec<&str> = who.split("; ").filter_map(|one| Some(&one[..end(one)?])).collect();
    if named.is_empty() { "it".to_owned() } else { named.join(" and ") }
}

/// Returns how to let real-time threads use all of a CPU; `group` is the file of a control group, if that
/// limits them.
#[must_use]
pub fn lift_throttling(group: Option<&str>) -> String {
    match group {
        Some(file) => format!(
            "raise the budget of the control group: `echo 950000 | sudo tee {}` (the groups above it first; a \
             container: start it with `--cpu-rt-runtime=950000`)",
            base::quoted_file(Path::new(file))
        ),
        None => LIFT_OF_KERNEL.to_owned(),
    }
}

const LIFT_OF_KERNEL: &str = "lift the limit while measuring: `sudo sysctl kernel.sched_rt_runtime_us=-1`, or from Linux 6.12 on `echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu*/runtime`";

const RESCHEDULED: &str = "find what changes scheduling on this machine (a tuning daemon, a cpuset, a container limit), stop it, and run again";

const STARVED_LOAD: &str = "find what stops or starves it (measuring threads on all of its CPUs, a container limit), or choose other CPUs or another load (`steadfast list`)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_to_wait_for_is_named() {
        let beside = |who: &str| Warning::MeasuredBeside { who: who.to_owned(), asked: false };
        for (who, whom) in [
            ("process 71 had measured on CPU 1 for 3 s (`sh -c a; b`)", "process 71"),
            ("process 71 measures on CPU 1, for 3 s now (`sh -c a; b`)", "process 71"),
            (
                "process 71 measured on CPU 1; a process that is not seen from here measured on CPU 0",
                "process 71 and a process that is not seen from here",
            ),
            ("", "it"),
        ] {
            let remedy = beside(who).remedy();
            assert!(remedy.ends_with(&format!("once {whom} has ended")), "{remedy}");
        }
    }

    #[test]
    fn a_refused_policy_names_the_command_that_grants_it() {
        let warning = Warning::PolicyRefused {
            thread: Some("high".into()),
            asked: Policy::Fifo(80),
            reason: "Operation not permitted".into(),
            privileged: false,
            granted: 0,
            barrier: None,
        };
        assert!(warning.invalidates());
        assert!(warning.cause().contains("fifo:80"));
        assert!(warning.remedy().starts_with("run with `sudo`"));
        assert!(warning.remedy().contains("setcap cap_sys_nice"));
    }

    #[test]
    fn the_first_way_to_get_a_right_fits_an_answer() {
        let barriers = [
            RightBarrier::NoCapability,
            RightBarrier::NoSudo,
            RightBarrier::Bounds,
            RightBarrier::UserNamespace,
            RightBarrier::Filter,
            RightBarrier::Rule,
        ];
        // An answer gives a cause and its remedy four lines of 68 columns, and cuts at a semicolon.
        let fits = |warning: Warning| {
            let remedy = warning.remedy().replace('`', "");
            let first = remedy.split("; ").next().unwrap();
            let text = format!("{}. Remedy: {first}.", warning.cause());
            assert!(base::wrapped(&text, 68).len() <= 4, "{text}");
        };
        for barrier in barriers.map(Some).into_iter().chain([None]) {
            let reason = "Operation not permitted".to_owned();
            for (asked, granted) in [("fifo:80", 0), ("fifo:80", 70), ("deadline:200us/1ms", 0)] {
                fits(Warning::PolicyRefused {
                    thread: None,
                    asked: asked.parse().unwrap(),
                    reason: reason.clone(),
                    privileged: barrier.is_none(),
                    granted,
                    barrier,
                });
            }
            fits(Warning::MemoryLockRefused { reason: reason.clone(), barrier });
            fits(Warning::LatencyHoldRefused { reason, is_missing: false, barrier });
        }
    }

    #[test]
    fn a_refused_policy_names_the_one_that_the_limit_grants() {
        let remedy = |asked, granted| {
            let (thread, reason, privileged) = (None, String::new(), false);
            let barrier = None;
            Warning::PolicyRefused { thread, asked, reason, privileged, granted, barrier }.remedy()
        };
        assert!(remedy(Policy::Fifo(80), 70).starts_with("measure with `--policy fifo:70`"));
        assert!(remedy(Policy::Rr(80), 5).starts_with("measure with `--policy rr:5`"));
        for (asked, granted) in
            [(Policy::Fifo(80), 80), (Policy::Fifo(80), 99), (Policy::Fifo(1), 0)]
        {
            assert!(remedy(asked, granted).starts_with("run with `sudo`"));
        }
    }
}
