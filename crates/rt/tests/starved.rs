//! Tests a CPU that another process's real-time task never releases: this is noticed and the task
//! is named, and processes that wait for the CPU can still be ended.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use base::{CpuSet, Policy};
use rt::ending::end_child;
use rt::occupant::{in_words, occupants};
use rt::process::Pid;
use rt::starvation::{LONGEST, NoTurn, try_turn};
use rt::thread::start_in;
use rt::{sched, topology};
use testing::{REAL_TIME, measure_alone, needs, skip};

/// Below the priorities of measurements that run at the same time as this test.
const HOG: u8 = 6;
const BELOW: Policy = Policy::Fifo(HOG - 1);

/// Starts a program that sleeps on the CPU, at a priority below the hog's.
fn sleeper(cpu: usize) -> std::process::Child {
    let (priority, cpu) = (BELOW.priority().unwrap().to_string(), cpu.to_string());
    let line = ["-f", &priority, "taskset", "-c", &cpu, "sleep", "60"];
    let child = Command::new("chrt").args(line).spawn().unwrap();
    let name = format!("/proc/{}/comm", child.id());
    while fs::read_to_string(&name).unwrap().trim() != "sleep" {
        thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn a_cpu_that_is_never_released_is_named_and_its_waiting_tasks_end() {
    let usable = topology::usable();
    let Some(cpu) = usable.iter().last().filter(|_| usable.len() > 1) else {
        return skip("needs two CPUs");
    };
    let Some(()) = needs(sched::may_be_real_time(), REAL_TIME) else { return };
    measure_alone();
    let cpus = CpuSet::one(cpu);
    sched::set_affinity(&usable.without(&cpus)).unwrap();
    let mut starved = sleeper(cpu);
    let (begun, end) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let hog = start_in(scope, "hog", || {
            sched::set_affinity(&cpus).unwrap();
            sched::set_policy(Policy::Fifo(HOG)).unwrap();
            begun.store(true, Ordering::Release);
            let give_up = Instant::now() + Duration::from_secs(60);
            while !end.load(Ordering::Acquire) && Instant::now() < give_up {
                std::hint::spin_loop();
            }
        })
        .unwrap();
        while !begun.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }

        // From a stranger's point of view, this process has the CPU; from its own, no other process
        // has.
        let stranger = Pid::from_child(&starved);
        let seen = occupants(&cpus, stranger);
        let named = in_words(&seen).unwrap_or_default();
        assert!(named.contains("fifo:") && named.contains(&format!("CPU {cpu}")));
        let own = occupants(&cpus, rt::process::this());
        assert!(own.iter().all(|occupant| occupant.policy != Policy::Fifo(HOG)));

        // No other process has the CPU, so the thread waits three times as long.
        let (tried, longest) = (Instant::now(), Duration::from_millis(100));
        let turn = try_turn(&cpus, BELOW, longest);
        assert!(matches!(turn, Err(NoTurn::Starved { who: None, .. })), "{turn:?}");
        assert!(tried.elapsed() >= 3 * longest);
        assert!(try_turn(&usable.without(&cpus), Policy::OTHER, LONGEST).is_ok());

        end_child(&mut starved).unwrap();
        assert!(!hog.is_finished(), "the hog ended too early");
        start_in(scope, "ender", || {
            thread::sleep(LONGEST + LONGEST / 4);
            end.store(true, Ordering::Release);
        })
        .unwrap();
        let turn = try_turn(&cpus, BELOW, LONGEST);
        assert!(turn.is_ok(), "{turn:?}");
        assert!(end.load(Ordering::Acquire), "it did not wait for the CPU");
    });
}
