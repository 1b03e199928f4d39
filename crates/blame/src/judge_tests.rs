//! Made-up windows: each with one disturbance, and the cause that it must come to.

use super::*;
use plan::Track;

use crate::{Event, Interruption, Names, TRACE, steal_track, trace_track};

/// The thread that is late, by the kernel's number and its own.
pub(crate) const ME: i64 = 100;
const HOG: i64 = 7;
const LOAD: i64 = 8;
/// `fifo:80`, `fifo:90` and `other`, as the kernel counts.
const MINE: i64 = 19;
const ABOVE: i64 = 9;
const ORDINARY: i64 = 120;
const TIMER: Interruption = Interruption::Cpu(0);

pub(crate) fn late(due: i64, end: i64) -> Late {
    Late {
        thread: "CPU 1".to_owned(),
        number: ME,
        index: 0,
        due,
        start: due,
        end,
        usual_ns: 0,
        priority: MINE,
        counts: None,
        waits: Vec::new(),
        group: None,
    }
}

fn switch(from: i64, state: i64, to: i64) -> What {
    let priority = match to {
        ME => MINE,
        HOG => ABOVE,
        _ => ORDINARY,
    };
    What::Switch { from, state, to, priority }
}

fn waking() -> What {
    What::Waking { task: ME, priority: MINE, by_interrupt: true }
}

/// A window on CPU 1, and what was late in it.
pub(crate) fn on(due: i64, end: i64, events: &[(i64, What)]) -> (Evidence, Late) {
    let event = |(at, what): &(i64, What)| Event { at: *at, cpu: 1, what: *what };
    let window = Window {
        thread: ME,
        task: ME,
        cpu: 1,
        due,
        end,
        events: events.iter().map(event).collect(),
    };
    let tasks = [(HOG, "hog"), (LOAD, "load")].map(|(task, name)| (task, name.to_owned()));
    let names = Names {
        tasks: tasks.into(),
        policies: [(HOG, "fifo:90".to_owned())].into(),
        calls: [(9, "mmap"), (202, "futex")].map(|(number, name)| (number, name.to_owned())).into(),
        ..Names::default()
    };
    let mut tracks = trace_track(&[window], &names).to_vec();
    tracks[0] = tracks[0].clone().with("idle_exit_ns", 30);
    (Evidence::of(&tracks), late(due, end))
}

/// Asleep; due at 1000; a hog on the CPU from 500 to 4990.
pub(crate) fn hogged() -> Vec<(i64, What)> {
    vec![
        (100, switch(ME, 1, 0)),
        (500, switch(0, 0, HOG)),
        (1000, What::Enter(TIMER)),
        (1010, waking()),
        (1020, What::Leave(TIMER)),
        (4990, switch(HOG, 1, ME)),
    ]
}

fn shares(due: i64, end: i64, events: &[(i64, What)]) -> Vec<(&'static str, i64)> {
    let (evidence, late) = on(due, end, events);
    of(&late, &evidence)
}

fn of(late: &Late, evidence: &Evidence) -> Vec<(&'static str, i64)> {
    let shares = judge(late, evidence).shares;
    shares.iter().map(|(c, time)| (c.kind(), *time)).collect()
}

#[test]
fn a_more_important_task_is_named_with_its_time() {
    let (evidence, late) = on(1000, 5000, &hogged());
    let finding = judge(&late, &evidence);
    let (cause, time) = &finding.shares[0];
    assert_eq!(cause.words(), "task `hog` (fifo:90, number 7)");
    assert_eq!(*time, 4990 - 1020);
    // Own: the path from the switch to the stamp.
    assert_eq!(
        finding.shares[1..],
        [(Cause::Interrupt { name: "local_timer".to_owned() }, 20), (Cause::OwnWork, 10),]
    );
    assert!(finding.segments.windows(2).all(|two| two[0].to == two[1].from));
}

