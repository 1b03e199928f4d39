//! The parameters of the user's own model.

use plan::{NOWHERE, parameters};

use crate::model::REAL_TIME;
use crate::pace::Overrun;

/// How an FMU is stepped, in the order of preference for one with several interfaces.
pub(super) const INTERFACES: &[&str] =
    &["any", "co-simulation", "model-exchange", "scheduled-execution"];
/// How the equations of a model for Model Exchange are solved.
pub(super) const INTEGRATORS: &[&str] = &["euler", "rk4"];

parameters! {
    pub(super) PARAMETERS;
    "mode" Choice(&["real-fast", REAL_TIME]), REAL_TIME,
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
    "rate" Rate, "1kHz", "steps per second in a real-time run, and the model's step size in any run";
    "clocks" Text("PERIOD+PERIOD"), NOWHERE,
        "periods of the clocks of a Scheduled Execution FMU; read from its description if omitted";
    "tick" Settings, NOWHERE,
        "NAME=PERIOD: period of a triggered clock of a Scheduled Execution FMU, or how often a countdown or changing clock is checked; repeat it for others";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what a real-time run does after a step that ended too late";
    "instances" Count(1, 4096), "1", "instances of the model, stepped in sequence by each thread";
    "threads" Threads(1024), "1", "threads that share the instances";
    "set" Settings, NOWHERE, "start value of a variable of an FMU, or of an exported integer of a library, NAME=VALUE; repeat it for others";
    "input" File("FILE.csv"), NOWHERE, "inputs over time: a column `time` in seconds, and one column per variable";
    "log" Choice(&["off", "on"]), "off", "whether to turn on the model's logging";
}
