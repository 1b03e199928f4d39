//! Model Exchange: what a solver requests from a model. FMI 2.0.4, section 3.2; FMI 3.0.2, section
//! 3.2.
//!
//! Most functions have the same type in both versions. The numbers of states and event indicators
//! of a model are in its description; a model that checks them refuses slices of other lengths.

use super::functions::slot;
use super::instance::{Functions, Instance};
use super::two::EventInfo;
use super::words::{Failed, NewStates};

/// Defines methods that pass a slice to the model.
macro_rules! slices {
    ($($(#[$about:meta])* $method:ident($kind:tt);)*) => {$(
        $(#[$about])*
        ///
        /// # Errors
        /// Fails if the model refuses.
        #[inline]
        pub fn $method(&self, values: slices!(@type $kind)) -> Result<(), Failed> {
            // A model without any of these values need not have the function.
            if values.is_empty() {
                return self.model().map(drop);
            }
            // SAFETY: the type is the specification's, and the length is passed to the model.
            self.call(slot!(self, $method), |call, model| unsafe {
                call(model, slices!(@pointer values, $kind), values.len())
            })
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
        set_states(write);
        /// Reads the continuous states.
        get_states(read);
        /// Reads the derivatives of the continuous states, in 1/s of their units.
        get_derivatives(read);
        /// Reads the event indicators, whose change of sign is an event.
        get_event_indicators(read);
    }

    /// Sets the model's time.
    ///
    /// # Errors
    /// Fails if the model refuses.
    #[inline]
    pub fn set_time(&self, time_s: f64) -> Result<(), Failed> {
        // SAFETY: the type is the specification's.
        self.call(slot!(self, set_time), |set, model| unsafe { set(model, time_s) })
    }

    /// Returns how many continuous states and event indicators the model has now; `None` if it does
    /// not report them, as in FMI 2.0.
    #[must_use]
    pub fn sizes(&self) -> Option<(usize, usize)> {
        let Functions::Three(table) = &self.functions else {
            return None;
        };
        let (mut states, mut indicators) = (0, 0);
        for (slot, size) in [
            (&table.get_number_of_states, &mut states),
            (&table.get_number_of_event_indicators, &mut indicators),
        ] {
            // SAFETY: the type is the specification's, and the place is valid during the call.
            self.call(slot, |get, model| unsafe { get(model, size) }).ok()?;
        }
        Some((states, indicators))
    }

    /// Reports to the model that a step of the solver is done; returns whether the model wants an
    /// event, and whether it requests the end of the simulation.
    ///
    /// # Errors
    /// Fails if the model refuses.
    #[inline]
    pub fn completed_integrator_step(&self) -> Result<(bool, bool), Failed> {
        match &self.functions {
            Functions::Two(table) => {
                let (mut event, mut terminate) = (0, 0);
                // SAFETY: the type is the specification's, and the places are valid during the
                // call.
                self.call(&table.completed_integrator_step, |completed, model| unsafe {
                    completed(model, 1, &raw mut event, &raw mut terminate)
                })?;
                Ok((event != 0, terminate != 0))
            }
            Functions::Three(table) => {
                let (mut event, mut terminate) = (0, 0);
                // SAFETY: as above.
                self.call(&table.completed_integrator_step, |completed, model| unsafe {
                    completed(model, true, &raw mut event, &raw mut terminate)
                })?;
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
        match &self.functions {
            Functions::Two(table) => {
                let mut info = EventInfo::default();
                // SAFETY: the type is the specification's, and the place is valid during the call.
                self.call(&table.new_discrete_states, |new, model| unsafe {
                    new(model, &raw mut info)
                })?;
                Ok(NewStates {
                    again: info.again != 0,
                    terminate: info.terminate != 0,
                    next_event_s: (info.next_is_defined != 0).then_some(info.next_s),
                })
            }
            Functions::Three(table) => {
                let (mut flags, mut next_s) = ([0; 5], 0.0);
                let [again, terminate, nominals, states, next] = flags.each_mut();
                // SAFETY: as above.
                self.call(&table.update_discrete_states, |update, model| unsafe {
                    update(model, again, terminate, nominals, states, next, &raw mut next_s)
                })?;
                let [again, terminate, _, _, next] = flags.map(|byte: u8| byte != 0);
                Ok(NewStates { again, terminate, next_event_s: next.then_some(next_s) })
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
