//! The arguments of `steadfast interfere`.

use clap::Args;
use plan::LoadSpec;
use units::{Nanos, Vicinity};

use crate::args::loads;
use crate::kept::KeptArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-interfere")))]
pub(crate) struct InterfereArgs {
    /// The run whose neighbours are varied, as typed after `steadfast run`, such as 'wakeup
    /// --period 1ms --cpus 1'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) of: String,
    /// Total time; the command runs as many rounds as fit. The same command with the same --out
    /// continues an interrupted session
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, default_value = "15min")]
    pub(crate) budget: Nanos,
    /// Loads that the neighbours run, one after the other, such as cache+memory%50+fork; default:
    /// the neighbour loads of `steadfast list` that this machine supports. A sham, which only
    /// sleeps, is always included
    #[arg(long, value_name = "LOAD+...", value_parser = loads)]
    pub(crate) aggressors: Vec<Vec<LoadSpec>>,
    /// Where the neighbours run, relative to the measured CPUs: same-cpu (under the default
    /// policy), sibling, shared-cache, other-cache, other-socket; default: all that this machine
    /// has
    #[arg(long, value_name = "PLACE,...", value_delimiter = ',')]
    pub(crate) places: Vec<Vicinity>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}
