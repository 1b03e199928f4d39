//! Programs that configure a machine by themselves, and may change what a run has set.

use std::path::Path;

use base::Observed;
use rt::programs::Programs;
use serde::{Deserialize, Serialize};

pub(crate) const TUNED: &str = "tuned";
pub(crate) const IRQBALANCE: &str = "irqbalance";
pub(crate) const POWER_PROFILES: &str = "power-profiles-daemon";
pub(crate) const TLP: &str = "tlp";
pub(crate) const THERMALD: &str = "thermald";
pub(crate) const KSMTUNED: &str = "ksmtuned";
pub(crate) const NUMAD: &str = "numad";
pub(crate) const RTKIT: &str = "rtkit-daemon";

pub const RIVALS: &[&str] =
    &[TUNED, IRQBALANCE, POWER_PROFILES, TLP, THERMALD, KSMTUNED, NUMAD, RTKIT];

/// Which of them run on a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rivals {
    /// The names of those that were seen.
    pub running: Vec<String>,
    /// Why others may run that were not seen; `None` if all programs could be seen.
    pub hidden: Option<String>,
}

impl Rivals {
    /// Looks for them on the machine below `root`.
    pub fn below(root: &Path) -> Self {
        let programs = Programs::below(root);
        let mut found = Self { running: Vec::new(), hidden: None };
        for rival in RIVALS {
            match programs.runs(rival) {
                Observed::Seen(true) => found.running.push((*rival).to_owned()),
                Observed::Hidden(why) => found.hidden = Some(why),
                Observed::Seen(false) | Observed::Absent => {}
            }
        }
        found
    }

    /// Whether a program of [`RIVALS`] runs.
    pub fn runs(&self, name: &str) -> Observed<bool> {
        match &self.hidden {
            _ if self.running.iter().any(|running| running == name) => Observed::Seen(true),
            Some(why) => Observed::Hidden(why.clone()),
            None => Observed::Seen(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// The programs that are seen where tuned runs, in the process namespace of this number.
    fn seen_in(namespace: &str) -> Rivals {
        let root = tempfile::TempDir::new().unwrap();
        for (process, name) in [("1", "systemd"), ("2", TUNED)] {
            let folder = root.path().join("proc").join(process);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("comm"), name).unwrap();
        }
        let folder = root.path().join("proc/self/ns");
        fs::create_dir_all(&folder).unwrap();
        symlink(format!("pid:[{namespace}]"), folder.join("pid")).unwrap();
        Rivals::below(root.path())
    }

    #[test]
    fn a_rival_is_absent_only_where_all_processes_are_seen() {
        let (host, container) = (seen_in("4026531836"), seen_in("4026532446"));
        for rivals in [&host, &container] {
            assert_eq!(rivals.running, [TUNED]);
            assert_eq!(rivals.runs(TUNED), Observed::Seen(true));
        }
        assert_eq!(host.runs(IRQBALANCE), Observed::Seen(false));
        assert!(matches!(container.runs(IRQBALANCE), Observed::Hidden(_)), "{container:?}");
    }
}
