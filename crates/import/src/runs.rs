//! Texts with the output of several runs, of which only a mixture could be read, and texts that were cut off.

use std::collections::BTreeMap;

use crate::Flaw;

/// Returns that a text has the output of several runs, as this shows.
pub(crate) fn several(shows: &str) -> Flaw {
    Flaw::new(format!(
        "it has {shows}: the output of several runs; import each run from a separate file"
    ))
}

/// Returns that a text ends before this.
pub(crate) fn cut_off(before: &str) -> Flaw {
    Flaw::new(format!("it ends before {before}, so it may be cut off: copy the whole file"))
}

/// The figures that a tool counts from the start of a run, at the moment up to which its text was read.
#[derive(Debug, Default)]
pub(crate) struct Progress(BTreeMap<String, f64>);

impl Progress {
    /// Adds a figure that only rises while a run lasts, unless the text has none.
    ///
    /// # Errors
    /// Fails if it fell: it is of another run.
    pub(crate) fn rises(&mut self, name: String, text: Option<&str>) -> Result<(), Flaw> {
        self.goes(name, text, |before, now| now < before)
    }

    /// Adds a figure that only falls while a run lasts, unless the text has none.
    ///
    /// # Errors
    /// Fails if it rose: it is of another run.
    pub(crate) fn falls(&mut self, name: String, text: Option<&str>) -> Result<(), Flaw> {
        self.goes(name, text, |before, now| now > before)
    }

    fn goes(
        &mut self,
        name: String,
        text: Option<&str>,
        is_back: fn(f64, f64) -> bool,
    ) -> Result<(), Flaw> {
        let Some(now) = text.and_then(|text| text.parse::<f64>().ok()) else { return Ok(()) };
        match self.0.get(&name) {
            Some(before) if is_back(*before, now) => {
                Err(several(&format!("{name} first as {before}, later as {now}")))
            }
            _ => {
                self.0.insert(name, now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_goes_back_is_of_another_run() {
        let mut progress = Progress::default();
        for text in [Some("5"), None, Some("-"), Some("00005"), Some("6.5")] {
            assert_eq!(progress.rises("the count".to_owned(), text), Ok(()));
            assert_eq!(progress.falls("the smallest".to_owned(), Some("3")), Ok(()));
        }
        let why = progress.rises("the count".to_owned(), Some("6")).unwrap_err().to_string();
        assert!(why.starts_with("it has the count first as 6.5, later as 6: the output"), "{why}");
        assert!(progress.falls("the smallest".to_owned(), Some("4")).is_err());
    }
}
