//! Kernel services whose times appear in answers.

use crate::survey::{Series, System};

/// Returns the kernel services that were timed, each by the name of its first row.
pub(crate) fn services<'s, 'a>(
    system: &'s System<'a>,
) -> impl Iterator<Item = (String, &'s Series<'a>)> {
    let services = ["task_switch", "preemption", "semaphore_shuffle"];
    services.into_iter().filter_map(|name| {
        let series = system.headlines(name).next()?;
        Some((service(series), series))
    })
}

/// A semaphore that is held costs a switch of threads; the papers' loop never waits.
pub fn service(series: &Series) -> String {
    let name = series.spec.measurement.replace('_', " ");
    match series.spec.measurement.as_str() {
        "semaphore_shuffle" => {
            format!("{name} ({})", series.label.split(',').next().unwrap_or_default())
        }
        _ => name,
    }
}
