//! The measured thread touches memory that is not there.

use std::io;

use blame::Cause;
use plan::Asked;
use rt::clock;
use rt::mapping::Mapping;

use super::LENGTH_NS;
use super::disturbance::{Disturbance, Notes, Within};

pub(super) struct PageFaults;

/// Small against the caches, and large enough that faults take most of the time.
const BYTES: usize = 256 << 10;

impl Disturbance for PageFaults {
    fn name(&self) -> &'static str {
        "page_faults"
    }

    fn what(&self) -> &'static str {
        "the loop touches new memory, page after page"
    }

    fn cause(&self) -> &'static str {
        "its own page faults"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        matches!(found, Cause::PageFault)
    }

    /// Locked memory would be there before it is touched.
    fn conditions(&self, usual: Asked) -> Asked {
        Asked {
            memory_lock: false,
            ..usual
        }
    }

    fn within(&self, _: &Asked) -> io::Result<Box<dyn Within>> {
        Ok(Box::new(Touch))
    }
}

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
