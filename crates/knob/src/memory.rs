//! Automatic huge pages, merged pages, and the sampling of accesses.

use crate::knob::files;
use crate::rivals::{KSMTUNED, TUNED};
use crate::values::Values;

/// The kernel's documentation of huge pages.
const HUGE_PAGES: &str = "Documentation/admin-guide/mm/transhuge.rst";

files! {
    "thp": ["sys/kernel/mm/transparent_hugepage/enabled" Bracketed],
        Values::Between("never", "always"),
        Low "", 2, &[TUNED], HUGE_PAGES,
        "huge pages for all memory: never, or always";
    "thp_defrag": ["sys/kernel/mm/transparent_hugepage/defrag" Bracketed],
        Values::Between("never", "madvise"),
        Low "", 2, &[TUNED], HUGE_PAGES,
        "whether a request for a huge page waits until memory is compacted";
    "khugepaged_defrag": ["sys/kernel/mm/transparent_hugepage/khugepaged/defrag" Text],
        Values::Between("0", "1"),
        Low "", 5, &[TUNED], HUGE_PAGES,
        "whether khugepaged compacts memory to make huge pages";
    "ksm": ["sys/kernel/mm/ksm/run" Text], Values::Unless("0", "2", "1"),
        Medium "splitting merged pages needs memory", 10, &[KSMTUNED, TUNED],
        "Documentation/admin-guide/mm/ksm.rst",
        "equal pages are merged (1), or none are, and merged ones are split (2)";
    "damon_stat": ["sys/module/damon_stat/parameters/enabled" Text], Values::Between("N", "Y"),
        Low "", 1, &[], "Documentation/admin-guide/mm/damon/stat.rst",
        "whether the kernel thread kdamond samples which memory is used";
}
