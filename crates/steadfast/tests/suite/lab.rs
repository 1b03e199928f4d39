//! Tests of `steadfast lab` with a simulated apt.

use std::fs;
use std::path::PathBuf;

use crate::common::{Done, Folder, MODEST, run_with};
use serde_json::Value;
use testing::{arm_image, boot_image, deb, kernel_module, tar, write_script};

/// A folder with a lab, a kernel image, and programs that answer in place of apt.
struct Place(Folder);

impl Place {
    fn new() -> Self {
        let place = Self(Folder::new());
        fs::create_dir(place.path("bin")).unwrap();
        fs::write(place.path("vmlinuz"), boot_image("7.0-mine (me@here) #1")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn run(&self, line: &str) -> Done {
        let mut command = self.0.command(line);
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        command.env("STEADFAST_LAB", self.path("lab")).env("PATH", path);
        Done::of(command)
    }

    #[track_caller]
    fn succeeds(&self, line: &str) -> String {
        self.run(line).succeeded().stdout()
    }

    fn kernels(&self) -> Vec<Value> {
        serde_json::from_str(&self.succeeds("lab kernels --json")).unwrap()
    }

    fn program(&self, name: &str, script: &str) {
        write_script(&self.path("bin").join(name), script);
    }

    /// Makes apt offer one version of one kernel in sid, and deliver its package.
    fn offer(&self, version: &str) {
        const NAME: &str = "linux-image-6.1.0-9-rt-amd64";
        let image = boot_image(&format!("6.1.0-9-rt-amd64 #1 SMP PREEMPT_RT {version}"));
        self.deliver("x", &[("./boot/vmlinuz-6.1.0-9-rt-amd64", &image)]);
        self.describe("sid", &[(NAME, version, "")]);
        let _ = fs::remove_dir_all(self.path("lab/apt"));
    }

    /// Makes apt deliver this package, besides others.
    fn deliver(&self, name: &str, files: &[(&str, &[u8])]) {
        let folder = self.path("packages");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.deb")), deb("data.tar", &tar(files))).unwrap();
    }

    /// Makes apt know these packages in one suite, by name, version and what they depend on, and
    /// no package in any other.
    fn describe(&self, suite: &str, packages: &[(&str, &str, &str)]) {
        let stanza = |(name, version, depends): &(&str, &str, &str)| {
            format!("Package: {name}\nVersion: {version}\nDepends: kmod{depends}\nSize: 70550672\n")
        };
        let stanzas: Vec<String> = packages.iter().map(stanza).collect();
        fs::write(self.path("stanzas"), stanzas.join("\n")).unwrap();
        let names: Vec<&str> = packages.iter().map(|(name, ..)| *name).collect();
        let [stanzas, packages] = ["stanzas", "packages"].map(|name| self.path(name));
        let answers = format!(
            "case \"$PWD $*\" in */apt*/{suite}\\ *pkgnames*) printf '%s\\n' {};; *show*) cat {};; esac",
            names.join(" "),
            stanzas.display()
        );
        self.program("apt-cache", &answers);
        let delivery = format!("case \"$*\" in *download*) cp {}/* .;; esac", packages.display());
        self.program("apt-get", &delivery);
    }
}

#[test]
fn an_empty_lab_says_how_to_fill_it() {
    let place = Place::new();
    let text = place.succeeds("lab kernels");
    assert!(text.contains("steadfast lab fetch debian:6.1"), "{text}");
    assert!(text.contains("steadfast lab add NAME"), "{text}");
    assert_eq!(place.kernels(), [] as [Value; 0]);
}

#[test]
fn a_kernel_is_fetched_once_and_again_when_there_is_a_newer_one() {
    let place = Place::new();
    place.offer("6.1.99-1");
    let fetch = "lab fetch debian:6.1-rt";
    let text = place.succeeds(fetch);
    assert!(text.contains("debian-6.1-rt is Linux 6.1.0-9-rt-amd64"), "{text}");
    let first = place.kernels();
    assert_eq!(first[0]["source"], "linux-image-6.1.0-9-rt-amd64 6.1.99-1");
    assert!(place.succeeds(fetch).contains("up to date"));
    place.offer("6.1.98-1");
    assert!(place.succeeds(fetch).contains("up to date"));
    assert_eq!(place.kernels(), first);
    place.offer("6.1.100-1");
    assert!(place.succeeds(fetch).contains("6.1.100-1"));
    let second = place.kernels();
    assert_eq!(second[0]["source"], "linux-image-6.1.0-9-rt-amd64 6.1.100-1");
    assert_ne!(second[0]["image_sha256"], first[0]["image_sha256"]);
    let table = place.succeeds("lab kernels");
    assert!(table.contains("debian-6.1-rt  6.1.0-9-rt-amd64"), "{table}");
}

#[test]
fn a_kernel_for_arm_has_a_name_of_its_own_and_its_machine_needs_a_program() {
    let place = Place::new();
    place.offer("6.1.99-1");
    place.succeeds("lab fetch debian:6.1-rt");
    const NAME: &str = "linux-image-6.1.0-9-rt-arm64";
    let image = arm_image("6.1.0-9-rt-arm64 (me@here) (gcc) #1 SMP PREEMPT_RT");
    place.deliver("x", &[("./boot/vmlinuz-6.1.0-9-rt-arm64", &image)]);
    place.describe("sid", &[(NAME, "6.1.99-1", "")]);
    let fetched = place.run("lab fetch debian:6.1-rt --arch arm64").succeeded();
    let text = fetched.stdout();
    assert!(text.contains("debian-6.1-rt-arm64 is Linux 6.1.0-9-rt-arm64 (me@here) #1"), "{text}");
    let lack = "needs Steadfast for 64-bit Arm";
    assert!(fetched.stderr().contains(lack), "{}", fetched.stderr());
    let kernels = place.kernels();
    let facts = |fact: &str| kernels.iter().map(|kernel| kernel[fact].clone()).collect::<Vec<_>>();
    assert_eq!(facts("name"), ["debian-6.1-rt", "debian-6.1-rt-arm64"]);
    assert_eq!(facts("architecture"), ["x86_64", "aarch64"]);
    place.program("qemu-system-aarch64", "echo QEMU emulator version 7.2.22");
    let run = "run wakeup --target vm:debian-6.1-rt-arm64";
    place.run(run).refuses(lack);
    place.run("lab fetch debian:6.1 --arch mips").refuses("use amd64 or arm64");
}

#[test]
fn what_cannot_be_fetched_leaves_the_lab_as_it_was() {
    let place = Place::new();
    let fetch = "lab fetch debian:6.1-rt";
    place.offer("6.1.99-1");
    place.succeeds(fetch);
    let before = place.kernels();
    place.offer("6.1.100-1");
    let one_unknown = place.run("lab fetch debian:6.1-rt debian:6.1");
    one_unknown.refuses("Debian offers no kernel debian:6.1 for amd64; it offers debian:6.1-rt:");
    let not_found = "Failed to fetch x  404  Not Found";
    for (apt_get, reason) in [
        (
            &*format!("echo 'W: unsandboxed' >&2; echo 'E: {not_found}' >&2; exit 100"),
            &*format!("failed: {not_found}: the archive has changed since its lists were read"),
        ),
        ("echo half > x.deb", "cannot be used: it is cut off"),
        ("exit 0", "it left 0 files"),
    ] {
        // The list of packages is still new.
        place.program("apt-get", "exit 0");
        place.succeeds("lab kernels --available");
        place.program("apt-get", apt_get);
        let done = place.run(fetch);
        done.refuses(reason);
    }
    assert_eq!(place.kernels(), before);
}

#[test]
fn an_endless_answer_is_refused_in_bounded_memory() {
    let place = Place::new();
    place.program("apt-get", "exit 0");
    place.program("apt-cache", "while :; do head -c 1000000 /dev/zero | tr '\\0' 'x'; done");
    let refused = place.run("lab fetch debian:6.1 --suite sid").refuses("more than 64 MiB");
    assert!(refused.stderr().contains("command -v"), "{}", refused.stderr());
    assert_eq!(place.kernels(), [] as [Value; 0]);
}

#[test]
fn a_kernel_in_three_packages_is_fetched_from_the_suite_that_has_it() {
    let place = Place::new();
    let image = boot_image("7.3-rt-amd64 #1 SMP PREEMPT_RT");
    place.deliver("binary", &[("./usr/lib/modules/7.3-rt-amd64/vmlinuz", &image)]);
    place.deliver("modules", &[("./usr/lib/modules/7.3-rt-amd64/kernel/uio.ko", b"a module")]);
    place.deliver("base", &[("./usr/lib/modules/7.3-rt-amd64/config", b"CONFIG_PREEMPT_RT=y\n")]);
    let of_it = ", linux-base-7.3-rt-amd64 (= 7.3~rc7-1), linux-binary-7.3-rt-amd64 (= 7.3~rc7-1)";
    let part = |name: &'static str| (name, "7.3~rc7-1", "");
    place.describe(
        "experimental",
        &[
            ("linux-image-7.3-rt-amd64", "7.3~rc7-1", of_it),
            part("linux-binary-7.3-rt-amd64"),
            part("linux-modules-7.3-rt-amd64"),
            part("linux-base-7.3-rt-amd64"),
            ("linux-image-7.2-amd64", "7.2.1-1", ", linux-image-7.2.1-amd64 (= 7.2.1-1)"),
        ],
    );
    let offered: Value =
        serde_json::from_str(&place.succeeds("lab kernels --available --json")).unwrap();
    assert_eq!(offered.as_array().unwrap().len(), 1, "{offered}");
    let facts = [&offered[0]["series"], &offered[0]["suite"], &offered[0]["package"]["version"]];
    assert_eq!(facts, ["debian:7.3-rt", "experimental", "7.3~rc7-1"]);
    let table = place.succeeds("lab kernels --available");
    assert!(table.contains("debian:7.3-rt  7.3~rc7-1  experimental  212 MB"), "{table}");
    let elsewhere = place.run("lab fetch debian:newest-rt --suite sid");
    elsewhere.refuses("Debian offers no kernel debian:newest-rt for amd64, nor any other kernel");
    place.run("lab fetch --atlas").refuses("Debian offers no kernel debian:6.1 for amd64");
    let done = place.run("lab fetch debian:newest-rt --suite experimental").succeeded();
    assert!(done.stdout().contains("debian-7.3-rt is Linux 7.3-rt-amd64"), "{}", done.stdout());
    assert!(done.stderr().contains("from experimental, 212 MB"), "{}", done.stderr());
    let [kernel] = &place.kernels()[..] else { panic!("one kernel") };
    assert_eq!(kernel["source"], "linux-image-7.3-rt-amd64 7.3~rc7-1");
    assert!(place.path("lab/kernels/debian-7.3-rt/modules/uio.ko").is_file());
}

#[test]
fn a_suite_that_cannot_be_read_is_left_out_unless_it_was_named() {
    let place = Place::new();
    place.offer("6.1.99-1");
    let fails = "case $PWD in */bookworm) echo 'E: gone' >&2; exit 100;; esac";
    let works = fs::read_to_string(place.path("bin/apt-get")).unwrap();
    place.program("apt-get", &format!("{fails}\n{}", works.trim_start_matches("#!/bin/sh\n")));
    let done = place.run("lab fetch debian:6.1-rt").succeeded();
    assert!(done.stderr().contains("Left out: bookworm: "), "{}", done.stderr());
    let named = place.run("lab fetch debian:6.1-rt --suite bookworm");
    named.refuses("gone");
}

#[test]
fn without_apt_there_is_another_way() {
    let place = Place::new();
    let variables = [("PATH", &*place.path("bin")), ("STEADFAST_LAB", &*place.path("lab"))];
    run_with("lab fetch debian:6.1", &variables).refuses("this system has no apt");
}

#[test]
fn what_was_added_by_hand_is_not_fetched_over() {
    let place = Place::new();
    place.offer("6.1.99-1");
    place.succeeds("lab add debian-6.1-rt --kernel vmlinuz");
    place.run("lab fetch debian:6.1-rt").refuses("added by hand");
    place.succeeds("lab remove debian-6.1-rt");
    place.succeeds("lab fetch debian:6.1-rt");
}

#[test]
fn a_kernel_is_added_listed_and_removed() {
    let place = Place::new();
    let text = place.succeeds("lab add mine --kernel vmlinuz --append preempt=full");
    assert_eq!(text, "mine is Linux 7.0-mine (me@here) #1\n");
    let table = place.succeeds("lab kernels");
    assert!(table.contains("mine    7.0-mine  added by hand  -        preempt=full\n"), "{table}");
    fs::write(place.path("a.ko"), kernel_module("7.0-mine")).unwrap();
    place.succeeds("lab add more --kernel mine --module a.ko");
    let table = place.succeeds("lab kernels");
    assert!(table.contains("more    7.0-mine  added by hand  a        preempt=full\n"), "{table}");
    // A damaged kernel is named in one line, and the others are listed.
    fs::write(place.path("lab/kernels/more/kernel.json"), "{").unwrap();
    let done = place.run("lab kernels").succeeded();
    assert!(done.stdout().contains("mine    7.0-mine"), "{}", done.stdout());
    let reported = done.stderr();
    assert!(reported.contains("steadfast lab remove more"), "{reported}");
    assert_eq!((reported.lines().count(), place.kernels().len()), (1, 1), "{reported}");
    place.succeeds("lab remove more");
    assert_eq!(place.run("lab kernels").stderr(), "");
    place.succeeds("lab remove mine");
    assert_eq!(place.kernels(), [] as [Value; 0]);
}

#[test]
fn nonsense_is_answered_in_one_line() {
    let place = Place::new();
    place.succeeds("lab add mine --kernel vmlinuz");
    for (line, reason) in [
        ("lab fetch 6.1", "write debian:SERIES or debian:SERIES-rt"),
        ("lab fetch debian:6.1 --suite ../sid", "--suite `../sid` is not the name of a suite"),
        ("lab fetch debian:6.1-cloud", "is not a series of kernels"),
        ("lab fetch", "SERIES"),
        ("lab add x", "--kernel"),
        ("lab add mine --kernel vmlinuz", "--replace"),
        ("lab add x --kernel mine+", "does not name a kernel with parameters"),
        ("lab add x --kernel vmlinuz --initrd-overlay nothing", "is not a folder"),
        ("lab add x --kernel mine --module no.ko", "no.ko"),
        ("lab remove x", "the lab has no kernel `x`; it has mine."),
        ("run model --program true --target vm:mine", "--program: a virtual machine of the lab"),
    ] {
        place.run(line).refuses(reason);
    }
}

#[test]
fn an_atlas_needs_runs_of_its_kernels() {
    let place = Place::new();
    let line = format!("run wakeup --seconds 0.1 {MODEST} --beside --store {{}}");
    let store = place.path("results.db");
    place.succeeds(&line.replace("{}", &store.display().to_string()));
    let atlas = format!("lab compare --atlas --from {}", store.display());
    place.run(&atlas).refuses("`steadfast lab fetch --atlas`");
    place.run("lab compare --atlas").refuses("`steadfast lab fetch --atlas`");
    place.run(&format!("{atlas} --draws 4")).refuses("--draws");
}
