//! Steps of Co-Simulation: FMI 2.0.4, section 4.2.2; FMI 3.0.2, section 4.2.

use super::instance::{Functions, Instance};
use super::two::{LAST_SUCCESSFUL_TIME, TERMINATED, Two};
use super::words::{Failed, Status, Stepped};

impl Instance {
    /// Steps from a model time to `h_s` seconds after it. Returns whatever the model reports; only
    /// FMI 3.0 reports how far a step came before an error.
    ///
    /// # Errors
    /// Fails if the model does not have such a function, or failed fatally earlier.
    #[inline]
    pub fn do_step(&self, time_s: f64, h_s: f64) -> Result<Stepped, Failed> {
        let model = self.model()?;
        match &self.functions {
            Functions::Two(table) => {
                // No state before this step is requested again.
                let never_back = 1;
                // SAFETY: the type is the specification's.
                let status = unsafe { table.do_step.get()?(model, time_s, h_s, never_back) };
                let mut stepped = Stepped {
                    status: self.ended(status),
                    early_return: false,
                    terminate: false,
                    event_needed: false,
                    last_successful_time_s: time_s + h_s,
                };
                match stepped.status {
                    Status::Ok | Status::Warning => {}
                    Status::Discard => self.ask_how_far(table, &mut stepped, time_s),
                    _ => stepped.last_successful_time_s = time_s,
                }
                Ok(stepped)
            }
            Functions::Three(table) => {
                let (mut event, mut terminate, mut early) = (0, 0, 0);
                let mut last_s = time_s + h_s;
                // SAFETY: the type is the specification's, and the places are valid during the
                // call.
                let status = unsafe {
                    table.do_step.get()?(
                        model,
                        time_s,
                        h_s,
                        true,
                        &raw mut event,
                        &raw mut terminate,
                        &raw mut early,
                        &raw mut last_s,
                    )
                };
                Ok(Stepped {
                    status: self.ended(status),
                    early_return: early != 0,
                    terminate: terminate != 0,
                    event_needed: event != 0,
                    last_successful_time_s: last_s,
                })
            }
        }
    }

    /// Finds out how far a step came that FMI 2.0 discarded. A model need not have the functions:
    /// then the step counts as not begun.
    #[cold]
    fn ask_how_far(&self, table: &Two, stepped: &mut Stepped, time_s: f64) {
        stepped.last_successful_time_s = time_s;
        let Ok(model) = self.model() else { return };
        if let Ok(get) = table.get_real_status.get() {
            let mut last_s = time_s;
            // SAFETY: the type is the specification's, and the place is valid during the call.
            let status = unsafe { get(model, LAST_SUCCESSFUL_TIME, &raw mut last_s) };
            if self.ended(status) == Status::Ok {
                stepped.last_successful_time_s = last_s;
            }
        }
        if let Ok(get) = table.get_boolean_status.get() {
            let mut terminated = 0;
            // SAFETY: as above.
            let status = unsafe { get(model, TERMINATED, &raw mut terminated) };
            stepped.terminate = self.ended(status) == Status::Ok && terminated != 0;
        }
    }
}
