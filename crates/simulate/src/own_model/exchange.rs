//! An FMU for Model Exchange: a fixed-step solver integrates it, as hardware-in-the-loop does.

use rt::fmi::{Failed, Instance};

use super::fmu::{ENDS, Made, Stepping, message};
use super::setup::Setup;

/// Maximum number of rounds of one event: a model that requests more would never finish it.
const MOST_ROUNDS: u64 = 100;

pub(super) struct ModelExchange {
    substeps: u64,
    solver: Solver,
    indicators: [Vec<f64>; 2],
    next_event: Option<f64>,
    has_ended: bool,
    /// The positions of the inputs that can be set only in events, and the values they have.
    held: Vec<(usize, f64)>,
}

impl Stepping for ModelExchange {
    /// Its outputs are those of the equations at a time: FMI 2.0.4, section 3.1; FMI 3.0.2, section
    /// 3.1.
    const SETS_INPUTS_LAST: bool = true;

    fn of(setup: &Setup, made: &Made) -> Result<Self, String> {
        let fmu = setup.fmu()?;
        let about = &fmu.archive.description;
        let declared = (about.states() as usize, about.structure.event_indicators as usize);
        let (states, indicators) = made.instance.sizes().unwrap_or(declared);
        Ok(Self {
            substeps: fmu.substeps,
            solver: Solver::new(&fmu.integrator, states),
            indicators: [vec![0.0; indicators], vec![0.0; indicators]],
            next_event: None,
            has_ended: false,
            held: (0..setup.set.len())
                .filter(|place| setup.inputs.holds[*place])
                .map(|place| (place, f64::NAN))
                .collect(),
        })
    }

    /// Initialises the model; a model for Model Exchange is then in an event.
    fn initialise(&mut self, made: &mut Made, inputs: &[Option<f64>]) -> Result<(), String> {
        let values = made.initialise(inputs)?;
        for (place, last) in &mut self.held {
            *last = values[*place];
        }
        self.settle_event(&made.instance)
    }

    /// In continuous time only continuous inputs may be set: FMI 2.0.4, section 3.2.3; FMI 3.0.2,
    /// section 3.2.1.
    #[inline]
    fn set_inputs(&mut self, made: &mut Made, values: &[f64]) -> Result<(), String> {
        made.inputs.set(made.instance.variables(), values).map_err(message)?;
        let mut is_event = false;
        for (place, last) in &mut self.held {
            is_event |= last.to_bits() != values[*place].to_bits();
            *last = values[*place];
        }
        if is_event { self.handle_event(made, Some(values)) } else { Ok(()) }
    }

    #[inline]
    fn step(&mut self, made: &mut Made, number: u64) -> Result<bool, String> {
        let times = made.times;
        let start = times.at(number);
        let part = times.step / self.substeps as f64;
        for substep in 0..self.substeps {
            let from = start + substep as f64 * part;
            let to = match substep + 1 == self.substeps {
                true => times.at(number + 1),
                false => start + (substep + 1) as f64 * part,
            };
            self.solver.step(&made.instance, [from, to], part).map_err(message)?;
            self.handle_events(made, to)?;
        }
        if self.has_ended { Err(ENDS.to_owned()) } else { Ok(true) }
    }
}

impl ModelExchange {
    /// Handles an event at the end of a step: of time, of state, or one that the model requests.
    #[inline]
    fn handle_events(&mut self, made: &mut Made, time: f64) -> Result<(), String> {
        let [now, before] = &mut self.indicators;
        std::mem::swap(now, before);
        let instance = &made.instance;
        instance.get_event_indicators(now).map_err(message)?;
        let crosses = |(now, before): (&f64, &f64)| (*now > 0.0) != (*before > 0.0);
        let of_states = now.iter().zip(before.iter()).any(crosses);
        let (wanted, ends) = instance.completed_integrator_step().map_err(message)?;
        self.has_ended |= ends;
        let of_time = self.next_event.is_some_and(|event| event <= time);
        let is_event = of_states || of_time || wanted;
        if is_event { self.handle_event(made, None) } else { Ok(()) }
    }

