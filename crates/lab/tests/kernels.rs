//! Tests of the lab's kernels, in a folder of the test.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use lab::{Initrd, Kernel, Kernels, LabError, NewKernel};
use tempfile::{TempDir, tempdir};
use testing::{boot_image, kernel_module, refuses};

struct Lab {
    folder: TempDir,
    kernels: Kernels,
}

impl Lab {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        Self { kernels: Kernels::at(&folder.path().join("lab")), folder }
    }

    /// Writes a file outside of the lab.
    fn file(&self, name: &str, contents: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// Writes a kernel image with this version.
    fn image(&self, version: &str) -> PathBuf {
        self.file("image", &boot_image(version))
    }

    /// Adds a kernel whose image contains its name as the version.
    fn add(&self, name: &str) -> Kernel {
        let image = self.image(&format!("{name} (me@here) #1"));
        self.kernels.add(&new(name, &image)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let kernels = self.kernels.list().unwrap().into_iter();
        kernels.map(|kernel| kernel.unwrap().name).collect()
    }

    fn refuses(&self, new: &NewKernel, reason: &str) {
        let before = self.names();
        let error = self.kernels.add(new).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains('\n'), "{error}");
        assert_eq!(self.names(), before);
    }
}

fn new(name: &str, kernel: impl AsRef<Path>) -> NewKernel {
    NewKernel {
        name: name.to_owned(),
        kernel: kernel.as_ref().to_str().unwrap().to_owned(),
        modules: vec![],
        overlay: None,
        append: String::new(),
        replace: false,
    }
}

/// Packs the initial file system of a machine with an empty program.
fn packed(kernel: &Kernel) -> Vec<u8> {
    Initrd::of(kernel, Vec::new(), []).unwrap().pack()
}

#[test]
fn a_kernel_is_added_found_listed_and_removed() {
    let lab = Lab::new();
    assert_eq!(lab.names(), [""; 0]);
    let added = lab.add("mine");
    lab.add("another");
    fs::remove_file(lab.folder.path().join("image")).unwrap();
    assert_eq!(lab.names(), ["another", "mine"]);
    let found = lab.kernels.find("mine").unwrap();
    assert_eq!(found, added);
    assert_eq!(found.release, "mine");
    assert_eq!(found.version, "mine (me@here) #1");
    assert_eq!(found.source, "added by hand");
    assert_eq!(fs::read(&found.image).unwrap(), boot_image("mine (me@here) #1"));
    lab.kernels.remove("mine").unwrap();
    assert_eq!(lab.names(), ["another"]);
    assert!(!found.image.exists());
}

#[test]
fn parameters_after_the_name_are_appended() {
    let lab = Lab::new();
    let image = lab.image("6.1");
    let with_append = NewKernel { append: "nohz_full=1-3".to_owned(), ..new("mine", &image) };
    lab.kernels.add(&with_append).unwrap();
    let text = "mine+preempt=full+threadirqs";
    let found = lab.kernels.find(text).unwrap();
    assert_eq!(found.name, text);
    assert_eq!(found.append, "nohz_full=1-3 preempt=full threadirqs");
    assert_eq!(lab.names(), ["mine"]);
    for bad in ["mine+", "mine++a", "mine+a b", "mine+=1", "mine+a=\"b\"", "mine+a\nb", "mine+7"] {
        let error = lab.kernels.find(bad).unwrap_err();
        assert!(matches!(error, LabError::BadParameter(_)), "{error}");
    }
}

#[test]
fn a_kernel_of_the_lab_is_added_again_with_other_parameters() {
    let lab = Lab::new();
    let first = lab.add("mine");
    let again =
        NewKernel { append: "threadirqs".to_owned(), ..new("mine-full", "mine+preempt=full") };
    let second = lab.kernels.add(&again).unwrap();
    assert_eq!(second.append, "preempt=full threadirqs");
    assert_eq!(second.image_sha256, first.image_sha256);
    assert_ne!(second.image, first.image);
    lab.kernels.remove("mine").unwrap();
    lab.kernels.find("mine-full").unwrap();
}

#[test]
fn the_error_for_an_unknown_name_lists_the_kernels() {
    let lab = Lab::new();
    let message = |name: &str| lab.kernels.find(name).unwrap_err().to_string();
    assert!(message("x").contains("`x`; it has none yet."), "{}", message("x"));
    lab.add("mine");
    lab.add("another");
    for name in ["x", "../lab/kernels/mine", "", "x+a"] {
        let message = message(name);
        for words in ["it has another, mine.", "steadfast lab fetch", "steadfast lab add"] {
            assert!(message.contains(words), "{message}");
        }
    }
    assert!(lab.kernels.remove("x").is_err());
}

