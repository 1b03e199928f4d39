//! Tests that find functions by their names, and refuse files that are not libraries.

use std::fs;

use tempfile::TempDir;

use super::*;
use testing::refuses;

fn found(exported: &[&str], named: [Option<&str>; 3]) -> Result<Functions, Refused> {
    let exported: Vec<String> = exported.iter().map(|&name| name.to_owned()).collect();
    let [init, step, end] = named;
    find(&exported, init, step, end)
}

const NONE: [Option<&str>; 3] = [None; 3];

#[test]
fn functions_are_found_by_the_names_of_embedded_coder_unless_named() {
    let coder = ["helper", "plant_initialize", "plant_step", "plant_terminate"];
    let rates = ["m_step0", "m_step1", "m_step10", "m_step2", "m_stepper"];
    let own = ["setup", "run", "teardown"];
    for (exported, named, initialize, steps, terminate) in [
        (&coder[..], NONE, Some("plant_initialize"), &["plant_step"][..], Some("plant_terminate")),
        (&rates, NONE, None, &["m_step0", "m_step1", "m_step2", "m_step10"], None),
        (&own, own.map(Some), Some("setup"), &["run"], Some("teardown")),
        (&own, [None, Some("run"), None], None, &["run"], None),
        (&["a_step", "b_step"], [None, Some("b_step"), None], None, &["b_step"], None),
    ] {
        let found = found(exported, named).unwrap();
        assert_eq!(found.steps, steps, "{exported:?}");
        let ends = (found.initialize.as_deref(), found.terminate.as_deref());
        assert_eq!(ends, (initialize, terminate), "{exported:?}");
    }
}

#[test]
fn the_error_lists_what_is_exported() {
    for (exported, named, words) in [
        (&["a", "b"][..], NONE, "it has no step function"),
        (&["a", "b"], NONE, "it exports a, b"),
        (&[], NONE, "it exports no functions"),
        (&["a_step", "b_step"], NONE, "step functions of 2 models (a, b)"),
        (&["setup", "run"], [Some("stup"), None, None], "did you mean `setup`?"),
    ] {
        refuses(found(exported, named), words);
    }
}

#[test]
fn a_file_that_is_not_a_library_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    for (bytes, words) in [
        (&b"#!/bin/sh\n"[..], "not an ELF file"),
        (b"", "not an ELF file"),
        (b"MZ\x90", "a Windows library"),
        (b"\x7fELF\x02\x01", "a broken ELF file"),
    ] {
        fs::write(&path, bytes).unwrap();
        refuses(Library::read(&path), words);
    }
    assert!(Library::read(folder.path()).is_err());
    refuses(Library::read(rt::process::THIS_PROGRAM.as_ref()), "it is a program");
}
