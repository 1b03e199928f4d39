//! Restores what killed runs have left behind.

use base::counted;
use record::{GivenBack, KnobsBack, Settled};

use crate::startup::output::tell;

/// Restores what a killed run has left. Must come first: this process may be among the moved tasks.
pub(crate) fn give_back() {
    tell_given_back(&runner::give_back_left_over());
}

pub(crate) fn tell_given_back(given_back: &GivenBack) {
    let GivenBack { tasks, knobs: KnobsBack { back, changed, refused }, traces, folders } =
        given_back;
    if *tasks > 0 {
        let tasks = counted(*tasks as usize, "task");
        tell(&format!("Restored the CPUs of {tasks} that a killed run had moved away."));
    }
    for Settled { knob, place, before, .. } in back {
        tell(&format!(
            "Restored {knob}, which a killed `steadfast knobs try` had changed: {place} is {before} again."
        ));
    }
    for Settled { knob, place, now, .. } in changed {
        tell(&format!(
            "Did not restore {knob}, which was changed in the meantime: {place} is {now}."
        ));
    }
    for Settled { knob, place, before, now } in refused {
        tell(&format!("Could not restore {knob} ({place} was {before}): {now}."));
    }
    for (what, count) in [("traces", traces), ("temporary folders", folders)] {
        if *count > 0 {
            tell(&format!("Removed {what} left by killed runs: {count}."));
        }
    }
}
