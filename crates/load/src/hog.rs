//! A disturbance of known length: a process that takes a CPU in bursts, or stops another process
//! for the length of each burst, and reports the bursts. It is not a load: the disturbance is what
//! a measurement is meant to detect.

use std::io::{self, Read, Write};

use base::{CpuSet, Nanos, Policy};
use rt::process::{Pid, Signal, has_stopped_thread};
use rt::{clock, process, role, sched};

#[derive(Debug, Clone)]
pub struct Hog {
    /// Name that the kernel shows; at most 15 bytes are used.
    pub name: String,
    pub policy: Policy,
    pub cpus: CpuSet,
    pub burst: Nanos,
    /// Time from the start of one burst to the start of the next.
    pub every: Nanos,
    pub bursts: u64,
    /// The process that is stopped in each burst; if `None`, the hog takes a CPU instead.
    pub stops: Option<i32>,
}

/// No burst may starve a machine; the kernel's real-time limit takes effect much later.
const LONGEST_BURST: Nanos = Nanos(1_000_000_000);

/// Runs as the hog, and ends with the process that started it. The bursts begin when `from` ends.
/// After each burst, writes one line: its start, its end (`CLOCK_MONOTONIC`, ns), and how much CPU
/// time the hog had in between. A stopped process is stopped for the whole burst.
///
/// # Errors
/// One line if a necessary permission is refused.
pub fn hog(hog: &Hog, from: &mut impl Read, to: &mut impl Write) -> Result<(), String> {
    if hog.burst > LONGEST_BURST || hog.every < hog.burst {
        return Err(format!(
            "the hog `{}`: a burst takes at most {LONGEST_BURST} and ends before the next one",
            hog.name
        ));
    }
    hog.run(from, to).map_err(|error| format!("the hog `{}`: {error}", hog.name))
}

impl Hog {
    fn run(&self, from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
        role::die_with_starter()?;
        process::name_this_thread(&self.name)?;
        process::bound_real_time_spin(2 * LONGEST_BURST.0 / 1_000)?;
        sched::set_affinity(&self.cpus)?;
        sched::set_policy(self.policy)?;
        let stopped = self.stops.and_then(Pid::from_raw);
        io::copy(from, &mut io::sink())?;
        let first = clock::now();
        let mut last_end = 0;
        for number in 1..=self.bursts {
            clock::sleep_until(self.next(first, number, last_end));
            let [start, end, had] = match stopped {
                Some(process) => stop(process, self.burst.0)?,
                None => spin(self.burst.0),
            };
            writeln!(to, "{start} {end} {had}")?;
            to.flush()?;
            last_end = end;
        }
        Ok(())
    }

    /// When a burst begins. After a late one the next do not catch up: they would merge into one.
    fn next(&self, first: u64, number: u64, last_end: u64) -> u64 {
        let rested = last_end + (self.every.0 - self.burst.0) / 2;
        rested.max(first + number * self.every.0)
    }
}

/// Spins for `length` ns. Returns start, end and the CPU time in between.
fn spin(length: u64) -> [u64; 3] {
    let (start, used) = (clock::now(), clock::thread_cpu_time());
    while clock::now() < start + length {
        std::hint::spin_loop();
    }
    let had = clock::thread_cpu_time() - used;
    [start, clock::now(), had]
}

/// Stops a process for `length` ns, counted from when it is stopped: the kernel may deliver the
/// signal to any of its threads, and that thread may first have to wait for a CPU.
fn stop(stopped: Pid, length: u64) -> io::Result<[u64; 3]> {
    process::send(stopped, Signal::STOP)?;
    let sent = clock::now();
    while !has_stopped_thread(stopped) && clock::now() < sent + LONGEST_BURST.0 {
        clock::sleep_until(clock::now() + LOOK_EVERY_NS);
    }
    let start = clock::now();
    clock::sleep_until(start + length);
    process::send(stopped, Signal::CONT)?;
    let end = clock::now();
    Ok([start, end, end - start])
}

const LOOK_EVERY_NS: u64 = 20_000;

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    fn small() -> Hog {
        Hog {
            name: "hog".to_owned(),
            policy: Policy::OTHER,
            cpus: sched::affinity().unwrap(),
            burst: Nanos(100_000),
            every: Nanos(1_000_000),
            bursts: 3,
            stops: None,
        }
    }

    #[test]
    fn a_hog_that_would_starve_the_machine_is_refused() {
        for (burst, every) in [(2_000_000_000, 4_000_000_000), (500, 400)] {
            let (burst, every) = (Nanos(burst), Nanos(every));
            let endless = Hog { burst, every, ..small() };
            refuses(hog(&endless, &mut io::empty(), &mut Vec::new()), "at most");
        }
    }

    #[test]
    fn a_late_burst_is_still_followed_by_a_rest() {
        let hog = small();
        let planned = |number| 5 + number * hog.every.0;
        assert_eq!(hog.next(5, 1, 0), planned(1));
        assert_eq!(hog.next(5, 2, planned(1) + hog.burst.0), planned(2));
        let late = planned(2) - 1;
        assert_eq!(hog.next(5, 2, late), late + 450_000);
    }

    #[test]
    fn a_stopped_process_stays_stopped_and_continues_afterwards() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_raw(child.id() as i32).unwrap();
        assert!(!has_stopped_thread(pid));
        let [start, end, had] = stop(pid, 1_000_000).unwrap();
        assert!(end - start >= 1_000_000 && had == end - start);
        assert!(!has_stopped_thread(pid));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_burst_lasts_as_long_as_requested_and_has_the_cpu_no_longer() {
        let [start, end, had] = spin(100_000);
        assert!(end - start >= 100_000 && had > 0 && had <= end - start);
    }
}
