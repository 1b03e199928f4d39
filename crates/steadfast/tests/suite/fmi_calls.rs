//! The order in which an FMU's functions are called, compared with the standard's state machines.

use std::fs;

use crate::common::{Done, Folder, MODEST};
use testing::measure_alone;
use testing::models::{self, Kind, Version};

use State::{
    Begun, ClockActivation, Configuration, ContinuousTime, Ended, Event, Freed, Initialization,
    Instantiated, StepMode,
};

/// A state of an instance: FMI 2.0.4, sections 3.2.3 and 4.2.4; FMI 3.0.2, sections 2.3, 3.2, 4.2
/// and 5.2.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Begun,
    Instantiated,
    Configuration,
    Initialization,
    /// FMI 2.0 calls it slaveInitialized or stepComplete.
    StepMode,
    Event,
    ContinuousTime,
    ClockActivation,
    Ended,
    Freed,
}

/// A call that the standard allows in a state, without the prefix of the version, and the state
/// after it. `Set` and `Get` are the functions of variables of any type.
type Allowed = (State, &'static str, State);

const OF_EVERY_KIND: &[Allowed] = &[
    (Begun, "Instantiate", Instantiated),
    (Instantiated, "Set", Instantiated),
    (Instantiated, "EnterConfigurationMode", Configuration),
    (Configuration, "Set", Configuration),
    (Configuration, "ExitConfigurationMode", Instantiated),
    (Instantiated, "SetupExperiment", Instantiated),
    (Instantiated, "EnterInitializationMode", Initialization),
    (Initialization, "Set", Initialization),
    (Initialization, "Get", Initialization),
    (Ended, "Get", Ended),
    (Ended, "FreeInstance", Freed),
];

const OF_CO_SIMULATION: &[Allowed] = &[
    (Initialization, "ExitInitializationMode", StepMode),
    (StepMode, "Set", StepMode),
    (StepMode, "Get", StepMode),
    (StepMode, "DoStep", StepMode),
    (StepMode, "Terminate", Ended),
];

const OF_MODEL_EXCHANGE: &[Allowed] = &[
    (Instantiated, "GetNumberOfContinuousStates", Instantiated),
    (Instantiated, "GetNumberOfEventIndicators", Instantiated),
    (Initialization, "ExitInitializationMode", Event),
    (Event, "Set", Event),
    (Event, "Get", Event),
    (Event, "NewDiscreteStates", Event),
    (Event, "EnterContinuousTimeMode", ContinuousTime),
    (ContinuousTime, "Set", ContinuousTime),
    (ContinuousTime, "Get", ContinuousTime),
    (ContinuousTime, "SetTime", ContinuousTime),
    (ContinuousTime, "SetContinuousStates", ContinuousTime),
    (ContinuousTime, "GetContinuousStates", ContinuousTime),
    (ContinuousTime, "GetDerivatives", ContinuousTime),
    (ContinuousTime, "GetEventIndicators", ContinuousTime),
    (ContinuousTime, "CompletedIntegratorStep", ContinuousTime),
    (ContinuousTime, "EnterEventMode", Event),
    (ContinuousTime, "Terminate", Ended),
];

const OF_SCHEDULED_EXECUTION: &[Allowed] = &[
    (Initialization, "ExitInitializationMode", ClockActivation),
    (ClockActivation, "Set", ClockActivation),
    (ClockActivation, "Get", ClockActivation),
    (ClockActivation, "ActivateModelPartition", ClockActivation),
    (ClockActivation, "Terminate", Ended),
];

fn allowed(kind: Kind) -> impl Iterator<Item = &'static Allowed> {
    let own = match kind {
        Kind::CoSimulation => OF_CO_SIMULATION,
        Kind::ModelExchange => OF_MODEL_EXCHANGE,
        Kind::ScheduledExecution => OF_SCHEDULED_EXECUTION,
    };
    OF_EVERY_KIND.iter().chain(own)
}

