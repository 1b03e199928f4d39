//! Tests that find functions by their names, and refuse files that are not libraries.

use std::fs;

use tempfile::TempDir;

use super::*;

fn found(exported: &[&str], named: [Option<&str>; 3]) -> Result<Functions, Refused> {
    let exported: Vec<String> = exported.iter().map(|&name| name.to_owned()).collect();
    let [init, step, end] = named;
    find(&exported, init, step, end)
}

const NONE: [Option<&str>; 3] = [None; 3];

#[test]
fn functions_of_embedded_coder_are_found_by_their_names() {
    let exported = ["helper", "plant_initialize", "plant_step", "plant_terminate"];
    let plant = found(&exported, NONE).unwrap();
    assert_eq!(plant.initialize.as_deref(), Some("plant_initialize"));
    assert_eq!(plant.steps, ["plant_step"]);
    assert_eq!(plant.terminate.as_deref(), Some("plant_terminate"));
}

#[test]
fn steps_by_rate_are_in_the_order_of_their_numbers() {
    let exported = ["m_step0", "m_step1", "m_step10", "m_step2", "m_stepper"];
    let steps = found(&exported, NONE).unwrap().steps;
    assert_eq!(steps, ["m_step0", "m_step1", "m_step2", "m_step10"]);
}

#[test]
fn given_names_are_used() {
    let exported = ["setup", "run", "teardown"];
    let named = [Some("setup"), Some("run"), Some("teardown")];
    let work = found(&exported, named).unwrap();
    assert_eq!(work.initialize.as_deref(), Some("setup"));
    assert_eq!(
        (&work.steps[..], work.terminate.as_deref()),
        (&["run".to_owned()][..], Some("teardown"))
    );
    let only = found(&exported, [None, Some("run"), None]).unwrap();
    assert_eq!((only.initialize, only.terminate), (None, None));
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
        let why = found(exported, named).unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
    }
    let one_of_two = found(&["a_step", "b_step"], [None, Some("b_step"), None]).unwrap();
    assert_eq!(one_of_two.steps, ["b_step"]);
}

#[test]
fn a_file_that_is_not_a_library_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    for (bytes, words) in [
        (&b"#!/bin/sh\n"[..], "not an ELF file"),
        (b"MZ\x90", "a Windows library"),
        (b"\x7fELF\x02\x01", "a broken ELF file"),
    ] {
        fs::write(&path, bytes).unwrap();
        let why = Library::read(&path).unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
    }
    let why = Library::read(rt::process::THIS_PROGRAM.as_ref()).unwrap_err();
    assert!(why.to_string().contains("it is a program"), "{why}");
}
