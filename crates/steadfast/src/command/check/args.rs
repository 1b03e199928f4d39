//! What can be typed after `steadfast check`.

use analysis::check::MostMisses;
use clap::Args;
use units::{Nanos, Rate};

use crate::args::{AnswerArgs, BlameArgs, ConditionArgs, PlaceArgs};
use crate::kept::StoreArgs;
use crate::parameters::ParameterArgs;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  steadfast check --rate 1kHz --max 150us --load cpu --for 10min
  steadfast check --rate 100Hz --model tire --masses 57000 --threads 2 --misses 10/h")]
#[command(mut_arg("rate", |arg| arg.required(true).help("How often it is due, such as 1kHz").help_heading(None::<&str>)))]
#[command(mut_arg("seconds", |arg| arg.help("How long each of the runs measures; default: a thirtieth of --for")))]
#[command(mut_arg("period", |arg| arg.hide(true)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
    /// The latest that a wake-up may come, or the longest that a step may take; default: until
    /// it is due again
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) max: Option<Nanos>,
    /// How many may be missed: 0, so many an hour as 10/h, or in so many as 1/1000000
    #[arg(long, value_name = "MISSES", default_value = "0")]
    pub(crate) misses: MostMisses,
    /// How long to measure in all; it ends early where a miss decides
    #[arg(long = "for", value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "1min")]
    pub(crate) time: Nanos,
    /// What is to hold the rate: a thread that does nothing else, or a model
    #[arg(long, value_name = "MODEL", default_value = "thread", value_parser = ["thread", "tire"])]
    pub(crate) model: String,
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
    /// How often it is due.
    pub(crate) fn rate(&self) -> anyhow::Result<Rate> {
        let texts = self.parameters.0.get("rate").map(Vec::as_slice);
        match texts {
            Some([rate]) => rate.parse().map_err(|why| anyhow::anyhow!("--rate: {why}")),
            _ => anyhow::bail!("--rate: name one rate, such as 1kHz; a check is of one"),
        }
    }
}
