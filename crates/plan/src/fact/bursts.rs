//! Work in bursts.

use super::facts;

facts! {
    /// How many bursts were done and planned.
    BURSTS;
    BURSTS_MADE "bursts_made" Count "bursts done in the time given";
    BURSTS_PLANNED "bursts_planned" Count "bursts planned";
}
