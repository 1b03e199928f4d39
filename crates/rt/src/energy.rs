//! The energy that processor packages count (RAPL, through the kernel's powercap).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{clock, read};

const POWERCAP: &str = "/sys/class/powercap";

/// An energy meter that counts from its creation, or from its last restart.
#[derive(Debug)]
pub struct EnergyMeter {
    packages: Vec<Package>,
    /// The stamp at which the meter began to count.
    since: u64,
}

#[derive(Debug)]
struct Package {
    counter: PathBuf,
    before_uj: u64,
    /// The value at which the counter starts again from 0.
    range_uj: u64,
}

impl EnergyMeter {
    /// Looks for counters; `None` if the machine has none or only root may read them.
    #[must_use]
    pub fn find() -> Option<Self> {
        let processors = read::text("/proc/cpuinfo").unwrap_or_default();
        Self::on(Path::new(POWERCAP), processors.contains("GenuineIntel"))
    }

    fn on(powercap: &Path, is_intel: bool) -> Option<Self> {
        let zones = fs::read_dir(powercap).ok()?.flatten();
        let mut zones: Vec<PathBuf> = zones.map(|zone| zone.path()).collect();
        // A client processor shows the counter of its package a second time.
        zones.sort_by_key(|zone| zone.to_string_lossy().contains("intel-rapl-mmio"));
        let mut packages = BTreeMap::new();
        for (name, package) in zones.iter().filter_map(|zone| package(zone)) {
            // All dies of an AMD processor show the counter of their package.
            let (whole, _) = name.split_once("-die-").unwrap_or((&name, ""));
            let name = if is_intel { name } else { whole.to_owned() };
            packages.entry(name).or_insert(package);
        }
        let packages: Vec<Package> = packages.into_values().collect();
        (!packages.is_empty()).then(|| Self { packages, since: clock::now() })
    }

    /// Starts counting again from now.
    pub fn restart(&mut self) {
        for package in &mut self.packages {
            if let Some(now) = read::value(&package.counter) {
                package.before_uj = now;
            }
        }
        self.since = clock::now();
    }

    /// Returns the energy of all packages since the start, or since a counter last wrapped, in
    /// microjoules; `None` if a counter has disappeared. The kernel updates the counters about
    /// every millisecond.
    #[must_use]
    pub fn microjoules(&self) -> Option<u64> {
        let since = |package: &Package| {
            let now: u64 = read::value(&package.counter)?;
            let wrapped = if now < package.before_uj { package.range_uj } else { 0 };
            Some((now + wrapped).saturating_sub(package.before_uj))
        };
        self.packages.iter().map(since).sum()
    }

    /// Returns the average power of all packages since the start, in watts; `None` if a counter has
    /// disappeared or may have wrapped more than once.
    #[must_use]
    pub fn watts(&self) -> Option<f64> {
        self.watts_after(clock::now() - self.since)
    }

    fn watts_after(&self, ns: u64) -> Option<f64> {
        let seconds = ns as f64 / 1e9;
        let most_uj = seconds * 1e6 * MOST_WATTS as f64;
        let is_sure = |package: &Package| package.range_uj as f64 > most_uj;
        let joules = self.microjoules()? as f64 / 1e6;
        (seconds > 0.0 && self.packages.iter().all(is_sure)).then(|| joules / seconds)
    }
}

/// The power in watts of a package whose counter wraps unnoticed in the shortest time.
const MOST_WATTS: u64 = 1_000;

/// Reads a zone and its name if it is a whole processor package; parts of a package, and the
/// platform, would be counted twice.
fn package(zone: &Path) -> Option<(String, Package)> {
    let name = read::text(zone.join("name"))?;
    let counter = zone.join("energy_uj");
    let before_uj = read::value(&counter).filter(|_| name.starts_with("package"))?;
    let range_uj = read::value(zone.join("max_energy_range_uj")).unwrap_or(0);
    Some((name, Package { counter, before_uj, range_uj }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    struct Zones(TempDir);

    impl Zones {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn set(&self, zone: &str, name: &str, uj: u64) {
            let zone = self.0.path().join(zone);
            fs::create_dir_all(&zone).unwrap();
            fs::write(zone.join("name"), format!("{name}\n")).unwrap();
            fs::write(zone.join("energy_uj"), format!("{uj}\n")).unwrap();
            fs::write(zone.join("max_energy_range_uj"), "1000\n").unwrap();
        }

        fn meter(&self, is_intel: bool) -> Option<EnergyMeter> {
            EnergyMeter::on(self.0.path(), is_intel)
        }
    }

    #[test]
    fn packages_are_summed_and_counters_may_wrap() {
        let zones = Zones::new();
        zones.set("intel-rapl:0", "package-0", 900);
        zones.set("intel-rapl:1", "package-1", 100);
        zones.set("intel-rapl:0:0", "core", 500);
        zones.set("intel-rapl:2", "psys", 500);
        let mut meter = zones.meter(true).unwrap();
        assert_eq!(meter.microjoules(), Some(0));
        zones.set("intel-rapl:0", "package-0", 50);
        zones.set("intel-rapl:1", "package-1", 130);
        zones.set("intel-rapl:2", "psys", 900);
        assert_eq!(meter.microjoules(), Some(150 + 30));
        // A range of 1 mJ wraps in 1 us at 1 kW.
        assert_eq!(meter.watts_after(500), Some(180.0e-6 / 500e-9));
        assert_eq!(meter.watts_after(1_000), None);
        meter.restart();
        assert_eq!(meter.microjoules(), Some(0));
        fs::remove_dir_all(zones.0.path().join("intel-rapl:1")).unwrap();
        assert_eq!(meter.microjoules(), None);
    }

    #[test]
    fn a_counter_that_several_zones_show_is_counted_once() {
        let zones = Zones::new();
        let all = [("-mmio:0", "package-0"), (":0", "package-0"), ("-mmio:1", "package-1")];
        let set = |uj| {
            all.iter().for_each(|(zone, name)| zones.set(&format!("intel-rapl{zone}"), name, uj));
        };
        set(0);
        let meter = zones.meter(true).unwrap();
        set(100);
        assert_eq!(meter.microjoules(), Some(200));
        let mut counters = meter.packages.iter().map(|package| &package.counter);
        assert!(counters.any(|counter| counter.ends_with("intel-rapl:0/energy_uj")));
    }

    #[test]
    fn only_dies_of_intel_have_their_own_counters() {
        let zones = Zones::new();
        zones.set("intel-rapl:0", "package-0-die-0", 0);
        zones.set("intel-rapl:1", "package-0-die-1", 0);
        zones.set("intel-rapl:2", "package-1-die-0", 0);
        let counters = |is_intel| zones.meter(is_intel).unwrap().packages.len();
        assert_eq!((counters(true), counters(false)), (3, 2));
    }

    #[test]
    fn without_a_package_there_is_no_meter() {
        let zones = Zones::new();
        zones.set("intel-rapl:2", "psys", 500);
        assert!(zones.meter(true).is_none());
        assert!(EnergyMeter::on(Path::new("/nowhere/at/all"), true).is_none());
    }
}
