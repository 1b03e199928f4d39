//! The newest self-test of each machine, so that later runs can refer to it.

use anyhow::Result;
use plan::{Machine, SelfTest, SelfTested};
use serde_json::json;

use crate::newest;

const KIND: &str = "self-test";

/// Keeps a self-test, in place of the machine's earlier one.
pub(crate) fn keep(test: &SelfTest) -> Result<()> {
    newest::keep(KIND, &test.machine_id, &json!(test))
}

/// Returns the result of the machine's newest self-test, if there is one.
pub(crate) fn newest(machine: &Machine) -> Option<SelfTested> {
    let test = newest::newest(KIND, &machine.id())?;
    // A self-test in another version's format counts as none.
    let test: SelfTest = serde_json::from_value(test).ok()?;
    Some(test.told())
}
