//! Whether a file system grants locks on its files: fcntl(2).

use std::fs::File;

use rustix::fs::{FlockOperation, fcntl_lock};
use rustix::io::Errno;

/// Whether the file system refuses a lock on a file that no other process uses: NFS without its lock
/// service, or a file system without locks. Releases the lock again, if it is granted.
#[must_use]
pub fn is_refused(file: &File) -> bool {
    let taken = fcntl_lock(file, FlockOperation::NonBlockingLockExclusive);
    let _ = fcntl_lock(file, FlockOperation::Unlock);
    matches!(taken, Err(Errno::NOLCK | Errno::NOSYS | Errno::OPNOTSUPP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_file_system_grants_a_lock() {
        assert!(!is_refused(&tempfile::tempfile().unwrap()));
    }
}
