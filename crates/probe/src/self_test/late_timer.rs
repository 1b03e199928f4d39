//! The timer is set to a later time than the due one.

use std::io;

use blame::Cause;
use plan::Asked;

use super::LENGTH_NS;
use super::disturbance::{Disturbance, Notes, Within};

pub(super) struct LateTimer;

impl Disturbance for LateTimer {
    fn name(&self) -> &'static str {
        "late_timer"
    }

    fn what(&self) -> &'static str {
        "the loop sets its timer later than it is due"
    }

    fn cause(&self) -> &'static str {
        "a timer that was set late"
    }

    fn is_cause(&self, found: &Cause) -> bool {
        matches!(found, Cause::LateTimer)
    }

    fn within(&self, _: &Asked) -> io::Result<Box<dyn Within>> {
        Ok(Box::new(Late))
    }
}

struct Late;

impl Within for Late {
    fn wake_at(&mut self, due: u64) -> u64 {
        due + LENGTH_NS
    }

    fn disturb(&mut self, due: u64, notes: &mut Notes) {
        notes.injected.push(due, due + LENGTH_NS);
    }
}
