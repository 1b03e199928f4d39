//! Tests with archives as programs write them, with malicious ones, and with mutated ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;
use tempfile::TempDir;
use testing::archive::{Member, zipped};

use super::*;
use crate::Source;
use testing::refuses;

const ABOUT: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="plant" guid="{1}">
  <CoSimulation modelIdentifier="plant"/><ModelVariables/></fmiModelDescription>"#;

fn saved(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("plant.fmu");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn opened(members: &[Member]) -> Result<(TempDir, Archive), Refused> {
    let (folder, path) = saved(&zipped(members));
    Ok((folder, Archive::open(&path)?))
}

const DESCRIBED: Member = (DESCRIPTION, ABOUT.as_bytes(), None);

/// Returns the head of a binary that looks as if it is for this machine.
fn fitting() -> Vec<u8> {
    fs::read(rt::process::THIS_PROGRAM).unwrap()[..4096].to_vec()
}

fn here() -> String {
    format!("binaries/{ARCH}-linux/plant.so")
}

/// Returns why an archive has no library for Co-Simulation here.
fn no_library(members: &[Member]) -> String {
    let (_folder, archive) = opened(members).unwrap();
    archive.library(Kind::CoSimulation).unwrap_err().to_string()
}

#[track_caller]
fn assert_refused(members: &[Member], words: &str) {
    let error = opened(members).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert!(error.contains("plant.fmu: ") && !error.contains('\n'), "{error}");
}

#[test]
fn the_binary_for_this_machine_is_found_and_unpacked_with_what_it_needs() {
    let (binary, here) = (fitting(), here());
    let beside = here.replace("plant.so", "libhelper.so");
    let (_folder, archive) = opened(&[
        DESCRIBED,
        ("binaries/win64/plant.dll", b"MZ", None),
        (&here, &binary, None),
        (&beside, b"beside", None),
        ("resources\\tables\\a.txt", b"1 2 3", None),
        ("resources/solver", b"#!/bin/sh", Some(0o755)),
        ("documentation/index.html", b"<p>", None),
    ])
    .unwrap();
    let platforms = archive.platforms();
    let fits: Vec<bool> = platforms.iter().map(|one| one.fits).collect();
    assert_eq!((platforms.len(), fits), (2, vec![false, true]));
    assert_eq!(archive.library(Kind::CoSimulation).unwrap(), here);
    let into = TempDir::new().unwrap();
    let unpacked = archive.unpack(into.path(), Kind::CoSimulation).unwrap();
    assert_eq!(fs::read(&unpacked.library).unwrap(), binary);
    let table = unpacked.resources.join("tables/a.txt");
    assert_eq!(fs::read(table).unwrap(), b"1 2 3");
    assert_eq!(fs::read(into.path().join(&beside)).unwrap(), b"beside");
    let may_execute = |file: &str| {
        let about = fs::metadata(unpacked.resources.join(file)).unwrap();
        about.permissions().mode() & 0o100 != 0
    };
    assert!(may_execute("solver") && !may_execute("tables/a.txt"));
    // Some models look for their description next to their resources.
    assert!(unpacked.resources.join("../modelDescription.xml").exists());
    assert!(!into.path().join("documentation").exists());
    let again = archive.unpack(into.path(), Kind::CoSimulation);
    assert!(again.is_err(), "existing files are not overwritten");
}

#[test]
fn without_a_binary_for_this_machine_the_others_are_listed() {
    let windows: Member = ("binaries/win64/plant.dll", b"MZ", None);
    let (_folder, archive) = opened(&[DESCRIBED, windows]).unwrap();
    refuses(archive.library(Kind::CoSimulation), "binaries for win64 and no sources");
    let why = archive.library(Kind::ModelExchange).unwrap_err().to_string();
    assert!(why.contains("does not offer Model Exchange; it offers Co-Simulation"), "{why}");
}

#[test]
fn for_sources_the_compilers_line_is_shown_and_nothing_is_compiled() {
    let (_folder, archive) = opened(&[DESCRIBED, ("sources/all.c", b"", None)]).unwrap();
    let why = archive.library(Kind::CoSimulation).unwrap_err().to_string();
    assert!(why.contains("cc -shared -fPIC") && why.contains("sources/all.c -o"), "{why}");
    let short = archive.elf(Kind::CoSimulation).unwrap_err();
    assert!(!short.why().contains("cc -shared"), "{short}");
}

#[test]
fn sources_of_fmi_3_are_those_of_its_build_description() {
    let about = ABOUT.replace("2.0", "3.0").replace("guid", "instantiationToken");
    let build = r#"<fmiBuildDescription><BuildConfiguration modelIdentifier="plant">
        <SourceFileSet language="C99"><SourceFile name="a.c"/><SourceFile name="b'; rm -rf ~.c"/>
        <PreprocessorDefinition name="FMI_VERSION" value="3"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>"#;
    let members = [
        (DESCRIPTION, about.as_bytes(), None),
        ("sources/a.c", b"" as &[u8], None),
        ("sources/unused.c", b"", None),
        ("sources/buildDescription.xml", build.as_bytes(), None),
    ];
    let (_folder, archive) = opened(&members).unwrap();
    let interface = &archive.description.interfaces[0];
    let line = archive.compiler_line(interface).unwrap();
    let files = r"-DFMI_VERSION=3 -DFMI3_OVERRIDE_FUNCTION_PREFIX sources/a.c 'sources/b'\''; rm -rf ~.c' -o";
    assert!(line.contains(files), "{line}");
}

#[test]
fn a_binary_in_the_folder_of_another_platform_is_refused() {
    let here = here();
    let mut other = fitting();
    other[18..20].copy_from_slice(&8_u16.to_le_bytes());
    for (binary, words) in [(&other[..], "is for machine 8"), (b"MZ..", "Windows library")] {
        let why = no_library(&[DESCRIBED, (&here, binary, None)]);
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn of_several_binaries_the_first_that_fits_by_its_header_is_taken() {
    let (own, mut other) = (fitting(), fitting());
    other[18..20].copy_from_slice(&8_u16.to_le_bytes());
    let folder = |name: &str| format!("binaries/{name}/plant.so");
    let [first, second] = [0, 1].map(|place| {
        let names = ["linux64".to_owned(), format!("{ARCH}-linux"), format!("{ARCH}-linux-gnu")];
        let from = usize::from(ARCH != "x86_64");
        folder(&names[from + place])
    });
    let elsewhere = folder("riscv64-linux");
    for (members, taken) in [
        ([(&first, &own), (&second, &own)], &first),
        ([(&first, &other), (&second, &own)], &second),
        ([(&second, &other), (&elsewhere, &own)], &elsewhere),
    ] {
        let members = members.map(|(name, binary)| (&**name, &**binary, None));
        let (_folder, archive) = opened(&[&[DESCRIBED], &members[..]].concat()).unwrap();
        assert_eq!(archive.library(Kind::CoSimulation).unwrap(), *taken);
        let fits: Vec<bool> = archive.platforms().iter().map(|one| one.fits).collect();
        assert!(fits.contains(&true), "{fits:?}");
    }
    let why = no_library(&[DESCRIBED, (&first, &other, None), (&elsewhere, &other, None)]);
    assert!(
        why.contains(&format!("{first} is for machine 8")) && why.contains(&elsewhere),
        "{why}"
    );
}

#[test]
fn malicious_archives_are_refused() {
    for (name, words) in [
        ("resources/../../etc/passwd", "points outside"),
        ("resources\\..\\..\\x", "points outside"),
        ("/etc/passwd", "absolute path"),
        ("C:\\windows\\x", "absolute path"),
        ("resources/\0x", "not a valid file name"),
    ] {
        assert_refused(&[DESCRIBED, (name, b"x", None)], words);
    }
    let link = ("resources/link", b"/etc/passwd" as &[u8], Some(0o120_777));
    assert_refused(&[DESCRIBED, link], "is a link");
    let again = (DESCRIPTION, b"<other/>" as &[u8], None);
    assert_refused(&[DESCRIBED, again], "is in the archive twice");
    assert!(opened(&[DESCRIBED, DESCRIBED]).is_ok(), "the same twice is harmless");
}

#[test]
fn an_archive_that_unpacks_to_far_more_than_its_size_is_refused() {
    let zeros = vec![0; 64 << 20];
    let members: Vec<(String, &[u8], Option<u32>)> =
        (0..20).map(|place| (format!("resources/{place}"), &zeros[..], None)).collect();
    let members = members.iter().map(|(name, content, mode)| (&name[..], *content, *mode));
    let members: Vec<Member> = [DESCRIBED].into_iter().chain(members).collect();
    assert_refused(&members, "it unpacks to 1280 MiB");
}

#[test]
fn a_file_that_is_not_an_fmu_is_refused() {
    assert_refused(&[("readme.txt", b"", None)], "the archive has no modelDescription.xml");
    let inside = ("plant/modelDescription.xml", ABOUT.as_bytes(), None);
    assert_refused(&[inside], "is in the archive as plant/modelDescription.xml");
    let (folder, path) = saved(b"no archive");
    refuses(Archive::open(&path), "not a readable zip archive");
    refuses(Archive::open(folder.path()), "not a regular file");
    assert!(Archive::open(&folder.path().join("missing")).is_err());
    // A file that begins like an archive is one, whatever its name.
    let nameless = folder.path().join("x");
    fs::write(&nameless, zipped(&[("../x", b"x", None)])).unwrap();
    refuses(Source::open(&nameless), "points outside");
}

#[test]
fn damage_is_found_by_the_checksum() {
    let here = here();
    let binary: Vec<u8> = (0..100_000_u32).map(|n| (n.wrapping_mul(97) >> 3) as u8).collect();
    let mut head = fitting();
    head.extend(binary);
    let mut bytes = zipped(&[DESCRIBED, (&here, &head, None)]);
    let middle = bytes.len() * 3 / 4;
    bytes[middle] ^= 0x55;
    let (_folder, path) = saved(&bytes);
    let archive = Archive::open(&path).unwrap();
    let into = TempDir::new().unwrap();
    refuses(archive.unpack(into.path(), Kind::CoSimulation), "plant.so in the archive is damaged");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// However an archive is changed, it is read or refused in one line.
    #[test]
    fn mutated_archives_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        end in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let here = here();
        let mut bytes = zipped(&[DESCRIBED, (&here, &fitting(), None)]);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        let (_folder, path) = saved(&bytes);
        let unpacked = Archive::open(&path).and_then(|archive| {
            let into = TempDir::new().unwrap();
            archive.unpack(into.path(), Kind::CoSimulation)
        });
        if let Err(why) = unpacked {
            prop_assert!(!why.to_string().contains('\n'), "{why}");
        }
    }
}

#[test]
fn odd_archives_are_read_or_refused() {
    let about = ABOUT.replace(
        "plant\"/>",
        "plant\"><SourceFiles><File name=\"plant.c\"/></SourceFiles></CoSimulation>",
    );
    let described = (DESCRIPTION, about.as_bytes(), None);
    let seeds = [
        zipped(&[described, (&*here(), &fitting(), None)]),
        zipped(&[DESCRIBED, ("sources/plant.c", b"int x;", Some(0o755)), ("a/b/../c", b"", None)]),
    ];
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("plant.fmu");
    testing::try_corpus(&seeds, 1_000, |input| {
        fs::write(&path, input).unwrap();
        if let Ok(archive) = Archive::open(&path) {
            let _ = (archive.platforms(), archive.elf(Kind::CoSimulation));
            let into = TempDir::new().unwrap();
            let _ = archive.unpack(into.path(), Kind::CoSimulation);
        }
    });
}
