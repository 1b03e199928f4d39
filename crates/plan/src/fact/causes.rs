//! What was late, and why.

use super::facts;

facts! {
    /// Facts in the first row of a run with causes or disturbances.
    CAUSES;
    BLAME "blame" Record "with --blame, in the first row: what was late, and why";
    DISTURBED "disturbed" Record
        "in a run of the self-test: what was injected, and how the measurement reported it";
}
