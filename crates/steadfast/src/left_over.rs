//! Restores what killed runs have left behind.

use plan::{GivenBack, KnobsBack, Settled};
use units::counted;

use crate::output::tell;

/// Restores what a killed run has left. Must come first: this process may be among the moved tasks.
pub(crate) fn give_back() {
    tell_given_back(&runner::give_back_left_over());
}

pub(crate) fn tell_given_back(given_back: &GivenBack) {
    if let tasks @ 1.. = given_back.tasks {
        tell(&format!(
            "Restored the CPUs of {} that a killed run had moved away.",
            counted(tasks as usize, "task")
        ));
    }
    tell_of_settings(&given_back.knobs);
    if let traces @ 1.. = given_back.traces {
        tell(&format!("Removed traces left by killed runs: {traces}."));
    }
    if let folders @ 1.. = given_back.folders {
        tell(&format!("Removed temporary folders left by killed runs: {folders}."));
    }
}

fn tell_of_settings(knobs: &KnobsBack) {
    for Settled { knob, place, before, .. } in &knobs.back {
        tell(&format!(
            "Restored {knob}, which a killed `steadfast knobs try` had changed: {place} is {before} again."
        ));
    }
    for Settled { knob, place, now, .. } in &knobs.changed {
        tell(&format!(
            "Did not restore {knob}, which was changed in the meantime: {place} is {now}."
        ));
    }
    for Settled { knob, place, before, now } in &knobs.refused {
        tell(&format!("Could not restore {knob} ({place} was {before}): {now}."));
    }
}