#[test]
fn interrupts_and_softirqs_are_named() {
    let device = Interruption::Device(24);
    let soft = Interruption::Soft(3);
    let events = [
        (100, switch(ME, 1, 0)),
        (1000, What::Enter(TIMER)),
        (1010, waking()),
        (1020, What::Leave(TIMER)),
        (1020, What::Enter(device)),
        (3020, What::Leave(device)),
        (3020, What::Enter(soft)),
        (4020, What::Leave(soft)),
        (4030, switch(0, 0, ME)),
    ];
    let (evidence, late) = on(1000, 4040, &events);
    let words: Vec<String> = judge(&late, &evidence)
        .shares
        .iter()
        .take(2)
        .map(|(cause, time)| format!("{} {time}", cause.words()))
        .collect();
    assert_eq!(words, ["interrupt `24` 2000", "softirq NET_RX 1000"]);
}

#[test]
fn a_timer_interrupt_that_comes_late_is_a_platform_gap() {
    // A task on the CPU may have been in the kernel, and kept the interrupt out.
    for (current, cause) in [(0, "platform_gap"), (LOAD, "kernel_or_platform")] {
        let events = [
            (90, What::Timer { task: ME, expires: 1000 }),
            (100, switch(ME, 1, current)),
            (4000, What::Enter(TIMER)),
            (4010, waking()),
            (4020, What::Leave(TIMER)),
            (4025, switch(current, 0, ME)),
        ];
        let shares = shares(1000, 4030, &events);
        assert_eq!(shares[0], (cause, 3000), "{shares:?}");
    }
}

#[test]
fn a_timer_interrupt_that_the_kernel_put_off_after_a_storm_is_no_fault_of_who_ran_meanwhile() {
    let device = Interruption::Device(24);
    // One that took 4000 wakes the thread; the next one comes at `next`.
    let judged = |current, next| {
        let events = [
            (-5000, What::Enter(TIMER)),
            (-1000, What::Leave(TIMER)),
            (100, switch(ME, 1, current)),
            (1500, What::Enter(device)),
            (1600, What::Leave(device)),
            (2000, switch(current, 0, LOAD)),
            (next, What::Enter(TIMER)),
            (next, waking()),
            (next + 10, What::Leave(TIMER)),
            (next + 20, switch(LOAD, 0, ME)),
        ];
        let (evidence, late) = on(1000, next + 20, &events);
        judge(&late, &evidence).shares
    };
    let timer = Cause::Interrupt { name: "local_timer".to_owned() };
    // As long again: nobody kept it out, be the CPU idle or not.
    for current in [0, LOAD] {
        for next in [2900, 3000, 3100] {
            let told = judged(current, next);
            assert_eq!(told[0], (timer.clone(), next - 1000 - 100 + 10), "{told:?}");
        }
    }
    // Sooner and later tell nothing of the kind.
    for next in [2600, 4000] {
        let told = judged(LOAD, next);
        assert_eq!(told[0].0.kind(), "kernel_or_platform", "{told:?}");
    }
    assert_eq!(judged(0, 9000)[0].0.kind(), "kernel_or_platform");
}

#[test]
fn a_thread_that_goes_to_sleep_after_its_due_time_waits_for_its_time_all_the_same() {
    let timer = |expires| What::Timer { task: ME, expires };
    let judged = |expires| {
        let events = [
            (900, switch(LOAD, 0, ME)),
            (1010, timer(expires)),
            (1020, switch(ME, 1, LOAD)),
            (4000, What::Enter(TIMER)),
            (4000, waking()),
            (4010, What::Leave(TIMER)),
            (4010, switch(LOAD, 0, ME)),
        ];
        shares(1000, 4010, &events)[0]
    };
    assert_eq!(judged(1000), ("kernel_or_platform", 2980));
    // A later moment is one of its work.
    assert_eq!(judged(2000), ("blocking", 2980));
}

