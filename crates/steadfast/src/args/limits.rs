//! By what periodic work is judged.

use analysis::map::ManyMisses;
use analysis::standards::{FirmMisses, HeldFor, Limits, SoftShare, Standards};
use clap::Args;
use units::{Nanos, ParseError};

/// By what periodic work is judged.
#[derive(Debug, Default, Args, Clone)]
#[command(next_help_heading = "Limits of real time")]
pub(crate) struct LimitArgs {
    /// Misses up to which real time is firm: an hour, or in so many periods, as 1/1000000
    #[arg(long, value_name = "MISSES", default_value = "10/h", allow_hyphen_values = true)]
    pub(crate) firm_misses: FirmMisses,
    /// Share of periods that may miss up to which real time is soft
    #[arg(long, value_name = "PERCENT", default_value = "1%", allow_hyphen_values = true)]
    pub(crate) soft_share: SoftShare,
    /// How long a size of the tire must have kept to its limit, in all its runs and in so many
    /// (29) that 1 bad one in 10 would have shown, before it counts as held
    #[arg(long, value_name = "TIME", value_parser = held_for, default_value = "10s")]
    pub(crate) held_for: HeldFor,
    /// Share of deadlines above which a size of the tire misses many: red on a map
    #[arg(long, value_name = "PERCENT", default_value = "10%", allow_hyphen_values = true)]
    pub(crate) many_misses: ManyMisses,
}

fn held_for(text: &str) -> Result<HeldFor, ParseError> {
    Nanos::parse_seconds(text).map(HeldFor)
}

impl LimitArgs {
    /// These limits, and of the rest what is usual.
    pub(super) fn standards(&self) -> Standards {
        Standards {
            limits: Limits {
                firm: self.firm_misses,
                soft: self.soft_share,
                held_for: self.held_for,
            },
            many: self.many_misses,
            ..Standards::default()
        }
    }
}
