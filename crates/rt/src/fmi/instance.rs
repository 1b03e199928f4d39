//! An instance of a model: created, initialised, ended.

use std::collections::BTreeSet;
use std::ffi::{CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::library::Library;

use super::callbacks::{
    Environment, Line, clock_update, lock_preemption, log_three, prepare_preemption,
    unlock_preemption,
};
use super::functions::{Names, Slot, slot};
use super::three::Three;
use super::two::{self, Callbacks, Two};
use super::words::{Failed, Kind, Status, Version};

/// The arguments from which an instance is created.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The version of the model's description.
    pub version: Version,
    /// The interface type for which it is instantiated.
    pub kind: Kind,
    /// The description's model identifier for that kind.
    pub identifier: &'a str,
    /// The instance's name; further instances of that name in this process get a number after it.
    pub name: &'a str,
    /// The description's `guid` or `instantiationToken`.
    pub token: &'a str,
    /// The folder with the content of the archive's `resources/`; an absolute path.
    pub resources: &'a Path,
    /// Whether the model should log.
    pub logging: bool,
    /// Whether a step of FMI 3.0 may return early: section 4.2.1.2.
    pub early_return: bool,
}

/// An instance of a model. Only one thread at a time may use it; [`super::Task`] lets several
/// threads use Scheduled Execution.
#[derive(Debug)]
pub struct Instance {
    pub(super) functions: Functions,
    model: NonNull<c_void>,
    pub(super) environment: &'static Environment,
    pub(super) kind: Kind,
    warnings: AtomicU64,
    is_dead: AtomicBool,
}

// SAFETY: any thread may call FMI's functions, one at a time (FMI 3.0.2, section 2.3.1), and only
// this instance uses the pointer.
unsafe impl Send for Instance {}

/// The functions of one version. Their library is never unloaded.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "each instance has only one")]
pub(super) enum Functions {
    Two(Two),
    Three(Three),
}

type Enter = unsafe extern "C" fn(*mut c_void) -> c_int;

impl Instance {
    /// Instantiates the model: FMI 2.0.4, section 2.1.5; FMI 3.0.2, section 2.3.1.
    ///
    /// # Errors
    /// Fails if the library lacks functions that this kind requires, or the model refuses.
    pub fn new(library: &Library, asked: &Asked) -> Result<Self, Failed> {
        let names = Names { library, prefix: asked.identifier };
        let name = unique(asked.name);
        let asked = &Asked { name: &name, ..*asked };
        let environment = Environment::leaked(&name);
        let (functions, model) = match asked.version {
            Version::Two => {
                let number = two::number(asked.kind)?;
                let table = Two::of(&names, asked.kind)?;
                let model = instantiate_two(&table, number, asked, environment)?;
                (Functions::Two(table), model)
            }
            Version::Three => {
                let table = Three::of(&names, asked.kind)?;
                let model = instantiate_three(&table, asked, environment)?;
                (Functions::Three(table), model)
            }
        };
        let refused = || {
            let said = environment.kept().pop();
            Failed::NotInstantiated(said.map(|line| line.text))
        };
        Ok(Self {
            functions,
            model: NonNull::new(model).ok_or_else(refused)?,
            environment,
            kind: asked.kind,
            warnings: AtomicU64::new(0),
            is_dead: AtomicBool::new(false),
        })
    }

    /// Sets up the experiment, and enters the mode in which start values may be set. It begins at
    /// `start_s` in seconds of model time; `tolerance` is the relative one of a solver inside the
    /// model.
    ///
    /// # Errors
    /// Fails if the model refuses.
    pub fn enter_initialization(&self, start_s: f64, tolerance: Option<f64>) -> Result<(), Failed> {
        let (bounded, tolerance) = (tolerance.is_some(), tolerance.unwrap_or(0.0));
        let stop_s = 0.0;
        match &self.functions {
            Functions::Two(table) => {
                // SAFETY: the types are the specification's.
                self.call(&table.setup_experiment, |setup, model| unsafe {
                    setup(model, bounded.into(), tolerance, start_s, 0, stop_s)
                })?;
                self.enter(&table.enter_initialization)
            }
            Functions::Three(table) => {
                let slot = &table.enter_initialization;
                // SAFETY: as above.
                self.call(slot, |enter, model| unsafe {
                    enter(model, bounded, tolerance, start_s, false, stop_s)
                })
            }
        }
    }

