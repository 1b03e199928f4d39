//! Background loads: one file each, all in one table.
//!
//! A load works in separate processes. They count their work in memory that they share with the
//! run, and end with the run, however it ends.

mod cache;
mod compact;
mod container;
mod cpu;
mod disk;
mod files;
mod fork;
mod hog;
mod kernel;
#[cfg(test)]
mod kernel_counts;
mod kind;
mod log;
#[cfg(test)]
mod made_up;
mod memory;
mod network;
mod none;
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
pub use typed::{NONE_AMONG_OTHERS, check, has_commas, read};

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
    #[cfg(test)]
    made_up::LOAD,
];

pub fn find(name: &str) -> Option<&'static Load> {
    LOADS.iter().find(|load| load.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    /// Works a little with every load, on one CPU as its process does. Returns why some cannot.
    fn lacking_after_work() -> Vec<String> {
        let first = rt::topology::usable().iter().next().unwrap();
        rt::sched::set_affinity(&base::CpuSet::one(first)).unwrap();
        let granted = process::granted_to_each(1);
        let is_complete = |argument: Argument| argument.default.is_some();
        let mut lacking = Vec::new();
        for load in (LOADS.iter()).filter(|load| load.argument.is_none_or(is_complete)) {
            let argument = load.usual_argument();
            let prepared = (load.check)(argument).and_then(|()| (load.prepare)(argument, granted));
            match prepared {
                Err(why) => lacking.push(format!("{}: {why}", load.name)),
                Ok(mut work) => {
                    let units: u64 = (0..20).map(|_| work().unwrap()).sum();
                    let is_none = load.processes == Processes::None;
                    assert_eq!(units == 0, is_none, "{}", load.name);
                }
            }
        }
        lacking
    }

    #[test]
    fn every_load_that_can_be_prepared_does_work() {
        let lacking = rt::thread::start("loads", lacking_after_work);
        let lacking = lacking.unwrap().join().unwrap();
        lacking.iter().for_each(|why| skip(why));
    }
}