#[test]
fn a_storm_of_timers_within_whose_interrupt_the_thread_is_due_is_the_cause() {
    let events = [
        (100, switch(ME, 1, LOAD)),
        (700, What::Enter(TIMER)),
        (3000, waking()),
        (3100, What::Leave(TIMER)),
        (4000, switch(LOAD, 0, ME)),
    ];
    let told = shares(1000, 4000, &events);
    assert_eq!(told, [("interrupt", 2100), ("task", 900)]);
}

/// Asleep from before its due time, 1000; the timer's interrupt comes and goes, and something
/// that is not traced wakes it at last.
fn held_asleep(state: i64) -> Vec<(i64, What)> {
    vec![
        (100, switch(ME, state, LOAD)),
        (1000, What::Enter(TIMER)),
        (1020, What::Leave(TIMER)),
        (3000, switch(LOAD, 1, 0)),
        (5000, switch(0, 0, ME)),
    ]
}

#[test]
fn a_frozen_process_is_told_from_a_platform_that_stood_still() {
    let judged = |events: &[(i64, What)], group: &[[i64; 4]]| {
        let (mut evidence, late) = on(1000, 5010, events);
        evidence.group(group);
        of(&late, &evidence)[0]
    };
    let (counted, silent) = ([900, 5100, 3900, 0], [950, 5005, 0, 0]);
    // The freezer counts, or the whole process stood still while its CPU served its timer.
    for group in [counted, silent] {
        assert_eq!(judged(&held_asleep(1), &[group]), ("frozen", 3980));
    }
    // Neither tells: it is not known, and no platform's.
    let short = [950, 3000, 0, 0];
    assert_eq!(judged(&held_asleep(1), &[short]), ("unknown", 3980));
    // Caught within its work, where it would else seem to wait.
    let within = [(900, switch(0, 0, ME)), (1100, switch(ME, 1, 0)), (5000, switch(0, 0, ME))];
    assert_eq!(judged(&within, &[]), ("blocking", 3900));
    assert_eq!(judged(&within, &[counted]), ("frozen", 3900));
    assert_eq!(judged(&within, &[silent]), ("blocking", 3900));
    // Everything stood still, as the host does it: its timer is the next thing to come.
    let stalled = [
        (100, switch(ME, 1, 0)),
        (4900, What::Enter(TIMER)),
        (4910, waking()),
        (4920, What::Leave(TIMER)),
        (5000, switch(0, 0, ME)),
    ];
    assert_eq!(judged(&stalled, &[silent]), ("platform_gap", 3950));
}

#[test]
fn an_interrupt_before_its_time_and_one_of_a_device_prove_nothing_of_its_timer() {
    let own = What::Timer { task: ME, expires: 3000 };
    let device = Interruption::Device(24);
    let events = [
        (90, own),
        (100, switch(ME, 1, 0)),
        (1500, What::Enter(TIMER)),
        (1500, What::Leave(TIMER)),
        (3500, What::Enter(device)),
        (3500, What::Leave(device)),
        (5000, What::Enter(TIMER)),
        (5000, waking()),
        (5000, What::Leave(TIMER)),
        (5000, switch(0, 0, ME)),
    ];
    let told = shares(1000, 5000, &events);
    assert_eq!(told, [("late_timer", 2000), ("platform_gap", 2000)]);
}

#[test]
fn a_quota_on_cpu_time_is_told_from_the_task_that_ran_meanwhile() {
    // Pushed off under a policy that shares by weight.
    let events = [
        (900, switch(LOAD, 0, ME)),
        (1500, switch(ME, 0, LOAD)),
        (3000, switch(LOAD, 1, 0)),
        (4500, switch(0, 0, ME)),
    ];
    let judged = |priority, group: &[[i64; 4]]| {
        let (mut evidence, mut late) = on(1000, 5000, &events);
        evidence.group(group);
        late.priority = priority;
        of(&late, &evidence)
    };
    let quota = [0, 5000, 0, 3000];
    assert_eq!(judged(ORDINARY, &[quota])[0], ("quota", 3000));
    let in_turn = [("task", 1500), ("throttling", 1500), ("own_work", 1000)];
    assert_eq!(judged(ORDINARY, &[]), in_turn);
    // A real-time thread has no part in that quota.
    assert_eq!(judged(MINE, &[quota])[0], ("throttling", 3000));
}

