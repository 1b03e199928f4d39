//! A part of the last-level cache that only the measured CPUs use.

use std::path::Path;
use std::time::Duration;

use crate::form::Form;
use crate::knob::{Knob, Risk, Way};
use crate::place::Place;
use crate::write::{Around, Write};

pub(crate) const CACHE: Knob = Knob {
    name: "cache",
    summary: "half of the last-level cache is only for the measured CPUs (resctrl)",
    way: Way::Cache,
    risk: Risk::Medium,
    why: "everything else gets only half of the cache",
    settle: Duration::from_secs(2),
    source: "Documentation/filesystems/resctrl.rst",
    ..Knob::PLAIN
};

/// The value that is tried.
pub(crate) const HALF: &str = "half";

const RESCTRL: &str = "sys/fs/resctrl";
const SCHEMATA: &str = "schemata";

/// Returns the schemata of everything outside groups; empty if resctrl is not mounted.
pub(crate) fn places(root: &Path) -> Vec<Place> {
    let path = root.join(RESCTRL).join(SCHEMATA);
    if path.exists() { vec![Place::File { path, form: Form::Cache }] } else { Vec::new() }
}

/// Returns the group with one half first, then what is left for everything else.
pub(crate) fn writes(root: &Path, around: &Around) -> Result<Vec<Write>, String> {
    let all = places(root).pop();
    let all = all.ok_or("resctrl is not mounted (mount -t resctrl resctrl /sys/fs/resctrl)")?;
    let schemata = all.read().map_err(|error| error.to_string())?;
    let halves = halves(&schemata).ok_or("the cache has too few parts to be divided")?;
    let group = Place::Group {
        path: root.join(RESCTRL).join("steadfast"),
        files: vec![(SCHEMATA.to_owned(), Form::Cache), ("cpus_list".to_owned(), Form::CpuList)],
    };
    let given = format!("{SCHEMATA}={} cpus_list={}", halves.0, around.measured);
    Ok(vec![Write::new(group, given), Write::new(all, halves.1)])
}

/// Returns the upper and the lower half of each cache of `L3:0=7ff;1=7ff`.
fn halves(schemata: &str) -> Option<(String, String)> {
    let (level, caches) = schemata.lines().next()?.split_once(':')?;
    let halved = |cache: &str| {
        let (number, mask) = cache.split_once('=')?;
        let mask = u64::from_str_radix(mask, 16).ok()?;
        let kept = mask.count_ones() / 2;
        let low = mask & ((1 << kept) - 1);
        (kept > 0).then(|| (format!("{number}={:x}", mask ^ low), format!("{number}={low:x}")))
    };
    let halved: Option<Vec<(String, String)>> = caches.split(';').map(halved).collect();
    let (high, low): (Vec<_>, Vec<_>) = halved?.into_iter().unzip();
    let line = |parts: &[String]| format!("{level}:{}", parts.join(";"));
    Some((line(&high), line(&low)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_divided_into_halves_that_do_not_overlap() {
        let halves = halves("L3:0=7ff;1=f").unwrap();
        assert_eq!(halves.0, "L3:0=7e0;1=c");
        assert_eq!(halves.1, "L3:0=1f;1=3");
        assert_eq!(super::halves("L3:0=1"), None);
    }
}
