//! The arguments of `steadfast gate`.

use analysis::comparison::Margin;
use clap::{Args, Subcommand};
use units::Nanos;

use crate::args::PlaceArgs;
use crate::kept::KeptArgs;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct GateArgs {
    #[command(subcommand)]
    pub(crate) command: GateCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// Test whether run B is worse than run A by more than a margin
    ///
    /// Both alternate in one session. The exit code is 0 if B passes, 1 if it fails, and 3 if it
    /// is undecided or not measured.
    Pair(PairArgs),
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-gate")))]
pub(crate) struct PairArgs {
    /// The reference, as typed after `steadfast run`, such as 'model --library old.so --rate 1kHz'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) a: String,
    /// The run to test, as typed after `steadfast run`, such as 'model --library new.so --rate 1kHz'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) b: String,
    /// By how much B may be worse than A
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub(crate) margin: Margin,
    /// The compared figure of each row's times
    #[arg(long, default_value = "median", value_parser = ["median", "average", "p99"])]
    pub(crate) figure: String,
    /// Total time; a third of it measures A a second time, which shows how often equal runs differ
    #[arg(
        long,
        value_name = "TIME",
        value_parser = Nanos::parse_seconds,
        default_value = "10min"
    )]
    pub(crate) budget: Nanos,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}
