//! Symbolic links that lead elsewhere than the user who named a file meant. The kernel refuses them
//! in sticky directories if `fs.protected_symlinks` is 1 (Documentation/admin-guide/sysctl/fs.rst);
//! this module refuses them in all directories that every user may write.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use crate::process::user;

/// The number of links that the kernel follows at most: path_resolution(7).
const MOST_LINKS: usize = 40;
/// The write permission for all users, in a file's mode.
const BY_EVERYBODY: u32 = 0o002;

/// Refuses a path that contains a symbolic link which another user may have created: a link in a
/// directory that every user may write, owned neither by this user nor by the directory's owner. A
/// path that does not exist is not refused.
///
/// # Errors
/// `PermissionDenied`, in words that fit after "cannot be written:".
pub fn refuse_a_strangers(path: &Path) -> io::Result<()> {
    match laid_by_a_stranger(path, MOST_LINKS) {
        None => Ok(()),
        Some(link) => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "`{}` is a symbolic link of another user in a directory that all users may write; \
                 name its target instead",
                link.display()
            ),
        )),
    }
}

/// Creates or empties a file that the user names.
///
/// # Errors
/// Returns the system's errors, and those of [`refuse_a_strangers`].
pub fn create(path: &Path) -> io::Result<File> {
    refuse_a_strangers(path)?;
    let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    // A link that another user creates in the meantime is not followed; a link that was accepted
    // is.
    let flags = if is_link { 0 } else { libc::O_NOFOLLOW };
    let mut file = OpenOptions::new();
    file.write(true).create(true).truncate(true).custom_flags(flags).open(path)
}

fn laid_by_a_stranger(path: &Path, most: usize) -> Option<PathBuf> {
    let mut way = PathBuf::new();
    for component in path.components() {
        let within = if way.as_os_str().is_empty() { ".".into() } else { way.clone() };
        way.push(component);
        let Ok(found) = way.symlink_metadata() else {
            return None;
        };
        if !found.is_symlink() || component == Component::ParentDir {
            continue;
        }
        let around = within.metadata().ok()?;
        let is_known = [user(), around.uid()].contains(&found.uid());
        if around.mode() & BY_EVERYBODY != 0 && !is_known {
            return Some(way);
        }
        let onwards = fs::read_link(&way).ok()?;
        let stranger = laid_by_a_stranger(&within.join(onwards), most.checked_sub(1)?);
        if stranger.is_some() {
            return stranger;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, lchown, symlink};
    use testing::{needs, refuses};

    #[test]
    fn a_strangers_link_is_refused_wherever_it_is_on_the_way() {
        // The tests may run as user nobody, 65 534.
        const STRANGER: u32 = 65_533;
        let open = tempfile::tempdir().unwrap();
        let path = |name: &str| open.path().join(name);
        fs::create_dir(path("place")).unwrap();
        for name in ["own", "strangers"] {
            symlink("place", path(name)).unwrap();
        }
        symlink(path("strangers"), path("detour")).unwrap();
        symlink("round", path("round")).unwrap();
        let may = lchown(path("strangers"), Some(STRANGER), None).is_ok();
        let Some(()) = needs(may, "permission to change a file's owner (root)") else { return };
        let allowed = |name: &str| refuse_a_strangers(&path(name)).is_ok();
        for name in ["strangers", "strangers/file", "detour", "detour/file"] {
            assert!(allowed(name), "only its owner may write that directory");
        }
        fs::set_permissions(open.path(), Permissions::from_mode(0o1777)).unwrap();
        for name in ["strangers", "strangers/file", "detour", "detour/file"] {
            refuses(refuse_a_strangers(&path(name)), "strangers` is a symbolic link");
        }
        for name in ["own", "own/file", "place", "nothing", "nothing/file", "round"] {
            assert!(allowed(name), "{name}");
        }
    }
}
