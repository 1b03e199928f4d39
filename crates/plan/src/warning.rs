//! What a reader of a result must know: one list of warnings, each with its cause and its remedy.

use serde::{Deserialize, Serialize};
use units::{CpuSet, Policy};

use crate::{KnobBarrier, Right};

/// Something that differed from the request, or that limits what a result says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Warning {
    /// The kernel refused a thread's policy.
    PolicyRefused {
        /// Name of the thread; `None` if no thread may have the policy.
        thread: Option<String>,
        asked: Policy,
        /// The kernel's reason.
        reason: String,
        /// Whether the process had the right to request it.
        privileged: bool,
    },
    /// The policy read back differs from the one requested.
    PolicyDiffers {
        /// Name of the thread.
        thread: String,
        asked: Policy,
        found: Policy,
        /// When it was read: `before` or `after` the measured loop.
        when: String,
    },
    /// The kernel refused a thread's CPU mask.
    AffinityRefused {
        /// Name of the thread.
        thread: String,
        asked: CpuSet,
        reason: String,
    },
    /// The CPU mask read back differs from the one asked for.
    AffinityDiffers {
        /// Name of the thread.
        thread: String,
        asked: CpuSet,
        found: CpuSet,
        /// When it was read: `before` or `after` the measured loop.
        when: String,
    },
    /// The run was measured without rights that the user lacks, and did not request conditions that
    /// need them.
    NotPermitted {
        /// The missing rights.
        rights: Vec<Right>,
    },
    /// Memory could not be locked.
    MemoryLockRefused { reason: String },
    /// `/dev/cpu_dma_latency` could not be held.
    LatencyHoldRefused { reason: String },
    /// `/dev/cpu_dma_latency` read back another value than the one held.
    LatencyHoldLost {
        /// Microseconds read back at the end.
        found_us: Option<i32>,
    },
    /// A load could not be started.
    LoadNotStarted { load: String, reason: String },
    /// A load did no work during the measurement.
    LoadIdle { load: String },
    /// A process of a load no longer worked when the measurement ended.
    LoadStalled { load: String },
    /// A process of a load did next to no work in a part of the run, because it was stopped or its
    /// CPU was idle.
    LoadPaused {
        load: String,
        /// The share of the run, in percent.
        percent: u64,
    },
    /// A process of a load did next to no work in a part of the run, because it had no CPU or
    /// waited.
    LoadUneven {
        load: String,
        /// The share of the run, in percent.
        percent: u64,
    },
    /// A process of a load ended before the measurement did.
    LoadEnded {
        load: String,
        /// How it ended, in the load's own words if it printed any.
        #[serde(default)]
        reason: String,
    },
    /// Other tasks could not be moved off the measured CPUs.
    OthersStayed {
        /// Number of tasks; 0 if no move could even be tried.
        count: u64,
        reason: String,
    },
    /// The peer that should have sent datagrams back sent none.
    PeerSilent {
        /// The peer's address.
        peer: String,
    },
    /// A source of interrupts failed in the middle of its run.
    SourceFailed {
        source: String,
        /// The reason, in the kernel's words if it gave any.
        reason: String,
    },
    /// A source of interrupts left some unanswered, or missed many of its periods.
    SourceUnsteady {
        source: String,
        /// Interrupts that were raised but never received.
        unanswered: u64,
        /// Periods without a sample, including those of unanswered interrupts.
        skipped: u64,
        /// Periods of the run.
        due: u64,
    },
    /// Samples did not fit the memory that was prepared for them.
    SamplesLost {
        track: String,
        /// Number of lost samples.
        count: u64,
    },
    /// A measuring thread took page faults in its measured loop.
    PageFaults {
        thread: String,
        /// Number of page faults.
        count: u64,
    },
    /// A pinned measuring thread moved to another CPU.
    Migrated {
        thread: String,
        /// Number of moves.
        count: u64,
    },
    /// A real-time thread of a core beside Linux left the core in its measured loop.
    LeftPrimaryMode {
        thread: String,
        /// Number of times it left.
        count: u64,
    },
    /// The core beside Linux does not count how often a thread leaves it.
    ModeSwitchesUncounted { thread: String },
    /// A hypervisor took away a measured CPU.
    Stolen {
        cpu: usize,
        /// For how long in total, in nanoseconds.
        steal_ns: u64,
    },
    /// Measuring threads inherited a nice value from the program that started Steadfast.
    NiceInherited {
        /// The value, -20 (favoured) to 19.
        nice: i8,
    },
    /// The control group limits CPU time.
    CpuBudget {
        /// The limit, in words.
        granted: String,
    },
    /// Another process measured on one of the CPUs at the same time.
    MeasuredBeside {
        /// The process, and where it measured.
        who: String,
        /// Whether the user allowed it.
        asked: bool,
    },
    /// It is unknown whether another process measured on these CPUs.
    MeasuredBesideUnknown { reason: String },
    /// The controlling thread had to share the measured CPUs.
    NoHousekeepingCpu,
    /// Every mass was recorded after every step, in the measured loop.
    StepsRecorded,
    /// The controlling thread had to share a core with a measured CPU.
    HousekeepingBeside,
    /// The user's own model ended its run.
    ModelFailed {
        /// The call in progress, such as `step`.
        phase: String,
        /// The number of the step, if it was in one.
        step: Option<u64>,
        /// How it ended.
        what: String,
    },
    /// A knob of the experiment could not be set.
    KnobRefused {
        knob: String,
        asked: String,
        /// The place that refused the value; empty if nothing was tried.
        place: String,
        /// The reason, in the kernel's words if it gave any.
        reason: String,
        /// What prevents it.
        barrier: KnobBarrier,
    },
    /// A knob took a value but read back another one immediately afterwards.
    KnobDiffers {
        knob: String,
        asked: String,
        place: String,
        /// The value read back.
        found: String,
    },
    /// A knob changed to another value when other knobs of the same run were set.
    KnobOverridden {
        knob: String,
        asked: String,
        /// The value found after all were set.
        found: String,
        /// The knobs that were set after it.
        by: Vec<String>,
    },
    /// A knob no longer had the value that was set, before the run was over.
    KnobChanged {
        knob: String,
        asked: String,
        found: String,
        /// Running programs that also write it.
        by: Vec<String>,
    },
    /// A knob could not be restored.
    KnobNotGivenBack {
        knob: String,
        place: String,
        /// The value before the run.
        before: String,
        /// The reason, in the kernel's words if it gave any.
        reason: String,
    },
    /// Real-time threads used as much of a CPU as the kernel allows.
    ThrottlingReached {
        cpu: usize,
        /// Share of the CPU used by real-time threads, in percent.
        used_percent: u64,
        /// Share that the kernel allows, in percent.
        granted_percent: u64,
        /// How often stamps show that the kernel then held them back; 0 if it may or may not have.
        #[serde(default)]
        gaps: u64,
    },
}