#[test]
fn a_taken_name_is_refused_unless_it_is_to_be_replaced() {
    let lab = Lab::new();
    lab.add("mine");
    let image = lab.image("newer");
    lab.refuses(&new("mine", &image), "already has a kernel `mine`");
    let replacing = NewKernel { replace: true, ..new("mine", &image) };
    lab.kernels.add(&replacing).unwrap();
    assert_eq!(lab.kernels.find("mine").unwrap().release, "newer");
    assert_eq!(lab.names(), ["mine"]);
}

#[test]
fn bad_names_and_parameters_are_refused() {
    let lab = Lab::new();
    let image = lab.image("6.1");
    for name in ["", "..", "a/b", "a+b", "-a", "a b"] {
        lab.refuses(&new(name, &image), "is not a valid name for a kernel");
    }
    let two_lines = NewKernel { append: "a\nb".to_owned(), ..new("mine", &image) };
    let error = lab.kernels.add(&two_lines).unwrap_err();
    assert!(matches!(error, LabError::BadAppend(_)), "{error}");
}

#[test]
fn the_error_for_a_file_that_is_not_a_kernel_says_what_it_is() {
    let lab = Lab::new();
    let whole = boot_image("6.1");
    let mut for_32_bits = whole.clone();
    for_32_bits[0x236] = 0;
    let files: [(&[u8], &str); 8] = [
        (b"", "the header of a boot image"),
        (b"#!/bin/sh\n", "the header of a boot image"),
        (b"\x7fELF\x02", "ELF"),
        (b"!<arch>\ndebian-binary", "Debian package"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"070701", "cpio"),
        (&whole[..whole.len() - 1], "cut off"),
        (&for_32_bits, "32-bit"),
    ];
    for (contents, reason) in files {
        lab.refuses(&new("x", lab.file("file", contents)), reason);
    }
    lab.refuses(&new("x", lab.folder.path()), "not an ordinary file");
    lab.refuses(&new("x", "/dev/zero"), "not an ordinary file");
    lab.refuses(&new("x", "no-such"), "no such file");
}

#[test]
fn an_image_may_have_no_version() {
    let lab = Lab::new();
    let mut silent = boot_image("");
    silent[0x20e..0x210].fill(0);
    let mut far = boot_image("");
    far[0x20e..0x210].fill(0xff);
    for (name, image) in [("silent", silent), ("far", far)] {
        let added = lab.kernels.add(&new(name, lab.file("image", &image))).unwrap();
        assert_eq!((added.version.as_str(), added.release.as_str()), ("", ""));
    }
}

#[test]
fn modules_are_copied_and_keep_their_order() {
    let lab = Lab::new();
    let image = lab.image("5.4-mine (me@here) #1");
    let files = ["second.ko", "first.ko"].map(|name| lab.file(name, &kernel_module("5.4-mine")));
    let with = |name: &str, kernel: &Path, files: &[PathBuf]| NewKernel {
        modules: files.to_vec(),
        ..new(name, kernel)
    };
    let added = lab.kernels.add(&with("mine", &image, &files)).unwrap();
    files.iter().for_each(|file| fs::remove_file(file).unwrap());
    assert_eq!(added.module_names(), ["second", "first"]);
    let third = lab.file("third.ko", &kernel_module("5.4-mine"));
    let more = lab.kernels.add(&with("more", Path::new("mine"), &[third]));
    assert_eq!(more.unwrap().module_names(), ["second", "first", "third"]);
    let setup = |name: &str| packed(&lab.kernels.find(name).unwrap());
    assert_ne!(setup("mine"), setup("more"));
}

#[test]
fn a_file_that_is_not_a_module_of_this_kernel_is_refused() {
    let lab = Lab::new();
    let image = lab.image("5.4-mine (me@here) #1");
    let module = kernel_module("5.4-mine");
    let mut for_32_bits = module.clone();
    for_32_bits[4] = 1;
    let files: [(&str, &[u8], &str); 6] = [
        ("x.ko", b"", "not a kernel module for x86-64"),
        ("x.ko", b"\x7fELF\x02", "not a kernel module for x86-64"),
        ("x.ko", &for_32_bits, "not a kernel module for x86-64"),
        ("x.o", &module, "does not end with .ko"),
        ("x.ko", &kernel_module("5.4-other"), "built for Linux 5.4-other"),
        ("x.ko.xz", b"not packed", "x.ko.xz"),
    ];
    let with = |modules: Vec<PathBuf>| NewKernel { modules, ..new("mine", &image) };
    for (name, contents, reason) in files {
        lab.refuses(&with(vec![lab.file(name, contents)]), reason);
    }
    let whole = lab.file("x.ko", &module);
    lab.refuses(&with(vec![whole.clone(), whole]), "already has a module x.ko");
    lab.refuses(&with(vec![lab.folder.path().join("none.ko")]), "none.ko");
    lab.refuses(&with(vec!["/dev/zero".into()]), "not an ordinary file");
}

