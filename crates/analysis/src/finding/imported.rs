//! Statements about the files of other tools.

use super::said::statements;
use crate::phrases::{list, warned};
use crate::words::{counted, time};

statements! { AboutImported {
    /// What files of other tools do not state, each with the number of these files, so that nothing is claimed from it.
    NotStated { files: usize, conditions: Vec<(usize, String)> }
        "Not stated": "by {}: {}. So no deadline, confidence interval or case worse than these is claimed.",
            if *files == 1 { "the imported file".to_owned() } else { format!("imported files ({files})") },
            list(conditions.iter().map(|(lack, condition)| lacked(*lack, *files, condition)));

    /// Samples above the histogram of a file, whose times are known only to be at most its largest.
    BeyondBins { file: String, row: String, samples: u64, max_ns: f64 }
        "Above the histogram": "{} of {row} in `{file}`: each reads as the largest, {}, so higher quantiles are upper bounds.",
            counted(*samples as usize, "sample"), time(*max_ns);

    /// A known trap of a tool that applies to a file.
    Trap { what: String, advice: String }
        "Note" = warned(what, advice);
}}

/// `load`, or `kernel (2 of them)` if the other files state it.
fn lacked(lack: usize, files: usize, condition: &str) -> String {
    if lack == files { condition.to_owned() } else { format!("{condition} ({lack} of them)") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_some_files_state_is_counted() {
        let conditions = vec![(2, "kernel".to_owned()), (3, "load".to_owned())];
        let about = AboutImported::NotStated { files: 3, conditions };
        let words = crate::finding::Finding::Imported(about).named();
        assert!(
            words.starts_with("Not stated: by imported files (3): kernel (2 of them) and load."),
            "{words}"
        );
    }
}
