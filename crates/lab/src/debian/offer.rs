//! The kernels in a list of Debian's packages.

use std::collections::BTreeSet;

use super::suite::Suite;
use crate::package::Package;
use crate::series::{Series, Wanted};
use crate::{Architecture, LabError, version};

/// A kernel that can be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub series: Series,
    pub architecture: &'static Architecture,
    pub suite: Suite,
    pub package: Package,
    /// The packages with its files, as `NAME=VERSION`.
    pub(crate) files: Vec<String>,
}

impl Offer {
    /// The lab's name for the kernel.
    pub fn kernel_name(&self) -> String {
        self.series.kernel_name(self.architecture)
    }
}

const IMAGE: &str = "linux-image-";
/// The packages on which the image's package depends since Debian 14: the image, its modules, and
/// its configuration.
const PARTS: [&str; 3] = ["linux-binary-", "linux-modules-", "linux-base-"];

/// Whether a package may have files of a kernel in a series.
pub(super) fn is_part_of_kernel(name: &str, architecture: &Architecture) -> bool {
    let release = [IMAGE].iter().chain(&PARTS).find_map(|prefix| name.strip_prefix(prefix));
    let image = release.map(|release| format!("{IMAGE}{release}"));
    image.is_some_and(|image| Series::of_package(&image, architecture).is_some())
}

/// Returns the kernels in the output of `apt-cache show`.
pub(super) fn read(
    descriptions: &str,
    architecture: &'static Architecture,
    suite: &Suite,
) -> Vec<Offer> {
    let all: Vec<Description> = descriptions.split("\n\n").filter_map(Description::read).collect();
    all.iter().filter_map(|image| offer(image, &all, architecture, suite)).collect()
}

fn offer(
    image: &Description,
    all: &[Description],
    architecture: &'static Architecture,
    suite: &Suite,
) -> Option<Offer> {
    let release = image.name.strip_prefix(IMAGE)?;
    let series = Series::of_package(image.name, architecture)?;
    let has_parts = image.depends.contains(&format!("{}{release}", PARTS[0]));
    let files: Vec<&Description> = if has_parts {
        let part = |prefix: &str| {
            let name = format!("{prefix}{release}");
            all.iter().find(|part| part.name == name && part.version == image.version)
        };
        PARTS.into_iter().map(part).collect::<Option<_>>()?
    } else if image.depends.contains(IMAGE) {
        // It has no files, and depends on the newest kernel of its series.
        return None;
    } else {
        vec![image]
    };
    let package = Package {
        name: image.name.to_owned(),
        version: image.version.to_owned(),
        bytes: files.iter().map(|part| part.bytes).sum(),
    };
    let files = files.iter().map(|part| format!("{}={}", part.name, part.version)).collect();
    Some(Offer { series, architecture, suite: suite.clone(), package, files })
}

/// Returns the newest kernel that a user wants, of those that suites offer for an architecture.
///
/// # Errors
/// If none is offered.
pub fn newest<'a>(
    wanted: &Wanted,
    architecture: &'static Architecture,
    offers: &'a [Offer],
) -> Result<&'a Offer, LabError> {
    let wanted_offers = offers.iter().filter(|offer| wanted.includes(&offer.series));
    let by_version = |one: &&Offer, other: &&Offer| {
        version::compare(&one.package.version, &other.package.version)
    };
    wanted_offers.max_by(by_version).ok_or_else(|| {
        let known: BTreeSet<&Series> = offers.iter().map(|offer| &offer.series).collect();
        let known = known.into_iter().map(ToString::to_string).collect();
        LabError::NoPackage { wanted: wanted.to_string(), architecture: architecture.debian, known }
    })
}

/// A package as apt describes it.
struct Description<'a> {
    name: &'a str,
    version: &'a str,
    depends: &'a str,
    bytes: u64,
}

