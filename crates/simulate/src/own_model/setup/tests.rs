//! Tests of the options of a run against the files of test models.

use std::path::Path;

use record::{FileAsked, RunSpec};
use testing::models::{self, Kind, Version};

use super::super::fmu::{CoSimulation, FmuAs};
use super::super::source::Source;
use super::*;
use crate::test_runs::spec as plain;
use testing::refuses;

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

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Returns the path of an FMU for Co-Simulation.
pub(in super::super) fn fmu(version: Version) -> String {
    text(&models::fmu(version, Kind::CoSimulation, &[]))
}

fn with_clocks(defines: &models::Defines) -> String {
    text(&models::fmu(Version::Three, Kind::ScheduledExecution, defines))
}

fn refused(flags: &[(&str, &str)]) -> String {
    let why = Setup::of(&spec(flags)).unwrap_err();
    assert_eq!(why.lines().count(), 1, "{why}");
    why
}

#[test]
fn options_that_do_not_fit_are_refused_with_their_flag() {
    let library = &text(&models::library(&[]));
    let (fmu, three) = (&fmu(Version::Two), &fmu(Version::Three));
    let clocks = &with_clocks(&[]);
    let more_clocks = &with_clocks(&[("MORE_CLOCKS", "1")]);
    let changing = &with_clocks(&[("CHANGING_CLOCK", "1")]);
    for (flags, flag, words) in [
        (&[][..], "model: ", "--fmu FILE.fmu, --library FILE.so or --program COMMAND"),
        (
            &[("fmu", "a.fmu"), ("program", "b")],
            "--fmu and --program ",
            "are two models; name one of them",
        ),
        (&[("library", library), ("step", "plant_step"), ("set", "k=1")], "--set: ", ""),
        (&[("library", library), ("input", "u.csv")], "--input: ", ""),
        (&[("library", library), ("step", "plant_step"), ("instances", "2")], "--instances: ", ""),
        (&[("program", "x"), ("integrator", "rk4")], "--integrator: ", ""),
        (&[("program", "x"), ("every", "1")], "--every: ", "applies only to a library; omit it"),
        (&[("library", library), ("substeps", "4")], "--substeps: ", "only to an FMU"),
        (&[("library", library), ("clocks", "1ms")], "--clocks: ", "only to an FMU"),
        (&[("program", "x"), ("instances", "65")], "--instances: ", ""),
        (&[("program", "x"), ("threads", "2")], "--threads: ", "cannot share 1 instance;"),
        (&[("fmu", fmu), ("step", "f")], "--step: ", ""),
        (&[("fmu", fmu), ("interface", "model-exchange")], "--interface: ", ""),
        (&[("fmu", three), ("tick", "push=1ms")], "--tick: ", "only a Scheduled Execution"),
        (&[("fmu", three), ("clocks", "1ms")], "--clocks: ", "only a Scheduled Execution"),
        (&[("fmu", three), ("integrator", "rk4")], "--integrator: ", "only a Model Exchange FMU"),
        (
            &[("fmu", fmu), ("substeps", "8")],
            "--substeps: ",
            "this one is stepped by Co-Simulation",
        ),
        (&[("fmu", clocks), ("substeps", "8")], "--substeps: ", "stepped by Scheduled Execution"),
        (&[("library", "/nowhere.so")], "--library: /nowhere.so", ""),
        (&[("fmu", library)], "--fmu: ", ""),
        (&[("library", fmu)], "--library: ", ""),
        (&[("fmu", clocks), ("instances", "2")], "--instances: ", ""),
        (&[("fmu", clocks), ("mode", "real-fast")], "--mode: ", ""),
        (&[("fmu", clocks), ("tick", "fast=1ms")], "--tick: ", ""),
        (&[("fmu", clocks), ("tick", "push=1ms")], "--tick: ", ""),
        (&[("fmu", more_clocks), ("tick", "push=20ms")], "--fmu: ", "`later` (countdown)"),
        (&[("fmu", more_clocks), ("tick", "push=20ms")], "--fmu: ", "--tick"),
        (&[("fmu", more_clocks), ("tick", "push=soon")], "--tick: `push`: ", ""),
        (&[("fmu", changing)], "--fmu: ", "`uneven` (changing)"),
    ] {
        let why = refused(flags);
        assert!(why.starts_with(flag) && why.contains(words), "{flags:?}: {why}");
    }
}