#[test]
fn a_timer_that_was_set_late_is_no_gap() {
    let events = [
        (90, What::Timer { task: ME, expires: 3000 }),
        (100, switch(ME, 1, 0)),
        (3400, What::Enter(TIMER)),
        (3410, waking()),
        (3420, What::Leave(TIMER)),
        (3420, switch(0, 0, ME)),
    ];
    let shares = shares(1000, 3420, &events);
    assert_eq!(shares[..2], [("late_timer", 2000), ("platform_gap", 400)]);
    // A timer that the scheduler sets besides does not put the wake-up off.
    let mut in_time = events.to_vec();
    let besides = |expires| What::Timer { task: ME, expires };
    in_time.insert(0, (80, besides(1000)));
    in_time.insert(2, (95, besides(9000)));
    let shares = self::shares(1000, 3420, &in_time);
    assert_eq!(shares[0], ("platform_gap", 2400));
}

#[test]
fn a_task_that_keeps_interrupts_out_is_named() {
    let events = [
        (100, switch(ME, 1, LOAD)),
        (3000, switch(LOAD, 1, HOG)),
        (3001, What::Enter(TIMER)),
        (3002, waking()),
        (3003, What::Leave(TIMER)),
        (3004, switch(HOG, 0, ME)),
    ];
    assert_eq!(shares(1000, 3005, &events)[0], ("task", 2000));
}

#[test]
fn leaving_an_idle_state_takes_what_is_declared_and_no_more() {
    let events = [
        (100, switch(ME, 1, 0)),
        (1000, What::Enter(TIMER)),
        (1000, waking()),
        (1000, What::Leave(TIMER)),
        (2000, switch(0, 0, ME)),
    ];
    let both = [("platform_gap", 970), ("idle_exit", 30)];
    assert_eq!(shares(1000, 2000, &events), both);
    let exit = [("idle_exit", 20)];
    let quick = [&events[..4], &[(1020, switch(0, 0, ME))]].concat();
    assert_eq!(shares(1000, 1020, &quick), exit);
}

#[test]
fn the_kernel_that_holds_a_thread_back_is_told_from_a_task() {
    // Pushed off by an ordinary task: only the kernel's limits do that.
    let pushed =
        [(900, switch(LOAD, 0, ME)), (1500, switch(ME, 0, LOAD)), (4500, switch(LOAD, 0, ME))];
    let told = shares(1000, 5000, &pushed);
    assert_eq!(told, [("throttling", 3000), ("own_work", 1000)]);
    // Woken, while an ordinary task goes on over several interrupts.
    let tick = |at| [(at, What::Enter(TIMER)), (at + 10, What::Leave(TIMER))];
    let mut woken = vec![(100, switch(ME, 1, LOAD)), (1000, What::Enter(TIMER))];
    woken.extend([(1000, waking()), (1010, What::Leave(TIMER))]);
    woken.extend([tick(2000), tick(3000)].concat());
    woken.push((4000, switch(LOAD, 0, ME)));
    let told = shares(1000, 4000, &woken);
    assert_eq!(told[..2], [("throttling", 1980), ("task", 990)]);
    // A kernel that was still to switch when an interrupt came did not hold it back.
    let mut in_kernel = woken.clone();
    in_kernel.insert(5, (2000, What::ToldToSwitch));
    assert_eq!(shares(1000, 4000, &in_kernel)[0], ("task", 2970));
    // Without an interrupt in between, the task did not let go.
    let mut stuck = woken.clone();
    stuck.drain(4..8);
    assert_eq!(shares(1000, 4000, &stuck)[0], ("task", 2990));
}

