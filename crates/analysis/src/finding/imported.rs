//! Statements about the files of other tools.

use super::said::statements;
use crate::phrases::{list, warned};
use crate::words::{counted, time};

statements! { AboutImported {
    /// What files of other tools do not state, so that nothing is claimed from it.
    NotStated { files: usize, conditions: Vec<String> }
        "Not stated": "by {}: {}. So no deadline, confidence interval or case worse than these is claimed.",
            if *files == 1 { "the imported file".to_owned() } else { format!("imported files ({files})") },
            list(conditions.iter().cloned());

    /// Samples above the histogram of a file, whose times are known only to be at most its largest.
    BeyondBins { file: String, row: String, samples: u64, max_ns: f64 }
        "Above the histogram": "{} of {row} in `{file}`: each reads as the largest, {}, so higher quantiles are upper bounds.",
            counted(*samples as usize, "sample"), time(*max_ns);

    /// A known trap of a tool that applies to a file.
    Trap { what: String, advice: String }
        "Note" = warned(what, advice);
}}
