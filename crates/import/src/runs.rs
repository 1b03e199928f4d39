//! Texts with the output of several runs, of which only a mixture could be read, and texts that were cut off.

use std::collections::BTreeMap;

use crate::Flaw;
use crate::text::plain;

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

/// Refuses a line that begins as only one line of a run does. A begin with a line feed is that of a whole line.
pub(crate) fn refuse_repeated(lines: &[&str], once: &[&str]) -> Result<(), Flaw> {
    for begin in once {
        let is_it = |line: &&&str| match begin.strip_suffix('\n') {
            Some(whole) => plain(line).trim() == whole,
            None => plain(line).trim_start().starts_with(begin),
        };
        let times = lines.iter().filter(is_it).count();
        if times > 1 {
            return Err(several(&format!("line `{}` {times} times", begin.trim_end())));
        }
    }
    Ok(())
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
    fn a_line_that_a_run_has_once_is_refused_the_second_time() {
        let lines = ["# Histogram", "1 2", "# Histogram Overflows: 0", " # Histogram"];
        let why = refuse_repeated(&lines, &["# Total:", "# Histogram\n"]).unwrap_err().to_string();
        assert!(
            why.starts_with("it has line `# Histogram` 2 times: the output of several"),
            "{why}"
        );
        assert_eq!(refuse_repeated(&lines[..3], &["# Histogram\n"]), Ok(()));
        assert!(refuse_repeated(&lines[..3], &["# Histogram"]).is_err());
    }

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
