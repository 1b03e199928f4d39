//! Messages between tasks.

use super::facts;

facts! {
    /// What is passed.
    MESSAGES;
    BYTES "bytes" Bytes "size of a message";
}

facts! {
    /// What a switch costs beside a message.
    SWITCH_COST;
    CONTEXT_SWITCH_NS "context_switch_ns" Nanoseconds
        "mean of the transfer minus mean of write and read on one task";
    SHARE_OF_TRANSFER_PERCENT "share_of_transfer_percent" Percent "its share of the transfer";
}
