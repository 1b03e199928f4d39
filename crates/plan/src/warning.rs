//! What a reader of a result must know: one list, each entry with its cause and
//! its remedy.

use serde::{Deserialize, Serialize};
use units::{CpuSet, Policy};

use crate::KnobBarrier;

/// Something that was not as asked, or that bears on how far a result reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Warning {
    /// The kernel refused a thread's policy.
    PolicyRefused {
        /// Name of the thread; `None` where no thread can have it.
        thread: Option<String>,
        /// The policy asked for.
        asked: Policy,
        /// The kernel's reason.
        reason: String,
        /// Whether the process had the right to ask for it.
        privileged: bool,
    },
    /// The policy read back differs from the one asked for.
    PolicyDiffers {
        /// Name of the thread.
        thread: String,
        /// The policy asked for.
        asked: Policy,
        /// The policy found.
        found: Policy,
        /// When it was read: `before` or `after` the measured loop.
        when: String,
    },
    /// The kernel refused a thread's CPU mask.
    AffinityRefused {
        /// Name of the thread.
        thread: String,
        /// The CPUs asked for.
        asked: CpuSet,
        /// The kernel's reason.
        reason: String,
    },
    /// The CPU mask read back differs from the one asked for.
    AffinityDiffers {
        /// Name of the thread.
        thread: String,
        /// The CPUs asked for.
        asked: CpuSet,
        /// The CPUs found.
        found: CpuSet,
        /// When it was read: `before` or `after` the measured loop.
        when: String,
    },
    /// Memory could not be locked.
    MemoryLockRefused {
        /// The kernel's reason.
        reason: String,
    },
    /// `/dev/cpu_dma_latency` could not be held.
    LatencyHoldRefused {
        /// The kernel's reason.
        reason: String,
    },
    /// `/dev/cpu_dma_latency` read back another value than the one held.
    LatencyHoldLost {
        /// Microseconds read back at the end.
        found_us: Option<i32>,
    },
    /// A load could not be started.
    LoadNotStarted {
        /// The load.
        load: String,
        /// Why not.
        reason: String,
    },
    /// A load did no work during the measurement.
    LoadIdle {
        /// The load.
        load: String,
    },
    /// A process of a load no longer worked when the measurement ended.
    LoadStalled {
        /// The load.
        load: String,
    },
    /// A process of a load did next to no work in a part of the run, in which it was
    /// stopped or its CPU had nothing to do.
    LoadPaused {
        /// The load.
        load: String,
        /// The share of the run, in percent.
        percent: u64,
    },
    /// A process of a load did next to no work in a part of the run, in which it had no CPU
    /// or waited.
    LoadUneven {
        /// The load.
        load: String,
        /// The share of the run, in percent.
        percent: u64,
    },
    /// A process of a load ended before the measurement did.
    LoadEnded {
        /// The load.
        load: String,
        /// How it ended, in its own words where it has any.
        #[serde(default)]
        reason: String,
    },
    /// Something else could not be moved off the measured CPUs.
    OthersStayed {
        /// How many tasks; 0 where none could even be tried.
        count: u64,
        /// Why not.
        reason: String,
    },
    /// The peer that was to send datagrams back sent none.
    PeerSilent {
        /// Its address.
        peer: String,
    },
    /// A source of interrupts failed in the middle of its run.
    SourceFailed {
        /// The source.
        source: String,
        /// Why, in the kernel's words where it told.
        reason: String,
    },
    /// A source of interrupts did not answer every one, or missed much of its periods.
    SourceUnsteady {
        /// The source.
        source: String,
        /// Interrupts that were raised and never came.
        unanswered: u64,
        /// Periods without a sample, those of unanswered interrupts among them.
        skipped: u64,
        /// Periods of the run.
        due: u64,
    },
    /// Samples did not fit the memory that was prepared for them.
    SamplesLost {
        /// Name of the track.
        track: String,
        /// How many.
        count: u64,
    },
    /// A measuring thread took page faults in its loop.
    PageFaults {
        /// Name of the thread.
        thread: String,
        /// How many.
        count: u64,
    },
    /// A measuring thread that was pinned moved to another CPU.
    Migrated {
        /// Name of the thread.
        thread: String,
        /// How often.
        count: u64,
    },
    /// A real-time thread of a core beside Linux left it in its measured loop.
    LeftPrimaryMode {
        /// Name of the thread.
        thread: String,
        /// How often.
        count: u64,
    },
    /// The core beside Linux does not count how often a thread leaves it.
    ModeSwitchesUncounted {
        /// Name of the thread.
        thread: String,
    },
    /// A hypervisor took a measured CPU away.
    Stolen {
        /// The CPU.
        cpu: usize,
        /// For how long, in nanoseconds.
        steal_ns: u64,
    },
    /// Measuring threads had a nice value that the program was started with.
    NiceInherited {
        /// The value, -20 (favoured) to 19.
        nice: i8,
    },
    /// The control group may use only so much CPU time.
    CpuBudget {
        /// How much, in words.
        granted: String,
    },
    /// Another process measured on one of the CPUs.
    MeasuredBeside {
        /// Which one, and where.
        who: String,
        /// Whether that was asked for.
        asked: bool,
    },
    /// Whether another process measured there could not be known.
    MeasuredBesideUnknown {
        /// Why not.
        reason: String,
    },
    /// The controlling thread had to share the measured CPUs.
    NoHousekeepingCpu,
    /// Every mass was recorded after every step, in the measured loop.
    StepsRecorded,
    /// The controlling thread had to share a core with a measured CPU.
    HousekeepingBeside,
    /// A person's own model ended its run.
    ModelFailed {
        /// What it was asked to do: `step`, say.
        phase: String,
        /// The number of the step, where it was one.
        step: Option<u64>,
        /// What came of it.
        what: String,
    },
    /// A knob of the experiment could not be set.
    KnobRefused {
        /// Its name.
        knob: String,
        /// The value asked for.
        asked: String,
        /// The place that refused it; empty where nothing was tried.
        place: String,
        /// Why, in the kernel's words where it told.
        reason: String,
        /// What stands in between.
        barrier: KnobBarrier,
    },
    /// A knob took a value and read back another one at once.
    KnobDiffers {
        /// Its name.
        knob: String,
        /// The value asked for.
        asked: String,
        /// The place.
        place: String,
        /// The value read back.
        found: String,
    },
    /// A knob became another value when other knobs of the same run were set.
    KnobOverridden {
        /// Its name.
        knob: String,
        /// The value asked for.
        asked: String,
        /// The value found once all were set.
        found: String,
        /// The others.
        by: Vec<String>,
    },
    /// A knob had another value than the one that was set, before the run was over.
    KnobChanged {
        /// Its name.
        knob: String,
        /// The value that was set.
        asked: String,
        /// The value found.
        found: String,
        /// Programs that write it too and that run.
        by: Vec<String>,
    },
    /// A knob could not be given back.
    KnobNotGivenBack {
        /// Its name.
        knob: String,
        /// The place.
        place: String,
        /// What stood there before.
        before: String,
        /// Why, in the kernel's words where it told.
        reason: String,
    },
    /// Real-time threads used as much of a CPU as the kernel grants them.
    ThrottlingReached {
        /// The CPU.
        cpu: usize,
        /// Share of the CPU that they used, in percent.
        used_percent: u64,
        /// Share that the kernel grants, in percent.
        granted_percent: u64,
        /// How often stamps show that the kernel then held them back; 0 where it may
        /// or may not have.
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
            Self::SourceUnsteady { .. }
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

    /// What happened, in one sentence.
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
                format!("nothing else was moved off the measured CPUs: {reason}")
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
                "source `{source}`: {unanswered} interrupts were raised and never came, and {skipped} of {due} periods have no sample"
            ),
            Self::SamplesLost { track, count } => {
                format!("{count} samples of `{track}` did not fit the memory prepared for them")
            }
            Self::PageFaults { thread, count } => {
                format!("thread `{thread}` took {count} page faults in its measured loop")
            }
            Self::Migrated { thread, count } => {
                format!("thread `{thread}` was pinned and yet moved {count} times to another CPU")
            }
            Self::LeftPrimaryMode { thread, count } => format!(
                "thread `{thread}` left the real-time core for Linux {count} times in its measured loop"
            ),
            Self::ModeSwitchesUncounted { thread } => format!(
                "the real-time core does not tell how often thread `{thread}` left it for Linux"
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
                "threads of policy other ran at nice {nice}, with which this program was started"
            ),
            Self::CpuBudget { granted } => format!(
                "the control group may use {granted}: once that is used up, the kernel stops it until the next period"
            ),
            Self::MeasuredBeside { who, asked: true } => {
                format!("it was measured beside another measurement, as asked for: {who}")
            }
            Self::MeasuredBeside { who, asked: false } => {
                format!("another measurement was started beside this one: {who}")
            }
            Self::MeasuredBesideUnknown { reason } => {
                format!("whether another process measured on these CPUs is not known: {reason}")
            }
            Self::NoHousekeepingCpu => {
                "every CPU was measured, so the program's own controlling thread shared one"
                    .to_owned()
            }
            Self::ThrottlingReached {
                cpu,
                used_percent,
                granted_percent,
                gaps: 0,
            } => format!(
                "real-time threads used {used_percent} % of CPU {cpu}, where the kernel grants {granted_percent} %: gaps may be its throttling or its fair server"
            ),
            Self::ThrottlingReached {
                cpu,
                used_percent,
                granted_percent,
                gaps,
            } => format!(
                "the kernel held real-time threads on CPU {cpu} back {gaps} times, each time after they had used up to {used_percent} % of the time, where it grants {granted_percent} % (throttling or fair server)"
            ),
            Self::LoadStalled { load } => {
                format!("a process of load `{load}` stopped working before the measurement ended")
            }
            Self::LoadPaused { load, percent } => format!(
                "a process of load `{load}` did next to no work in {percent} % of the run, in which it was stopped or its CPU was idle"
            ),
            Self::LoadUneven { load, percent } => format!(
                "a process of load `{load}` did next to no work in {percent} % of the run, in which others had its CPU or it waited"
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
                "the program's own controlling thread shared a core with a measured CPU".to_owned()
            }
            Self::KnobRefused { .. }
            | Self::KnobDiffers { .. }
            | Self::KnobOverridden { .. }
            | Self::KnobChanged { .. }
            | Self::KnobNotGivenBack { .. } => self.cause_in_knob(),
        }
    }

    /// The same of what befell a knob.
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
                format!("knob `{knob}` took {asked} and read back {found} ({place})")
            }
            Self::KnobOverridden { knob, asked, found, by } => format!(
                "knob `{knob}` was {asked} and became {found} once {} was set too",
                by.join(" or ")
            ),
            Self::KnobChanged { knob, asked, found, by } => {
                let by = match by.as_slice() {
                    [] => "by something that is not known".to_owned(),
                    by => format!("perhaps by {}, which runs", by.join(" or ")),
                };
                format!("knob `{knob}` was {asked} and became {found} during the run, {by}")
            }
            Self::KnobNotGivenBack { knob, place, before, reason } => {
                format!("knob `{knob}` could not be given back as {before} ({place}): {reason}")
            }
            _ => String::new(),
        }
    }

    /// What mends it: a command, a privilege or a setting.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::PolicyRefused { privileged: false, .. } => GRANT.to_owned(),
            Self::PolicyRefused { asked: Policy::Deadline { .. }, .. } => {
                "let the threads use every CPU (no `--cpus`, no `taskset`: a deadline thread may not be pinned), and ask for a smaller share RUNTIME/PERIOD than `sched_rt_runtime_us` grants".to_owned()
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
            Self::LatencyHoldLost { .. } => "stop what else writes /dev/cpu_dma_latency, and run again".to_owned(),
            Self::LoadNotStarted { .. } => {
                "give it what it needs, or choose another load (`steadfast list`)".to_owned()
            }
            Self::LoadIdle { .. }
            | Self::LoadStalled { .. }
            | Self::LoadPaused { .. }
            | Self::LoadUneven { .. } => {
                "find what stops it or starves it (measuring threads that take all of its CPUs, a container limit), or choose other CPUs or another load (`steadfast list`)".to_owned()
            }
            Self::LoadEnded { .. } => {
                "find what ended it (another person, memory that ran out, a full disk), and run again".to_owned()
            }
            Self::OthersStayed { count: 0, .. } => {
                "mend what it names, or let everything stay where it is with `--others stay`".to_owned()
            }
            Self::OthersStayed { .. } => {
                "run with `sudo`, or let everything stay where it is with `--others stay`".to_owned()
            }
            Self::PeerSilent { .. } => {
                "start `steadfast echo` there and let UDP datagrams pass between the two machines, or use `--peer local`".to_owned()
            }
            Self::SourceFailed { .. } => {
                "mend what it names (a device that was unplugged, a loose wire, another program that uses it), and run again".to_owned()
            }
            Self::SourceUnsteady { .. } => {
                "check its wiring and that no other program uses it, and give it more time with a longer `--period`; the figures are those of the interrupts that came".to_owned()
            }
            Self::SamplesLost { .. } => "measure for a shorter time, and report this as a defect".to_owned(),
            Self::PageFaults { .. } => "lock memory (the default), and run with more free memory".to_owned(),
            Self::LeftPrimaryMode { .. } => {
                "what it does there is Linux's own (docs/dual-kernels.md says what the core offers): choose another form of it, such as `--peer none` of frames, or measure it with the build without the core's feature".to_owned()
            }
            Self::ModeSwitchesUncounted { .. } => {
                "use a core that counts and whose threads it knows (a kernel with CONFIG_XENO_OPT_STATS for Cobalt, CONFIG_EVL_RUNSTATS for EVL)".to_owned()
            }
            Self::Stolen { .. } => "measure on bare metal, or give the virtual machine its own physical CPUs".to_owned(),
            Self::StepsRecorded => "measure times without `--record`".to_owned(),
            Self::NiceInherited { .. } => {
                "start it without `nice`, or ask for a nice value, as with `--policy other:0`".to_owned()
            }
            Self::CpuBudget { .. } => {
                "lift it (`echo max | sudo tee /sys/fs/cgroup/GROUP/cpu.max`; under version 1 `echo -1` into cpu.cfs_quota_us; a container without --cpus and --cpu-quota), or start the program outside the group".to_owned()
            }
            Self::MeasuredBeside { asked: false, who } => {
                format!("wait for {}, and start the same command again", neighbours(who))
            }
            Self::MeasuredBeside { asked: true, .. } => {
                "measure alone: without `--beside`, a run waits until nobody else measures on its CPUs".to_owned()
            }
            Self::MeasuredBesideUnknown { .. } => {
                "make sure of it yourself, or use a kernel with time namespaces (Linux 5.6, CONFIG_TIME_NS) and mount /proc".to_owned()
            }
            Self::NoHousekeepingCpu => "leave one CPU out of `--cpus`".to_owned(),
            Self::HousekeepingBeside => {
                "leave one core out of `--cpus`, with all its hardware threads".to_owned()
            }
            Self::KnobRefused { barrier, .. } => barrier.remedy().to_owned(),
            Self::KnobDiffers { .. } => {
                "try the value that it came to, or leave this knob out".to_owned()
            }
            Self::KnobOverridden { .. } => {
                "try them in runs of their own, or leave one out".to_owned()
            }
            Self::KnobChanged { by, .. } if by.is_empty() => {
                "find what changes settings on this machine (a daemon, a person), stop it, and run again".to_owned()
            }
            Self::KnobChanged { by, .. } => {
                format!("stop it (`sudo systemctl stop {}`), and run again", by.join(" "))
            }
            Self::KnobNotGivenBack { .. } => {
                "write it back by hand, or let `steadfast knobs back` try again".to_owned()
            }
            Self::ModelFailed { .. } => {
                "mend the model; `steadfast audit` runs its steps one by one, and names what they do".to_owned()
            }
            Self::ThrottlingReached { .. } => {
                format!("leave the CPU more rest, or lift the limit while measuring: {LIFT_THROTTLING}")
            }
        }
    }
}

/// Who measured, of each the first words: `process 71`.
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

/// The command that grants what real-time measurements need.
const GRANT: &str = "run with `sudo`, or grant the right once: `sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whom_to_wait_for_is_named() {
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
