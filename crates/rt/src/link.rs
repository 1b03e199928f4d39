//! Symbolic links that lead elsewhere than the person meant who names a file. The kernel refuses
//! them where `fs.protected_symlinks` is 1 (Documentation/admin-guide/sysctl/fs.rst), in sticky
//! directories; this does everywhere that everybody may write.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use crate::process::user;

/// As many links as the kernel follows: path_resolution(7).
const MOST_LINKS: usize = 40;
/// The right of everybody to write, in a file's mode.
const BY_EVERYBODY: u32 = 0o002;

/// Refuses a path on which a symbolic link is in the way that anybody could have laid there: one in
/// a directory that everybody may write, and neither this user's nor the directory owner's. What
/// does not exist is no link.
///
/// # Errors
/// `PermissionDenied`, in words that read on after "cannot be written:".
pub fn refuse_a_strangers(path: &Path) -> io::Result<()> {
    match laid_by_a_stranger(path, MOST_LINKS) {
        None => Ok(()),
        Some(link) => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "`{}` is a symbolic link of another user in a directory that everybody may write; \
                 name the place that is meant",
                link.display()
            ),
        )),
    }
}

/// Creates or empties a file that a person names.
///
/// # Errors
/// The system's, and those of [`refuse_a_strangers`].
pub fn create(path: &Path) -> io::Result<File> {
    refuse_a_strangers(path)?;
    let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    // What a stranger puts in its place meanwhile is not followed; a link of this user's stays.
    let flags = if is_link { 0 } else { libc::O_NOFOLLOW };
    let mut file = OpenOptions::new();
    file.write(true).create(true).truncate(true).custom_flags(flags).open(path)
}

fn laid_by_a_stranger(path: &Path, most: usize) -> Option<PathBuf> {
    let mut way = PathBuf::new();
    for component in path.components() {
        let within = directory(&way);
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

/// The directory of that name; the present one for none.
fn directory(way: &Path) -> PathBuf {
    match way.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => way.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, lchown, symlink};
    use testing::skip;

    #[test]
    fn a_strangers_link_is_refused_wherever_it_is_on_the_way() {
        // Nobody, 65 534, may be who runs the tests.
        const STRANGER: u32 = 65_533;
        let open = tempfile::tempdir().unwrap();
        let path = |name: &str| open.path().join(name);
        fs::create_dir(path("place")).unwrap();
        for name in ["own", "strangers"] {
            symlink("place", path(name)).unwrap();
        }
        symlink(path("strangers"), path("detour")).unwrap();
        symlink("round", path("round")).unwrap();
        if lchown(path("strangers"), Some(STRANGER), None).is_err() {
            return skip("needs the right to give a file away (root)");
        }
        let allowed = |name: &str| refuse_a_strangers(&path(name)).is_ok();
        for name in ["strangers", "strangers/file", "detour", "detour/file"] {
            assert!(allowed(name), "only its owner may write that directory");
        }
        fs::set_permissions(open.path(), Permissions::from_mode(0o1777)).unwrap();
        for name in ["strangers", "strangers/file", "detour", "detour/file"] {
            let why = refuse_a_strangers(&path(name)).unwrap_err().to_string();
            assert!(why.contains("strangers` is a symbolic link"), "{why}");
        }
        for name in ["own", "own/file", "place", "nothing", "nothing/file", "round"] {
            assert!(allowed(name), "{name}");
        }
    }
}