impl Warning {
    /// Whether the run's figures must not be used.
    #[must_use]
    pub fn invalidates(&self) -> bool {
        !matches!(
            self,
            Self::NotPermitted { .. }
                | Self::SourceUnsteady { .. }
                | Self::LoadUneven { .. }
                | Self::PageFaults { .. }
                | Self::Stolen { .. }
                | Self::MeasuredBeside { asked: true, .. }
                | Self::MeasuredBesideUnknown { .. }
                | Self::NiceInherited { .. }
                | Self::CpuBudget { .. }
                | Self::NoHousekeepingCpu
                | Self::StepsRecorded
                | Self::HousekeepingBeside
                | Self::ThrottlingReached { gaps: 0, .. }
        )
    }

    /// Whether something else caused it during the run, so that a repetition may be free of it.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(
            self,
            Self::MeasuredBeside { .. }
                | Self::PolicyDiffers { .. }
                | Self::AffinityDiffers { .. }
                | Self::Migrated { .. }
                | Self::LatencyHoldLost { .. }
                | Self::LoadPaused { .. }
                | Self::KnobChanged { .. }
        )
    }

    /// Returns what happened, in one sentence.
    #[must_use]
    pub fn cause(&self) -> String {
        match self {
            Self::PolicyRefused {
                thread,
                asked,
                reason,
                ..
            } => {
                let whom = match thread {
                    Some(thread) => format!("for thread `{thread}`"),
                    None => "for measuring threads".to_owned(),
                };
                format!("the kernel refused policy {asked} {whom}: {reason}")
            }
            Self::PolicyDiffers {
                thread,
                asked,
                found,
                when,
            } => {
                format!(
                    "thread `{thread}` ran under {found} instead of {asked} (read back {when} the measured loop)"
                )
            }
            Self::AffinityRefused {
                thread,
                asked,
                reason,
            } => {
                format!("the kernel refused CPUs {asked} for thread `{thread}`: {reason}")
            }
            Self::AffinityDiffers {
                thread,
                asked,
                found,
                when,
            } => {
                format!(
                    "thread `{thread}` ran on CPUs {found} instead of {asked} (read back {when} the measured loop)"
                )
            }
            Self::NotPermitted { rights } => {
                let rights: Vec<&str> = rights.iter().map(|right| right.in_words()).collect();
                format!("measured without these rights, which this user lacks: {}", rights.join(", "))
            }
            Self::MemoryLockRefused { reason } => format!("memory could not be locked: {reason}"),
            Self::LatencyHoldRefused { reason } => {
                format!("/dev/cpu_dma_latency could not be held at 0 us: {reason}")
            }
            Self::LatencyHoldLost { found_us } => match found_us {
                Some(us) => format!("/dev/cpu_dma_latency read back {us} us instead of 0 us"),
                None => "/dev/cpu_dma_latency could not be read back".to_owned(),
            },
            Self::LoadNotStarted { load, reason } => {
                format!("load `{load}` could not be started: {reason}")
            }
            Self::LoadIdle { load } => format!("load `{load}` did no work during the measurement"),
            Self::OthersStayed { count: 0, reason } => {
                format!("no other tasks were moved off the measured CPUs: {reason}")
            }
            Self::OthersStayed { count, reason } => {
                format!("{count} other tasks could not be moved off the measured CPUs: {reason}")
            }
            Self::PeerSilent { peer } => format!("no datagram came back from {peer}"),
            Self::SourceFailed { source, reason } => {
                format!("source `{source}` failed before its run was over: {reason}")
            }
            Self::SourceUnsteady {
                source,
                unanswered,
                skipped,
                due,
            } => format!(
                "source `{source}`: {unanswered} interrupts were raised but never received, and {skipped} of {due} periods have no sample"
            ),
            Self::SamplesLost { track, count } => {
                format!("{count} samples of `{track}` did not fit the memory prepared for them")
            }
            Self::PageFaults { thread, count } => {
                format!("thread `{thread}` took {count} page faults in its measured loop")
            }
            Self::Migrated { thread, count } => {
                format!("thread `{thread}` was pinned but moved to another CPU {count} times")
            }
            Self::LeftPrimaryMode { thread, count } => format!(
                "thread `{thread}` left the real-time core for Linux {count} times in its measured loop"
            ),
            Self::ModeSwitchesUncounted { thread } => format!(
                "the real-time core does not report how often thread `{thread}` left it for Linux"
            ),
            Self::Stolen { cpu, steal_ns } => format!(
                "the hypervisor took CPU {cpu} away for {:.0} ms of the run",
                *steal_ns as f64 / 1e6
            ),
            Self::StepsRecorded => {
                "every mass was recorded after every step, in the measured loop, so its times are not \
                 those of other runs"
                    .to_owned()
            }
            Self::NiceInherited { nice } => format!(
                "threads of policy other ran at nice {nice}, inherited from whatever started this program"
            ),
            Self::CpuBudget { granted } => format!(
                "the control group may use {granted}; when that is used up, the kernel stops it until the next period"
            ),
            Self::MeasuredBeside { who, asked: true } => {
                format!("another measurement ran on these CPUs at the same time and was not waited for: {who}")
            }
            Self::MeasuredBeside { who, asked: false } => {
                format!("another measurement was started while this one ran: {who}")
            }
            Self::MeasuredBesideUnknown { reason } => {
                format!("it is unknown whether another process measured on these CPUs: {reason}")
            }
            Self::NoHousekeepingCpu => {
                "every CPU was measured, so the controlling thread of this program shared one of them"
                    .to_owned()
            }
            Self::ThrottlingReached {
                cpu,
                used_percent,
                granted_percent,
                gaps: 0,
            } => format!(
                "real-time threads used {used_percent} % of CPU {cpu}, and the kernel allows {granted_percent} %: gaps may come from its throttling or its fair server"
            ),
            Self::ThrottlingReached {
                cpu,
                used_percent,
                granted_percent,
                gaps,
            } => format!(
                "the kernel held back the real-time threads on CPU {cpu} {gaps} times, each time after they had used up to {used_percent} % of the time; it allows {granted_percent} % (throttling or fair server)"
            ),
            Self::LoadStalled { load } => {
                format!("a process of load `{load}` stopped working before the measurement ended")
            }
            Self::LoadPaused { load, percent } => format!(
                "a process of load `{load}` did next to no work in {percent} % of the run, while it was stopped or its CPU was idle"
            ),
            Self::LoadUneven { load, percent } => format!(
                "a process of load `{load}` did next to no work in {percent} % of the run, while others used its CPU or it waited"
            ),
            Self::LoadEnded { load, reason } => {
                let ended = format!("a process of load `{load}` ended before the measurement did");
                match reason.as_str() {
                    "" => ended,
                    reason => format!("{ended}: {reason}"),
                }
            }
            Self::ModelFailed {
                step: Some(step),
                what,
                ..
            } => format!("the model failed in step {step}: {what}"),
            Self::ModelFailed { phase, what, .. } => {
                format!("the model failed in its {phase}: {what}")
            }
            Self::HousekeepingBeside => {
                "the controlling thread of this program shared a core with a measured CPU".to_owned()
            }
            Self::KnobRefused { .. }
            | Self::KnobDiffers { .. }
            | Self::KnobOverridden { .. }
            | Self::KnobChanged { .. }
            | Self::KnobNotGivenBack { .. } => self.cause_in_knob(),
        }
    }

    /// Returns what happened to a knob, in one sentence.
    fn cause_in_knob(&self) -> String {
        match self {
            Self::KnobRefused { knob, asked, place, reason, .. } => {
                let place = match place.as_str() {
                    "" => String::new(),
                    place => format!(" ({place})"),
                };
                format!("knob `{knob}` could not be set to {asked}{place}: {reason}")
            }
            Self::KnobDiffers { knob, asked, place, found } => {
                format!("knob `{knob}` took {asked} but read back {found} ({place})")
            }
            Self::KnobOverridden { knob, asked, found, by } => format!(
                "knob `{knob}` changed from {asked} to {found} when {} was set too",
                by.join(" or ")
            ),
            Self::KnobChanged { knob, asked, found, by } => {
                let by = match by.as_slice() {
                    [] => "by an unknown program".to_owned(),
                    by => format!("perhaps by {}, which is running", by.join(" or ")),
                };
                format!("knob `{knob}` changed from {asked} to {found} during the run, {by}")
            }
            Self::KnobNotGivenBack { knob, place, before, reason } => {
                format!("knob `{knob}` could not be restored to {before} ({place}): {reason}")
            }
            _ => String::new(),
        }
    }

    /// Returns the remedy: a command, a privilege or a setting.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::NotPermitted { rights } if rights.contains(&Right::IdleStates) => {
                "run with `sudo`".to_owned()
            }
            Self::PolicyRefused { privileged: false, .. } | Self::NotPermitted { .. } => {
                GRANT.to_owned()
            }
            Self::PolicyRefused { asked: Policy::Deadline { .. }, .. } => {
                "let the threads use every CPU (no `--cpus`, no `taskset`: a deadline thread may not be pinned), and request a share RUNTIME/PERIOD below what `sched_rt_runtime_us` allows".to_owned()
            }
            Self::PolicyRefused { .. } => {
                "in a container, grant it with `--cap-add SYS_NICE`; under cgroup v1, give the control group real-time budget (`cpu.rt_runtime_us`) or start the program outside it".to_owned()
            }
            Self::PolicyDiffers { .. } | Self::AffinityDiffers { .. } | Self::Migrated { .. } => {
                "find what changes scheduling on this machine (a tuning daemon, a cpuset, a container limit), stop it, and run again".to_owned()
            }
            Self::AffinityRefused { .. } => {
                "name CPUs that are online and inside this process's cpuset: `grep Cpus_allowed_list /proc/self/status`".to_owned()
            }
            Self::MemoryLockRefused { .. } => {
                format!("{GRANT}, or raise the limit with `ulimit -l unlimited`")
            }
            Self::LatencyHoldRefused { .. } => {
                "run with `sudo`, or leave idle states as they are with `--idle-states leave`".to_owned()
            }
            Self::LatencyHoldLost { .. } => "stop the other program that writes /dev/cpu_dma_latency, and run again".to_owned(),
            Self::LoadNotStarted { .. } => {
                "fix the reported problem, or choose another load (`steadfast list`)".to_owned()
            }
            Self::LoadIdle { .. }
            | Self::LoadStalled { .. }
            | Self::LoadPaused { .. }
            | Self::LoadUneven { .. } => {
                "find what stops or starves it (measuring threads on all of its CPUs, a container limit), or choose other CPUs or another load (`steadfast list`)".to_owned()
            }
            Self::LoadEnded { .. } => {
                "find what ended it (another user, lack of memory, a full disk), and run again".to_owned()
            }
            Self::OthersStayed { count: 0, .. } => {
                "fix the reported problem, or leave other tasks where they are with `--others stay`".to_owned()
            }
            Self::OthersStayed { .. } => {
                "run with `sudo`, or leave other tasks where they are with `--others stay`".to_owned()
            }
            Self::PeerSilent { .. } => {
                "start `steadfast echo` on the peer and allow UDP datagrams between the two machines, or use `--peer local`".to_owned()
            }
            Self::SourceFailed { .. } => {
                "fix the reported problem (an unplugged device, a loose wire, another program that uses the source), and run again".to_owned()
            }
            Self::SourceUnsteady { .. } => {
                "check its wiring and that no other program uses it, and give it more time with a longer `--period`; the figures include only the interrupts received".to_owned()
            }
            Self::SamplesLost { .. } => "measure for a shorter time, and report this as a defect".to_owned(),
            Self::PageFaults { .. } => "lock memory (the default), and run with more free memory".to_owned(),
            Self::LeftPrimaryMode { .. } => {
                "the thread used a service of Linux that the core lacks (docs/dual-kernels.md lists what the core offers): choose another variant, such as `--peer none` for frames, or use the build without the core's feature".to_owned()
            }
            Self::ModeSwitchesUncounted { .. } => {
                "use a core that counts this for the threads that it knows (a kernel with CONFIG_XENO_OPT_STATS for Cobalt, CONFIG_EVL_RUNSTATS for EVL)".to_owned()
            }
            Self::Stolen { .. } => "measure on bare metal, or give the virtual machine its own physical CPUs".to_owned(),
            Self::StepsRecorded => "measure times without `--record`".to_owned(),
            Self::NiceInherited { .. } => {
                "start it without `nice`, or request a nice value, for example with `--policy other:0`".to_owned()
            }
            Self::CpuBudget { .. } => {
                "remove the limit (`echo max | sudo tee /sys/fs/cgroup/GROUP/cpu.max`; under version 1 `echo -1` into cpu.cfs_quota_us; a container without --cpus and --cpu-quota), or start the program outside the group".to_owned()
            }
            Self::MeasuredBeside { asked: false, who } => {
                format!("wait for {}, and start the same command again", neighbours(who))
            }
            Self::MeasuredBeside { asked: true, .. } => {
                "measure alone: without `--beside`, a run waits for other measurements on its CPUs (root waits only for those of root)".to_owned()
            }
            Self::MeasuredBesideUnknown { .. } => {
                "check it yourself, or use a kernel with time namespaces (Linux 5.6, CONFIG_TIME_NS) and mount /proc".to_owned()
            }
            Self::NoHousekeepingCpu => "leave one CPU out of `--cpus`".to_owned(),
            Self::HousekeepingBeside => {
                "leave one core out of `--cpus`, with all its hardware threads".to_owned()
            }
            Self::KnobRefused { barrier, .. } => barrier.remedy().to_owned(),
            Self::KnobDiffers { .. } => {
                "try the value that was read back, or leave this knob out".to_owned()
            }
            Self::KnobOverridden { .. } => {
                "try them separately, or leave one out".to_owned()
            }
            Self::KnobChanged { by, .. } if by.is_empty() => {
                "find what changes settings on this machine (a daemon, another user), stop it, and run again".to_owned()
            }
            Self::KnobChanged { by, .. } => {
                format!("stop it (`sudo systemctl stop {}`), and run again", by.join(" "))
            }
            Self::KnobNotGivenBack { .. } => {
                "write it back by hand, or run `steadfast knobs back` to try again".to_owned()
            }
            Self::ModelFailed { .. } => {
                "fix the reported problem; `steadfast audit` steps the model under watch and shows what each step does".to_owned()
            }
            Self::ThrottlingReached { .. } => {
                format!("leave the CPU more idle time, or lift the limit while measuring: {LIFT_THROTTLING}")
            }
        }
    }
}

