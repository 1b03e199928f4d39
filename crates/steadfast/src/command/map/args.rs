//! The arguments of `steadfast map`.

use clap::Args;
use units::{Nanos, Rate};

use crate::varied::VariedArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-map")))]
pub(crate) struct MapArgs {
    /// Smallest size; for a tire a multiple of 4 [default: 400 masses, one instance per thread, 100
    /// Hz]
    #[arg(long, value_name = "N")]
    pub(crate) from: Option<u64>,
    /// Largest size; default: each row continues until it misses many deadlines
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<u64>,
    /// Measure every size from --from to --to at this resolution, not only those near the edges
    #[arg(long, requires = "to")]
    pub(crate) full_grid: bool,
    /// Rate of the pretest of a tire, which proposes thread counts if --threads is not given
    #[arg(long, value_name = "RATE", default_value = "2kHz")]
    pub(crate) pretest_rate: Rate,
    /// Total time for the map; the same command continues afterwards [default: as long as it takes]
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) budget: Option<Nanos>,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
}
