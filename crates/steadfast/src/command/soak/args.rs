//! The arguments of `steadfast soak`.

use std::net::SocketAddr;
use std::path::PathBuf;

use base::Nanos;
use clap::Args;

use crate::options::address;

#[derive(Debug, Args)]
pub(crate) struct SoakArgs {
    /// The run, as typed after `steadfast run`, such as 'frame --rate 1kHz --cpus 1': wakeup, frame,
    /// a tire in real time or your own model. With --blame in it, misses get causes
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) of: String,
    /// Total time to watch; gaps do not count. The same command with the same --out continues
    #[arg(long = "for", value_name = "TIME", default_value = "7d")]
    pub(crate) length: Nanos,
    /// Length of an interval, which is what is stored at a time, and what a kill can lose
    #[arg(long, value_name = "TIME", default_value = "5min")]
    pub(crate) interval: Nanos,
    /// Directory for results.db; an unfinished soak in it is continued
    #[arg(long, value_name = "DIR", default_value = "steadfast-soak")]
    pub(crate) out: PathBuf,
    /// Serve OpenMetrics text at this address, such as 127.0.0.1:9872, for Prometheus and others
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) metrics: Option<SocketAddr>,
    /// Serve a page with pictures at this address, such as 127.0.0.1:9873
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) page: Option<SocketAddr>,
    /// Run this shell command after an interval with a miss, once a minute at most; it gets
    /// STEADFAST_MISSED, STEADFAST_BEGAN_AT, STEADFAST_MAX_NS and STEADFAST_CAUSES
    #[arg(long, value_name = "COMMAND")]
    pub(crate) on_miss: Option<String>,
    /// Print a systemd unit that runs this soak and continues it after a reboot; measure nothing
    #[arg(long)]
    pub(crate) unit: bool,
    /// Print JSON instead of the answer: all intervals and gaps
    #[arg(long, help_heading = "For other programs")]
    pub(crate) json: bool,
    /// Hide progress: print only the answer, and messages about waiting and errors
    #[arg(long)]
    quiet: bool,
}
