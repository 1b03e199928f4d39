//! Why a process that ran other people's code ended.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

use crate::crash;

/// Describes what the exit status of a process says about the code in it, whose stack has overflowed
/// if its stage says so; `None` if the signal has other possible reasons, which the process's starter
/// may know.
#[must_use]
pub fn told_by(status: ExitStatus, has_overflowed: bool) -> Option<String> {
    let Some(signal) = status.signal() else {
        return Some(format!("it ended the program ({status})"));
    };
    if has_overflowed {
        return Some(format!(
            "its stack overflowed: the limit gives {} KiB; raise it (ulimit -s), or use less",
            crash::stack_bytes() >> 10
        ));
    }
    let words = match Signal::from_named_raw(signal) {
        Some(Signal::SEGV | Signal::BUS) => "it used memory that is not there",
        Some(Signal::ILL) => "it ran an instruction that this processor does not have",
        Some(Signal::FPE) => "it divided a whole number by zero",
        Some(Signal::ABORT) => "it ended the program (abort)",
        Some(Signal::KILL | Signal::XCPU) => return None,
        _ => return Some(format!("it ended the program ({status})")),
    };
    Some(words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_words() {
        let words = |status| told_by(ExitStatus::from_raw(status), false);
        assert!(words(libc::SIGSEGV).unwrap().contains("memory"));
        assert!(words(libc::SIGABRT).unwrap().contains("abort"));
        assert!(words(3 << 8).unwrap().contains("exit status: 3"));
        assert_eq!(words(libc::SIGKILL), None);
        let overflow = told_by(ExitStatus::from_raw(libc::SIGSEGV), true).unwrap();
        assert!(overflow.starts_with("its stack overflowed") && overflow.contains("ulimit -s"));
    }
}
