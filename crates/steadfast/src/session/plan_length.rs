//! Scales a plan to the length that the user requests.

use base::Nanos;
use measure::Length;
use record::RunSpec;

/// The shortest useful run under a load: even one that waits for a disk shows an effect.
const LEAST_UNDER_LOAD: Nanos = Nanos(500_000_000);
/// Lengths are rounded to whole milliseconds.
const STEP_NS: u64 = 1_000_000;

/// Returns the planned length of all runs together, in whole seconds.
pub(crate) fn planned(plan: &[RunSpec]) -> Nanos {
    let nanos: u64 = plan.iter().map(|spec| spec.asked.duration.0).sum();
    Nanos(nanos.next_multiple_of(Nanos::SECOND.0))
}

/// Scales every run whose length can be set by one factor, so that all runs together take `whole`.
/// No run gets shorter than is useful for it; the others share the rest. The plan takes longer than
/// `whole` if even the shortest runs do.
pub(crate) fn scale(plan: &mut [RunSpec], whole: Nanos) {
    let mut left = whole.0;
    let mut elastic = Vec::new();
    for spec in plan {
        match least(spec) {
            Some(least) => elastic.push((spec, least)),
            None => left = left.saturating_sub(spec.asked.duration.0),
        }
    }
    let factor = loop {
        let lengths = elastic.iter().map(|(spec, _)| spec.asked.duration.0);
        let factor = left as f64 / lengths.sum::<u64>().max(1) as f64;
        let too_short = |(spec, least): &(&mut RunSpec, Nanos)| times(spec, factor) < *least;
        let Some(place) = elastic.iter().position(too_short) else {
            break factor;
        };
        let (spec, least) = elastic.swap_remove(place);
        spec.asked.duration = least;
        left = left.saturating_sub(least.0);
    };
    for (spec, _) in elastic {
        spec.asked.duration = times(spec, factor);
    }
}

/// Sets the length of a run if it can be set; the run does not get shorter than is useful for it.
pub(crate) fn set_length(spec: &mut RunSpec, length: Nanos) {
    if let Some(least) = least(spec) {
        spec.asked.duration = length.max(least);
    }
}

/// Returns the shortest useful length of a run; `None` if its parameters determine it.
fn least(spec: &RunSpec) -> Option<Nanos> {
    let measurement = measure::find(&spec.measurement)?;
    let least = match measurement.length(&spec.parameters) {
        Length::Time(_) => measurement.least_time(&spec.parameters),
        Length::Steps(_) | Length::Fixed(_) => return None,
    };
    Some(if spec.asked.loads.is_empty() { least } else { least.max(LEAST_UNDER_LOAD) })
}

fn times(spec: &RunSpec, factor: f64) -> Nanos {
    let steps = spec.asked.duration.0 as f64 * factor / STEP_NS as f64;
    Nanos(steps as u64 * STEP_NS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;

    fn plan() -> Vec<RunSpec> {
        let lines = [
            "task_switch --seconds 1",
            "wakeup --period 1ms,10ms --seconds 3",
            "deadlock_break --trials 10",
            "fifo_write --seconds 1 --load cpu",
        ];
        lines.into_iter().flat_map(|line| specs_of(line).unwrap()).collect()
    }

    fn lengths(whole: Nanos) -> Vec<u64> {
        let mut plan = plan();
        scale(&mut plan, whole);
        plan.iter().map(|s| s.asked.duration.0 / STEP_NS).collect()
    }

    #[test]
    fn all_that_can_be_scaled_is_by_one_factor() {
        let fixed = plan()[3].asked.duration.0;
        let whole = 2 * 8 * Nanos::SECOND.0 + fixed;
        assert_eq!(lengths(Nanos(whole)), [2000, 6000, 6000, fixed / STEP_NS, 2000]);
    }

    #[test]
    fn nothing_gets_too_short_and_the_rest_share_what_is_left() {
        let fixed = plan()[3].asked.duration.0;
        let fixed_ms = fixed / STEP_NS;
        let short = lengths(Nanos(fixed + 2_300_000_000));
        // A hundred periods of 10 ms, and half a second under load, are pinned.
        assert_eq!(short, [200, 600, 1000, fixed_ms, 500]);
        assert_eq!(lengths(Nanos(1)), [100, 100, 1000, fixed_ms, 500]);
    }
}
