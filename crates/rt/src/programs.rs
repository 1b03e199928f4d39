//! The programs that run on a machine, as far as this process can see them.

use std::fs;
use std::path::Path;

use base::Observed;

use crate::namespace::Namespace;
use crate::read;

/// Folders in which a system has its programs.
pub const FOLDERS: [&str; 6] =
    ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/run/current-system/sw/bin", "/run/wrappers/bin"];

/// Number of bytes of a program's name that the kernel keeps.
const KEPT: usize = 15;

/// The programs that run on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    names: Vec<String>,
    /// Why others may run that cannot be seen; `None` if all are seen.
    hidden: Option<String>,
}

impl Programs {
    /// Reads the programs of the machine whose files are below `root`.
    #[must_use]
    pub fn below(root: &Path) -> Self {
        let entries = fs::read_dir(root.join("proc")).into_iter().flatten().flatten();
        let is_process = |name: &String| name.bytes().all(|sign| sign.is_ascii_digit());
        let numbers = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let folders = numbers.filter(is_process).map(|number| root.join("proc").join(number));
        let (mut names, mut is_partial) = (Vec::new(), false);
        for folder in folders {
            match read::text(folder.join("comm")) {
                Some(name) => names.push(name),
                // A process whose folder is gone has ended.
                None => is_partial |= folder.exists(),
            }
        }
        let is_partial = is_partial || !root.join("proc/1").exists();
        Self { hidden: hidden(root, names.is_empty(), is_partial), names }
    }

    /// Whether a program with this name runs. That it does not is seen only by a process that sees
    /// those of all users, in the namespace that the kernel started with.
    #[must_use]
    pub fn runs(&self, name: &str) -> Observed<bool> {
        let kept = &name[..name.len().min(KEPT)];
        match &self.hidden {
            _ if self.names.iter().any(|found| found == kept) => Observed::Seen(true),
            Some(why) => Observed::Hidden(why.clone()),
            None => Observed::Seen(false),
        }
    }
}

fn hidden(root: &Path, is_empty: bool, is_partial: bool) -> Option<String> {
    let why = match Namespace::Processes.is_first(root) {
        _ if is_empty => "no process can be seen",
        Observed::Seen(true) if is_partial => "processes of others are hidden",
        Observed::Seen(true) => return None,
        Observed::Seen(false) => "the host's processes cannot be seen from a container",
        _ => "whether this is a container cannot be seen",
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// What is seen of `tuned` and a program with a long name, with these processes, in the namespace of
    /// this number.
    fn seen(processes: &[(&str, Option<&str>)], namespace: Option<&str>) -> [Observed<bool>; 2] {
        let root = tempfile::TempDir::new().unwrap();
        fs::create_dir_all(root.path().join("proc/self/ns")).unwrap();
        for (number, name) in processes {
            let folder = root.path().join("proc").join(number);
            fs::create_dir_all(&folder).unwrap();
            name.iter().for_each(|name| fs::write(folder.join("comm"), name).unwrap());
        }
        let link = root.path().join("proc/self/ns/pid");
        namespace.iter().for_each(|target| symlink(target, &link).unwrap());
        let programs = Programs::below(root.path());
        ["tuned", "power-profiles-daemon"].map(|name| programs.runs(name))
    }

    #[test]
    fn a_program_is_absent_only_if_all_could_be_seen() {
        const FIRST: Option<&str> = Some("pid:[4026531836]");
        let init = ("1", Some("systemd\n"));
        let power = ("7", Some("power-profiles-\n"));
        let all = seen(&[init, power], FIRST);
        assert_eq!(all, [Observed::Seen(false), Observed::Seen(true)]);
        for (processes, namespace) in [
            (&[init, power][..], Some("pid:[4026532446]")),
            (&[init, power], None),
            (&[power], FIRST),
            (&[init, power, ("9", None)], FIRST),
        ] {
            let [tuned, power] = seen(processes, namespace);
            assert!(matches!(tuned, Observed::Hidden(_)), "{processes:?}: {tuned:?}");
            assert_eq!(power, Observed::Seen(true));
        }
        assert!(matches!(seen(&[], FIRST), [Observed::Hidden(_), Observed::Hidden(_)]));
    }
}
