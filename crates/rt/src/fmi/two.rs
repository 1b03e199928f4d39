//! The functions of FMI 2.0: sections 2.1 (common), 3.2 (Model Exchange) and 4.2
//! (Co-Simulation) of the specification.

use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

use super::callbacks::{Environment, allocate, give_back};
use super::formatted::log_two;
use super::functions::{
    Access, AccessTwo, CO_SIMULATION, EVERY, MODEL_EXCHANGE, Names, Slot, functions,
};
use super::words::{Failed, Kind};

/// The functions that the model calls: section 2.1.5.
#[repr(C)]
pub struct Callbacks {
    /// Variadic, so that its type cannot be written here.
    log: unsafe extern "C" fn(),
    allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    give_back: unsafe extern "C" fn(*mut c_void),
    step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    environment: *const Environment,
}

impl Callbacks {
    /// Creates the callbacks of an instance. They are never freed, since the model keeps the
    /// pointer.
    pub(super) fn leaked(environment: &'static Environment) -> &'static Self {
        Box::leak(Box::new(Self {
            log: log_two,
            allocate,
            give_back,
            step_finished: None,
            environment,
        }))
    }
}

/// The result of one round of an event: section 3.2.2.
#[repr(C)]
#[derive(Default)]
pub struct EventInfo {
    pub(super) again: c_int,
    pub(super) terminate: c_int,
    nominals_changed: c_int,
    states_changed: c_int,
    pub(super) next_is_defined: c_int,
    pub(super) next_s: f64,
}

functions! {
    /// The functions of FMI 2.0 that a library has.
    Two {
        [EVERY] instantiate: "fmi2Instantiate" fn(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> *mut c_void;
        [EVERY] free_instance: "fmi2FreeInstance" fn(*mut c_void);
        [EVERY] setup_experiment: "fmi2SetupExperiment" fn(*mut c_void, c_int, f64, f64, c_int, f64) -> c_int;
        [EVERY] enter_initialization: "fmi2EnterInitializationMode" fn(*mut c_void) -> c_int;
        [EVERY] exit_initialization: "fmi2ExitInitializationMode" fn(*mut c_void) -> c_int;
        [EVERY] terminate: "fmi2Terminate" fn(*mut c_void) -> c_int;
        [CO_SIMULATION] do_step: "fmi2DoStep" fn(*mut c_void, f64, f64, c_int) -> c_int;
        get_real_status: "fmi2GetRealStatus" fn(*mut c_void, c_int, *mut f64) -> c_int;
        get_boolean_status: "fmi2GetBooleanStatus" fn(*mut c_void, c_int, *mut c_int) -> c_int;
        [MODEL_EXCHANGE] set_time: "fmi2SetTime" fn(*mut c_void, f64) -> c_int;
        [MODEL_EXCHANGE] set_states: "fmi2SetContinuousStates" fn(*mut c_void, *const f64, usize) -> c_int;
        [MODEL_EXCHANGE] get_states: "fmi2GetContinuousStates" fn(*mut c_void, *mut f64, usize) -> c_int;
        [MODEL_EXCHANGE] get_derivatives: "fmi2GetDerivatives" fn(*mut c_void, *mut f64, usize) -> c_int;
        get_event_indicators: "fmi2GetEventIndicators" fn(*mut c_void, *mut f64, usize) -> c_int;
        [MODEL_EXCHANGE] completed_integrator_step: "fmi2CompletedIntegratorStep" fn(*mut c_void, c_int, *mut c_int, *mut c_int) -> c_int;
        [MODEL_EXCHANGE] enter_event_mode: "fmi2EnterEventMode" fn(*mut c_void) -> c_int;
        [MODEL_EXCHANGE] new_discrete_states: "fmi2NewDiscreteStates" fn(*mut c_void, *mut EventInfo) -> c_int;
        [MODEL_EXCHANGE] enter_continuous_time_mode: "fmi2EnterContinuousTimeMode" fn(*mut c_void) -> c_int;
    }
    values by AccessTwo {
        real: f64 = "fmi2GetReal", "fmi2SetReal";
        integer: c_int = "fmi2GetInteger", "fmi2SetInteger";
        boolean: c_int = "fmi2GetBoolean", "fmi2SetBoolean";
        string: *const c_char = "fmi2GetString", "fmi2SetString";
    }
}

/// `fmi2LastSuccessfulTime` and `fmi2Terminated`: section 4.2.4.
pub(super) const LAST_SUCCESSFUL_TIME: c_int = 2;
pub(super) const TERMINATED: c_int = 3;

/// Returns the number of a kind in `fmi2Type`.
///
/// # Errors
/// Fails for Scheduled Execution, which only FMI 3.0 has.
pub(super) fn number(kind: Kind) -> Result<c_int, Failed> {
    match kind {
        Kind::ModelExchange => Ok(0),
        Kind::CoSimulation => Ok(1),
        Kind::ScheduledExecution => Err(Failed::Unknown("Scheduled Execution")),
    }
}

/// Encodes a folder as FMI 2.0 requires: as a URI, section 2.1.5.
pub(super) fn uri(folder: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    let mut uri = b"file://".to_vec();
    for &byte in folder.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(byte);
            }
            _ => uri.extend(format!("%{byte:02X}").bytes()),
        }
    }
    uri
}
