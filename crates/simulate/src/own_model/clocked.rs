//! The inputs and outputs that belong to one clock of a scheduled execution.

use std::collections::HashMap;

use record::Track;
use rt::fmi::Variables;

use super::fmu::message;
use super::inputs::Cursor;
use super::recorder::Recorder;
use super::setup::Setup;
use super::texts::{Texts, WORDS};
use super::values::Values;
use super::variables::Value;

/// The values that are set before a part of the model runs, and read after it.
pub(super) struct Clocked {
    cursor: Cursor,
    /// All inputs of the run.
    all: Vec<f64>,
    own: Vec<usize>,
    set: Vec<f64>,
    inputs: Values,
    /// The time of the tick, and the outputs after it.
    row: Vec<f64>,
    names: Vec<String>,
    /// Whether each output may be infinite.
    may_be_infinite: Vec<bool>,
    outputs: Values,
    /// The recorded words of its texts.
    words: Vec<u64>,
    own_texts: Vec<Value>,
    texts: Texts,
    recorder: Option<Recorder>,
    /// Whether the row is that of the last tick.
    pub(super) has_new: bool,
}

impl Clocked {
    /// Returns the values of a clock, given by its position among those of the setup, with room for
    /// `ticks` ticks. Values that belong to no clock belong to the first clock that ticks at each
    /// period.
    pub(super) fn of(setup: &Setup, clock: usize, ticks: u64) -> Self {
        // The clocks of each variable that has some, by the variable's reference.
        let variables = setup.fmu().map_or(&[][..], |fmu| &fmu.archive.description.variables);
        let owners = variables.iter().filter(|variable| !variable.clocks.is_empty());
        let owners: HashMap<u32, &[usize]> =
            owners.map(|variable| (variable.reference, &variable.clocks[..])).collect();
        let place = setup.clocks[clock].place;
        let mut clocks = setup.clocks.iter();
        let first = clocks.position(|clock| !clock.is_of_model()).unwrap_or(0);
        let is_own = |value: &Value| match owners.get(&value.reference) {
            Some(clocks) => clocks.contains(&place),
            None => clock == first,
        };
        let own: Vec<usize> = (0..setup.set.len()).filter(|at| is_own(&setup.set[*at])).collect();
        let own_of = |all: &Vec<Value>| -> Vec<Value> {
            all.iter().filter(|value| is_own(value)).cloned().collect()
        };
        let [inputs, outputs, own_texts] = [&setup.set, &setup.outputs, &setup.texts].map(own_of);
        Self {
            cursor: Cursor::default(),
            all: vec![0.0; setup.set.len()],
            set: vec![0.0; own.len()],
            own,
            inputs: Values::of(&inputs, false),
            row: vec![0.0; 1 + outputs.len()],
            recorder: Recorder::of_clock(setup, ticks, outputs.len(), own_texts.len()),
            outputs: Values::of(&outputs, false),
            may_be_infinite: outputs
                .iter()
                .map(|output| setup.may_be_infinite(&output.name))
                .collect(),
            names: outputs.into_iter().map(|output| output.name).collect(),
            words: vec![0; own_texts.len() * WORDS],
            texts: Texts::of(&own_texts),
            own_texts,
            has_new: false,
        }
    }

    /// Sets the inputs of the run at that time, in seconds.
    #[inline]
    pub(super) fn set_inputs(
        &mut self,
        setup: &Setup,
        to: Variables,
        time: f64,
    ) -> Result<(), String> {
        if self.own.is_empty() {
            return Ok(());
        }
        setup.inputs.at_time(time, &mut self.cursor, &mut self.all);
        for (value, place) in self.set.iter_mut().zip(&self.own) {
            *value = self.all[*place];
        }
        self.inputs.set(to, &self.set).map_err(message)
    }

    /// Reads the outputs after a tick; an output that is not a finite number is an error.
    #[inline]
    pub(super) fn read_outputs(&mut self, from: Variables, time: f64) -> Result<(), String> {
        self.row[0] = time;
        let outputs = &mut self.row[1..];
        self.outputs.read(from, outputs).map_err(message)?;
        self.texts.read(from, &mut self.words).map_err(message)?;
        let is_allowed = |(value, may): (&f64, &bool)| value.is_finite() || *may && !value.is_nan();
        let wrong = outputs.iter().zip(&self.may_be_infinite).position(|one| !is_allowed(one));
        self.has_new = true;
        match wrong {
            None => Ok(()),
            Some(place) => Err(format!("its output `{}` is {}", self.names[place], outputs[place])),
        }
    }

    /// Records the outputs of the last tick, if recording is on and there was a tick.
    #[inline]
    pub(super) fn record(&mut self) {
        if let Some(recorder) = self.recorder.as_mut().filter(|_| self.has_new) {
            recorder.push(&self.row, &self.words);
        }
    }

    /// Returns how many texts were too long to keep; `None` if no texts are recorded.
    pub(super) fn cut(&self) -> Option<u64> {
        self.recorder.as_ref()?.cut
    }

    pub(super) fn onto(&self, track: Track) -> Track {
        match &self.recorder {
            Some(recorder) => recorder.onto(track, &self.names, &self.own_texts),
            None => track,
        }
    }
}