#[test]
fn an_overlay_is_copied_completely() {
    let lab = Lab::new();
    let image = lab.image("6.1");
    let overlay = lab.folder.path().join("overlay");
    fs::create_dir_all(overlay.join("usr/xenomai")).unwrap();
    fs::write(overlay.join("usr/xenomai/latency"), "a program").unwrap();
    symlink("usr/xenomai", overlay.join("xenomai")).unwrap();
    let with_overlay = NewKernel { overlay: Some(overlay.clone()), ..new("mine", &image) };
    lab.kernels.add(&with_overlay).unwrap();
    fs::remove_dir_all(&overlay).unwrap();
    let copy = lab.kernels.add(&new("copy", "mine")).unwrap().overlay.unwrap();
    assert_eq!(fs::read_link(copy.join("xenomai")).unwrap(), Path::new("usr/xenomai"));
    assert_eq!(fs::read(copy.join("xenomai/latency")).unwrap(), b"a program");
}

#[test]
fn an_overlay_that_cannot_be_copied_is_refused() {
    let lab = Lab::new();
    let image = lab.image("6.1");
    let with = |overlay: PathBuf| NewKernel { overlay: Some(overlay), ..new("mine", &image) };
    lab.refuses(&with(lab.folder.path().join("none")), "is not a folder");
    lab.refuses(&with(image.clone()), "is not a folder");
    lab.refuses(&with(lab.folder.path().to_owned()), "contains the lab itself");
    let overlay = lab.folder.path().join("overlay");
    fs::create_dir(&overlay).unwrap();
    let _listener = UnixListener::bind(overlay.join("socket")).unwrap();
    lab.refuses(&with(overlay), "is neither a file");
}

#[test]
fn the_rest_of_a_killed_change_is_not_a_kernel_and_is_removed_by_the_next() {
    let lab = Lab::new();
    lab.add("mine");
    let left = lab.folder.path().join("lab/incoming");
    fs::create_dir_all(left.join("new/modules")).unwrap();
    fs::write(left.join("half.deb"), "half").unwrap();
    assert_eq!(lab.names(), ["mine"]);
    lab.add("another");
    assert!(!left.exists());
}

#[test]
fn damage_is_found_and_can_be_removed() {
    let lab = Lab::new();
    let kernel = lab.add("mine");
    lab.add("whole");
    fs::write(&kernel.image, boot_image("another")).unwrap();
    refuses(lab.kernels.find("mine"), "SHA-256");
    let manifest = kernel.image.with_file_name("kernel.json");
    for damage in ["", "{}", "no json"] {
        fs::write(&manifest, damage).unwrap();
        let [mine, whole] = lab.kernels.list().unwrap().try_into().unwrap();
        refuses(mine, "steadfast lab remove mine");
        assert_eq!(whole.unwrap().name, "whole");
    }
    lab.kernels.remove("mine").unwrap();
    assert_eq!(lab.names(), ["whole"]);
}

#[test]
fn preemption_models_follow_from_a_kernels_build() {
    let lab = Lab::new();
    let image = lab.image("7.2.1-mine (me@here) #1 SMP PREEMPT_DYNAMIC");
    let kernel = lab.kernels.add(&new("mine", &image)).unwrap();
    assert_eq!(kernel.preemption_models().unwrap(), ["lazy", "full"]);
    let configuration = kernel.image.with_file_name("config");
    fs::write(&configuration, "CONFIG_PREEMPT_VOLUNTARY=y\n").unwrap();
    let models = |name: &str| lab.kernels.find(name).unwrap().preemption_models().unwrap();
    assert_eq!(models("mine"), ["none", "voluntary", "full"]);
    lab.kernels.add(&new("copy", "mine")).unwrap();
    assert_eq!(models("copy"), ["none", "voluntary", "full"]);
    let setup = || packed(&lab.kernels.find("mine").unwrap());
    let before = setup();
    fs::write(&configuration, "CONFIG_PREEMPT_LAZY=y\n").unwrap();
    assert_ne!(setup(), before, "the machine has the configuration");
}
