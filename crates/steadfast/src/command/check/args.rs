//! The arguments of `steadfast check`.

use analysis::check::MostMisses;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use units::{Nanos, Rate};

use crate::args::{AnswerArgs, BlameArgs, ConditionArgs, PlaceArgs};
use crate::kept::StoreArgs;
use crate::parameters::ParameterArgs;

#[derive(Debug, Args)]
#[command(mut_arg("rate", |arg| arg.required(true).help("Rate to hold, such as 1kHz").help_heading(None::<&str>)))]
#[command(mut_arg("seconds", |arg| arg.help("Length of each run; default: a thirtieth of --for")))]
#[command(mut_arg("period", |arg| arg.hide(true)))]
#[command(mut_arg("model", |arg| arg.help("What has to hold the rate: thread (which does nothing else), tire, or one of the tire's models; default: tire if --masses is given, otherwise thread").help_heading(None::<&str>)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
    /// Latest allowed wake-up after its due time, or longest allowed step; default: until the next
    /// one is due
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) max: Option<Nanos>,
    /// Allowed misses or late events: 0, a rate (10/h) or a fraction (1/1000000)
    #[arg(long, value_name = "MISSES", default_value = "0")]
    pub(crate) misses: MostMisses,
    /// Total measuring time; the check ends early if one event decides it
    #[arg(long = "for", value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "1min")]
    pub(crate) time: Nanos,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
}

impl CheckArgs {
    /// Returns the rate to hold.
    pub(crate) fn rate(&self) -> Result<Rate> {
        let rate = self.only("rate")?.context("--rate: name a rate, such as 1kHz")?;
        rate.parse().map_err(|why| anyhow!("--rate: {why}"))
    }

    /// Returns the measurement that has to hold the rate, by its name in `steadfast run`.
    pub(crate) fn measured(&self) -> Result<&'static str> {
        let is_named = |name: &&str| self.parameters.0.contains_key(*name);
        let is_sized = is_named(&"masses");
        let is_own = ["fmu", "library", "program"].iter().any(is_named);
        Ok(match (self.only("model")?, is_sized) {
            (None, _) if is_own => "model",
            (Some("thread"), _) | (None, false) => "wakeup",
            _ => "tire",
        })
    }

    /// Returns the parameters of that measurement.
    pub(crate) fn parameters(&self) -> ParameterArgs {
        let mut parameters = self.parameters.clone();
        parameters.0.remove("rate");
        if matches!(self.only("model"), Ok(Some("thread" | "tire"))) {
            parameters.0.remove("model");
        }
        parameters
    }

    /// Returns the only value of a parameter.
    fn only(&self, name: &str) -> Result<Option<&str>> {
        match self.parameters.0.get(name).map(Vec::as_slice) {
            None => Ok(None),
            Some([only]) => Ok(Some(only)),
            Some(_) => bail!("--{name}: a check takes one value"),
        }
    }
}