    /// Begins Configuration Mode, in which structural parameters may be set: FMI 3.0.2, section
    /// 2.3.2.
    ///
    /// # Errors
    /// Fails if the model refuses, and with FMI 2.0, which has no such mode.
    pub fn enter_configuration_mode(&self) -> Result<(), Failed> {
        self.enter(&three(self, "Configuration Mode")?.enter_configuration)
    }

    /// Leaves that mode; start values may be set.
    ///
    /// # Errors
    /// As above.
    pub fn exit_configuration_mode(&self) -> Result<(), Failed> {
        self.enter(&three(self, "Configuration Mode")?.exit_configuration)
    }

    /// Leaves the initialisation. After this, Co-Simulation may be stepped, Model Exchange is in an event,
    /// and Scheduled Execution waits for its clocks.
    ///
    /// # Errors
    /// Fails if the model refuses.
    pub fn exit_initialization(&self) -> Result<(), Failed> {
        self.enter(slot!(self, exit_initialization))
    }

    /// Ends the simulation; values may still be read.
    ///
    /// # Errors
    /// Fails if the model refuses.
    pub fn terminate(&self) -> Result<(), Failed> {
        self.enter(slot!(self, terminate))
    }

    /// Returns how many lines the model logged.
    #[must_use]
    pub fn log_lines(&self) -> u64 {
        self.environment.lines.load(Ordering::Relaxed)
    }

    /// Returns the last lines that the model logged.
    #[must_use]
    pub fn log(&self) -> Vec<Line> {
        self.environment.kept()
    }

    /// Returns how many calls returned a warning.
    #[must_use]
    pub fn warnings(&self) -> u64 {
        self.warnings.load(Ordering::Relaxed)
    }

    /// Returns the pointer with which the model's functions are called.
    ///
    /// # Errors
    /// Fails after the model failed fatally.
    #[inline]
    pub(super) fn model(&self) -> Result<*mut c_void, Failed> {
        if self.is_dead.load(Ordering::Relaxed) {
            return Err(Failed::Dead);
        }
        Ok(self.model.as_ptr())
    }

    /// Calls a function of the model by `call`, which passes it the pointer to the model. Any
    /// status other than success or warning is an error.
    #[inline]
    pub(super) fn call<F: Copy>(
        &self,
        slot: &Slot<F>,
        call: impl FnOnce(F, *mut c_void) -> c_int,
    ) -> Result<(), Failed> {
        let model = self.model()?;
        self.done(slot.name, call(slot.get()?, model))
    }

    /// Enters or leaves a mode by a function that takes nothing but the model.
    #[inline]
    pub(super) fn enter(&self, slot: &Slot<Enter>) -> Result<(), Failed> {
        // SAFETY: a slot of this type holds a function that takes nothing but the model.
        self.call(slot, |enter, model| unsafe { enter(model) })
    }

    /// Records how a call ended.
    #[inline]
    pub(super) fn ended(&self, status: c_int) -> Status {
        let status = Status::of(status);
        match status {
            Status::Warning => {
                self.warnings.fetch_add(1, Ordering::Relaxed);
            }
            Status::Fatal => self.is_dead.store(true, Ordering::Relaxed),
            _ => {}
        }
        status
    }

