//! The arguments of `steadfast frontier`.

use analysis::standards::{Standards, Strictness};
use base::Nanos;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use measure::MIX;

use crate::options::request::subject::FRONTIER;
use crate::session::search_args::VariedArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-frontier")))]
#[command(mut_arg("threads", |arg| arg.help("Threads, a line of the search for each number [default: 1 and all CPUs; for model 1]")))]
pub(crate) struct FrontierArgs {
    /// Whose limit to find: that of the built-in `tire`; of `model`, your own; or of the best-effort
    /// work in a `mix`
    #[arg(value_name = "MEASUREMENT", value_parser = FRONTIER.names(), default_value = "tire")]
    pub(crate) measurement: String,
    /// Plan of a mix with best-effort work (see `run mix`): search for how much of that work fits
    /// without a miss of the other members, for each way of scheduling it
    #[arg(
        value_name = "PLAN.toml",
        value_parser = NonEmptyStringValueParser::new(),
        required_if_eq("measurement", MIX),
        conflicts_with_all = ["hard", "firm", "soft", "resolution", "size", "no_blame", "over"]
    )]
    pub(crate) mix: Option<String>,
    /// Count a size as holding if it misses no deadline (the default)
    #[arg(long, conflicts_with_all = ["firm", "soft"])]
    pub(crate) hard: bool,
    /// Count a size as holding if its misses are within --firm-misses
    #[arg(long, conflicts_with = "soft")]
    pub(crate) firm: bool,
    /// Count a size as holding if its misses are within --soft-share
    #[arg(long)]
    pub(crate) soft: bool,
    /// Total time for the search. The default is enough for two lines of a machine without misses;
    /// the command says at its start what yours take
    #[arg(long, value_name = "TIME", default_value = "5min")]
    pub(crate) budget: Nanos,
    /// Do not search: report how much longer a step could take before it misses, for this number of
    /// masses, instances or hertz
    #[arg(long, value_name = "N")]
    pub(crate) size: Option<u64>,
    /// Do not look for the causes of misses. Avoids the cost of tracing, but misses caused by the
    /// platform are then not recognised
    #[arg(long)]
    pub(crate) no_blame: bool,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
}

impl FrontierArgs {
    pub(crate) fn standards(&self) -> Standards {
        let strictness = match (self.firm, self.soft) {
            (true, _) => Strictness::Firm,
            (_, true) => Strictness::Soft,
            _ => Strictness::Hard,
        };
        Standards { strictness, ..self.varied.kept.answer.standards() }
    }
}
