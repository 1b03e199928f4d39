//! `steadfast model`: describes a file, or prints one line if the file cannot be read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Done, run_words};
use tempfile::TempDir;
use testing::archive::zipped;
use testing::models;
use testing_schema::Schema;

const LINES: usize = 15;
const COLUMNS: usize = 80;

fn model(file: &Path, more: &[&str]) -> Done {
    run_words("model", [file].into_iter().chain(more.iter().map(Path::new)))
}

/// Creates a model with many variables and requirements, for Windows only, with sources.
fn plant(folder: &Path) -> PathBuf {
    let variable =
        |n| format!(r#"<Float64 name="v[{n}]" valueReference="{n}" causality="input" start="1"/>"#);
    let variables: String = (0..200).map(variable).collect();
    let about = format!(
        r#"<fmiModelDescription fmiVersion="3.0" modelName="a plant" instantiationToken="t"
            generationTool="a tool &#8238;">
          <CoSimulation modelIdentifier="plant" needsExecutionTool="true" hasEventMode="true"
            canBeInstantiatedOnlyOncePerProcess="true" fixedInternalStepSize="1e-3"/>
          <ModelExchange modelIdentifier="plant"/>
          <ScheduledExecution modelIdentifier="plant"/>
          <DefaultExperiment startTime="0" stopTime="10" stepSize="0.02"/>
          <ModelVariables>{variables}
            <Float64 name="x" valueReference="500" causality="output"><Dimension start="3"/></Float64>
            <Float64 name="der(x)" valueReference="501" derivative="500"><Dimension start="3"/></Float64>
            <Clock name="tick" valueReference="502" intervalVariability="constant"
              intervalDecimal="0.01" priority="1"/>
            <Boolean name="on" valueReference="503" clocks="502"/>
          </ModelVariables>
          <ModelStructure><Output valueReference="500"/>
            <ContinuousStateDerivative valueReference="501"/></ModelStructure>
        </fmiModelDescription>"#
    );
    let path = folder.join("plant.fmu");
    let archive = zipped(&[
        ("modelDescription.xml", about.as_bytes(), None),
        ("binaries/x86_64-windows/plant.dll", b"MZ", None),
        ("sources/plant.c", b"", None),
    ]);
    fs::write(&path, archive).unwrap();
    path
}

/// Returns a shared library that every test of this program has loaded.
fn library() -> Option<PathBuf> {
    rt::process::libraries().into_iter().next()
}

#[test]
fn an_fmu_is_answered_at_first_glance_and_verbose_shows_all_of_it() {
    let folder = TempDir::new().unwrap();
    let fmu = plant(folder.path());
    let is_narrow = |line: &str| line.chars().count() <= COLUMNS;
    let text = model(&fmu, &[]).succeeded().stdout();
    assert!(text.lines().count() <= LINES && text.lines().all(is_narrow), "{text}");
    for words in [
        "a plant, FMI 3.0",
        "It cannot run here",
        "x86_64-windows",
        "cc -shared -fPIC",
        "a separate process for each instance",
        "200 inputs, 1 output, 0 parameters",
        "a tool \\u202e",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let text = model(&fmu, &["--verbose"]).succeeded().stdout();
    for words in ["v[199]", "derivative of x", "at tick", "constant every 0.01 s, priority 1"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (answer, _table) = text.split_once("\n\n").unwrap();
    assert!(answer.lines().all(is_narrow), "{text}");
}

#[test]
fn its_json_is_as_the_schema_says() {
    let folder = TempDir::new().unwrap();
    let fmu = plant(folder.path());
    for file in [Some(fmu), library()].into_iter().flatten() {
        let document = model(&file, &["--json"]).succeeded().document();
        Schema::named("model-1").assert(&document);
        assert_eq!(document["bytes"], fs::metadata(&file).unwrap().len());
    }
}

#[test]
fn a_library_is_answered_with_what_it_exports() {
    let Some(file) = library() else {
        return testing::skip("this program is static, and has loaded no library");
    };
    for more in [&[][..], &["--verbose"]] {
        let text = model(&file, more).succeeded().stdout();
        assert!(text.contains("shared library"), "{text}");
    }
}

#[test]
fn functions_that_are_named_are_those_of_the_model() {
    let library = models::library(&[]);
    let named = model(&library, &["--step", "plant_step", "--json"]).succeeded().document();
    assert_eq!(named["library"]["found"]["steps"][0], "plant_step");
    let folder = TempDir::new().unwrap();
    let fmu = plant(folder.path());
    for (file, flags, reason) in [
        (&library, ["--step", "plant_stop"], "no function `plant_stop`"),
        (&fmu, ["--init", "setup"], "--init: applies only to libraries"),
    ] {
        model(file, &flags).refuses(reason);
    }
}