/// Returns the processes that measured, each by its first words: `process 71`.
fn neighbours(who: &str) -> String {
    let named = who.split("; ").filter_map(|one| one.split_once(" measures on "));
    let named: Vec<&str> = named.map(|(name, _)| name).collect();
    match named.as_slice() {
        [] => "it".to_owned(),
        named => named.join(" and "),
    }
}

/// The commands that let real-time threads use all of a CPU.
pub const LIFT_THROTTLING: &str = "`sudo sysctl kernel.sched_rt_runtime_us=-1`, or from Linux 6.12 on `echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu*/runtime`";

/// The command that grants the rights that real-time measurements need.
const GRANT: &str = "run with `sudo`, or grant the right once: `sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_to_wait_for_is_named() {
        let beside = |who: &str| Warning::MeasuredBeside { who: who.to_owned(), asked: false };
        for (who, whom) in [
            ("process 71 measures on CPU 1 since 3 s (`sh -c a; b`)", "process 71,"),
            (
                "process 71 measures on CPU 1; a process that is not seen from here measures on CPU 0",
                "process 71 and a process that is not seen from here,",
            ),
            ("", "it,"),
        ] {
            let remedy = beside(who).remedy();
            assert!(remedy.starts_with(&format!("wait for {whom}")), "{remedy}");
        }
    }

    #[test]
    fn a_refused_policy_names_the_command_that_grants_it() {
        let warning = Warning::PolicyRefused {
            thread: Some("high".into()),
            asked: Policy::Fifo(80),
            reason: "Operation not permitted".into(),
            privileged: false,
        };
        assert!(warning.invalidates());
        assert!(warning.cause().contains("fifo:80"));
        assert!(warning.remedy().contains("setcap cap_sys_nice"));
    }
}
