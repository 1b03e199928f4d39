//! The namespaces of this process, which hide something from it: namespaces(7).

use std::fs;
use std::path::Path;

use base::Observed;

/// A kind of namespace that hides something from a process.
#[derive(Debug, Clone, Copy)]
pub enum Namespace {
    /// Hides processes.
    Processes,
    /// Hides control groups above the visible ones.
    ControlGroups,
}

impl Namespace {
    /// Whether this process is in the namespace of this kind that the kernel started with, from which
    /// everything of the kind can be seen; of the machine whose files are below `root`.
    #[must_use]
    pub fn is_first(self, root: &Path) -> Observed<bool> {
        let (name, first) = self.first();
        let path = format!("proc/self/ns/{name}");
        match fs::read_link(root.join(&path)) {
            Ok(link) => Observed::Seen(link == Path::new(&format!("{name}:[{first}]"))),
            Err(_) => Observed::Hidden(format!("/{path} cannot be read")),
        }
    }

    /// Returns its name below `/proc/self/ns`, and the number of the one that the kernel starts with
    /// (`PROC_PID_INIT_INO` and `PROC_CGROUP_INIT_INO` in include/linux/proc_ns.h).
    fn first(self) -> (&'static str, u32) {
        match self {
            Self::Processes => ("pid", 0xefff_fffc),
            Self::ControlGroups => ("cgroup", 0xefff_fffb),
        }
    }
}
