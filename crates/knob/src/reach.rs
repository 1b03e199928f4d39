//! Finds out why this process cannot set a knob.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use record::KnobBarrier;
use rt::process::user;
use rt::{read, sched};

use crate::knob::{Knob, Way};
use crate::place::Place;

/// The mount point of the kernel's file system for debugging.
const DEBUG: &str = "sys/kernel/debug";
/// The file with the kernel's lockdown mode: `[none] integrity confidentiality`.
const LOCKDOWN: &str = "sys/kernel/security/lockdown";

/// Returns the reason for which a place refused this process with this error.
pub fn barrier(error: &io::Error, place: &Place, root: &Path) -> KnobBarrier {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => KnobBarrier::ReadOnly,
        ErrorKind::PermissionDenied if is_fixed(place) => KnobBarrier::Fixed,
        ErrorKind::PermissionDenied if user() != 0 => KnobBarrier::Privilege,
        ErrorKind::PermissionDenied if is_locked_down(root) => KnobBarrier::Lockdown,
        ErrorKind::PermissionDenied => KnobBarrier::Container,
        _ => KnobBarrier::Other,
    }
}

/// Whether a file's mode forbids writing to everyone; the kernel then refuses even root.
fn is_fixed(place: &Place) -> bool {
    const BY_ANYBODY: u32 = 0o222;
    let found = place.file().and_then(|path| path.metadata().ok());
    found.is_some_and(|found| found.mode() & BY_ANYBODY == 0)
}

fn is_locked_down(root: &Path) -> bool {
    read::bracketed(root.join(LOCKDOWN)).is_some_and(|word| word != "none")
}

/// Returns why the knob cannot be set, from its first place that this process may not write.
pub(crate) fn out_of_reach(knob: &Knob, places: &[Place], root: &Path) -> Option<String> {
    match &knob.way {
        Way::Flag(_) | Way::Held => None,
        Way::Hog | Way::Tasks(..) => {
            (!sched::has_right_to_real_time()).then(|| KnobBarrier::Privilege.in_words())
        }
        Way::Unit | Way::Cache if user() != 0 => Some(KnobBarrier::Privilege.in_words()),
        Way::Unit | Way::Boot => None,
        Way::Files(..) | Way::Cache => places.iter().find_map(|place| refused(place, root)),
    }
}

/// Opening such a file for writing changes nothing in it.
fn refused(place: &Place, root: &Path) -> Option<String> {
    let error = OpenOptions::new().write(true).open(place.file()?).err()?;
    Some(match barrier(&error, place, root) {
        KnobBarrier::Other => error.to_string(),
        barrier => barrier.in_words(),
    })
}

/// Returns why the places of a knob cannot be seen, although they may exist.
pub(crate) fn hidden(knob: &Knob, root: &Path) -> Option<String> {
    let Way::Files(all, _) = &knob.way else {
        return None;
    };
    let is_below = all.iter().any(|at| at.pattern.starts_with(DEBUG));
    let is_empty = root.join(DEBUG).read_dir().map(|mut entries| entries.next().is_none());
    let why = match is_empty {
        Ok(false) => return None,
        Ok(true) => "debugfs is not mounted (mount -t debugfs none /sys/kernel/debug)".to_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            "this kernel has no debugfs".to_owned()
        }
        Err(_) => KnobBarrier::Privilege.in_words(),
    };
    is_below.then_some(why)
}
