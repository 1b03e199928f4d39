//! Tests that find functions and variables by their names, and refuse files that are not libraries.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::*;
use testing::models;
use testing::refuses;

fn found(exported: &[&str], named: [Option<&str>; 3]) -> Result<Functions, Refused> {
    let [init, step, end] = named;
    find(exported, init, step, end)
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
        (&["_cgoexp_1f_plant_step", "plant_step"], NONE, None, &["plant_step"], None),
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

const CODE: &str = "#include <stdint.h>
typedef double real_T;
typedef real_T gain_T;
volatile gain_T gain = 1;
float offset = 0.5f;
int cells = 3;
const int fixed = 4;
int *const pinned = &cells;
uint16_t mask;
_Bool on;
enum { OFF, ON } mode;
double *where;
double table[2];
struct { int low, high; } pair;
int own_setup(int argc, char **argv) { return argc + !argv; }
void own_start(double *state) { gain = *state; }
void own_step(void) {}
void own_end(void) {}
";

fn set(library: &Library, starts: &[(&str, &str)]) -> Result<Vec<StartValue>, String> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    library.start_values(&starts.iter().map(owned).collect::<Vec<_>>())
}

fn compiled(options: &[&str]) -> Library {
    let folder = TempDir::new().unwrap();
    Library::read(&models::of_code_with(folder.path(), CODE, options)).unwrap()
}

#[test]
fn a_variable_is_set_by_the_type_in_the_debug_information() {
    for options in [&["-g", "-gdwarf-4"][..], &["-g", "-gdwarf-5"]] {
        let library = compiled(options);
        for (name, value, bytes) in [
            ("gain", "2", &2.0_f64.to_ne_bytes()[..]),
            ("gain:double", "2.5", &2.5_f64.to_ne_bytes()),
            ("offset", "1", &1.0_f32.to_ne_bytes()),
            ("cells", "-7", &(-7_i32).to_ne_bytes()),
            ("mask", "65535", &[255, 255]),
            ("on", "true", &[1]),
            ("mode", "1", &1_i32.to_ne_bytes()),
        ] {
            let found = set(&library, &[(name, value)]).unwrap();
            assert_eq!(found[0].bytes, bytes, "{name}");
        }
        for (name, value, why) in [
            ("cells", "2.5", "`cells` is of type int32 and takes a whole number that fits"),
            ("mask", "65536", "not `65536`"),
            ("gain", "soft", "takes a number, not `soft`"),
            ("offset", "1e300", "not `1e300`"),
            ("gain:int64", "2", "`gain` is of type double, not int64"),
            ("gain:real", "2", "`real` is not a type of a number; expected one of double"),
            ("where", "0", "`where` is a pointer"),
            ("table", "0", "`table` is an array"),
            ("pair", "0", "`pair` is a structure"),
            ("gian", "0", "no variable `gian` (variables: cells (int32), gain (double)"),
        ] {
            refuses(set(&library, &[(name, value)]), why);
        }
    }
}

/// Whether the compiler and the linker take an option.
fn takes(option: &str) -> bool {
    let mut compiler = Command::new("cc");
    compiler.args(["-g", option, "-shared", "-xc", "/dev/null", "-o", "/dev/null"]);
    compiler.stderr(Stdio::null()).status().is_ok_and(|ended| ended.success())
}

#[test]
fn compressed_debug_information_is_read() {
    let known = ["-gz=zlib", "-gz=zstd"].into_iter().filter(|option| takes(option));
    let known: Vec<&str> = known.collect();
    assert!(known.contains(&"-gz=zlib"), "{known:?}");
    for option in known {
        let found = set(&compiled(&["-g", option]), &[("gain", "2")]).unwrap();
        assert_eq!(found[0].bytes, 2.0_f64.to_ne_bytes(), "{option}");
    }
}

#[test]
fn debug_information_in_another_file_is_named() {
    let folder = TempDir::new().unwrap();
    let library = models::of_code_with(folder.path(), CODE, &["-g"]);
    let debug = folder.path().join("own.debug");
    let mut link = "--add-gnu-debuglink=".to_owned();
    link += debug.to_str().unwrap();
    for options in [
        vec!["--only-keep-debug", library.to_str().unwrap(), debug.to_str().unwrap()],
        vec!["--strip-debug", &link, library.to_str().unwrap()],
    ] {
        assert!(Command::new("objcopy").args(options).status().unwrap().success());
    }
    let library = Library::read(&library).unwrap();
    refuses(set(&library, &[("gain", "2")]), "is in another file, own.debug, and is not read");
    assert_eq!(set(&library, &[("gain:double", "2")]).unwrap()[0].bytes, 2.0_f64.to_ne_bytes());
}

#[test]
fn without_debug_information_the_type_of_a_variable_must_be_stated() {
    let library = compiled(&[]);
    let found = set(&library, &[("gain:double", "2"), ("cells : int32", "7")]).unwrap();
    assert_eq!(found[0].bytes, 2.0_f64.to_ne_bytes());
    assert_eq!((&*found[1].name, &*found[1].bytes), ("cells", &7_i32.to_ne_bytes()[..]));
    for (name, why) in [
        ("gain", "state it, such as gain:double=2, or compile with -g"),
        ("cells", "state it, such as cells:float=2"),
        ("gain:float", "`gain` has 8 bytes, but float has 4"),
        ("gian", "(variables: cells (4 bytes), gain (8 bytes)"),
        ("fixed:int32", "no variable `fixed`"),
        ("pinned:int64", "no variable `pinned`"),
    ] {
        refuses(set(&library, &[(name, "1")]), why);
    }
}

#[test]
fn a_function_with_arguments_is_refused_if_debug_information_shows_them() {
    let named = |library: &Library, init| library.functions(Some(init), Some("own_step"), None);
    let [with, without] = [compiled(&["-g"]), compiled(&[])];
    refuses(named(&with, "own_start"), "its `own_start` takes 1 argument");
    refuses(with.functions(None, Some("own_setup"), None), "its `own_setup` takes 2 arguments");
    let setup = named(&with, "own_setup").unwrap();
    assert!(with.start_returns_status(&setup) && !without.start_returns_status(&setup));
    assert!(!with.start_returns_status(&named(&with, "own_end").unwrap()));
    named(&without, "own_start").unwrap();
}

#[test]
fn odd_libraries_are_read_or_refused() {
    let folder = TempDir::new().unwrap();
    let code = "int k = 1; double gain(double u) { return k * u; } void step(void) { k++; }";
    let seeds: [Vec<u8>; 2] = [&["-g"][..], &["-O2", "-nostdlib"]]
        .map(|options| fs::read(models::of_code_with(folder.path(), code, options)).unwrap());
    let path = folder.path().join("odd.so");
    testing::try_corpus(&seeds, 500, |input| {
        fs::write(&path, input).unwrap();
        if let Ok(library) = Library::read(&path) {
            let _ = library.functions(None, Some("step"), None);
            let _ = library.start_values(&[("k".to_owned(), "1".to_owned())]);
        }
    });
}
