//! Idle states, polling before them, frequencies, and second hardware threads of cores.

use std::time::Duration;

use crate::knob::{At, Knob, Risk, Way, text};
use crate::rivals::{POWER_PROFILES, THERMALD, TLP, TUNED};
use crate::values::Values;

/// Programs that set frequencies and save power.
const SAVERS: &[&str] = &[TUNED, POWER_PROFILES, TLP, THERMALD];

const HEAT: &str = "heat";

/// The defaults of knobs that set frequencies.
const FREQUENCY: Knob =
    Knob { why: HEAT, settle: Duration::from_secs(3), written_by: SAVERS, ..Knob::PLAIN };

/// The preference of the processor, for each frequency policy.
const PREFERENCE: &[At] =
    &[At::text("sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference")];

pub(crate) const IDLE_GOVERNOR: Knob = Knob {
    name: "idle_governor",
    summary: "governor that chooses a CPU's idle state",
    way: text!(
        "sys/devices/system/cpu/cpuidle/current_governor",
        Offered("available_governors", &["menu", "teo", "haltpoll", "ladder"]),
    ),
    written_by: SAVERS,
    source: "Documentation/admin-guide/pm/cpuidle.rst",
    ..Knob::PLAIN
};

pub(crate) const IDLE_STATES: Knob = Knob {
    name: "idle_states",
    summary: "all idle states except the first, which only polls, are disabled",
    way: text!("sys/devices/system/cpu/cpu*/cpuidle/state+/disable", Between("1", "0")),
    why: HEAT,
    written_by: SAVERS,
    source: "Documentation/admin-guide/pm/cpuidle.rst",
    ..Knob::PLAIN
};

pub(crate) const RESUME_LATENCY: Knob = Knob {
    name: "resume_latency",
    summary: "idle states that take time to leave are forbidden (n/a) or allowed (0)",
    way: text!("sys/devices/system/cpu/cpu*/power/pm_qos_resume_latency_us", Between("n/a", "0")),
    why: HEAT,
    written_by: SAVERS,
    source: "Documentation/ABI/testing/sysfs-devices-power",
    ..Knob::PLAIN
};

pub(crate) const GUEST_HALT_POLL: Knob = Knob {
    name: "guest_halt_poll",
    summary: "time in ns that a virtual CPU polls before it halts",
    way: text!("sys/module/haltpoll/parameters/guest_halt_poll_ns", Between("200000", "0")),
    why: "heat, and less CPU time for the host's other guests",
    written_by: &[TUNED],
    source: "Documentation/virt/guest-halt-polling.rst",
    ..Knob::PLAIN
};

pub(crate) const KVM_HALT_POLL: Knob = Knob {
    name: "kvm_halt_poll",
    summary: "time in ns that this host polls before it gives a guest's CPU away",
    way: text!("sys/module/kvm/parameters/halt_poll_ns", Between("0", "200000")),
    written_by: &[TUNED],
    source: "Documentation/virt/kvm/halt-polling.rst",
    ..Knob::PLAIN
};

pub(crate) const GOVERNOR: Knob = Knob {
    name: "governor",
    summary: "governor that chooses the CPUs' frequency",
    way: text!(
        "sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
        Offered(
            "scaling_available_governors",
            &["performance", "schedutil", "powersave", "ondemand"],
        ),
    ),
    // `performance` sets the preference to the highest value (amd-pstate.rst, intel_pstate.rst).
    moves: PREFERENCE,
    source: "Documentation/admin-guide/pm/cpufreq.rst",
    ..FREQUENCY
};

pub(crate) const MIN_FREQUENCY: Knob = Knob {
    name: "min_frequency",
    summary: "lowest frequency that the governor may choose: set to the highest possible",
    way: text!(
        "sys/devices/system/cpu/cpufreq/policy*/scaling_min_freq",
        Beside(("max", "cpuinfo_max_freq"), ("min", "cpuinfo_min_freq")),
    ),
    source: "Documentation/admin-guide/pm/cpufreq.rst",
    ..FREQUENCY
};

pub(crate) const ENERGY_PREFERENCE: Knob = Knob {
    name: "energy_preference",
    summary: "the processor's preference for speed or economy (EPP)",
    way: Way::Files(
        PREFERENCE,
        Values::Offered(
            "energy_performance_available_preferences",
            &["performance", "balance_performance"],
        ),
    ),
    source: "Documentation/admin-guide/pm/intel_pstate.rst",
    ..FREQUENCY
};

pub(crate) const ENERGY_BIAS: Knob = Knob {
    name: "energy_bias",
    summary: "the same preference as a number from 0 (speed) to 15 (EPB)",
    way: text!("sys/devices/system/cpu/cpu*/power/energy_perf_bias", Between("0", "6")),
    source: "Documentation/admin-guide/pm/intel_epb.rst",
    ..FREQUENCY
};

pub(crate) const BOOST: Knob = Knob {
    name: "boost",
    summary: "frequencies above the nominal one: off for steady times (0), or on",
    way: text!("sys/devices/system/cpu/cpufreq/boost", Between("0", "1")),
    why: "",
    source: "Documentation/admin-guide/pm/cpufreq.rst",
    ..FREQUENCY
};

pub(crate) const NO_TURBO: Knob = Knob {
    name: "no_turbo",
    summary: "the same for Intel's driver: no turbo (1), or turbo (0)",
    way: text!("sys/devices/system/cpu/intel_pstate/no_turbo", Between("1", "0")),
    why: "",
    source: "Documentation/admin-guide/pm/intel_pstate.rst",
    ..FREQUENCY
};

pub(crate) const UNCORE_FREQUENCY: Knob = Knob {
    name: "uncore_frequency",
    summary: "lowest frequency of caches and fabric (Intel): set to the highest possible",
    way: text!(
        "sys/devices/system/cpu/intel_uncore_frequency/*/min_freq_khz",
        Beside(("max", "initial_max_freq_khz"), ("min", "initial_min_freq_khz")),
    ),
    source: "Documentation/admin-guide/pm/intel_uncore_frequency_scaling.rst",
    ..FREQUENCY
};

pub(crate) const SMT: Knob = Knob {
    name: "smt",
    summary: "second hardware threads of cores: off, or on",
    way: text!("sys/devices/system/cpu/smt/control", Supported("off", "on")),
    risk: Risk::High,
    why: "CPUs go offline and online: tasks, cpusets and interrupts lose their place on them",
    settle: Duration::from_secs(5),
    written_by: &[TUNED],
    source: "Documentation/ABI/testing/sysfs-devices-system-cpu",
    ..Knob::PLAIN
};