#[test]
fn a_priority_that_was_not_applied_is_the_cause_where_lesser_tasks_ran() {
    let mine_is_ordinary = |what| match what {
        What::Switch { from, state, to, .. } => {
            What::Switch { from, state, to, priority: ORDINARY }
        }
        What::Waking { task, by_interrupt, .. } => {
            What::Waking { task, priority: ORDINARY, by_interrupt }
        }
        other => other,
    };
    let mut events = hogged();
    for (_, what) in &mut events {
        *what = mine_is_ordinary(*what);
    }
    assert_eq!(shares(1000, 5000, &events)[0].0, "priority_not_applied");
    // A default policy that was asked for shares the CPU with others.
    let (evidence, mut late) = on(1000, 5000, &events);
    late.priority = ORDINARY;
    assert_eq!(of(&late, &evidence)[0].0, "task");
}

#[test]
fn a_stop_is_a_stop_before_the_due_time_and_within_work() {
    let before = [(100, switch(ME, 4, 0)), (3000, waking()), (3010, switch(0, 0, ME))];
    assert_eq!(shares(1000, 3020, &before)[0], ("stopped", 2000));
    let within = [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, 4, 0)),
        (3500, waking()),
        (3500, switch(0, 0, ME)),
    ];
    assert_eq!(shares(1000, 3600, &within)[0], ("stopped", 2000));
}

#[test]
fn own_waiting_is_told_with_what_for() {
    let asleep = [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, 1, 0)),
        (3500, waking()),
        (3500, switch(0, 0, ME)),
    ];
    let (evidence, mut late) = on(1000, 4000, &asleep);
    late.usual_ns = 900;
    let unnamed = judge(&late, &evidence);
    assert_eq!(unnamed.main().unwrap().kind(), "blocking");
    late.waits = vec![Wait { from: 1400, to: 3600, on: "lock" }];
    let named = judge(&late, &evidence).shares;
    let lock = Cause::Blocking { on: "lock".to_owned() };
    // Usual work is nobody's fault: only what goes beyond it is.
    assert_eq!(named, [(lock, 2100)]);
}

#[test]
fn what_made_own_work_longer_is_told_by_what_else_happened() {
    let running = [(900, switch(0, 0, ME))];
    let kind = |counts: Counts, more: &[(i64, What)]| {
        let (evidence, mut late) = on(1000, 4000, &[&running, more].concat());
        late.usual_ns = 1000;
        late.counts = Some(counts);
        of(&late, &evidence)
    };
    let used = |cpu_time_ns| Counts { cpu_time_ns, ..Counts::default() };
    let faults = Counts { faults: 3, ..used(3000) };
    assert_eq!(kind(faults, &[]), [("page_fault", 2000)]);
    // One page fault is no reason for a stall of the host.
    let stalled = Counts { cpu_time_ns: 1100, ..faults };
    assert_eq!(kind(stalled, &[]), [("platform_gap", 1900), ("page_fault", 100)]);
    let moved = Counts { moved: true, ..used(3000) };
    assert_eq!(kind(moved, &[]), [("migration", 2000)]);
    let slower = [(1500, What::Frequency { khz: 800_000 })];
    assert_eq!(kind(used(3000), &slower), [("frequency", 2000)]);
    assert_eq!(kind(used(3000), &[]), [("own_work", 2000)]);
    // The clock went on, its CPU time did not.
    assert_eq!(kind(used(1500), &[]), [("platform_gap", 1500), ("own_work", 500)]);
}

#[test]
fn a_gap_that_the_hypervisor_admits_is_steal() {
    let (mut evidence, mut late) = on(1000, 4000, &[(900, switch(0, 0, ME))]);
    late.counts = Some(Counts::default());
    let readings = [[500, 1, 5], [9000, 1, 7]];
    let steal = Evidence::of(&[steal_track(&readings)]);
    assert!(steal.stolen(1, 1000, 4000));
    evidence.steal_of(&steal);
    assert_eq!(of(&late, &evidence), [("steal", 3000)]);
}

