//! What a machine says of itself before runs are made on it.

use serde::{Deserialize, Serialize};
use units::CpuSet;

use crate::{GivenBack, Machine, SettingsLeft};

/// What this program says of a machine that it is on, for a plan that is made elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Version of the program there.
    pub tool_version: String,
    /// The machine.
    pub machine: Machine,
    /// CPUs that runs may use there.
    pub usable: CpuSet,
    /// What killed runs had left there, and is given back now.
    pub given_back: GivenBack,
    /// What is left of settings that runs have changed there.
    pub settings_left: SettingsLeft,
    /// Why the first specification that cannot be carried out there cannot.
    pub refused: Option<String>,
}
