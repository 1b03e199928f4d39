//! What code of others may change of the process that it runs in.

use std::env;
use std::ffi::CStr;
use std::fs;
use std::path::PathBuf;

use crate::read;

/// What all code of a process shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// A bit for each signal that has a handler, the lowest for number 1.
    handled: u64,
    locale: String,
    folder: Option<PathBuf>,
    open_files: usize,
}

impl Surroundings {
    /// As they are now.
    #[must_use]
    pub fn now() -> Self {
        Self {
            handled: handled().unwrap_or(0),
            locale: locale(),
            folder: env::current_dir().ok(),
            open_files: fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
        }
    }

    /// What has become of them, in words.
    #[must_use]
    pub fn changed_to(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let signals = self.handled ^ now.handled;
        if signals != 0 {
            let numbers = (0..64).filter(|bit| signals & 1 << bit != 0);
            let numbers: Vec<String> = numbers.map(|bit| (bit + 1).to_string()).collect();
            changes.push(format!("changes the handler of signal {}", numbers.join(", ")));
        }
        if self.locale != now.locale {
            changes.push(format!("changes the locale from {} to {}", self.locale, now.locale));
        }
        if self.folder != now.folder {
            let folder = now.folder.as_deref().unwrap_or("".as_ref()).display();
            changes.push(format!("changes the working directory to {folder}"));
        }
        if let more @ 1.. = now.open_files.saturating_sub(self.open_files) {
            let files = if more == 1 { "file" } else { "files" };
            changes.push(format!("leaves {more} {files} open"));
        }
        changes
    }
}

/// `SigCgt` of proc_pid_status(5), without the two signals that the C library keeps for itself
/// and handles from the first thread on: signal(7).
fn handled() -> Option<u64> {
    let status = read::text("/proc/self/status")?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & !(0b11 << 31))
}

fn locale() -> String {
    // SAFETY: asks, and changes nothing; nothing else changes it meanwhile, since the code of
    // others that might is not running.
    let name = unsafe { libc::setlocale(libc::LC_ALL, std::ptr::null()) };
    match name.is_null() {
        true => String::new(),
        // SAFETY: a string of the C library, copied at once.
        false => (unsafe { CStr::from_ptr(name) }).to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_told() {
        let now = Surroundings::now();
        assert!(!now.locale.is_empty() && now.open_files > 2);
        let before = Surroundings {
            handled: now.handled ^ 0b101,
            locale: "de_DE".to_owned(),
            folder: None,
            open_files: now.open_files - 1,
        };
        let told = before.changed_to(&now);
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[0].ends_with("signal 1, 3") && told[3] == "leaves 1 file open", "{told:?}");
        let fewer = Surroundings { open_files: 0, ..now.clone() };
        assert!(now.changed_to(&fewer).is_empty());
    }
}
