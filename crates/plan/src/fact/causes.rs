//! What was late, and why.

use super::facts;

facts! {
    /// What the headline of a run with causes or disturbances tells.
    CAUSES;
    BLAME "blame" Record "with --blame, in the first row: what was late, and why";
    DISTURBED "disturbed" Record
        "in a run of the self-test: what was injected, and what the measurement made of it";
}
