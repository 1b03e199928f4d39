//! Model Exchange: what a solver requests from a model. FMI 2.0.4, section 3.2; FMI 3.0.2, section
//! 3.2.
//!
//! Most functions have the same type in both versions. The numbers of states and event indicators
//! of a model are in its description; a model that checks them refuses slices of other lengths.

use super::failed::Failed;
use super::functions::slot;
use super::instance::{Functions, Instance};
use super::two::EventInfo;
use super::words::NewStates;

/// Defines methods that pass a slice to the model.
macro_rules! slices {
    ($($(#[$about:meta])* $method:ident: $slot:ident($($kind:tt)+);)*) => {$(
        $(#[$about])*
        ///
        /// # Errors
        /// Fails if the model refuses.
        #[inline]
        pub fn $method(&self, values: slices!(@type $($kind)+)) -> Result<(), Failed> {
            let model = self.model()?;
            let slot = slot!(self, $slot);
            let count = values.len();
            // A model without any of these values need not have the function.
            if count == 0 {
                return Ok(());
            }
            // SAFETY: the type is the specification's, and the length is passed to the model.
            let status = unsafe { slot.get()?(model, slices!(@pointer values, $($kind)+), count) };
            self.done(slot.name(), status)
        }
    )*};
    (@type read) => { &mut [f64] };
    (@type write) => { &[f64] };
    (@pointer $values:ident, read) => { $values.as_mut_ptr() };
    (@pointer $values:ident, write) => { $values.as_ptr() };
}

impl Instance {
    slices! {
        /// Sets the continuous states, in the order of the description.
        set_states: set_states(write);
        /// Reads the continuous states.
        get_states: get_states(read);
        /// Reads the derivatives of the continuous states, in 1/s of their units.
        get_derivatives: get_derivatives(read);
        /// Reads the nominal values of the continuous states.
        get_nominals: get_nominals(read);
        /// Reads the event indicators, whose change of sign is an event.
        get_event_indicators: get_event_indicators(read);
    }

    /// Sets the model's time.
    ///
    /// # Errors
    /// Fails if the model refuses.
    #[inline]
    pub fn set_time(&self, time_s: f64) -> Result<(), Failed> {
        let model = self.model()?;
        let slot = slot!(self, set_time);
        // SAFETY: the type is the specification's.
        self.done(slot.name(), unsafe { slot.get()?(model, time_s) })
    }

    /// Returns how many continuous states and event indicators the model has now; `None` if it does
    /// not report them, as in FMI 2.0.
    #[must_use]
    pub fn sizes(&self) -> Option<(usize, usize)> {
        let Functions::Three(table) = &self.functions else {
            return None;
        };
        let model = self.model().ok()?;
        let mut sizes = (0, 0);
        for (slot, size) in [
            (&table.get_number_of_states, &mut sizes.0),
            (&table.get_number_of_event_indicators, &mut sizes.1),
        ] {
            // SAFETY: the type is the specification's, and the place is valid during the call.
            let status = unsafe { slot.get().ok()?(model, size) };
            self.done(slot.name(), status).ok()?;
        }
        Some(sizes)
    }

    /// Reports to the model that a step of the solver is done; returns whether the model wants an
    /// event, and whether it requests the end of the simulation.
    ///
    /// # Errors
    /// Fails if the model refuses.
    #[inline]
    pub fn completed_integrator_step(&self) -> Result<(bool, bool), Failed> {
        let model = self.model()?;
        match &self.functions {
            Functions::Two(table) => {
                let (mut event, mut terminate) = (0, 0);
                let slot = &table.completed_integrator_step;
                // SAFETY: the type is the specification's, and the places are valid during the
                // call.
                let status = unsafe { slot.get()?(model, 1, &raw mut event, &raw mut terminate) };
                self.done(slot.name(), status)?;
                Ok((event != 0, terminate != 0))
            }
            Functions::Three(table) => {
                let (mut event, mut terminate) = (0, 0);
                let slot = &table.completed_integrator_step;
                // SAFETY: as above.
                let status =
                    unsafe { slot.get()?(model, true, &raw mut event, &raw mut terminate) };
                self.done(slot.name(), status)?;
                Ok((event != 0, terminate != 0))
            }
        }
    }

    /// Begins an event.
    ///
    /// # Errors
    /// Fails if the model refuses.
    pub fn enter_event_mode(&self) -> Result<(), Failed> {
        self.enter(slot!(self, enter_event_mode))
    }

    /// Runs one round of an event: `fmi2NewDiscreteStates`, `fmi3UpdateDiscreteStates`. The number
    /// of rounds that a model requests is unlimited.
    ///
    /// # Errors
    /// Fails if the model refuses.
    pub fn new_discrete_states(&self) -> Result<NewStates, Failed> {
        let model = self.model()?;
        match &self.functions {
            Functions::Two(table) => {
                let mut info = EventInfo::default();
                let slot = &table.new_discrete_states;
                // SAFETY: the type is the specification's, and the place is valid during the call.
                self.done(slot.name(), unsafe { slot.get()?(model, &raw mut info) })?;
                Ok(NewStates {
                    again: info.again != 0,
                    terminate: info.terminate != 0,
                    nominals_changed: info.nominals_changed != 0,
                    states_changed: info.states_changed != 0,
                    next_event_s: (info.next_is_defined != 0).then_some(info.next_s),
                })
            }
            Functions::Three(table) => {
                let mut flags = [0; 5];
                let [again, terminate, nominals, states, next] = flags.each_mut();
                let mut next_s = 0.0;
                let slot = &table.update_discrete_states;
                // SAFETY: as above.
                let status = unsafe {
                    slot.get()?(model, again, terminate, nominals, states, next, &raw mut next_s)
                };
                self.done(slot.name(), status)?;
                let [again, terminate, nominals_changed, states_changed, next] =
                    flags.map(|byte: u8| byte != 0);
                Ok(NewStates {
                    again,
                    terminate,
                    nominals_changed,
                    states_changed,
                    next_event_s: next.then_some(next_s),
                })
            }
        }
    }

    /// Ends the event; the solver continues.
    ///
    /// # Errors
    /// Fails if the model refuses.
    pub fn enter_continuous_time_mode(&self) -> Result<(), Failed> {
        self.enter(slot!(self, enter_continuous_time_mode))
    }
}
