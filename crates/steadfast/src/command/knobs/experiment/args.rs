//! What can be typed after `steadfast knobs try`.

use clap::{Args, ValueEnum};
use knob::Risk;
use units::Nanos;

use crate::args::PlaceArgs;
use crate::kept::KeptArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-knobs")))]
pub(crate) struct TryArgs {
    /// The knobs, each as NAME or NAME=VALUE; without any all of the allowed risk that fit the
    /// budget. boot:WORD is a word of a lab kernel's command line
    #[arg(value_name = "KNOB", value_delimiter = ',')]
    pub(crate) knobs: Vec<String>,
    /// The run that shall get better, as it stands after `steadfast run`
    #[arg(long, value_name = "RUN LINE", default_value = "wakeup --period 1ms")]
    pub(crate) of: String,
    /// How long the experiment may take; the same command goes on from where it ended
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "20min")]
    pub(crate) budget: Nanos,
    /// What trying may cost: low is some heat or memory at most
    #[arg(long, value_enum, default_value_t = Allowed::Low)]
    pub(crate) risk: Allowed,
    /// Change what is listed without asking
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

/// Up to which risk knobs are tried that nobody named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allowed {
    Low,
    Medium,
    All,
}

impl Allowed {
    /// Whether a knob of that risk may be tried.
    pub(super) fn allows(self, risk: Risk) -> bool {
        match self {
            Self::Low => risk == Risk::Low,
            Self::Medium => risk <= Risk::Medium,
            Self::All => true,
        }
    }
}
