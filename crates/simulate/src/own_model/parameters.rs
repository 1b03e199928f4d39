//! The parameters of the user's own model, and those that exclude each other.

use bench::pace::Overrun;
use model_file::Kind;
use record::{Mode, NOWHERE, RunSpec, parameters};

/// How an FMU is stepped, in the order of preference for one with several interfaces.
pub(super) const INTERFACES: &[&str] =
    &["any", "co-simulation", "model-exchange", "scheduled-execution"];
/// How the equations of a model for Model Exchange are solved.
pub(super) const INTEGRATORS: &[&str] = &["euler", "rk4"];

parameters! {
    pub(super) PARAMETERS;
    "mode" Choice(Mode::NAMES), Mode::RealTime.name(),
        "as many steps as possible, or one step per period";
    "fmu" File("FILE.fmu"), NOWHERE, "an FMU, version 2 or 3";
    "library" File("FILE.so"), NOWHERE, "a shared library whose functions take no parameters";
    "program" Text("COMMAND"), NOWHERE, "a program that attaches through steadfast_model.h";
    "init" Text("FUNCTION"), NOWHERE, "the library's start function (default: NAME_initialize)";
    "step" Text("FUNCTION"), NOWHERE, "the library's step function (default: NAME_step)";
    "end" Text("FUNCTION"), NOWHERE, "the library's end function (default: NAME_terminate)";
    "every" Text("COUNT+COUNT"), NOWHERE, "every how many steps NAME_step0, NAME_step1, ... are called, such as 1+10 (default: every step)";
    "interface" Choice(INTERFACES), INTERFACES[0], "how to step an FMU that supports several interfaces";
    "integrator" Choice(INTEGRATORS), INTEGRATORS[0], "how to solve the equations of a Model Exchange FMU";
    "substeps" Count(1, 10_000), "1", "internal steps per step";
    "rate" Rate, "1kHz", "steps per second in a real-time run, and the model's step size in any run; 1000/7Hz or a period, 3ms, too";
    "clocks" Text("PERIOD+PERIOD"), NOWHERE,
        "periods of the clocks of a Scheduled Execution FMU; read from its description if omitted";
    "tick" Settings, NOWHERE,
        "NAME=PERIOD: period of a triggered clock of a Scheduled Execution FMU, or how often a countdown or changing clock is checked; repeat it for others";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what a real-time run does after a step that ended too late";
    "instances" Count(1, 4096), "1", "instances of the model, stepped in sequence by each thread";
    "threads" Threads(1024), "1", "threads that share the instances";
    "set" Settings, NOWHERE, "start value of a variable of an FMU or of a library (NAME:TYPE=VALUE without debug information); repeat it for others";
    "input" File("FILE.csv"), NOWHERE, "inputs over time: a column `time` in seconds, and one column per variable";
    "output" Names, NOWHERE,
        "the variables of an FMU that are read after each step, in place of all its outputs; local ones and parameters, too";
    "allow-inf" Names, NOWHERE, "outputs that may be infinite; otherwise such a value makes the run INVALID";
    "execution-tool" Choice(&["required", "ignored"]), "required",
        "whether an FMU that needs the tool that exported it (needsExecutionTool) is refused, or run without";
    "check" File("FILE.csv"), NOWHERE,
        "compare the outputs with this file, such as X_ref.csv of FMPy, and fail if they differ: a column `time` in seconds, and one column per output";
    "tolerance" Text("REL+ABS"), "1e-4",
        "allowed difference from --check: REL times the value, plus ABS (default: REL times the output's largest magnitude)";
    "log" Choice(&["off", "on"]), "off", "whether to turn on the model's logging";
}

base::named! {
    /// The kind of a model, by the option that names it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum What {
        Fmu = "fmu",
        Library = "library",
        /// A process that attaches.
        Program = "program",
    }
}

impl What {
    pub(super) fn of(spec: &RunSpec) -> Result<Self, String> {
        let is_named = |what: &Self| spec.parameters.word(what.name()) != NOWHERE;
        let named: Vec<Self> = Self::ALL.into_iter().filter(is_named).collect();
        match named[..] {
            [what] => Ok(what),
            [] => Err("model: no model given; name it with --fmu FILE.fmu, --library FILE.so or \
                       --program COMMAND"
                .to_owned()),
            [first, second, ..] => Err(format!(
                "--{} and --{} are two models; name one of them",
                first.name(),
                second.name()
            )),
        }
    }
}

/// Refuses options that this source does not have.
pub(super) fn refuse_of_other_sources(spec: &RunSpec, what: What) -> Result<(), String> {
    let of_library = ["init", "step", "end", "every"];
    let of_fmus = [
        "interface",
        "tick",
        "clocks",
        "integrator",
        "substeps",
        "log",
        "output",
        "execution-tool",
    ];
    for flag in of_library.into_iter().chain(of_fmus).chain(["allow-inf", "set", "input"]) {
        let why = match (flag, what) {
            _ if !is_changed(spec, flag) => continue,
            ("set", What::Program) => "a program has no variables with names; leave it out",
            ("allow-inf", What::Library) => "a library has no outputs with names; leave it out",
            ("input", What::Library) => {
                "a library has no inputs, because its functions take no parameters; omit it"
            }
            (_, What::Fmu | What::Program) if of_library.contains(&flag) => {
                "applies only to a library; omit it"
            }
            (_, What::Library | What::Program) if of_fmus.contains(&flag) => {
                "applies only to an FMU; omit it"
            }
            _ => continue,
        };
        return Err(format!("--{flag}: {why}"));
    }
    Ok(())
}

/// Refuses options that the clocks of a Scheduled Execution do not have.
pub(super) fn refuse_of_stepped_models(spec: &RunSpec) -> Result<(), String> {
    let parameters = &spec.parameters;
    let several = ["instances", "threads"].into_iter().find(|flag| parameters.count(flag) > 1);
    match several.or((parameters.mode() != Some(Mode::RealTime)).then_some("mode")) {
        None => Ok(()),
        Some(flag) => Err(format!(
            "--{flag}: a Scheduled Execution has one instance whose clocks tick in real time; omit it"
        )),
    }
}

/// Refuses options that an FMU does not have if it is stepped by this interface.
pub(super) fn refuse_of_other_interfaces(spec: &RunSpec, kind: Kind) -> Result<(), String> {
    let of_exchange = ["integrator", "substeps"].map(|flag| (flag, Kind::ModelExchange));
    let of_clocks = ["tick", "clocks"].map(|flag| (flag, Kind::ScheduledExecution));
    let mut others = of_exchange.into_iter().chain(of_clocks).filter(|(_, only)| *only != kind);
    match others.find(|(flag, _)| is_changed(spec, flag)) {
        None => Ok(()),
        Some((flag, only)) => Err(format!(
            "--{flag}: only a {} FMU uses it, and this one is stepped by {}; omit it",
            only.name(),
            kind.name()
        )),
    }
}

/// Whether a parameter differs from its default.
fn is_changed(spec: &RunSpec, flag: &str) -> bool {
    let declared = PARAMETERS.iter().find(|known| known.name == flag);
    let value = spec.parameters.get(flag).map(ToString::to_string);
    value.is_some_and(|value| declared.is_some_and(|known| value != known.default))
}
