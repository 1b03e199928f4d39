//! Tests of the options of a run against the files of test models.

use plan::{FileAsked, RunSpec};
use testing::models::{self, Kind, Version};

use super::super::source::Source;
use super::*;
use crate::measurement::tests::spec as plain;

/// A run with these options, as a user types them.
pub(in super::super) fn spec(flags: &[(&str, &str)]) -> RunSpec {
    let mut spec = plain("model");
    for (flag, text) in flags {
        let all = super::super::PARAMETERS.iter();
        let parameter = all.clone().find(|parameter| parameter.name == *flag).unwrap();
        let value = parameter.parse(text).unwrap();
        spec.parameters.set(flag, value);
    }
    spec
}

/// Returns the path of an FMU for Co-Simulation.
pub(in super::super) fn fmu(version: Version) -> String {
    let path = models::fmu(version, Kind::CoSimulation, &[]);
    path.to_str().unwrap().to_owned()
}

fn refused(flags: &[(&str, &str)]) -> String {
    let why = Setup::of(&spec(flags)).unwrap_err();
    assert_eq!(why.lines().count(), 1, "{why}");
    why
}

#[test]
fn exactly_one_model_must_be_named() {
    assert!(refused(&[]).contains("--fmu FILE.fmu, --library FILE.so or --program COMMAND"));
    assert_eq!(
        refused(&[("fmu", "a.fmu"), ("program", "b")]),
        "--fmu and --program are two models; name one of them"
    );
}

#[test]
fn options_of_other_sources_are_refused_with_their_flag() {
    let library = models::library(&[]);
    let library = library.to_str().unwrap();
    let fmu = fmu(Version::Two);
    for (flags, flag) in [
        (&[("library", library), ("step", "plant_step"), ("set", "k=1")][..], "--set: "),
        (&[("library", library), ("input", "u.csv")], "--input: "),
        (&[("library", library), ("step", "plant_step"), ("instances", "2")], "--instances: "),
        (&[("program", "x"), ("integrator", "rk4")], "--integrator: "),
        (&[("program", "x"), ("every", "1")], "--every: "),
        (&[("program", "x"), ("instances", "65")], "--instances: "),
        (&[("program", "x"), ("threads", "2")], "--threads: "),
        (&[("fmu", &fmu), ("step", "f")], "--step: "),
        (&[("fmu", &fmu), ("interface", "model-exchange")], "--interface: "),
        (&[("library", "/nowhere.so")], "--library: /nowhere.so"),
        (&[("fmu", library)], "--fmu: "),
        (&[("library", &fmu)], "--library: "),
    ] {
        let why = refused(flags);
        assert!(why.starts_with(flag), "{flags:?}: {why}");
    }
}

#[test]
fn start_values_are_read_before_anything_runs() {
    for version in [Version::Two, Version::Three] {
        let fmu = fmu(version);
        let error = |set: &str| refused(&[("fmu", &fmu), ("set", set)]);
        assert!(error("labl=1").contains("did you mean `label`?"), "{}", error("labl=1"));
        assert!(error("k=soft").contains("not `soft`"));
        assert!(error("k=1 2").contains("not `1 2`"));
        assert!(error("time=1").contains("cannot be set at the start"));
        assert!(
            error("steps=2.5").contains("a whole number from -2147483648 to 2147483647, not `2.5`")
        );
        assert!(error("steps=3e9").contains("not `3e9`"));
        let setup = Setup::of(&spec(&[("fmu", &fmu), ("set", "k=400;label=a spring")])).unwrap();
        let Origin::Fmu(fmu) = &setup.origin else { panic!("{setup:?}") };
        let names: Vec<&str> = fmu.starts.iter().map(|start| &*start.name).collect();
        assert_eq!(names, ["k", "label"]);
    }
}

#[test]
fn inputs_are_checked_against_the_variables() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inputs.csv");
    let path = file.to_str().unwrap();
    let fmu = fmu(Version::Three);
    let flags = [("fmu", &*fmu), ("input", path)];
    assert!(refused(&flags).contains("inputs.csv"));
    for (text, why) in [
        ("time,v\n0,1\n", "`v` is not an input of Oscillator"),
        ("time,u\n0,one\n", "line 2"),
        ("u\n0\n", "its first column is not `time`"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = refused(&flags);
        assert!(error.starts_with("--input: ") && error.contains(why), "{error}");
    }
    std::fs::write(&file, "time,u\n0,1\n1,2\n").unwrap();
    let setup = Setup::of(&spec(&flags)).unwrap();
    assert_eq!(setup.set.len(), 1);
    assert_eq!(setup.inputs.names, ["u"]);
}

#[test]
fn values_for_inputs_that_a_program_does_not_have_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inputs.csv");
    std::fs::write(&file, "time,a,b\n0,1,2\n").unwrap();
    let columns = Setup::of(&spec(&[("program", "x"), ("input", file.to_str().unwrap())])).unwrap();
    let mut linked = Setup::of(&spec(&[("program", "x")])).unwrap();
    assert_eq!(linked.check_inputs(0), Ok(()));
    linked.take_links(&["inputs[1]".to_owned()]).unwrap();
    for setup in [columns, linked] {
        assert_eq!(setup.check_inputs(2), Ok(()));
        let why = setup.check_inputs(1).unwrap_err();
        assert!(why.starts_with("it has 1 inputs, but ") && why.contains("input 1"), "{why}");
    }
}