    /// Records how a call ended; any status other than success or warning is an error.
    #[inline]
    pub(super) fn done(&self, function: &'static str, status: c_int) -> Result<(), Failed> {
        match self.ended(status) {
            Status::Ok | Status::Warning => Ok(()),
            status => Err(Failed::Call(function, status)),
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let Ok(model) = self.model() else { return };
        if let Ok(free) = slot!(self, free_instance).get() {
            // SAFETY: the model is freed once, and not used afterwards.
            unsafe { free(model) };
        }
    }
}

/// Returns the functions of FMI 3.0; FMI 2.0 does not have `feature`.
#[inline]
pub(super) fn three<'i>(
    instance: &'i Instance,
    feature: &'static str,
) -> Result<&'i Three, Failed> {
    match &instance.functions {
        Functions::Two(_) => Err(Failed::Unknown(feature)),
        Functions::Three(table) => Ok(table),
    }
}

/// Returns a name that no other instance of this process has, as FMI requires: 2.0.4, section 2.1.5;
/// 3.0.2, section 2.3.1.
fn unique(name: &str) -> String {
    static USED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let numbered = (2_u64..).map(|number| format!("{name} {number}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    names.find(|name| used.insert(name.clone())).unwrap_or_default()
}

fn text(bytes: impl Into<Vec<u8>>) -> Result<CString, Failed> {
    CString::new(bytes).map_err(|_| Failed::ZeroByte)
}

fn instantiate_two(
    table: &Two,
    number: c_int,
    asked: &Asked,
    environment: &'static Environment,
) -> Result<*mut c_void, Failed> {
    let instantiate = table.instantiate.get()?;
    let (name, token) = (text(asked.name)?, text(asked.token)?);
    let resources = text(two::uri(asked.resources))?;
    let callbacks = Callbacks::leaked(environment);
    let [name, token, resources] = [&name, &token, &resources].map(|text| text.as_ptr());
    let (visible, logging) = (0, asked.logging.into());
    // SAFETY: the strings live for the call, as the specification requires; the callbacks are never
    // freed.
    Ok(unsafe { instantiate(name, number, token, resources, callbacks, visible, logging) })
}

fn instantiate_three(
    table: &Three,
    asked: &Asked,
    environment: &'static Environment,
) -> Result<*mut c_void, Failed> {
    let (name, token) = (text(asked.name)?, text(asked.token)?);
    // The path ends with a separator: FMI 3.0.2, section 2.3.1.
    let folder = asked.resources.join("");
    let resources = text(folder.as_os_str().as_bytes())?;
    let [name, token, resources] = [&name, &token, &resources].map(|text| text.as_ptr());
    let environment: *const c_void = ptr::from_ref(environment).cast();
    let (visible, logging) = (false, asked.logging);
    Ok(match asked.kind {
        Kind::CoSimulation => {
            let instantiate = table.instantiate_co_simulation.get()?;
            let (events, early) = (false, asked.early_return);
            let (variables, count, update) = (ptr::null(), 0, ptr::null());
            // SAFETY: the strings live for the call, as the specification requires; the environment
            // is never freed. No intermediate variables are requested, so no update is called.
            unsafe {
                instantiate(
                    name,
                    token,
                    resources,
                    visible,
                    logging,
                    events,
                    early,
                    variables,
                    count,
                    environment,
                    log_three,
                    update,
                )
            }
        }
        Kind::ModelExchange => {
            let instantiate = table.instantiate_model_exchange.get()?;
            // SAFETY: as above.
            unsafe { instantiate(name, token, resources, visible, logging, environment, log_three) }
        }
        Kind::ScheduledExecution => {
            let instantiate = table.instantiate_scheduled_execution.get()?;
            prepare_preemption().map_err(|_| Failed::Unknown("lock that inherits priorities"))?;
            // SAFETY: as above.
            unsafe {
                instantiate(
                    name,
                    token,
                    resources,
                    visible,
                    logging,
                    environment,
                    log_three,
                    clock_update,
                    lock_preemption,
                    unlock_preemption,
                )
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::unique;

    #[test]
    fn no_two_instances_have_one_name() {
        let names = ["a motor", "a motor 2", "a motor", "a motor"].map(unique);
        assert_eq!(names, ["a motor", "a motor 2", "a motor 3", "a motor 4"]);
    }
}
