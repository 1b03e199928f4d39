//! What can be typed after `steadfast interfere`.

use clap::Args;
use plan::LoadSpec;
use units::{Nanos, Vicinity};

use crate::args::loads;
use crate::kept::KeptArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-interfere")))]
pub(crate) struct InterfereArgs {
    /// What neighbours are tried on: a run as it is typed after `steadfast run`, such as
    /// 'wakeup --period 1ms --cpus 1'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) of: String,
    /// The command ends after this time, with as many rounds as fit into it; the same command
    /// with the same --out goes on where it was interrupted
    #[arg(
        long,
        value_name = "TIME",
        value_parser = Nanos::parse_seconds,
        default_value = "15min"
    )]
    pub(crate) budget: Nanos,
    /// What neighbours do, one after the other: loads such as cache+memory%50+fork; default:
    /// those of `steadfast list` that this machine has what they need for. A sham that sleeps
    /// is always among them
    #[arg(long, value_name = "LOAD+...", value_parser = loads)]
    pub(crate) aggressors: Vec<Vec<LoadSpec>>,
    /// Where they do it, seen from the measured CPUs: same-cpu (under the default policy),
    /// sibling, shared-cache, other-cache, other-socket; default: all that this machine has
    #[arg(long, value_name = "PLACE,...", value_delimiter = ',')]
    pub(crate) places: Vec<Vicinity>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}
