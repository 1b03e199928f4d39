//! The arguments of `steadfast gate`.

use std::path::PathBuf;

use analysis::comparison::Margin;
use clap::{Args, Subcommand};
use units::Nanos;

use crate::args::{FormatArgs, JsonArgs, PlaceArgs};
use crate::kept::KeptArgs;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct GateArgs {
    #[command(subcommand)]
    pub(crate) command: GateCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// Record the samples of a plan in the lab as a baseline
    Record(RecordArgs),
    /// Test whether a plan in the lab gives exactly the samples of its baseline
    ///
    /// The exit code is 0 if all runs are equal, 1 if one differs, and 3 if one is not measured.
    Check(CheckArgs),
    /// Test whether run B is worse than run A by more than a margin
    ///
    /// Both alternate in one session. The exit code is 0 if B passes, 1 if it fails, and 3 if it
    /// is undecided or not measured.
    Pair(PairArgs),
}

/// What is measured in the lab, and where its baseline is.
#[derive(Debug, Args)]
pub(crate) struct ExactArgs {
    /// Plan file (TOML), or the name of a ready plan; each run is made once, in the order of the
    /// file
    #[arg(value_name = "PLAN.toml|NAME")]
    pub(crate) plan: String,
    /// Name of the baseline: letters, digits, `.`, `_`, `-`
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) name: String,
    /// Directory of the baselines, NAME.db each; NAME.allowed has the samples that may differ
    #[arg(long, value_name = "DIR", default_value = "steadfast-gates")]
    pub(crate) baselines: PathBuf,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

fn name(text: &str) -> Result<String, &'static str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    match !text.is_empty() && !text.starts_with('.') && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("expected letters, digits, `.`, `_` and `-`, such as main"),
    }
}

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    #[command(flatten)]
    pub(crate) exact: ExactArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) exact: ExactArgs,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    #[command(flatten)]
    pub(crate) formats: FormatArgs,
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
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "10min")]
    pub(crate) budget: Nanos,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}
