//! Tests that find functions and variables by their names, and refuse files that are not libraries.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::*;
use testing::{models, needs, refuses};

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

/// Runs `objcopy`; returns whether it could do that.
fn objcopy(arguments: &[&str]) -> bool {
    let mut program = Command::new("objcopy");
    program.args(arguments).stderr(Stdio::null()).status().is_ok_and(|ended| ended.success())
}

#[test]
fn compressed_debug_information_is_read() {
    let folder = TempDir::new().unwrap();
    // Sections that do not become smaller stay as they are.
    let code = format!("#include <stdlib.h>\n{CODE}");
    let library = models::of_code_with(folder.path(), &code, &["-g"]);
    for (format, mark) in [("zlib", 1), ("zlib-gnu", 0), ("zstd", 2)] {
        let packed = folder.path().join(format);
        let paths = [library.to_str().unwrap(), packed.to_str().unwrap()];
        let is_known =
            objcopy(&[&format!("--compress-debug-sections={format}"), paths[0], paths[1]]);
        let Some(()) = needs(is_known, &format!("an objcopy that knows {format}")) else {
            continue;
        };
        let bytes = fs::read(&packed).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let name = if mark == 0 { ".zdebug_info" } else { ".debug_info" };
        let section = object::Object::section_by_name(&file, name).unwrap();
        let data = object::ObjectSection::data(&section).unwrap();
        assert_eq!(data[0], if mark == 0 { b'Z' } else { mark }, "{format}");
        let found = set(&Library::read(&packed).unwrap(), &[("gain", "2")]).unwrap();
        assert_eq!(found[0].bytes, 2.0_f64.to_ne_bytes(), "{format}");
    }
}

#[test]
fn types_that_other_units_have_are_read() {
    for options in [
        &["-g", "-fdebug-types-section", "-gdwarf-5"][..],
        &["-g", "-fdebug-types-section", "-gdwarf-4"],
        &["-g", "-O1", "-flto"],
    ] {
        let library = compiled(options);
        let found = set(&library, &[("gain", "2"), ("mode", "1")]).unwrap();
        assert_eq!(found[0].bytes, 2.0_f64.to_ne_bytes(), "{options:?}");
        assert_eq!(found[1].bytes, 1_i32.to_ne_bytes(), "{options:?}");
    }
    let split = compiled(&["-g", "-gsplit-dwarf"]);
    refuses(
        set(&split, &[("gain", "2")]),
        ".dwo, which is not read: compile without -gsplit-dwarf",
    );
}

#[test]
fn debug_information_in_another_file_is_read_if_it_is_of_the_same_build() {
    let folder = TempDir::new().unwrap();
    let library = models::of_code_with(folder.path(), CODE, &["-g", "-Wl,--build-id=0xabcdef"]);
    let (library, debug) = (library.to_str().unwrap(), folder.path().join("own.debug"));
    assert!(objcopy(&["--only-keep-debug", library, debug.to_str().unwrap()]));
    let root = folder.path().join("root");
    let stripped = |link: &str| {
        let to = folder.path().join("stripped.so");
        let to = to.to_str().unwrap().to_owned();
        assert!(objcopy(&["--strip-debug", link, library, &to]));
        move || Library::read_with(Path::new(&to), &root).unwrap()
    };
    let is_read = |library: &Library| {
        set(library, &[("gain", "2")]).is_ok_and(|found| found[0].bytes == 2.0_f64.to_ne_bytes())
    };
    let link = format!("--add-gnu-debuglink={}", debug.display());
    let linked = stripped(&link);
    assert!(is_read(&linked()));

    let by_id = folder.path().join("root/.build-id/ab/cdef.debug");
    fs::create_dir_all(by_id.parent().unwrap()).unwrap();
    fs::rename(&debug, &by_id).unwrap();
    assert!(is_read(&linked()));

    fs::remove_file(&by_id).unwrap();
    for is_of_another_build in [false, true] {
        if is_of_another_build {
            fs::write(&debug, "something else").unwrap();
            fs::write(&by_id, "something else").unwrap();
        }
        let why = "which is in own.debug, which is not next to the library or below ";
        refuses(set(&linked(), &[("gain", "2")]), why);
    }
    let found = set(&linked(), &[("gain:double", "2")]).unwrap();
    assert_eq!(found[0].bytes, 2.0_f64.to_ne_bytes());
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
