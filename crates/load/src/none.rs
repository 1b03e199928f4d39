//! No load: the machine as it is.

use crate::Load;

pub(crate) struct None;

impl Load for None {
    fn name(&self) -> &'static str {
        "none"
    }

    fn summary(&self) -> &'static str {
        "the machine as it is"
    }

    fn unit(&self) -> &'static str {
        "nothing"
    }

    fn works(&self) -> bool {
        false
    }

    fn work(&self) {}
}
