//! The knobs of an experiment: set before a run, read back, and restored after it.
//!
//! A journal on disk records the old value of each place before anything is written there, and a
//! guard process restores everything when the run ends in any way.

mod back;
mod guard;
mod held;
mod set;

pub use back::{give_back_left_over, settings_left};
pub use guard::{ROLE, guard};
pub(crate) use set::Knobs;

use knob::Knob;
use record::Asked;
use rt::remote;

/// Refuses unknown knobs, and knobs that could cut the connection over which they are tried.
pub(crate) fn check(asked: &Asked) -> Result<(), String> {
    for tried in &asked.tried {
        let name = &tried.knob;
        let known: &Knob = knob::find(name).ok_or_else(|| format!("there is no knob `{name}`"))?;
        if tried.value.is_some() && known.cuts_network && remote::is_over_ssh() {
            return Err(format!(
                "knob `{name}` could cut the ssh connection over which it is tried; try it at the machine itself"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
