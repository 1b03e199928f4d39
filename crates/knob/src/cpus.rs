//! Idle states, polling before them, frequencies, and second hardware threads of cores.

use crate::knob::{At, files};
use crate::rivals::{POWER_PROFILES, THERMALD, TLP, TUNED};
use crate::values::Values;

/// Programs that set frequencies and save power.
const SAVERS: &[&str] = &[TUNED, POWER_PROFILES, TLP, THERMALD];

const HEAT: &str = "heat";

/// The preference of the processor, for each frequency policy.
const PREFERENCE: &[At] =
    &[At::text("sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference")];

files! {
    "idle_governor": ["sys/devices/system/cpu/cpuidle/current_governor" Text],
        Values::Offered("available_governors", &["menu", "teo", "haltpoll", "ladder"]),
        Low "", 1, SAVERS, "Documentation/admin-guide/pm/cpuidle.rst",
        "governor that chooses a CPU's idle state";
    "idle_states": ["sys/devices/system/cpu/cpu*/cpuidle/state+/disable" Text],
        Values::Between("1", "0"),
        Low HEAT, 1, SAVERS, "Documentation/admin-guide/pm/cpuidle.rst",
        "all idle states except the first, which only polls, are disabled";
    "resume_latency": ["sys/devices/system/cpu/cpu*/power/pm_qos_resume_latency_us" Text],
        Values::Between("n/a", "0"),
        Low HEAT, 1, SAVERS, "Documentation/ABI/testing/sysfs-devices-power",
        "idle states that take time to leave are forbidden (n/a) or allowed (0)";
    "guest_halt_poll": ["sys/module/haltpoll/parameters/guest_halt_poll_ns" Text],
        Values::Between("200000", "0"),
        Low "heat, and less CPU time for the host's other guests", 1, &[TUNED],
        "Documentation/virt/guest-halt-polling.rst",
        "time in ns that a virtual CPU polls before it halts";
    "kvm_halt_poll": ["sys/module/kvm/parameters/halt_poll_ns" Text],
        Values::Between("0", "200000"),
        Low "", 1, &[TUNED], "Documentation/virt/kvm/halt-polling.rst",
        "time in ns that this host polls before it gives a guest's CPU away";
    // `performance` sets the preference to the highest value (amd-pstate.rst, intel_pstate.rst).
    "governor": ["sys/devices/system/cpu/cpufreq/policy*/scaling_governor" Text],
        Values::Offered(
            "scaling_available_governors",
            &["performance", "schedutil", "powersave", "ondemand"],
        ),
        Low HEAT, 3, SAVERS, "Documentation/admin-guide/pm/cpufreq.rst",
        "governor that chooses the CPUs' frequency" { moves: PREFERENCE };
    "min_frequency": ["sys/devices/system/cpu/cpufreq/policy*/scaling_min_freq" Text],
        Values::Beside(("max", "cpuinfo_max_freq"), ("min", "cpuinfo_min_freq")),
        Low HEAT, 3, SAVERS, "Documentation/admin-guide/pm/cpufreq.rst",
        "lowest frequency that the governor may choose: set to the highest possible";
    "energy_preference":
        ["sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference" Text],
        Values::Offered(
            "energy_performance_available_preferences",
            &["performance", "balance_performance"],
        ),
        Low HEAT, 3, SAVERS, "Documentation/admin-guide/pm/intel_pstate.rst",
        "the processor's preference for speed or economy (EPP)";
    "energy_bias": ["sys/devices/system/cpu/cpu*/power/energy_perf_bias" Text],
        Values::Between("0", "6"),
        Low HEAT, 3, SAVERS, "Documentation/admin-guide/pm/intel_epb.rst",
        "the same preference as a number from 0 (speed) to 15 (EPB)";
    "boost": ["sys/devices/system/cpu/cpufreq/boost" Text], Values::Between("0", "1"),
        Low "", 3, SAVERS, "Documentation/admin-guide/pm/cpufreq.rst",
        "frequencies above the nominal one: off for steady times (0), or on";
    "no_turbo": ["sys/devices/system/cpu/intel_pstate/no_turbo" Text], Values::Between("1", "0"),
        Low "", 3, SAVERS, "Documentation/admin-guide/pm/intel_pstate.rst",
        "the same for Intel's driver: no turbo (1), or turbo (0)";
    "uncore_frequency": ["sys/devices/system/cpu/intel_uncore_frequency/*/min_freq_khz" Text],
        Values::Beside(("max", "initial_max_freq_khz"), ("min", "initial_min_freq_khz")),
        Low HEAT, 3, SAVERS, "Documentation/admin-guide/pm/intel_uncore_frequency_scaling.rst",
        "lowest frequency of caches and fabric (Intel): set to the highest possible";
    "smt": ["sys/devices/system/cpu/smt/control" Text], Values::Supported("off", "on"),
        High "CPUs go offline and online: tasks, cpusets and interrupts lose their place on them",
        5, &[TUNED], "Documentation/ABI/testing/sysfs-devices-system-cpu",
        "second hardware threads of cores: off, or on";
}
