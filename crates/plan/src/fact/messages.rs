//! Messages between tasks.

use super::facts;

facts! {
    /// Size of the messages.
    MESSAGES;
    BYTES "bytes" Bytes "size of a message";
}

facts! {
    /// The part of a transfer that is the context switch.
    SWITCH_COST;
    CONTEXT_SWITCH_NS "context_switch_ns" Nanoseconds
        "mean of the transfer minus mean of write and read on one task";
    SHARE_OF_TRANSFER_PERCENT "share_of_transfer_percent" Percent "share of the transfer that is the context switch";
}
