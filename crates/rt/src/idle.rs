//! Disables deep idle states through `/dev/cpu_dma_latency`.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;

use base::{CpuSet, Observed};

use crate::read;

const PATH: &str = "/dev/cpu_dma_latency";

/// A request for 0 us latency, in force as long as the value exists; the kernel drops it with the
/// file, also when the process is killed.
#[derive(Debug)]
pub struct IdleHold {
    file: File,
}

impl IdleHold {
    /// Requests that no CPU enters an idle state that takes time to leave.
    ///
    /// Writes four bytes: the kernel refuses a single byte.
    ///
    /// # Errors
    /// Fails without permission to write the device; `NotFound` without the device, with another file in
    /// its place, or if it cannot be seen whether it is the device.
    pub fn new() -> io::Result<Self> {
        let mut file = device(PATH, OpenOptions::new().read(true).write(true))?;
        file.write_all(&0i32.to_ne_bytes())?;
        Ok(Self { file })
    }

    /// Opens the device without a request: whether this process could hold idle states off.
    ///
    /// # Errors
    /// Fails like [`IdleHold::new`].
    pub fn try_one() -> io::Result<()> {
        let file = device(PATH, OpenOptions::new().read(true).write(true))?;
        file.read_exact_at(&mut [0; 4], 0)
    }

    /// Reads the latency in force through the held file, in microseconds.
    #[must_use]
    pub fn read_back(&self) -> Option<i32> {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, 0).ok()?;
        Some(i32::from_ne_bytes(bytes))
    }
}

/// Reads the latency in force when this process requests nothing, in microseconds; `None` if it
/// cannot be read.
#[must_use]
pub fn current_latency_us() -> Option<i32> {
    let mut bytes = [0; 4];
    device(PATH, OpenOptions::new().read(true)).ok()?.read_exact(&mut bytes).ok()?;
    Some(i32::from_ne_bytes(bytes))
}

/// Whether a file with these properties is the device. A container may have /dev/null in its place,
/// which also takes four bytes. Hidden if the number of the device cannot be seen.
#[must_use]
pub fn is_device(found: &Metadata) -> Observed<bool> {
    /// The number of devices without a number of their own: Documentation/admin-guide/devices.txt.
    const MISC: u32 = 10;
    let (major, minor) = (rustix::fs::major(found.rdev()), rustix::fs::minor(found.rdev()));
    match found.file_type().is_char_device() && major == MISC {
        true => registered(&|path| read::text(path)).read_as("", |number| Some(number == minor)),
        false => Observed::Seen(false),
    }
}

/// Returns the number that the kernel has given to the device among those without one of their own.
fn registered(text: &dyn Fn(&str) -> Option<String>) -> Observed<u32> {
    let of_sys = text("/sys/class/misc/cpu_dma_latency/dev");
    let of_sys = of_sys.and_then(|dev| dev.trim().split_once(':')?.1.parse().ok());
    let of_proc = || {
        let lines = text("/proc/misc")?;
        let mut lines = lines.lines().filter_map(|line| line.trim().split_once(' '));
        let found = lines.find(|(_, name)| *name == "cpu_dma_latency");
        Some(found.map_or(Observed::Absent, |(number, _)| {
            number.parse().map_or_else(|_| hidden(), Observed::Seen)
        }))
    };
    of_sys.map_or_else(|| of_proc().unwrap_or_else(hidden), Observed::Seen)
}

fn hidden<T>() -> Observed<T> {
    const WHY: &str =
        "neither /sys/class/misc nor /proc/misc shows its number, so it may be another device";
    Observed::Hidden(WHY.to_owned())
}

fn device(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<File> {
    let file = options.open(path)?;
    let refused = |why: String| io::Error::new(ErrorKind::NotFound, why);
    match is_device(&file.metadata()?) {
        Observed::Seen(true) => Ok(file),
        Observed::Hidden(why) => Err(refused(why)),
        _ => Err(refused("another file is in its place".to_owned())),
    }
}

/// Returns the longest declared exit latency of the idle states of these CPUs, in nanoseconds; 0 if
/// they have none.
#[must_use]
pub fn longest_exit_ns(cpus: &CpuSet) -> Observed<i64> {
    longest_exit_below(Path::new("/"), cpus)
}

fn longest_exit_below(root: &Path, cpus: &CpuSet) -> Observed<i64> {
    let of_cpu = |cpu: usize| {
        let folder = root.join(format!("sys/devices/system/cpu/cpu{cpu}"));
        let states = (0..).map(|state| folder.join(format!("cpuidle/state{state}")));
        let states = states.take_while(|state| state.is_dir());
        let latencies = states.map(|state| read::value::<i64>(state.join("latency")));
        match latencies.collect::<Option<Vec<i64>>>().filter(|_| folder.is_dir()) {
            Some(latencies) => Observed::Seen(latencies.into_iter().max().unwrap_or(0)),
            None => Observed::Hidden(format!("the idle states of CPU {cpu} cannot be seen")),
        }
    };
    let all: Observed<Vec<i64>> = cpus.iter().map(of_cpu).collect();
    all.read_as("", |all| Some(all.into_iter().max().unwrap_or(0).saturating_mul(1_000)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn another_file_is_not_the_device() {
        let empty = tempfile::NamedTempFile::new().unwrap();
        for path in [Path::new("/dev/null"), Path::new("/dev/zero"), empty.path()] {
            let refused = device(path, OpenOptions::new().read(true).write(true)).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::NotFound, "{}", path.display());
        }
    }

    #[test]
    fn the_number_of_the_device_is_the_kernels_and_hidden_if_no_file_shows_it() {
        const MISC: &str = "235 autofs\n259 cpu_dma_latency\n  1 psaux\n";
        for (sys, misc, expected) in [
            (Some("10:124\n"), None, Observed::Seen(124)),
            (None, Some(MISC), Observed::Seen(259)),
            (None, Some("235 autofs\n"), Observed::Absent),
            (None, None, hidden()),
            (None, Some("x cpu_dma_latency\n"), hidden()),
        ] {
            let text = |path: &str| match path {
                "/proc/misc" => misc.map(str::to_owned),
                _ => sys.map(str::to_owned),
            };
            assert_eq!(registered(&text), expected);
        }
    }

    #[test]
    fn the_longest_exit_is_hidden_unless_each_state_shows_its_own() {
        let root = tempfile::tempdir().unwrap();
        let put = |file: &str, text: &str| {
            let file = root.path().join("sys/devices/system/cpu").join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        let longest = |cpus: &str| longest_exit_below(root.path(), &cpus.parse().unwrap()).seen();
        assert_eq!(longest("0"), None);
        put("cpu0/online", "1");
        assert_eq!(longest("0"), Some(0));
        put("cpu1/cpuidle/state0/latency", "0");
        put("cpu1/cpuidle/state1/latency", "133");
        assert_eq!(longest("0-1"), Some(133_000));
        put("cpu1/cpuidle/state2/name", "C9");
        assert_eq!((longest("0"), longest("0-1")), (Some(0), None));
    }

    #[test]
    fn a_hold_is_read_back() {
        let Ok(hold) = IdleHold::new() else {
            return skip(&format!("needs permission to write {PATH} (root)"));
        };
        assert_eq!(hold.read_back(), Some(0));
        assert_eq!(current_latency_us(), Some(0));
    }
}
