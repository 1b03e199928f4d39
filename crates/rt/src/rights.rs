//! The capabilities of this process, and what keeps it from a right that one of them grants.

use std::path::Path;

use base::RightBarrier;

use crate::{programs, read};

/// Reads a file of the machine; `None` if it cannot be seen.
type Text<'t> = &'t dyn Fn(&str) -> Option<String>;

/// A capability (man 7 capabilities), by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Opens files of others, such as devices.
    DacOverride = 1,
    /// Locks memory.
    IpcLock = 14,
    /// Gives real-time policies.
    SysNice = 23,
}

/// What is granted to a program file together, so that it starts only where both may be had.
const GRANTED_TOGETHER: [Capability; 2] = [Capability::SysNice, Capability::IpcLock];

/// Returns what keeps this process from a right; `None` if its status cannot be read.
#[must_use]
pub fn barrier_to(capability: Capability) -> Option<RightBarrier> {
    let has_sudo = programs::FOLDERS.iter().any(|folder| Path::new(folder).join("sudo").exists());
    barrier(&|path| read::text(path), has_sudo, capability)
}

/// Returns what keeps the process of these files from a right; `None` if its status cannot be read.
#[must_use]
pub fn barrier(text: Text, has_sudo: bool, capability: Capability) -> Option<RightBarrier> {
    let status = text("/proc/self/status")?;
    let has = |set: &str, capability: Capability| {
        let mask = u64::from_str_radix(line(&status, set)?, 16).ok()?;
        Some(mask & (1 << capability as u32) != 0)
    };
    let has_effective = has("CapEff:", capability)?;
    let needed = match GRANTED_TOGETHER.contains(&capability) {
        true => &GRANTED_TOGETHER[..],
        false => &[capability],
    };
    let is_bounded = needed.iter().any(|one| has("CapBnd:", *one) == Some(false));
    const FILTER: &str = "2";
    Some(if has_own_users(text) {
        RightBarrier::UserNamespace
    } else if has_effective && line(&status, "Seccomp:") == Some(FILTER) {
        RightBarrier::Filter
    } else if has_effective {
        RightBarrier::Rule
    } else if is_bounded {
        RightBarrier::Bounds
    } else if has_sudo {
        RightBarrier::NoCapability
    } else {
        RightBarrier::NoSudo
    })
}

fn line<'s>(status: &'s str, name: &str) -> Option<&'s str> {
    status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// Whether the process is in another user namespace than the first, as in a container: the kernel checks
/// capabilities in the first one (man 7 `user_namespaces`).
fn has_own_users(text: Text) -> bool {
    const ALL_USERS: [&str; 3] = ["0", "0", "4294967295"];
    text("/proc/self/uid_map").is_some_and(|map| map.split_whitespace().ne(ALL_USERS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Capability::{DacOverride, IpcLock, SysNice};
    use RightBarrier::{Bounds, Filter, NoCapability, NoSudo, Rule, UserNamespace};

    const NONE: &str = "0000000000000000";
    const ALL: &str = "000001ffffffffff";
    /// What Docker leaves to root by default.
    const OF_DOCKER: &str = "00000000a80425fb";
    const OUTSIDE: &str = "         0          0 4294967295\n";
    const INSIDE: &str = "         0     100000      65536\n";

    #[test]
    fn what_keeps_a_process_from_a_right_is_read_from_its_status() {
        for (effective, bounds, filter, users, capability, has_sudo, expected) in [
            (NONE, ALL, "0", OUTSIDE, SysNice, true, NoCapability),
            (NONE, ALL, "0", OUTSIDE, SysNice, false, NoSudo),
            (OF_DOCKER, OF_DOCKER, "2", OUTSIDE, SysNice, false, Bounds),
            (OF_DOCKER, OF_DOCKER, "2", OUTSIDE, DacOverride, false, Filter),
            (ALL, ALL, "0", OUTSIDE, IpcLock, true, Rule),
            (ALL, ALL, "2", OUTSIDE, IpcLock, true, Filter),
            (ALL, ALL, "0", INSIDE, SysNice, true, UserNamespace),
        ] {
            let text = |path: &str| match path {
                "/proc/self/uid_map" => Some(users.to_owned()),
                _ => Some(format!("CapEff:\t{effective}\nCapBnd:\t{bounds}\nSeccomp:\t{filter}\n")),
            };
            assert_eq!(barrier(&text, has_sudo, capability), Some(expected));
        }
    }

    #[test]
    fn without_a_status_nothing_is_said() {
        assert_eq!(barrier(&|_| None, true, SysNice), None);
    }
}
