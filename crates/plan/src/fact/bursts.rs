//! Work in bursts.

use super::facts;

facts! {
    /// How many bursts there were.
    BURSTS;
    BURSTS_MADE "bursts_made" Count "bursts that were made in the time given";
    BURSTS_PLANNED "bursts_planned" Count "bursts that were planned";
}