    /// Handles an event, in which these inputs change.
    fn handle_event(&mut self, made: &mut Made, inputs: Option<&[f64]>) -> Result<(), String> {
        made.counts.events += 1;
        made.instance.enter_event_mode().map_err(message)?;
        if let Some(values) = inputs {
            made.inputs_of_events.set(made.instance.variables(), values).map_err(message)?;
        }
        self.settle_event(&made.instance)
    }

    /// Lets the model update its discrete states until it is done, and continues after the event.
    fn settle_event(&mut self, instance: &Instance) -> Result<(), String> {
        for _ in 0..MOST_ROUNDS {
            let new = instance.new_discrete_states().map_err(message)?;
            self.has_ended |= new.terminate;
            if !new.again {
                self.next_event = new.next_event_s;
                instance.enter_continuous_time_mode().map_err(message)?;
                let [now, _] = &mut self.indicators;
                return instance.get_event_indicators(now).map_err(message);
            }
        }
        Err(format!("an event did not settle within {MOST_ROUNDS} updates of the discrete states"))
    }
}

#[derive(Debug)]
struct Solver {
    is_rk4: bool,
    states: Vec<f64>,
    start: Vec<f64>,
    slopes: [Vec<f64>; 4],
}

impl Solver {
    fn new(integrator: &str, states: usize) -> Self {
        let room = || vec![0.0; states];
        Self {
            is_rk4: integrator == "rk4",
            states: room(),
            start: room(),
            slopes: [room(), room(), room(), room()],
        }
    }

    /// The length is given as well: the difference of two large times would be less exact.
    #[inline]
    fn step(&mut self, model: &Instance, [from, to]: [f64; 2], length: f64) -> Result<(), Failed> {
        if self.states.is_empty() {
            return model.set_time(to);
        }
        model.get_states(&mut self.start)?;
        model.get_derivatives(&mut self.slopes[0])?;
        if !self.is_rk4 {
            self.advance(0, length);
            return self.put(model, to);
        }
        // The classical Runge-Kutta method of fourth order.
        for (stage, part) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
            self.advance(stage - 1, part * length);
            self.put(model, from + part * length)?;
            model.get_derivatives(&mut self.slopes[stage])?;
        }
        let [first, second, third, fourth] = &self.slopes;
        for (at, state) in self.states.iter_mut().enumerate() {
            let slope = first[at] + 2.0 * (second[at] + third[at]) + fourth[at];
            *state = self.start[at] + length / 6.0 * slope;
        }
        self.put(model, to)
    }

    #[inline]
    fn advance(&mut self, slope: usize, length: f64) {
        let slopes = self.start.iter().zip(&self.slopes[slope]);
        for (state, (start, slope)) in self.states.iter_mut().zip(slopes) {
            *state = start + length * slope;
        }
    }

    #[inline]
    fn put(&self, model: &Instance, time: f64) -> Result<(), Failed> {
        model.set_time(time)?;
        model.set_states(&self.states)
    }
}

#[cfg(test)]
mod tests {
    use testing::models::{self, Kind, Version};

    use super::super::fmu::FmuAs;
    use super::super::setup::tests::made;
    use super::super::source::Source;
    use super::*;

    #[test]
    fn a_change_of_a_discrete_input_is_an_event() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("inputs.csv");
        std::fs::write(&file, "time,u\n0,1\n").unwrap();
        for version in [Version::Two, Version::Three] {
            for (defines, events) in [(&[("DISCRETE_INPUT", "1")][..], 1), (&[], 0)] {
                let fmu = models::fmu(version, Kind::ModelExchange, defines);
                let flags = [("fmu", fmu.to_str().unwrap()), ("input", file.to_str().unwrap())];
                let (_, mut made) = made::<FmuAs<ModelExchange>>(&flags);
                for (number, u) in [1.0, 1.0, 2.0].into_iter().enumerate() {
                    made.set_inputs(&[u]).unwrap();
                    made.step(number as u64).unwrap();
                }
                assert_eq!(made.counts().events, events, "{version:?}");
            }
        }
    }
}
