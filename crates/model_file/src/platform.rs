//! Names of platforms in an FMU's archive.

use rt::fmi::Version;

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Platform {
    /// Name of the platform, as in the archive.
    pub name: String,
    /// Whether it is the platform of this machine.
    pub fits: bool,
}

/// Returns the names that the standard has for Linux on an architecture, that of this version first:
/// FMI 2.0.4, section 2.3; FMI 3.0.2, section 2.5.1.4.1.
pub(crate) fn names(version: Version, arch: &str) -> Vec<String> {
    let of_two = match arch {
        "x86_64" => Some("linux64"),
        "x86" => Some("linux32"),
        _ => None,
    };
    let mut names: Vec<String> = of_two.into_iter().map(str::to_owned).collect();
    names.push(format!("{arch}-linux"));
    if version == Version::Three {
        names.reverse();
    }
    names
}

/// Returns the position of a folder in the order in which folders are searched for a binary for an
/// architecture; `None` if it is not of Linux. After the folder of the FMU's own version come that
/// of the other version, since some archives mix them, those with an ABI after the name, and other
/// folders of Linux: some programs put binaries for other architectures into `linux64`.
pub(crate) fn rank(folder: &str, version: Version, arch: &str) -> Option<usize> {
    let names = names(version, arch);
    let with_abi = || {
        let abi = folder.strip_prefix(&format!("{arch}-linux-"))?;
        Some(names.len() + usize::from(abi != "gnu"))
    };
    let is_linux = folder.starts_with("linux") || folder.split('-').nth(1) == Some("linux");
    let exact = names.iter().position(|name| name == folder);
    exact.or_else(with_abi).or_else(|| is_linux.then_some(names.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(version: Version, arch: &str) -> Vec<&'static str> {
        let mut folders = [
            "aarch64-linux",
            "aarch64-linux-gnu",
            "darwin64",
            "linux64",
            "win64",
            "x86_64-darwin",
            "x86_64-linux",
            "x86_64-linux-gnu",
            "x86_64-linux-musl",
        ]
        .to_vec();
        folders.retain(|folder| rank(folder, version, arch).is_some());
        folders.sort_by_key(|folder| rank(folder, version, arch));
        folders
    }

    #[test]
    fn the_folder_of_the_own_version_and_architecture_comes_first() {
        let abis = ["x86_64-linux-gnu", "x86_64-linux-musl", "aarch64-linux", "aarch64-linux-gnu"];
        let two = order(Version::Two, "x86_64");
        assert_eq!(two, [&["linux64", "x86_64-linux"][..], &abis].concat());
        let three = order(Version::Three, "x86_64");
        assert_eq!(three, [&["x86_64-linux", "linux64"][..], &abis].concat());
        for version in Version::ALL {
            let arm = order(version, "aarch64");
            assert_eq!(arm[..3], ["aarch64-linux", "aarch64-linux-gnu", "linux64"]);
        }
    }
}
