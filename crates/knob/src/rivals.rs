//! Programs that configure a machine by themselves, and may change what a run has set.

use std::path::Path;

use rt::read;

use crate::pattern::files;

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

/// Number of bytes of a process's name that the kernel stores.
const KEPT: usize = 15;

/// Returns those that run on the machine below `root`.
pub fn running(root: &Path) -> Vec<String> {
    let names = files(root, "proc/*/comm").into_iter();
    let names: Vec<String> = names.filter_map(read::text).collect();
    let runs = |known: &&&str| names.iter().any(|name| *name == known[..known.len().min(KEPT)]);
    RIVALS.iter().filter(runs).map(|known| (*known).to_owned()).collect()
}
