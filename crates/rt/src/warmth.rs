//! Temperatures of the machine and frequencies of its CPUs, if it reports them. They are read,
//! never changed.

use std::collections::BTreeMap;
use std::fs;
use std::iter::once;
use std::path::{Path, PathBuf};

use base::CpuSet;

use crate::read;

/// Returns the temperatures in degrees Celsius by sensor: thermal zones and hardware monitors.
/// Empty if the machine has none, like most virtual machines.
///
/// Format: Linux, Documentation/ABI/testing/sysfs-class-thermal and sysfs-class-hwmon; both are in
/// thousandths.
#[must_use]
pub fn temperatures_c() -> BTreeMap<String, f64> {
    temperatures_below(Path::new("/sys/class"))
}

/// Returns the frequency of each CPU in kHz, as last known to the kernel (`scaling_cur_freq`);
/// empty without frequency scaling.
#[must_use]
pub fn frequencies_khz(cpus: &CpuSet) -> BTreeMap<usize, u64> {
    frequencies_below(Path::new("/sys/devices/system/cpu"), cpus)
}

fn temperatures_below(class: &Path) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for zone in entries(&class.join("thermal"), "thermal_zone") {
        insert(&mut found, read::text(zone.join("type")), &zone.join("temp"));
    }
    for monitor in entries(&class.join("hwmon"), "hwmon") {
        let name = read::text(monitor.join("name"));
        for input in entries(&monitor, "temp") {
            let file = input.file_name().unwrap_or_default().to_string_lossy();
            let Some(sensor) = file.strip_suffix("_input") else {
                continue;
            };
            let label = read::text(monitor.join(format!("{sensor}_label")));
            let label = label.unwrap_or_else(|| sensor.to_owned());
            let name = name.as_ref().map(|name| format!("{name} {label}"));
            insert(&mut found, name, &input);
        }
    }
    found
}

/// Adds a sensor; if its name is taken, appends a number.
fn insert(found: &mut BTreeMap<String, f64>, name: Option<String>, input: &Path) {
    let (Some(name), Some(millidegrees)) = (name, read::value::<i64>(input)) else {
        return;
    };
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = once(name.clone()).chain(numbered).find(|name| !found.contains_key(name));
    found.extend(free.map(|name| (name, millidegrees as f64 / 1000.0)));
}

/// Returns the entries of a directory whose names begin with `begins`, in order.
fn entries(directory: &Path, begins: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(begins))
        .map(|entry| entry.path())
        .collect();
    paths.sort_unstable();
    paths
}

fn frequencies_below(root: &Path, cpus: &CpuSet) -> BTreeMap<usize, u64> {
    let frequency = |cpu| {
        let file = root.join(format!("cpu{cpu}/cpufreq/scaling_cur_freq"));
        Some((cpu, read::value(file)?))
    };
    cpus.iter().filter_map(frequency).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }

    #[test]
    fn sensors_are_found_by_name_and_those_that_fail_are_left_out() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for (file, text) in [
            ("thermal/thermal_zone0/type", "acpitz"),
            ("thermal/thermal_zone0/temp", "27800"),
            ("thermal/thermal_zone1/type", "acpitz"),
            ("thermal/thermal_zone1/temp", "-500"),
            ("thermal/thermal_zone2/type", "silent"),
            ("thermal/thermal_zone2/temp", "no data"),
            ("thermal/cooling_device0/type", "fan"),
            ("hwmon/hwmon0/name", "coretemp"),
            ("hwmon/hwmon0/temp1_input", "41000"),
            ("hwmon/hwmon0/temp1_label", "Package id 0"),
            ("hwmon/hwmon0/temp1_max", "100000"),
            ("hwmon/hwmon0/temp2_input", "39500"),
        ] {
            put(root, file, text);
        }
        let expected = [
            ("acpitz", 27.8),
            ("acpitz 2", -0.5),
            ("coretemp Package id 0", 41.0),
            ("coretemp temp2", 39.5),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value));
        assert_eq!(temperatures_below(root), expected.into());
        assert!(temperatures_below(&root.join("nowhere")).is_empty());
    }

    #[test]
    fn frequencies_are_those_of_the_requested_cpus() {
        let directory = tempfile::tempdir().unwrap();
        for cpu in [0, 1] {
            let file = format!("cpu{cpu}/cpufreq/scaling_cur_freq");
            put(directory.path(), &file, &format!("{}", 800_000 + cpu));
        }
        let cpus = "1-2".parse().unwrap();
        let found = frequencies_below(directory.path(), &cpus);
        assert_eq!(found, [(1, 800_001)].into());
    }
}
