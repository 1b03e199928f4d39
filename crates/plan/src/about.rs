//! What a machine says of itself before runs are made on it.

use serde::{Deserialize, Serialize};
use units::CpuSet;

use crate::Machine;

/// What this program says of a machine that it is on, for a plan that is made elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Version of the program there.
    pub tool_version: String,
    /// The machine.
    pub machine: Machine,
    /// CPUs that runs may use there.
    pub usable: CpuSet,
    /// How many tasks got the CPUs back that a killed run had moved them off.
    pub given_back: u64,
    /// Why the first specification that cannot be carried out there cannot.
    pub refused: Option<String>,
}
