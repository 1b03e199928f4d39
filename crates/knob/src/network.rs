//! Sockets and network devices.

use crate::knob::{At, Knob, Risk, Way, text};
use crate::rivals::TUNED;
use crate::values::Values;

pub(crate) const BUSY_POLL: Knob = Knob {
    name: "busy_poll",
    summary: "time in us for which a wait for a datagram polls the device",
    way: Way::Files(
        &[At::text("proc/sys/net/core/busy_poll"), At::text("proc/sys/net/core/busy_read")],
        Values::Between("50", "0"),
    ),
    why: "heat",
    written_by: &[TUNED],
    source: "Documentation/admin-guide/sysctl/net.rst",
    ..Knob::PLAIN
};

pub(crate) const THREADED_NAPI: Knob = Knob {
    name: "threaded_napi",
    summary: "network devices are served by separate threads (1)",
    way: text!("sys/class/net/*/threaded", Between("1", "0")),
    risk: Risk::Medium,
    why: "devices are switched while they transfer data",
    cuts_network: true,
    some_lack_it: true,
    source: "Documentation/networking/napi.rst",
    ..Knob::PLAIN
};
