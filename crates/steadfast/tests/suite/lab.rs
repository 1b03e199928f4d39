//! Tests of `steadfast lab` with a simulated apt.

use std::fs;
use std::path::PathBuf;

use crate::common::{Done, Folder, run_with};
use serde_json::Value;
use testing::{boot_image, deb, kernel_module, tar, write_script};

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

    /// Makes apt offer one version of one kernel, and deliver its package.
    fn offer(&self, version: &str) {
        const NAME: &str = "linux-image-6.1.0-9-rt-amd64";
        let image = boot_image(&format!("6.1.0-9-rt-amd64 #1 SMP PREEMPT_RT {version}"));
        let files = tar(&[("./boot/vmlinuz-6.1.0-9-rt-amd64", &image)]);
        fs::write(self.path("package"), deb("data.tar", &files)).unwrap();
        let stanza =
            format!("Package: {NAME}\nVersion: {version}\nFilename: pool/x.deb\nSize: 70550672\n");
        fs::write(self.path("stanza"), stanza).unwrap();
        let [stanza, package] = ["stanza", "package"].map(|name| self.path(name));
        let answers =
            format!("case $1 in pkgnames) echo {NAME};; show) cat {};; esac", stanza.display());
        self.program("apt-cache", &answers);
        self.program("apt-get", &format!("cp {} x.deb", package.display()));
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
fn what_cannot_be_fetched_leaves_the_lab_as_it_was() {
    let place = Place::new();
    let fetch = "lab fetch debian:6.1-rt";
    place.offer("6.1.99-1");
    place.succeeds(fetch);
    let before = place.kernels();
    place.offer("6.1.100-1");
    let one_unknown = place.run("lab fetch debian:6.1-rt debian:6.1");
    one_unknown.refuses("apt offers no kernel debian:6.1 for amd64; it offers debian:6.1-rt:");
    let not_found = "Failed to fetch x  404  Not Found";
    for (apt_get, reason) in [
        (
            &*format!("echo 'W: unsandboxed' >&2; echo 'E: {not_found}' >&2; exit 100"),
            &*format!("failed: {not_found}: the package lists are out of date"),
        ),
        ("echo half > x.deb", "cannot be used: it is cut off"),
        ("exit 0", "it left no file"),
    ] {
        place.program("apt-get", apt_get);
        place.run(fetch).refuses(reason);
    }
    assert_eq!(place.kernels(), before);
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
