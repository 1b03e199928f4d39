//! The examples for users' own models (`examples/`): each is built as its page says, and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use testing::skip;

use crate::common::{Done, Folder, MODEST, run, run_words};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Builds the C examples into a new folder; `None` without Python, which packs the FMUs.
fn built_c() -> Option<Folder> {
    if Command::new("python3").arg("--version").output().is_err() {
        skip("python3 is not installed");
        return None;
    }
    let folder = Folder::new();
    let mut build = Command::new(examples().join("c/build"));
    build.arg(folder.path(""));
    Done::of_unmeasured(build).succeeded();
    Some(folder)
}

fn built_rust(name: &str, folder: &Folder) -> PathBuf {
    let program = folder.path(name);
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2024", "-O", "-o"]).arg(&program);
    compiler.arg(examples().join(format!("rust/{name}.rs")));
    Done::of_unmeasured(compiler).succeeded();
    program
}

/// Runs 20 steps of a model, and returns what it recorded after each step.
fn positions(model: [&str; 2]) -> Vec<String> {
    let folder = Folder::new();
    let line = "run model --rate 100Hz --steps 20 --record outputs.csv";
    let done = folder.run_words(&format!("{line} {MODEST} --beside --json"), model);
    let run = done.succeeded().first_run();
    assert_eq!((&run["valid"], &run["rows"][0]["due"]), (&json!(true), &json!(20)), "{run:#}");
    let text = folder.read("outputs.csv");
    let value = |line: &str| line.rsplit_once(',').expect("two columns").1.to_owned();
    // A program has no output before its first step.
    const HEAD_AND_START: usize = 2;
    let rows = text.lines().skip_while(|line| !line.starts_with("time")).skip(HEAD_AND_START);
    rows.map(value).collect()
}

#[test]
fn the_plant_moves_equally_in_every_language() {
    let Some(folder) = built_c() else { return };
    let of_c = folder.path("plant.fmu");
    let of_rust = built_rust("plant", &folder);
    let of_python = format!("python3 {}", examples().join("python/plant.py").display());
    let expected = positions(["--fmu", of_c.to_str().unwrap()]);
    for program in [of_rust.to_str().unwrap(), &of_python] {
        let found = positions(["--program", program]);
        // A step that a busy host skipped has no row.
        let both = expected.len().min(found.len());
        assert!(both > 0, "{expected:?} {found:?}");
        assert_eq!(found[..both], expected[..both], "{program}");
    }
}

#[test]
fn the_plant_is_a_library_too() {
    let Some(folder) = built_c() else { return };
    let line = format!("run model --steps 20 --rate 1kHz {MODEST} --beside --library");
    run_words(&line, [folder.path("plant.so")]).succeeded();
}

#[test]
fn plant_and_controller_are_a_mix_in_every_language() {
    let Some(folder) = built_c() else { return };
    let python = |name: &str| format!("python3 {}", examples().join(name).display());
    let rust = |name: &str| built_rust(name, &folder).display().to_string();
    let plan = fs::read_to_string(examples().join("mix.toml")).unwrap();
    let with_programs = |plant: &str, controller: &str| {
        let program = |command: &str| format!("model = \"program\"\nprogram = \"{command}\"");
        plan.replace("model = \"fmu\"\nfmu = \"plant.fmu\"", &program(plant))
            .replace("model = \"fmu\"\nfmu = \"controller.fmu\"", &program(controller))
            .replace("controller.u", "controller.outputs[0]")
            .replace("plant.x", "plant.outputs[0]")
            .replace("{ u =", "{ \"inputs[0]\" =")
            .replace("{ x =", "{ \"inputs[0]\" =")
    };
    let plans = [
        plan.clone(),
        with_programs(&python("python/plant.py"), &python("python/controller.py")),
        with_programs(&rust("plant"), &rust("controller")),
    ];
    for plan in plans {
        folder.write("mix.toml", &plan);
        // Its paths count from the plan, wherever the program is started.
        let plan_file = folder.path("mix.toml");
        let line = format!("run mix {} --seconds 0.3 {MODEST}", plan_file.display());
        let run = run(&format!("{line} --beside --json")).succeeded().first_run();
        assert_eq!(run["valid"], true, "{plan}\n{run:#}");
        let due: Vec<_> = run["rows"].as_array().unwrap().iter().map(|row| &row["due"]).collect();
        assert_eq!(due[..2], [&json!(300), &json!(30)], "{run:#}");
    }
}
