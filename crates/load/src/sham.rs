//! Sham load: a process that sleeps, as the control of an experiment.

use std::time::Duration;

use crate::Load;

const SLEEP: Duration = Duration::from_millis(20);

pub(crate) const LOAD: Load = Load {
    name: "sham",
    summary: "sleeps, and wakes 50 times per second to count that: the control, with next to no \
              effect",
    unit: |_| "wake-ups",
    is_aggressor: true,
    prepare: |_, _| {
        Ok(Box::new(|| {
            std::thread::sleep(SLEEP);
            Ok(1)
        }))
    },
    ..Load::PLAIN
};