#[test]
fn start_values_are_read_before_anything_runs() {
    for version in [Version::Two, Version::Three] {
        let fmu = fmu(version);
        for (set, words) in [
            ("labl=1", "did you mean `label`?"),
            ("k=soft", "not `soft`"),
            ("k=1 2", "not `1 2`"),
            ("time=1", "cannot be set at the start"),
            ("steps=2.5", "a whole number from -2147483648 to 2147483647, not `2.5`"),
            ("steps=3e9", "not `3e9`"),
        ] {
            let why = refused(&[("fmu", &fmu), ("set", set)]);
            assert!(why.starts_with("--set: ") && why.contains(words), "{set}: {why}");
        }
        let setup = Setup::of(&spec(&[("fmu", &fmu), ("set", "k=400;label=a spring")])).unwrap();
        let names: Vec<&str> =
            setup.fmu().unwrap().starts.iter().map(|start| &*start.name).collect();
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
        ("time,v\n0,1\n", "`v` is not an input or a tunable parameter of Oscillator"),
        ("time,label\n0,1\n", "`label` is a fixed parameter, which does not change"),
        ("time,y\n0,1\n", "expected one of k, c, u"),
        ("time,u[1]\n0,1\n", "`u[1]` is not an input"),
        ("time,u\n0,one\n", "line 2"),
        ("u\n0\n", "its first column is `u`, not `time`"),
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
fn arrays_and_tunable_parameters_change_over_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inputs.csv");
    let path = file.to_str().unwrap();
    let fmu = text(&models::fmu(Version::Three, Kind::CoSimulation, &[("ARRAY", "1")]));
    let flags = [("fmu", &*fmu), ("input", path), ("set", "n=3")];
    for (text, columns) in [
        ("time,w,k\n0,4 5 6,7\n", &["w[1]", "w[2]", "w[3]", "k"][..]),
        ("time,w[2],k,w[3],w[1]\n0,5,7,6,4\n", &["w[1]", "w[2]", "w[3]", "k"]),
    ] {
        std::fs::write(&file, text).unwrap();
        let (setup, mut made) = made::<FmuAs<CoSimulation>>(&flags);
        assert_eq!(setup.inputs.names, columns, "{text}");
        assert_eq!(setup.inputs.holds, [true; 4]);
        made.set_inputs(&[4.0, 5.0, 6.0, 7.0]).unwrap();
        let mut outputs = vec![0.0; setup.outputs.len()];
        made.outputs(&mut outputs).unwrap();
        assert_eq!(outputs[outputs.len() - 3..], [5.0, 7.0, 9.0]);
    }
    std::fs::write(&file, "time,n\n0,3\n").unwrap();
    let why = refused(&flags);
    assert!(why.contains("`n` is a structural parameter, which is fixed"), "{why}");
    assert!(why.ends_with("--set n=VALUE"), "{why}");
    for text in ["time,w\n0,1\n", "time,w[1],w[3]\n0,1,2\n", "time,w,w[1]\n0,1 2 3,4\n"] {
        std::fs::write(&file, text).unwrap();
        let why = refused(&flags);
        assert!(why.contains("`w` has 3 elements") || why.contains("`w[1]` occurs twice"), "{why}");
    }
}

#[test]
fn start_values_have_names_and_texts_with_any_character() {
    let fmu = fmu(Version::Two);
    for (set, label) in [("label=", ""), ("label=a=b", "a=b"), ("label=/a;;b=c.csv", "/a;b=c.csv")]
    {
        let setup = Setup::of(&spec(&[("fmu", &fmu), ("set", set)])).unwrap();
        let start = &setup.fmu().unwrap().starts[0].value;
        assert!(
            matches!(start, variables::StartValue::Text { text, .. } if text == label),
            "{set}"
        );
    }
    let why = refused(&[("fmu", &fmu), ("set", "label=/a;b=c.csv")]);
    assert!(
        why.contains("no variable `b`") && why.ends_with("write ;; for a ; in a name or a value")
    );
    assert!(refused(&[("fmu", &fmu), ("set", "k=1;k=2")]).contains("`k` is set twice"));
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
    let (sha256, _) = model_file::sha256(&copy).unwrap();
    spec.files = vec![FileAsked { path: path.to_owned(), sha256 }];
    Setup::of(&spec).unwrap();
    std::fs::copy(fmu(Version::Three), &copy).unwrap();
    refuses(Setup::of(&spec), "has changed since the run was requested");
}

#[test]
fn instances_are_shared_evenly() {
    let fmu = fmu(Version::Two);
    let setup = Setup::of(&spec(&[("fmu", &fmu), ("instances", "5"), ("threads", "3")])).unwrap();
    assert_eq!([0, 1, 2].map(|thread| setup.instances_of(thread)), [2, 2, 1]);
}

#[test]
fn functions_of_several_rates_are_called_as_often_as_requested() {
    let library = text(&models::library(&[("RATES", "2")]));
    let every = |typed: &str| {
        let setup = Setup::of(&spec(&[("library", &library), ("every", typed)]))?;
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
        refuses(every(typed), why);
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
    let model = crate::test_runs::find("model").unwrap();
    let mut asked = spec(&[("fmu", &with_clocks(&[]))]);
    asked.asked.duration = base::Nanos(1_000_000_000);
    model.examine(&mut asked).unwrap();
    assert_eq!(asked.parameters.clocks(), "10ms+100ms");
    assert_eq!(asked.parameters.rate_period().to_string(), "10ms");
    assert_eq!(model.tracks(&asked).len(), 5);
    let mut short = asked.clone();
    short.asked.duration = base::Nanos(99_999_999);
    let error = model.check(&short).unwrap_err();
    assert!(error.starts_with("--seconds: a clock ticks every 100ms"), "{error}");
    asked.asked.policy = Policy::Fifo(1);
    let error = model.check(&asked).unwrap_err();
    assert!(error.starts_with("--policy: 2 clocks need"), "{error}");
    let more = with_clocks(&[("MORE_CLOCKS", "1")]);
    let mut asked = spec(&[("fmu", &more), ("tick", "push=20ms;later=5ms")]);
    asked.asked.duration = base::Nanos(1_000_000_000);
    model.examine(&mut asked).unwrap();
    assert_eq!(asked.parameters.clocks(), "5ms+10ms+20ms+100ms");
    let mut plain = spec(&[("fmu", &fmu(Version::Three))]);
    model.examine(&mut plain).unwrap();
    assert_eq!(plain.parameters.clocks(), "none");
}

/// Returns a model that is created as a run creates it, and initialised; also its setup.
pub(in super::super) fn made<S: Source>(flags: &[(&str, &str)]) -> (Setup, S) {
    let mut setup = Setup::of(&spec(flags)).unwrap();
    setup.unpack().unwrap();
    let mut made = S::make(&setup).unwrap();
    made.initialise(&setup.inputs.at_start()).unwrap();
    (setup, made)
}
