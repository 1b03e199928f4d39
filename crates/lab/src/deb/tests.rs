//! Tests with packages as Debian makes them, and with damaged ones.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use lzma_rust2::{XzOptions, XzWriter};
use testing::{boot_image, deb, tar};

use super::*;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(vec![], Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = XzWriter::new(vec![], XzOptions::default()).unwrap();
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).unwrap()
}

fn read_bytes(package: &[u8]) -> Result<Parts, LabError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().write_all(package).unwrap();
    read(&[file.path().to_owned()])
}

fn refused(package: &[u8]) -> String {
    let file = read_bytes(package).unwrap_err().to_string();
    assert!(file.contains("cannot be used: "), "{file}");
    file
}

fn files(image: &[u8], modules: [(&str, &[u8]); 2]) -> Vec<u8> {
    let folder = "lib/modules/6.1.0-1-amd64/kernel/drivers";
    let path = |name: &str| format!("./{folder}/uio/{name}");
    let [first, second] = modules;
    tar(&[
        ("./boot/System.map-6.1.0-1-amd64", b"a map"),
        ("./boot/vmlinuz-6.1.0-1-amd64", image),
        ("./boot/config-6.1.0-1-amd64", CONFIGURATION),
        (&path(first.0), first.1),
        (&path(second.0), second.1),
        (&path("uio_aec.ko"), b"not asked for"),
        ("./usr/share/doc/vmlinuz-and-uio.ko", b"nor this"),
    ])
}

/// Modules in the order of the archive, which differs from the loading order.
const PLAIN: [(&str, &[u8]); 2] = [("uio_pci_generic.ko", b"depends"), ("uio.ko", b"first")];

const CONFIGURATION: &[u8] = b"CONFIG_PREEMPT_LAZY=y";

fn check(parts: &Parts) {
    assert_eq!(parts.configuration.as_deref(), Some(CONFIGURATION));
    assert_eq!(parts.version(), "6.1.0-1-amd64 #1");
    let modules = parts.modules.iter().map(|module| (&*module.file_name, &*module.contents));
    assert_eq!(modules.collect::<Vec<_>>(), [PLAIN[1], PLAIN[0]]);
}

#[test]
fn odd_packages_are_read_or_refused() {
    let files = files(&boot_image("6.1.0-1-amd64 #1"), PLAIN);
    let packed = [("data.tar.gz", gz(&files)), ("data.tar.xz", xz(&files)), ("data.tar", files)];
    let seeds = packed.map(|(name, data)| deb(name, &data));
    testing::try_corpus(&seeds, 1_000, |input| {
        let mut found = Found::default();
        let _ = search(input, &mut found);
        if let Some(image) = found.image {
            let _ = Parts::of(image).map(|parts| parts.version());
        }
    });
}

#[test]
fn every_packing_of_a_package_is_read() {
    let files = files(&boot_image("6.1.0-1-amd64 #1"), PLAIN);
    for (name, data) in [
        ("data.tar", files.clone()),
        ("data.tar.gz", gz(&files)),
        ("data.tar.xz", xz(&files)),
        ("data.tar.zst", zst(&files)),
    ] {
        check(&read_bytes(&deb(name, &data)).expect(name));
    }
}

#[test]
fn packed_modules_are_unpacked() {
    let image = boot_image("6.1.0-1-amd64 #1");
    let (depends, first) = (xz(PLAIN[0].1), zst(PLAIN[1].1));
    let packed = [("uio_pci_generic.ko.xz", depends.as_slice()), ("uio.ko.zst", first.as_slice())];
    check(&read_bytes(&deb("data.tar", &files(&image, packed))).unwrap());
}

#[test]
fn a_kernel_is_read_from_three_packages() {
    const FOLDER: &str = "./usr/lib/modules/7.3-amd64";
    let path = |name: &str| format!("{FOLDER}/{name}");
    let module = |name: &str| path(&format!("kernel/drivers/uio/{name}"));
    let image = boot_image("6.1.0-1-amd64 #1");
    let [depends, first] = PLAIN;
    let packages = [
        tar(&[(&path("config"), CONFIGURATION), (&path("System.map"), b"a map")]),
        tar(&[(&path("vmlinuz"), &image), ("./usr/share/lintian/overrides/vmlinuz", b"not this")]),
        tar(&[(&module(depends.0), depends.1), (&module(first.0), first.1)]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let paths = [0, 1, 2].map(|number| folder.path().join(format!("{number}.deb")));
    for (path, files) in paths.iter().zip(&packages) {
        std::fs::write(path, deb("data.tar", files)).unwrap();
    }
    check(&read(&paths).unwrap());
    assert!(read(&paths[..1]).unwrap_err().to_string().contains("0.deb` cannot be used"));
}

#[test]
fn the_error_names_a_package_without_a_kernel() {
    let meta = deb("data.tar.xz", &xz(&tar(&[("./usr/share/doc/x", b"")])));
    assert!(refused(&meta).contains("it contains no vmlinuz"));
    let other = files(b"not an image", PLAIN);
    assert!(refused(&deb("data.tar", &other)).contains("the header of a boot image"));
    assert!(refused(b"PK\x03\x04 something else").contains("not a Debian package"));
    assert!(refused(b"").contains("cut off"));
    let unknown = deb("data.tar.lzma", b"x");
    assert!(refused(&unknown).contains("data.tar.lzma"));
}

#[test]
fn a_package_that_is_cut_anywhere_is_refused() {
    let package = deb("data.tar.xz", &xz(&files(&boot_image("6.1"), PLAIN)));
    let last = package.iter().rposition(|byte| *byte != b'\n').unwrap();
    for length in 0..=last {
        refused(&package[..length]);
    }
}

#[test]
fn a_package_with_a_flipped_bit_is_refused_or_read_correctly() {
    let package = deb("data.tar.xz", &xz(&files(&boot_image("6.1"), PLAIN)));
    let whole = read_bytes(&package).unwrap();
    let mut refusals = 0;
    for bit in 0..8 * package.len() {
        let mut damaged = package.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        match read_bytes(&damaged) {
            Ok(parts) => assert_eq!(parts, whole, "bit {bit}"),
            Err(_) => refusals += 1,
        }
    }
    assert!(refusals > 0);
}
