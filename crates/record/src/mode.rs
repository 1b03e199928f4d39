//! How the steps of a model follow each other.

use crate::Parameters;

base::named! {
    /// The mode of a run of a model.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Mode {
        /// Each step begins when the one before it has ended; a rate has no meaning.
        RealFast = "real-fast",
        /// Each step begins when it is due.
        RealTime = "real-time",
    }
}

impl Parameters {
    /// Returns the mode; `None` if the measurement has none.
    pub fn mode(&self) -> Option<Mode> {
        Mode::named(self.word("mode"))
    }
}