/// Returns the word of a function in the tables, the same for both versions.
fn word_of(function: &str) -> &str {
    let name = &function["fmi2".len()..];
    let typed = |word| name.strip_prefix(word).is_some_and(|of| TYPES.contains(&of));
    match name {
        name if name.starts_with("Instantiate") => "Instantiate",
        "UpdateDiscreteStates" => "NewDiscreteStates",
        "GetContinuousStateDerivatives" => "GetDerivatives",
        _ if typed("Set") => "Set",
        _ if typed("Get") => "Get",
        name => name,
    }
}

const TYPES: [&str; 10] = [
    "Real", "Integer", "Boolean", "String", "Float64", "Float32", "Int32", "Int64", "UInt64",
    "Binary",
];

/// Calls that the standard allows anywhere in a state, and that make no difference there.
const PASSIVE: [&str; 3] =
    ["SetupExperiment", "GetNumberOfContinuousStates", "GetNumberOfEventIndicators"];

/// Follows the calls through the states, and returns those that matter: each with the state in
/// which it came, without repetitions in a row.
#[track_caller]
fn followed(kind: Kind, calls: &str) -> Vec<(State, &str)> {
    let mut state = Begun;
    let mut all = Vec::new();
    for call in calls.lines().map(word_of) {
        let next = allowed(kind).find(|(from, name, _)| (*from, *name) == (state, call));
        let (.., next) = next.unwrap_or_else(|| panic!("{call} in {state:?}:\n{calls}"));
        if all.last() != Some(&(state, call)) && !PASSIVE.contains(&call) {
            all.push((state, call));
        }
        state = *next;
    }
    assert_eq!(state, Freed, "{calls}");
    all
}

/// Runs a line with traced FMUs, and returns the calls of each copy of their libraries.
fn calls_of(folder: &Folder, line: &str) -> Vec<String> {
    let traces = folder.path("calls");
    fs::create_dir(&traces).unwrap();
    let mut command = folder.command(line);
    command.env("FMU_CALLS", &traces);
    Done::of(command).succeeded();
    let files = fs::read_dir(traces).unwrap().flatten().map(|file| file.path());
    files.map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// What an instance with inputs and start values is called with, up to its first step or event.
const BEGIN: [(State, &str); 5] = [
    (Begun, "Instantiate"),
    (Instantiated, "Set"),
    (Instantiated, "EnterInitializationMode"),
    (Initialization, "Set"),
    (Initialization, "ExitInitializationMode"),
];

/// Returns the calls after those at the begin, and those of a step.
fn expected(kind: Kind) -> [&'static [(State, &'static str)]; 2] {
    match kind {
        Kind::CoSimulation => [
            &[(StepMode, "Get"), (StepMode, "Set"), (StepMode, "DoStep"), (StepMode, "Get")],
            &[(StepMode, "Set"), (StepMode, "DoStep"), (StepMode, "Get")],
        ],
        Kind::ModelExchange => [
            &[(Event, "NewDiscreteStates"), (Event, "EnterContinuousTimeMode")],
            &[
                (ContinuousTime, "GetContinuousStates"),
                (ContinuousTime, "GetDerivatives"),
                (ContinuousTime, "SetTime"),
                (ContinuousTime, "SetContinuousStates"),
                (ContinuousTime, "GetEventIndicators"),
                (ContinuousTime, "CompletedIntegratorStep"),
                (ContinuousTime, "Set"),
                (ContinuousTime, "Get"),
            ],
        ],
        Kind::ScheduledExecution => [
            &[(ClockActivation, "Set"), (ClockActivation, "ActivateModelPartition")],
            &[
                (ClockActivation, "Set"),
                (ClockActivation, "ActivateModelPartition"),
                (ClockActivation, "Get"),
            ],
        ],
    }
}

