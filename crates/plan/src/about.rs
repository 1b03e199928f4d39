//! What a machine reports about itself before runs are made on it.

use serde::{Deserialize, Serialize};
use units::CpuSet;

use crate::{GivenBack, Machine, Right, SettingsLeft};

/// What Steadfast on a target reports about its machine, for a plan that is made elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    pub tool_version: String,
    pub machine: Machine,
    pub usable: CpuSet,
    /// What killed runs left behind, and what this start has restored of it.
    pub given_back: GivenBack,
    pub settings_left: SettingsLeft,
    #[serde(default)]
    pub without: Vec<Right>,
    /// Why the first specification that cannot be carried out there is refused; `None` if all can
    /// be.
    pub refused: Option<String>,
}
