//! Interrupts from different sources.

use super::facts;

facts! {
    /// What happened to interrupts, including those without a measured time.
    INTERRUPTS;
    VARIATION_NS "variation_ns" Nanoseconds "largest minus smallest value";
    UNANSWERED "unanswered" Count "interrupts raised but never received";
    NOT_IN_TIME "not_in_time" Count "interrupts skipped because they were not raised in time";
    SPURIOUS "strays" Count "wake-ups for which no interrupt was raised";
    COUNTED "interrupts" Count "interrupts counted by the kernel's handler";
    FAILURE "failure" Text "why the source ended too early";
}
