//! The arguments of `steadfast knobs try`.

use base::Nanos;
use clap::{Args, ValueEnum};
use knob::Risk;

use crate::options::place::Place;
use crate::session::results_dir::KeptArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-knobs")))]
pub(crate) struct TryArgs {
    /// Knobs to try, each as NAME or NAME=VALUE; default: all with the allowed risk that fit the
    /// budget. boot:WORD is a word of a lab kernel's command line
    #[arg(value_name = "KNOB", value_delimiter = ',')]
    pub(crate) knobs: Vec<String>,
    /// The run to improve, as typed after `steadfast run`
    #[arg(long, value_name = "RUN LINE", default_value = "wakeup --period 1ms")]
    pub(crate) of: String,
    /// Total time for the experiment; the same command continues an interrupted one
    #[arg(long, value_name = "TIME", default_value = "20min")]
    pub(crate) budget: Nanos,
    /// Highest risk of the knobs to try; low means at most some heat or memory
    #[arg(long, value_enum, default_value_t = Allowed::Low)]
    pub(crate) risk: Allowed,
    /// Change the listed settings without asking
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

/// The highest risk of knobs that are tried without being named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allowed {
    Low,
    Medium,
    All,
}

impl Allowed {
    pub(super) fn allows(self, risk: Risk) -> bool {
        match self {
            Self::Low => risk == Risk::Low,
            Self::Medium => risk <= Risk::Medium,
            Self::All => true,
        }
    }
}
