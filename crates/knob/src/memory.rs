//! Automatic huge pages, and merged pages.

use std::time::Duration;

use crate::form::Form;
use crate::knob::{At, Knob, Risk, Way, text};
use crate::rivals::{KSMTUNED, TUNED};
use crate::values::Values;

/// The kernel's documentation of huge pages.
const HUGE_PAGES: &str = "Documentation/admin-guide/mm/transhuge.rst";

pub(crate) const THP: Knob = Knob {
    name: "thp",
    summary: "huge pages for all memory: never, or always",
    way: Way::Files(
        &[At { pattern: "sys/kernel/mm/transparent_hugepage/enabled", form: Form::Bracketed }],
        Values::Between("never", "always"),
    ),
    settle: Duration::from_secs(2),
    written_by: &[TUNED],
    source: HUGE_PAGES,
    ..Knob::PLAIN
};

pub(crate) const THP_DEFRAG: Knob = Knob {
    name: "thp_defrag",
    summary: "whether a request for a huge page waits until memory is compacted",
    way: Way::Files(
        &[At { pattern: "sys/kernel/mm/transparent_hugepage/defrag", form: Form::Bracketed }],
        Values::Between("never", "madvise"),
    ),
    settle: Duration::from_secs(2),
    written_by: &[TUNED],
    source: HUGE_PAGES,
    ..Knob::PLAIN
};

pub(crate) const KHUGEPAGED_DEFRAG: Knob = Knob {
    name: "khugepaged_defrag",
    summary: "whether khugepaged compacts memory to make huge pages",
    way: text!("sys/kernel/mm/transparent_hugepage/khugepaged/defrag", Between("0", "1")),
    settle: Duration::from_secs(5),
    written_by: &[TUNED],
    source: HUGE_PAGES,
    ..Knob::PLAIN
};

pub(crate) const KSM: Knob = Knob {
    name: "ksm",
    summary: "equal pages are merged (1), or none are, and merged ones are split (2)",
    way: text!("sys/kernel/mm/ksm/run", Unless("0", "2", "1")),
    risk: Risk::Medium,
    why: "splitting merged pages needs memory",
    settle: Duration::from_secs(10),
    written_by: &[KSMTUNED, TUNED],
    source: "Documentation/admin-guide/mm/ksm.rst",
    ..Knob::PLAIN
};