#[test]
fn a_page_that_is_waited_for_is_a_page_fault() {
    let events = [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, 2, 0)),
        (3500, waking()),
        (3500, switch(0, 0, ME)),
    ];
    let (evidence, mut late) = on(1000, 3600, &events);
    late.counts = Some(Counts { faults: 1, cpu_time_ns: 600, ..Counts::default() });
    assert_eq!(of(&late, &evidence), [("page_fault", 2600)]);
    late.counts = None;
    assert_eq!(of(&late, &evidence)[0], ("blocking", 2000));
}

#[test]
fn a_move_to_another_cpu_is_a_migration() {
    let events = [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, 0, 0)),
        (1510, What::Migrate { task: ME, to: 0 }),
    ];
    let (mut evidence, late) = on(1000, 4000, &events);
    evidence.add(ME, 1000, 4000, Event { at: 1505, cpu: 0, what: switch(9, 1, 0) });
    evidence.add(ME, 1000, 4000, Event { at: 3500, cpu: 0, what: switch(0, 0, ME) });
    let told = of(&late, &evidence);
    assert_eq!(told[0], ("migration", 1990 + 1000));
    // A deadline thread that is moved meanwhile waits for its budget all the same.
    let of_deadline = Late { priority: -1, ..late };
    assert_eq!(of(&of_deadline, &evidence)[0], ("throttling", 2000));
}

#[test]
fn the_kernels_own_mover_is_part_of_the_migration_that_it_makes() {
    const MOVER: i64 = 21;
    let pushed =
        [(900, switch(0, 0, ME)), (1500, switch(ME, 0, MOVER)), (3900, switch(MOVER, 1, ME))];
    let moved = [(1600, What::Migrate { task: ME, to: 1 })];
    let kind = |events: &[(i64, What)]| {
        let (mut evidence, late) = on(1000, 4000, events);
        let name = "migration/1".to_owned();
        evidence.names.tasks.insert(MOVER, name);
        // It is above every other task.
        evidence.add(
            ME,
            1000,
            4000,
            Event {
                at: 950,
                cpu: 1,
                what: What::Waking { task: MOVER, priority: 0, by_interrupt: false },
            },
        );
        of(&late, &evidence)[0].0
    };
    assert_eq!(kind(&pushed), "throttling");
    assert_eq!(kind(&[&pushed[..], &moved].concat()), "migration");
    let lesser_there = [
        (900, switch(LOAD, 0, ME)),
        (1500, switch(ME, 2, LOAD)),
        (1510, What::Migrate { task: ME, to: 0 }),
        (1520, What::Migrate { task: ME, to: 1 }),
        (1530, waking()),
        (3900, switch(LOAD, 0, ME)),
    ];
    assert_eq!(kind(&lesser_there), "migration");
}

/// The thread calls the kernel, which it asked for something at its due time too.
fn call(number: i64) -> What {
    What::Call { task: ME, number }
}

#[test]
fn the_system_call_that_its_work_is_in_is_named() {
    let events = [
        (900, switch(LOAD, 0, ME)),
        (950, call(230)),
        (1010, What::Return { task: ME }),
        (1100, call(9)),
        (3100, What::Return { task: ME }),
        (3200, call(7)),
        (3300, What::Return { task: ME }),
    ];
    let (evidence, late) = on(1000, 4000, &events);
    let late = Late { start: 1020, usual_ns: 100, ..late };
    let shares = judge(&late, &evidence).shares;
    let told: Vec<(String, i64)> = shares.iter().map(|(c, time)| (c.words(), *time)).collect();
    let expected = [
        ("its own system call `mmap`", 2000),
        ("its own work that took longer than usual", 800),
        ("its own system call `7`", 100),
    ];
    assert_eq!(told, expected.map(|(words, time)| (words.to_owned(), time)));
}

