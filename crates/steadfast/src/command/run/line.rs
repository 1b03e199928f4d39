//! What is typed after `steadfast run` about the runs themselves, also in flags of commands that
//! repeat a run: `--of 'RUN LINE'`.

use anyhow::Result;
use clap::Args;

use crate::args::{BlameArgs, ConditionArgs, PlaceArgs};
use crate::parameters::ParameterArgs;
use crate::request::run::{refuse_recording, refuse_strange_parameters};
use crate::request::{RunRequest, measurement};

/// What a run line may contain; targets, stores and judging are options of the whole command.
#[derive(Debug, Args, Clone)]
pub(crate) struct LineArgs {
    /// Names of measurements (see `steadfast list`)
    #[arg(value_name = "MEASUREMENT", required = true)]
    pub(crate) measurements: Vec<String>,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl LineArgs {
    /// Returns a request for each measurement that was named.
    pub(crate) fn requests(&self, place: &PlaceArgs, record: bool) -> Result<Vec<RunRequest>> {
        let (names, plan) = match &self.measurements[..] {
            [name, plan] if name == probe::MIX && probe::find(plan).is_none() => {
                (std::slice::from_ref(name), Some(plan))
            }
            names => (names, None),
        };
        let chosen = names.iter().map(|name| measurement(name)).collect::<Result<Vec<_>>>()?;
        refuse_strange_parameters(&chosen, &self.parameters)?;
        if record {
            refuse_recording(&chosen)?;
        }
        let request = |measurement| {
            let mut request = RunRequest::of(measurement);
            request.conditions = self.conditions.clone();
            request.place = place.target.clone();
            request.blame = self.blame.clone();
            request.record = record;
            request.read_own(&self.parameters)?;
            if let Some(plan) = plan {
                request.set_word("plan", plan)?;
            }
            Ok(request)
        };
        chosen.into_iter().map(request).collect()
    }
}

/// Returns what a user requests who types this line after `steadfast run`.
#[cfg(test)]
pub(crate) fn requests_of(line: &str) -> Result<Vec<RunRequest>> {
    super::parse_run_line(line)?.requests()
}