#[track_caller]
fn begins_and_repeats(kind: Kind, calls: &[(State, &str)], begin: &[(State, &str)]) {
    let [then, step] = expected(kind);
    let rest = calls.strip_prefix(&[begin, then].concat()[..]);
    let rest = rest.unwrap_or_else(|| panic!("{kind:?}: {:?}", &calls[..calls.len().min(20)]));
    let steps = rest.windows(step.len()).filter(|part| *part == step).count();
    assert!(steps > 1, "{kind:?}: {:?}", &rest[..rest.len().min(20)]);
    assert_eq!(calls.last(), Some(&(Ended, "FreeInstance")));
}

#[test]
fn each_kind_is_called_in_the_order_of_the_standard() {
    for (version, kind) in [
        (Version::Two, Kind::CoSimulation),
        (Version::Three, Kind::CoSimulation),
        (Version::Two, Kind::ModelExchange),
        (Version::Three, Kind::ModelExchange),
        (Version::Three, Kind::ScheduledExecution),
    ] {
        let folder = Folder::new();
        folder.write("inputs.csv", "time,u\n0,3\n9,3\n");
        let fmu = models::traced_fmu(version, kind, &[]);
        let calls = calls_of(
            &folder,
            &format!(
                "run model --fmu {} --seconds 0.5 --input inputs.csv --set k=99 --record out.csv \
                 {MODEST} --beside",
                fmu.display()
            ),
        );
        assert_eq!(calls.len(), 1, "{kind:?}");
        begins_and_repeats(kind, &followed(kind, &calls[0]), &BEGIN);
    }
}

#[test]
fn structural_parameters_are_set_in_configuration_mode_and_size_arrays() {
    let folder = Folder::new();
    let fmu = models::traced_fmu(Version::Three, Kind::CoSimulation, &[("ARRAY", "1")]);
    let line = format!("run model --fmu {} --mode real-fast --seconds 0.1", fmu.display());
    let more = format!("--set k=99 --set n=3 --record out.csv {MODEST} --beside");
    let calls = calls_of(&folder, &format!("{line} {more}"));
    let calls = followed(Kind::CoSimulation, &calls[0]);
    let configured = [
        (Instantiated, "EnterConfigurationMode"),
        (Configuration, "Set"),
        (Configuration, "ExitConfigurationMode"),
        (Instantiated, "Set"),
        (Instantiated, "EnterInitializationMode"),
    ];
    assert_eq!(calls[1..][..configured.len()], configured);
    let record = folder.read("out.csv");
    let head = record.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(head.contains("\"a[1]\",\"a[2]\",\"a[3]\"") && !head.contains("a[4]"), "{head}");
}

#[test]
fn members_of_a_mix_are_initialised_with_the_first_outputs_of_their_sources() {
    measure_alone();
    let folder = Folder::new();
    let fmu = models::traced_fmu(Version::Three, Kind::CoSimulation, &[]);
    let member = |name: &str, more: &str| {
        let fmu = fmu.display();
        format!(
            "[[member]]\nname = \"{name}\"\nmodel = \"fmu\"\nfmu = \"{fmu}\"\n\
             rate = \"100Hz\"\n{more}\n"
        )
    };
    let from = |source: &str| format!("inputs = {{ u = \"{source}.y\" }}");
    let set = "set = \"k=99\"";
    let members = [
        member("second", &format!("{set}\n{}", from("first"))),
        member("first", set),
        // A ring: the last of its members in the file keeps its start values.
        member("left", &format!("{set}\n{}", from("right"))),
        member("right", &format!("{set}\n{}", from("left"))),
    ];
    folder.write("mix.toml", members.concat());
    let calls = calls_of(&folder, &format!("run mix mix.toml --seconds 0.2 {MODEST} --beside"));
    let calls: Vec<_> = calls.iter().map(|calls| followed(Kind::CoSimulation, calls)).collect();
    let is_set = |calls: &&Vec<(State, &str)>| calls.contains(&(Initialization, "Set"));
    assert_eq!((calls.len(), calls.iter().filter(is_set).count()), (4, 2));
}
