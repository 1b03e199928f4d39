//! Sockets and network devices.

use crate::knob::files;
use crate::rivals::TUNED;
use crate::values::Values;

files! {
    "busy_poll": ["proc/sys/net/core/busy_poll" Text, "proc/sys/net/core/busy_read" Text],
        Values::Between("50", "0"),
        Low "heat", 1, &[TUNED], "Documentation/admin-guide/sysctl/net.rst",
        "time in us for which a wait for a datagram polls the device";
    "threaded_napi": ["sys/class/net/*/threaded" Text], Values::Between("1", "0"),
        Medium "devices are switched while they transfer data", 1, &[],
        "Documentation/networking/napi.rst",
        "network devices are served by separate threads (1)"
        { cuts_network: true, some_lack_it: true };
}
