//! No load: the machine as it is.

use crate::{Load, Processes, Work};

pub(crate) struct None;

impl Load for None {
    fn name(&self) -> &'static str {
        "none"
    }

    fn summary(&self) -> &'static str {
        "the machine as it is"
    }

    fn unit(&self, _argument: &str) -> &'static str {
        "nothing"
    }

    fn processes(&self) -> Processes {
        Processes::None
    }

    fn prepare(&self, _argument: &str, _granted: u64) -> Result<Work, String> {
        Ok(Box::new(|| Ok(0)))
    }
}
