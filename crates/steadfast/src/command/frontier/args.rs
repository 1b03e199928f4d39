//! What can be typed after `steadfast frontier`.

use std::str::FromStr;

use analysis::standards::{Standards, Strictness};
use analysis::tolerance::share_in_percent;
use clap::Args;
use units::Nanos;

use crate::varied::VariedArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-frontier")))]
pub(crate) struct FrontierArgs {
    /// A mix with best-effort work (`run mix`): how much of that fits with no miss of the others,
    /// under every choice of scheduling
    #[arg(
        value_name = "PLAN.toml",
        conflicts_with_all = ["hard", "firm", "soft", "resolution", "size", "no_blame", "over"]
    )]
    pub(crate) mix: Option<String>,
    /// A size holds if it misses no deadline (the default)
    #[arg(long, conflicts_with_all = ["firm", "soft"])]
    pub(crate) hard: bool,
    /// A size holds if it misses no more than --firm-misses
    #[arg(long, conflicts_with = "soft")]
    pub(crate) firm: bool,
    /// A size holds if it misses no more than --soft-share
    #[arg(long)]
    pub(crate) soft: bool,
    /// The command ends after this time, with the interval that it has reached; the same
    /// command with the same --out goes on from there
    #[arg(
        long,
        value_name = "TIME",
        value_parser = Nanos::parse_seconds,
        default_value = "3min"
    )]
    pub(crate) budget: Nanos,
    /// How near to each other the largest size that holds and the smallest that does not
    /// shall be, as a share of the latter
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub(crate) resolution: Resolution,
    /// Search nothing: say how much longer a step of this many masses, instances or hertz can
    /// take before it misses
    #[arg(long, value_name = "N")]
    pub(crate) size: Option<u64>,
    /// Do not look for the causes of misses: without tracing, and without knowing which of
    /// them are the platform's
    #[arg(long)]
    pub(crate) no_blame: bool,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
}

impl FrontierArgs {
    /// By what its results are judged.
    pub(crate) fn standards(&self) -> Standards {
        let strictness = match (self.firm, self.soft) {
            (true, _) => Strictness::Firm,
            (_, true) => Strictness::Soft,
            _ => Strictness::Hard,
        };
        Standards { strictness, ..self.varied.kept.answer.standards() }
    }
}

/// A share of a size, above 0, typed in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Resolution(pub(crate) f64);

impl FromStr for Resolution {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let share = share_in_percent(text).filter(|share| (0.0001..=0.5).contains(share));
        share.map(Self).ok_or("expected a share from 0.01% to 50%, such as 5%")
    }
}
