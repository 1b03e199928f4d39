//! Disturbance: the measured thread touches memory that is not mapped yet.

use blame::Cause;
use record::Asked;
use rt::clock;
use rt::mapping::Mapping;

use super::disturbance::{Disturbance, Notes, Within};
use super::timing::LENGTH_NS;

/// Small compared with the caches, and large enough that faults take most of the time.
const BYTES: usize = 256 << 10;

pub(super) const PAGE_FAULTS: Disturbance = Disturbance {
    name: "page_faults",
    what: "the loop touches new memory, page after page",
    cause: "its own page faults",
    is_cause: |found| matches!(found, Cause::PageFault),
    // Locked memory would be present before it is touched.
    conditions: |usual| Asked { memory_lock: false, ..usual },
    within: |_| Ok(Box::new(Touch)),
    ..Disturbance::NONE
};

struct Touch;

impl Within for Touch {
    fn disturb(&mut self, _: u64, notes: &mut Notes) {
        let (from, used) = (clock::now(), clock::thread_cpu_time());
        while clock::now() < from + LENGTH_NS {
            let Ok(mut memory) = Mapping::new(BYTES) else {
                break;
            };
            memory.touch(0..BYTES);
        }
        let had = clock::thread_cpu_time() - used;
        notes.injected.push_had(from, clock::now(), had);
    }
}
