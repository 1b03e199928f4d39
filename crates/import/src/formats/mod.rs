//! The table of formats: one file per tool.

mod cyclicdeadline;
mod cyclictest;
mod hwlatdetect;
mod jitterdebugger;
mod latmus;
mod oslat;
mod rtc_testbench;
mod rtla;
mod xenomai;

use crate::format::Format;

/// All known formats. A file is read by the first one that recognises it.
pub static FORMATS: &[Format] = &[
    cyclictest::FORMAT,
    cyclicdeadline::FORMAT,
    oslat::FORMAT,
    jitterdebugger::FORMAT,
    rtla::TIMERLAT_HIST,
    rtla::TIMERLAT_TOP,
    rtla::OSNOISE_HIST,
    hwlatdetect::FORMAT,
    xenomai::FORMAT,
    latmus::FORMAT,
    rtc_testbench::FORMAT,
];
