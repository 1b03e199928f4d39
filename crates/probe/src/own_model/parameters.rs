//! What can be asked of a person's own model.

use plan::{NOWHERE, parameters};

use crate::model::REAL_TIME;
use crate::pace::Overrun;

/// How an FMU is stepped, in the order in which one that can be stepped in several ways is.
pub(super) const INTERFACES: &[&str] =
    &["any", "co-simulation", "model-exchange", "scheduled-execution"];
/// How the equations of a model for model exchange are solved.
pub(super) const INTEGRATORS: &[&str] = &["euler", "rk4"];

parameters! {
    pub(super) PARAMETERS;
    "mode" Choice(&["real-fast", REAL_TIME]), REAL_TIME,
        "as many steps as possible, or one step a period";
    "fmu" File("FILE.fmu"), NOWHERE, "an FMU, version 2 or 3";
    "library" File("FILE.so"), NOWHERE, "a shared library with functions that take nothing";
    "program" Text("COMMAND"), NOWHERE, "a program that attaches through steadfast_model.h";
    "init" Text("FUNCTION"), NOWHERE, "the library's function to begin with, where NAME_initialize is not it";
    "step" Text("FUNCTION"), NOWHERE, "its function for a step, where NAME_step is not it";
    "end" Text("FUNCTION"), NOWHERE, "its function to end with, where NAME_terminate is not it";
    "every" Text("COUNT+COUNT"), NOWHERE, "each how many steps NAME_step0, NAME_step1, ... are called, such as 1+10; else each at every step";
    "interface" Choice(INTERFACES), INTERFACES[0], "how the FMU is stepped, where it can be in several ways";
    "integrator" Choice(INTEGRATORS), INTEGRATORS[0], "how the equations of a model exchange are solved";
    "substeps" Count(1, 10_000), "1", "internal steps that make up a step";
    "rate" Rate, "1kHz", "steps a second in a real-time run, and the model's step in any";
    "clocks" Text("PERIOD+PERIOD"), NOWHERE,
        "periods of the clocks of a scheduled execution, which are read from its description: leave it out";
    "tick" Settings, NOWHERE,
        "period of a triggered clock of a scheduled execution, or in which a countdown is looked after, NAME=PERIOD; repeat it for others";
    "overrun" Choice(Overrun::NAMES), Overrun::NAMES[0],
        "what a real-time run does after a step that ended too late";
    "instances" Count(1, 4096), "1", "instances of the model, stepped one after the other by each thread";
    "threads" Threads(1024), "1", "threads that share the instances";
    "set" Settings, NOWHERE, "start value of a variable, NAME=VALUE; repeat it for others";
    "input" File("FILE.csv"), NOWHERE, "inputs over time: a column `time` in seconds, and one a variable";
    "log" Choice(&["off", "on"]), "off", "whether the model is asked to log";
}