#[test]
fn who_gives_back_what_was_waited_for_is_named() {
    let woken = What::Waking { task: ME, priority: MINE, by_interrupt: false };
    let events = [
        (900, switch(LOAD, 0, ME)),
        (1100, call(202)),
        (1110, switch(ME, 1, LOAD)),
        (3000, woken),
        (3010, switch(LOAD, 0, ME)),
        (3020, What::Return { task: ME }),
    ];
    let (evidence, late) = on(1000, 4000, &events);
    let finding = judge(&late, &evidence);
    let (cause, time) = finding.shares.iter().find(|(c, _)| c.kind() == "blocking").unwrap();
    let words = "its own waiting (system call `futex` until task `load` (other, number 8) woke it)";
    assert_eq!((cause.words().as_str(), *time), (words, 3000 - 1110));
    let by_timer = events.map(|(at, what)| (at, if what == woken { waking() } else { what }));
    let (evidence, late) = on(1000, 4000, &by_timer);
    let shares = judge(&late, &evidence).shares;
    let waited = shares.iter().any(|(c, _)| c.words() == "its own waiting (system call `futex`)");
    assert!(waited, "{shares:?}");
}

#[test]
fn lost_events_are_not_known() {
    let mut events = hogged();
    events.insert(5, (4000, What::Lost { count: 9 }));
    let told = shares(1000, 5000, &events);
    assert_eq!(told[0], ("unknown", 4000 - 1020));
    assert_eq!(told[1], ("task", 4990 - 4000));
}

#[test]
fn what_was_going_on_before_events_were_lost_does_not_go_on_after_them() {
    let events = [
        (100, switch(ME, 1, 0)),
        (1000, What::Enter(TIMER)),
        (1500, What::Lost { count: 3 }),
        (4000, switch(HOG, 1, ME)),
    ];
    let told = shares(1000, 4100, &events);
    let expected = [("task", 2500), ("unknown", 500), ("own_work", 100)];
    assert_eq!(told, expected);
}

#[test]
fn without_a_trace_counters_tell_the_kind_and_why_not_more() {
    let untraced = Track::new(TRACE).with("unavailable", "no right to read tracefs");
    let evidence = Evidence::of(&[untraced]);
    let kind = |counts: Counts| {
        let counts = Some(counts);
        let late = Late { counts, ..late(1000, 4000) };
        let finding = judge(&late, &evidence);
        assert!(finding.segments.is_empty());
        assert_eq!(finding.shares[0].1, 3000);
        finding.shares[0].0.clone()
    };
    let none = Counts::default();
    let fault = Counts { faults: 1, ..none };
    let read_back = Counts { waits: 2, ..fault };
    assert_eq!(kind(read_back), Cause::PageFault);
    assert_eq!(kind(fault).kind(), "unknown");
    assert_eq!(kind(Counts { moved: true, ..none }), Cause::Migration);
    assert_eq!(kind(Counts { forced: 1, ..none }), Cause::UnknownTask);
    assert_eq!(kind(Counts { waits: 2, ..none }).kind(), "blocking");
    let worked = Counts { cpu_time_ns: 2900, ..none };
    assert_eq!(kind(worked), Cause::OwnWork);
    let mut grouped = evidence.clone();
    grouped.group(&[[0, 5000, 2900, 2900]]);
    let kind_of = |priority| {
        let late = Late { priority, ..late(1000, 4000) };
        of(&late, &grouped)[0].0
    };
    assert_eq!(kind_of(ORDINARY), "frozen");
    grouped.group(&[[0, 5000, 0, 2900]]);
    assert_eq!(of(&late(1000, 4000), &grouped)[0].0, "unknown");
    let words = kind(Counts { waits: 1, ..none }).words();
    assert!(words.contains("no right to read tracefs"), "{words}");
}
