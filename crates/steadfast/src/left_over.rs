//! What killed runs have left behind.

use plan::{GivenBack, KnobsBack, Settled};

use crate::output::tell;

/// Gives back what a killed run has left: tasks moved off its CPUs, and its trace. Comes
/// before any command: this process may be among the tasks, and would plan with the CPUs
/// left to it.
pub(crate) fn give_back() {
    tell_given_back(&runner::give_back_left_over());
}

/// Says what was given back, here or on another machine.
pub(crate) fn tell_given_back(given_back: &GivenBack) {
    if let tasks @ 1.. = given_back.tasks {
        tell(&format!("Gave {tasks} tasks the CPUs back that a killed run had moved them off."));
    }
    tell_of_settings(&given_back.knobs);
    if let traces @ 1.. = given_back.traces {
        tell(&format!("Removed traces that killed runs had left: {traces}."));
    }
    if let folders @ 1.. = given_back.folders {
        tell(&format!("Removed temporary folders that killed runs had left: {folders}."));
    }
}

/// Says what has become of settings that a killed run had changed.
fn tell_of_settings(knobs: &KnobsBack) {
    for Settled { knob, place, before, .. } in &knobs.back {
        tell(&format!(
            "Gave {knob} back, which a killed `steadfast knobs try` had changed: {place} is {before} again."
        ));
    }
    for Settled { knob, place, now, .. } in &knobs.changed {
        tell(&format!("Left {knob} as somebody else has set it: {place} is {now}."));
    }
    for Settled { knob, place, before, now } in &knobs.refused {
        tell(&format!("Could not give {knob} back: {place} was {before}: {now}."));
    }
}
