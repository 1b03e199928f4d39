//! Wake-ups of real-time threads, whose worst case rates a system in one figure.

use base::Nanos;
use record::RunSpec;

use super::worst::{Worst, worst};
use crate::lists::each_once;
use crate::survey::{NO_LOAD, Series, System, loads};

/// The only period whose wake-ups count for the worst case: that of a control loop at 1 kHz.
const PERIOD: Nanos = Nanos(1_000_000);
/// A wake-up later than this misses its whole period, in nanoseconds.
pub const LIMIT_NS: f64 = PERIOD.0 as f64;

/// Whether a series has wake-ups of a real-time thread, at any period.
pub fn is_real_time_wakeup(series: &Series) -> bool {
    series.headline() && wakes_in_real_time(series.spec)
}

/// Whether the wake-ups of a series count for the worst case of its system: those of real-time
/// threads at 1 kHz.
pub fn decides(series: &Series) -> bool {
    series.headline() && is_deciding(series.spec)
}

/// Whether the runs of a specification are those that [`decides`] accepts.
pub fn is_deciding(spec: &RunSpec) -> bool {
    wakes_in_real_time(spec) && has_period(spec)
}

fn wakes_in_real_time(spec: &RunSpec) -> bool {
    spec.measurement == "wakeup" && spec.asked.policy.is_real_time()
}

/// Whether a series has wake-ups at 1 kHz of a thread without a real-time policy.
pub fn is_plain_wakeup(series: &Series) -> bool {
    series.spec.measurement == "wakeup"
        && series.headline()
        && !series.spec.asked.policy.is_real_time()
        && has_period(series.spec)
}

fn has_period(spec: &RunSpec) -> bool {
    spec.parameters.period() == PERIOD
}

/// Returns every load under which a deciding wake-up was measured, in words, no load first.
pub fn loads_of(systems: &[System]) -> Vec<String> {
    let series = systems.iter().flat_map(|system| &system.series);
    let deciding = series.filter(|series| decides(series));
    let mut all = each_once(deciding.map(|series| loads(&series.spec.asked)));
    all.sort_by_key(|load| load != NO_LOAD);
    all
}

/// Returns the worst case under a load, of the series that `is_included` accepts.
pub fn worst_under<'s, 'a>(
    system: &'s System<'a>,
    load: &str,
    is_included: fn(&Series) -> bool,
) -> Option<Worst<'s, 'a>> {
    let series = system.series.iter();
    worst(series.filter(|s| is_included(s) && loads(&s.spec.asked) == load))
}

/// Returns the worst case of a system under any load.
pub fn worst_of_all<'s, 'a>(system: &'s System<'a>) -> Option<Worst<'s, 'a>> {
    worst(system.series.iter().filter(|series| decides(series)))
}

/// Whether a series has the times of a real-time thread that waits for interrupts, of any source.
pub fn is_real_time_interrupt(series: &Series) -> bool {
    series.spec.measurement == "interrupt" && series.spec.asked.policy.is_real_time()
}

/// Returns a load without the word `load`: `cpu`, or `none`.
pub fn load_name(load: &str) -> &str {
    match load {
        NO_LOAD => "none",
        load => load.strip_prefix("load ").unwrap_or(load),
    }
}
