//! Interrupts from different sources.

use super::facts;

facts! {
    /// What became of interrupts, those without a time among them.
    INTERRUPTS;
    VARIATION_NS "variation_ns" Nanoseconds "largest minus smallest value";
    UNANSWERED "unanswered" Count "interrupts that were raised and never came";
    NOT_IN_TIME "not_in_time" Count "interrupts that were not raised in time, and skipped";
    SPURIOUS "strays" Count "wake-ups without an interrupt that was raised";
    COUNTED "interrupts" Count "interrupts that the kernel's handler counted";
    FAILURE "failure" Text "why the source ended before its time";
}