impl<'a> Description<'a> {
    fn read(stanza: &'a str) -> Option<Self> {
        let field = |name: &str| {
            let mut lines = stanza.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        Some(Self {
            name: field("Package")?,
            version: field("Version")?,
            depends: field("Depends").unwrap_or_default(),
            bytes: field("Size")?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stanza(name: &str, version: &str, depends: &str, size: u64) -> String {
        format!(
            "Package: {name}\nSource: linux-signed-amd64 (6)\nVersion: {version}\n\
             Depends: kmod{depends}\nSize: {size}\n\n"
        )
    }

    fn offers(stanzas: &[String]) -> Vec<Offer> {
        read_amd64(&stanzas.concat())
    }

    fn amd64() -> &'static Architecture {
        "amd64".parse().unwrap()
    }

    fn read_amd64(descriptions: &str) -> Vec<Offer> {
        read(descriptions, amd64(), &"sid".parse().unwrap())
    }

    #[test]
    fn odd_descriptions_are_read_or_left_out() {
        let parts = ", linux-base-7.3-amd64 (= 2), linux-binary-7.3-amd64 (= 2)";
        let seeds = [
            stanza("linux-image-6.12.99+deb12-amd64", "6.12.99-1~deb12u1", "", 5)
                + &stanza("linux-image-6.12.100+deb12-rt-amd64", "1:6.12.100-1", "", 6),
            stanza("linux-image-7.3-amd64", "2", parts, 1)
                + &stanza("linux-binary-7.3-amd64", "2", "", 20)
                + &stanza("linux-base-7.3-amd64", "2", "", 300)
                + &stanza("linux-modules-7.3-amd64", "2", "", 4000),
        ];
        let wanted = ["debian:newest", "debian:newest-rt"].map(|text| text.parse().unwrap());
        testing::try_corpus(&seeds, 2_000, |input| {
            let offers = read_amd64(&String::from_utf8_lossy(input));
            let is_word = |file: &String| file.starts_with("linux-") && !file.contains('\n');
            assert!(offers.iter().flat_map(|offer| &offer.files).all(is_word));
            let is_found = wanted.iter().any(|wanted| newest(wanted, amd64(), &offers).is_ok());
            assert_eq!(is_found, !offers.is_empty());
        });
    }

    #[test]
    fn the_highest_version_wins_not_the_last_name() {
        let offers = offers(&[
            stanza("linux-image-6.12.99+deb12-amd64", "6.12.99-1~deb12u1", "", 5),
            stanza("linux-image-6.12.117+deb12-amd64", "6.12.117-1~deb12u1", "", 7),
            stanza("linux-image-6.12.100+deb12-amd64", "6.12.100-1~deb12u1", "", 6),
            stanza("linux-image-7.2.13+deb14-rt-amd64", "7.2.13-1", "", 1),
        ]);
        for wanted in ["debian:6.12", "debian:newest"] {
            let newest = newest(&wanted.parse().unwrap(), amd64(), &offers).unwrap();
            let package = &newest.package;
            assert_eq!(package.to_string(), "linux-image-6.12.117+deb12-amd64 6.12.117-1~deb12u1");
            assert_eq!(package.bytes, 7);
            assert_eq!(newest.files, ["linux-image-6.12.117+deb12-amd64=6.12.117-1~deb12u1"]);
        }
        let missing = newest(&"debian:7.2".parse().unwrap(), amd64(), &offers);
        let missing = missing.unwrap_err().to_string();
        assert!(missing.contains("it offers debian:6.12, debian:7.2-rt:"), "{missing}");
        assert!(read_amd64("N: Unable to locate package\n").is_empty());
    }

    #[test]
    fn a_kernel_in_parts_has_the_files_and_the_size_of_these() {
        let of_it = ", linux-base-7.3-amd64 (= 2), linux-binary-7.3-amd64 (= 2)";
        let stanzas = [
            stanza("linux-image-7.3-amd64", "2", of_it, 1),
            stanza("linux-binary-7.3-amd64", "1", "", 1000),
            stanza("linux-binary-7.3-amd64", "2", "", 20),
            stanza("linux-base-7.3-amd64", "2", "", 300),
            stanza("linux-modules-7.3-amd64", "2", "", 4000),
        ];
        let [whole] = &offers(&stanzas)[..] else { panic!("{stanzas:?}") };
        assert_eq!(whole.package.bytes, 4320);
        let files =
            ["linux-binary-7.3-amd64=2", "linux-modules-7.3-amd64=2", "linux-base-7.3-amd64=2"];
        assert_eq!(whole.files, files);
        assert!(offers(&stanzas[..4]).is_empty(), "without its modules");
        for stanza in stanzas {
            let name = stanza.lines().next().unwrap().split_once(' ').unwrap().1;
            assert!(is_part_of_kernel(name, amd64()));
        }
    }

    #[test]
    fn a_package_that_only_depends_on_a_kernel_is_not_one() {
        let on_another = ", linux-image-6.12.117+deb12-amd64 (= 6.12.117-1)";
        assert!(
            offers(&[stanza("linux-image-6.12-amd64", "6.12.117-1", on_another, 1)]).is_empty()
        );
    }
}
