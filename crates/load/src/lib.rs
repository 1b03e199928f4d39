//! Background loads: one file each, all in one table.
//!
//! A load works in processes of its own, which count what they do in memory
//! shared with the run, and which end with the run however it ends.

mod cache;
mod compact;
mod container;
mod cpu;
mod disk;
mod files;
mod fork;
mod guard;
mod hog;
mod kernel;
#[cfg(test)]
mod kernel_counts;
mod kind;
mod log;
mod memory;
mod network;
mod none;
mod pace;
mod paging;
mod process;
mod scratch;
mod serve;
mod sham;
mod shootdown;
mod stress_ng;
mod timers;
mod typed;
mod user;
mod watch;
mod wide;

pub use hog::{Hog, hog};
use kind::enough_memory;
pub use kind::{Argument, Load, Processes, Work};
pub use process::{Running, start};
pub use serve::serve;
pub use typed::{check, has_commas, read};

/// The table of loads, in the order in which they are listed.
pub static LOADS: &[Load] = &[
    none::LOAD,
    cpu::LOAD,
    memory::LOAD,
    disk::LOAD,
    files::LOAD,
    network::LOAD,
    user::LOAD,
    kernel::LOAD,
    paging::LOAD,
    cache::LOAD,
    shootdown::LOAD,
    compact::LOAD,
    timers::LOAD,
    fork::LOAD,
    log::LOAD,
    wide::LOAD,
    container::LOAD,
    sham::LOAD,
    stress_ng::LOAD,
];

/// The load of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Load> {
    LOADS.iter().find(|load| load.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn every_load_that_can_be_prepared_does_work() {
        let granted = process::granted_to_each(1);
        let is_complete = |argument: Argument| argument.default.is_some();
        for load in (LOADS.iter()).filter(|load| load.argument.is_none_or(is_complete)) {
            let argument = load.usual_argument();
            let prepared = (load.check)(argument).and_then(|()| (load.prepare)(argument, granted));
            let mut work = match prepared {
                Ok(work) => work,
                Err(why) => {
                    skip(&format!("{}: {why}", load.name));
                    continue;
                }
            };
            let units: u64 = (0..20).map(|_| work().unwrap()).sum();
            assert_eq!(units > 0, load.processes != Processes::None, "{}", load.name);
        }
    }
}