#[test]
fn a_file_that_changed_since_the_run_was_requested_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("oscillator.fmu");
    std::fs::copy(fmu(Version::Two), &copy).unwrap();
    let path = copy.to_str().unwrap();
    let mut spec = spec(&[("fmu", path)]);
    let (sha256, _) = model::sha256(&copy).unwrap();
    spec.files = vec![FileAsked { path: path.to_owned(), sha256 }];
    Setup::of(&spec).unwrap();
    std::fs::copy(fmu(Version::Three), &copy).unwrap();
    let why = Setup::of(&spec).unwrap_err();
    assert!(why.contains("has changed since the run was requested"), "{why}");
}

#[test]
fn instances_are_shared_evenly() {
    let fmu = fmu(Version::Two);
    let setup = Setup::of(&spec(&[("fmu", &fmu), ("instances", "5"), ("threads", "3")])).unwrap();
    assert_eq!([0, 1, 2].map(|thread| setup.instances_of(thread)), [2, 2, 1]);
}

#[test]
fn functions_of_several_rates_are_called_as_often_as_requested() {
    let library = models::library(&[("RATES", "2")]);
    let library = library.to_str().unwrap();
    let every = |typed: &str| {
        let setup = Setup::of(&spec(&[("library", library), ("every", typed)]))?;
        let Origin::Library(library) = setup.origin else { panic!("it is a library") };
        Ok::<_, String>(library.every)
    };
    assert_eq!(every("none").unwrap(), [1, 1]);
    assert_eq!(every("1+10").unwrap(), [1, 10]);
    for (typed, why) in [
        ("1", "1 counts, but the library has the step functions plant_step0, plant_step1"),
        ("1+0", "`1+0` is not a list"),
        ("1,2", "`1,2` is not a list"),
    ] {
        let error = every(typed).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn outputs_are_the_numbers_in_the_models_order() {
    let names = |version| {
        let setup = Setup::of(&spec(&[("fmu", &fmu(version))])).unwrap();
        let names = setup.outputs.into_iter().map(|output| output.name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(Version::Two), ["y", "steps", "moving"]);
    assert_eq!(names(Version::Three), ["y", "steps", "moving", "y32", "steps64"]);
}

#[test]
fn clocks_are_written_into_the_specification_the_fastest_first() {
    let file = models::fmu(Version::Three, Kind::ScheduledExecution, &[]);
    let file = file.to_str().unwrap();
    let model = crate::find("model").unwrap();
    let mut asked = spec(&[("fmu", file)]);
    asked.asked.duration = units::Nanos(1_000_000_000);
    model.examine(&mut asked).unwrap();
    assert_eq!(asked.parameters.word("clocks"), "10ms+100ms");
    assert_eq!(asked.parameters.time("rate").to_string(), "10ms");
    assert_eq!(model.tracks(&asked).len(), 5);
    let mut short = asked.clone();
    short.asked.duration = units::Nanos(99_999_999);
    let error = model.check(&short).unwrap_err();
    assert!(error.starts_with("--seconds: a clock ticks every 100ms"), "{error}");
    asked.asked.policy = Policy::Fifo(1);
    let error = model.check(&asked).unwrap_err();
    assert!(error.starts_with("--policy: 2 clocks need"), "{error}");
    for (flag, text) in
        [("instances", "2"), ("mode", "real-fast"), ("tick", "fast=1ms"), ("tick", "push=1ms")]
    {
        let error = refused(&[("fmu", file), (flag, text)]);
        assert!(error.starts_with(&format!("--{flag}: ")), "{error}");
    }
    let more = models::fmu(Version::Three, Kind::ScheduledExecution, &[("MORE_CLOCKS", "1")]);
    let more = more.to_str().unwrap();
    let error = refused(&[("fmu", more), ("tick", "push=20ms")]);
    assert!(error.contains("`later` (countdown)") && error.contains("--tick"), "{error}");
    let defines = [("CHANGING_CLOCK", "1")];
    let changing = models::fmu(Version::Three, Kind::ScheduledExecution, &defines);
    let error = refused(&[("fmu", changing.to_str().unwrap())]);
    assert!(error.contains("`uneven` (changing)"), "{error}");
    let error = refused(&[("fmu", more), ("tick", "push=soon")]);
    assert!(error.starts_with("--tick: `push`: "), "{error}");
    let mut asked = spec(&[("fmu", more), ("tick", "push=20ms;later=5ms")]);
    asked.asked.duration = units::Nanos(1_000_000_000);
    model.examine(&mut asked).unwrap();
    assert_eq!(asked.parameters.word("clocks"), "5ms+10ms+20ms+100ms");
    let error = refused(&[("fmu", &fmu(Version::Three)), ("tick", "push=1ms")]);
    assert!(error.starts_with("--tick: only a Scheduled Execution"), "{error}");
    let mut plain = spec(&[("fmu", &fmu(Version::Three)), ("clocks", "7ms")]);
    model.examine(&mut plain).unwrap();
    assert_eq!(plain.parameters.word("clocks"), "none");
}

/// Returns a model that is created as a run creates it, and initialised; also its setup.
pub(in super::super) fn made<S: Source>(flags: &[(&str, &str)]) -> (Setup, S) {
    let mut setup = Setup::of(&spec(flags)).unwrap();
    setup.unpack().unwrap();
    let mut made = S::make(&setup).unwrap();
    made.initialise().unwrap();
    (setup, made)
}
