//! What ended a process that ran code of others.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

/// What the end of a process tells of the code that had it; `None` where the signal has other
/// reasons too, of which its starter may know more.
#[must_use]
pub fn told_by(status: ExitStatus) -> Option<String> {
    let Some(signal) = status.signal() else {
        return Some(format!("it ended the program ({status})"));
    };
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
        let told = |status| told_by(ExitStatus::from_raw(status));
        assert!(told(libc::SIGSEGV).unwrap().contains("memory"));
        assert!(told(libc::SIGABRT).unwrap().contains("abort"));
        assert!(told(3 << 8).unwrap().contains("exit status: 3"));
        assert_eq!(told(libc::SIGKILL), None);
    }
}
