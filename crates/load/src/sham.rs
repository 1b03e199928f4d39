//! Sham load: a process that is there and sleeps, to tell what nothing looks like.

use std::time::Duration;

use crate::Load;

/// From one awakening to the next.
const SLEEP: Duration = Duration::from_millis(20);

pub(crate) const LOAD: Load = Load {
    name: "sham",
    summary: "sleeps, and wakes 50 times a second to count that: what nothing looks like",
    unit: |_| "awakenings",
    is_aggressor: true,
    prepare: |_, _| {
        Ok(Box::new(|| {
            std::thread::sleep(SLEEP);
            Ok(1)
        }))
    },
    ..Load::PLAIN
};
