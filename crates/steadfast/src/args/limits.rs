//! The limits by which periodic work is judged.

use analysis::map::ManyMisses;
use analysis::standards::{FirmMisses, HeldFor, Limits, SoftShare, Standards};
use clap::Args;
use units::{Nanos, ParseError};

/// The limits by which periodic work is judged.
#[derive(Debug, Default, Args, Clone)]
#[command(next_help_heading = "Limits of real time")]
pub(crate) struct LimitArgs {
    /// Misses up to which real time is firm: a rate (10/h) or a fraction of the periods (1/1000000)
    #[arg(long, value_name = "MISSES", default_value = "10/h", allow_hyphen_values = true)]
    pub(crate) firm_misses: FirmMisses,
    /// Share of missed periods up to which real time is soft
    #[arg(long, value_name = "PERCENT", default_value = "1%", allow_hyphen_values = true)]
    pub(crate) soft_share: SoftShare,
    /// How long a tire size must meet its limit before it counts as holding: the total time of all
    /// its runs, which must be at least 29, so that 1 bad run in 10 would have shown
    #[arg(long, value_name = "TIME", value_parser = held_for, default_value = "10s")]
    pub(crate) held_for: HeldFor,
    /// Share of missed deadlines above which a tire size counts as missing many (red on a map)
    #[arg(long, value_name = "PERCENT", default_value = "10%", allow_hyphen_values = true)]
    pub(crate) many_misses: ManyMisses,
}

fn held_for(text: &str) -> Result<HeldFor, ParseError> {
    Nanos::parse_seconds(text).map(HeldFor)
}

impl LimitArgs {
    /// Returns these limits, and the defaults for everything else.
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
