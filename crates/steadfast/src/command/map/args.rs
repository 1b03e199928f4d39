//! The arguments of `steadfast map`.

use std::str::FromStr;

use clap::Args;
use units::Rate;

use super::Spacing;
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
    /// Distance between neighbouring sizes where a row changes: a share of the size, such as 5%, or
    /// a number of masses, instances or hertz, such as 200
    #[arg(long, value_name = "PERCENT|N", default_value = "5%")]
    pub(crate) resolution: Spacing,
    /// Measure every size from --from to --to at this resolution, not only those near the edges
    #[arg(long, requires = "to")]
    pub(crate) full_grid: bool,
    /// Rate of the pretest of a tire, which proposes thread counts and how far their rows go, if
    /// --threads is not given
    #[arg(long, value_name = "RATE", default_value = "2kHz")]
    pub(crate) pretest_rate: Rate,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
}

impl FromStr for Spacing {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected a share of the size from 0.1% to 100%, such as 5%, or a \
                                number of masses, instances or hertz, such as 200";
        let spacing = match text.trim().strip_suffix('%') {
            Some(percent) => {
                let percent: Option<f64> = percent.trim().parse().ok();
                let percent = percent.filter(|percent| (0.1..=100.0).contains(percent));
                percent.map(|percent| Self::Share(percent / 100.0))
            }
            None => {
                let step: Option<u64> = text.trim().parse().ok();
                let step = step.filter(|step| *step > 0);
                step.map(Self::Step)
            }
        };
        spacing.ok_or(EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_is_a_share_or_a_step() {
        assert_eq!("2.5%".parse(), Ok(Spacing::Share(0.025)));
        assert_eq!("200".parse(), Ok(Spacing::Step(200)));
        for text in ["", "0%", "101%", "-5%", "0", "many", "5 masses", "nan%"] {
            assert!(text.parse::<Spacing>().is_err(), "{text}");
        }
    }
}
