//! The form of /proc/cpuinfo.

/// Returns the value of the first line of /proc/cpuinfo with this name.
pub(crate) fn line<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}
