//! The functions of FMI 3.0: sections 2.2 and 2.3 (common), 3.2 (Model Exchange), 4.2
//! (Co-Simulation) and 5.2 (Scheduled Execution) of the specification.
//!
//! An `fmi3Boolean` is C's `bool`. Where the model writes one, the type here is a byte, since a
//! model may write values other than 0 and 1.

use std::ffi::{c_char, c_int, c_void};

use super::functions::{
    Access, AccessThree, CO_SIMULATION, EVERY, MODEL_EXCHANGE, Names, SCHEDULED_EXECUTION, Slot,
    functions,
};
use super::words::{Failed, Kind};

type Log = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
type Update = unsafe extern "C" fn(*mut c_void);
type Preempt = extern "C" fn();

functions! {
    /// The functions of FMI 3.0 that a library has.
    Three {
        [EVERY] free_instance: "fmi3FreeInstance" fn(*mut c_void);
        enter_configuration: "fmi3EnterConfigurationMode" fn(*mut c_void) -> c_int;
        exit_configuration: "fmi3ExitConfigurationMode" fn(*mut c_void) -> c_int;
        [EVERY] enter_initialization: "fmi3EnterInitializationMode" fn(*mut c_void, bool, f64, f64, bool, f64) -> c_int;
        [EVERY] exit_initialization: "fmi3ExitInitializationMode" fn(*mut c_void) -> c_int;
        [EVERY] terminate: "fmi3Terminate" fn(*mut c_void) -> c_int;
        [CO_SIMULATION] instantiate_co_simulation: "fmi3InstantiateCoSimulation" fn(*const c_char, *const c_char, *const c_char, bool, bool, bool, bool, *const u32, usize, *const c_void, Log, *const c_void) -> *mut c_void;
        [MODEL_EXCHANGE] instantiate_model_exchange: "fmi3InstantiateModelExchange" fn(*const c_char, *const c_char, *const c_char, bool, bool, *const c_void, Log) -> *mut c_void;
        [SCHEDULED_EXECUTION] instantiate_scheduled_execution: "fmi3InstantiateScheduledExecution" fn(*const c_char, *const c_char, *const c_char, bool, bool, *const c_void, Log, Update, Preempt, Preempt) -> *mut c_void;
        get_binary: "fmi3GetBinary" fn(*mut c_void, *const u32, usize, *mut usize, *mut *const u8, usize) -> c_int;
        set_binary: "fmi3SetBinary" fn(*mut c_void, *const u32, usize, *const usize, *const *const u8, usize) -> c_int;
        [CO_SIMULATION] do_step: "fmi3DoStep" fn(*mut c_void, f64, f64, bool, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
        [MODEL_EXCHANGE] set_time: "fmi3SetTime" fn(*mut c_void, f64) -> c_int;
        [MODEL_EXCHANGE] set_states: "fmi3SetContinuousStates" fn(*mut c_void, *const f64, usize) -> c_int;
        [MODEL_EXCHANGE] get_states: "fmi3GetContinuousStates" fn(*mut c_void, *mut f64, usize) -> c_int;
        [MODEL_EXCHANGE] get_derivatives: "fmi3GetContinuousStateDerivatives" fn(*mut c_void, *mut f64, usize) -> c_int;
        get_event_indicators: "fmi3GetEventIndicators" fn(*mut c_void, *mut f64, usize) -> c_int;
        get_number_of_states: "fmi3GetNumberOfContinuousStates" fn(*mut c_void, *mut usize) -> c_int;
        get_number_of_event_indicators: "fmi3GetNumberOfEventIndicators" fn(*mut c_void, *mut usize) -> c_int;
        [MODEL_EXCHANGE] completed_integrator_step: "fmi3CompletedIntegratorStep" fn(*mut c_void, bool, *mut u8, *mut u8) -> c_int;
        [MODEL_EXCHANGE] enter_event_mode: "fmi3EnterEventMode" fn(*mut c_void) -> c_int;
        [MODEL_EXCHANGE] update_discrete_states: "fmi3UpdateDiscreteStates" fn(*mut c_void, *mut u8, *mut u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
        [MODEL_EXCHANGE] enter_continuous_time_mode: "fmi3EnterContinuousTimeMode" fn(*mut c_void) -> c_int;
        [SCHEDULED_EXECUTION] activate_model_partition: "fmi3ActivateModelPartition" fn(*mut c_void, u32, f64) -> c_int;
        get_interval: "fmi3GetIntervalDecimal" fn(*mut c_void, *const u32, usize, *mut f64, *mut c_int) -> c_int;
    }
    values by AccessThree {
        f64: f64 = "fmi3GetFloat64", "fmi3SetFloat64";
        f32: f32 = "fmi3GetFloat32", "fmi3SetFloat32";
        i8: i8 = "fmi3GetInt8", "fmi3SetInt8";
        u8: u8 = "fmi3GetUInt8", "fmi3SetUInt8";
        i16: i16 = "fmi3GetInt16", "fmi3SetInt16";
        u16: u16 = "fmi3GetUInt16", "fmi3SetUInt16";
        i32: i32 = "fmi3GetInt32", "fmi3SetInt32";
        u32: u32 = "fmi3GetUInt32", "fmi3SetUInt32";
        i64: i64 = "fmi3GetInt64", "fmi3SetInt64";
        u64: u64 = "fmi3GetUInt64", "fmi3SetUInt64";
        boolean: u8 = "fmi3GetBoolean", "fmi3SetBoolean";
        string: *const c_char = "fmi3GetString", "fmi3SetString";
    }
}
