//! Runs that are followed while they measure: shown, or ended at the first late sample.

use anyhow::{Result, bail};
use base::Nanos;
use clap::Args;
use record::RunSpec;

use crate::options::BlameArgs;
use crate::options::place::Place;

#[derive(Debug, Args, Clone)]
pub(crate) struct FollowArgs {
    /// Every second, show what was due and missed on each CPU, and its last, typical (median of that
    /// second) and worst latency
    #[arg(long)]
    live: bool,
    /// End the run after the first wake-up that is later than this, such as 200us; everything until
    /// then is kept. With `--blame`, the cause of what is later than this is searched for
    #[arg(long, value_name = "TIME")]
    stop_at: Option<Nanos>,
}

impl FollowArgs {
    /// Requests that runs are followed.
    ///
    /// # Errors
    /// One line that says which run or place does not allow that.
    pub(crate) fn ask(
        &self,
        specs: &mut [RunSpec],
        place: &Place,
        blame: &BlameArgs,
    ) -> Result<()> {
        if !self.live && self.stop_at.is_none() {
            return Ok(());
        }
        for spec in specs {
            (spec.live, spec.stop_at) = (self.live, self.stop_at);
            if let Place::Vm(_) = place {
                let options = spec.options_to_follow();
                bail!(
                    "{options}: a machine of the lab sends nothing while it measures; use this machine or \
                     `--target ssh:HOST`"
                );
            }
            let measurement = measure::find(&spec.measurement);
            if measurement.is_some_and(|found| !found.can_be_followed()) {
                bail!(measure::cannot_be_followed(spec));
            }
            let beyond = blame.threshold.or(self.stop_at).filter(|_| spec.blame_beyond.is_some());
            spec.blame_beyond = beyond.or(spec.blame_beyond);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::parse_run_line;
    use crate::options::request;

    fn asked(line: &str, place: &Place) -> Result<RunSpec> {
        let args = parse_run_line(line)?;
        let mut specs = request::specs(&args.requests()?)?;
        args.follow.ask(&mut specs, place, &args.line.blame)?;
        Ok(specs.remove(0))
    }

    #[test]
    fn the_limit_is_that_of_the_search_for_causes_unless_another_is_typed() {
        let spec = |line: &str| asked(line, &Place::Local).unwrap();
        let us = |us: u64| Some(Nanos(us * 1_000));
        let plain = spec("wakeup");
        assert!(!plain.hands_over());
        let stopped = spec("wakeup --stop-at 200us");
        assert_eq!((stopped.stop_at, stopped.live, stopped.blame_beyond), (us(200), false, None));
        assert_eq!(spec("wakeup --stop-at 200us --blame").blame_beyond, us(200));
        assert_eq!(spec("wakeup --stop-at 200us --blame --threshold 50us").blame_beyond, us(50));
        assert!(spec("wakeup --live").live);
    }

    #[test]
    fn what_cannot_be_followed_is_refused_in_one_line_that_says_why() {
        let vm = Place::Vm("debian".to_owned());
        for (line, place, named) in [
            ("task_switch --live", &Place::Local, "--live: task_switch cannot be followed"),
            ("tire --mode real-time --stop-at 1ms", &Place::Local, "--stop-at: tire cannot"),
            ("frame --live --stop-at 1ms", &Place::Local, "--live and --stop-at: frame cannot"),
            ("wakeup --live", &vm, "--live: a machine of the lab sends nothing while it measures"),
        ] {
            let why = asked(line, place).unwrap_err().to_string();
            assert!(why.starts_with(named) && !why.contains('\n'), "{why}");
        }
    }
}
