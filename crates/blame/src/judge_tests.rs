//! Synthetic windows: each has one disturbance, and the cause that must be found.

use super::*;
use std::collections::BTreeSet;

use record::Track;

use crate::{CauseKind, Event, Interruption, Names, Steal, TRACE, cpu_times_track, trace_track};

/// The late thread, by the kernel's number and by its own.
pub(crate) const ME: i64 = 100;
const HOG: i64 = 7;
const LOAD: i64 = 8;
/// Of the kernel's task that moves others.
const MOVER: i64 = 21;
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
        limit_ns: 1_000,
        usual_ns: 0,
        priority: MINE,
        counts: None,
        missed: 0,
        waits: Vec::new(),
        group: None,
        steal: Steal::Impossible,
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

/// Adds an event to the only window.
fn add(evidence: &mut Evidence, at: i64, cpu: i64, what: What) {
    let window = evidence.windows.values_mut().next().unwrap();
    window.events.push(Event { at, cpu, what });
    window.events.sort_by_key(|event| event.at);
}

fn waking() -> What {
    What::Waking { task: ME, priority: MINE, by_interrupt: true }
}

/// The thread runs, leaves the CPU from 1500 to 3500 in this state, and runs again.
fn away(state: i64) -> [(i64, What); 4] {
    [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, state, 0)),
        (3500, waking()),
        (3500, switch(0, 0, ME)),
    ]
}

/// Returns a window on CPU 1, and the late sample in it.
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

/// The thread sleeps and is due at 1000; a hog has the CPU from 500 to 4990.
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
    judge(late, evidence).shares.iter().map(|(cause, time)| (cause.kind().name(), *time)).collect()
}

#[test]
fn a_more_important_task_is_named_with_its_time() {
    let (evidence, late) = on(1000, 5000, &hogged());
    let finding = judge(&late, &evidence);
    let (cause, time) = &finding.shares[0];
    assert_eq!(cause.words(), "task `hog` (fifo:90, number 7)");
    assert_eq!(*time, 4990 - 1020);
    // The thread's own time is the path from the switch to the time stamp.
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
    let shares = judge(&late, &evidence).shares;
    let words = shares[..2].iter().map(|(cause, time)| format!("{} {time}", cause.words()));
    assert!(words.eq(["interrupt `24` 2000", "softirq NET_RX 1000"]), "{shares:?}");
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
fn without_the_latencies_of_idle_states_a_gap_of_an_idle_cpu_is_not_said_to_be_the_platforms() {
    let late_timer = [
        (90, What::Timer { task: ME, expires: 1000 }),
        (100, switch(ME, 1, 0)),
        (4000, What::Enter(TIMER)),
        (4010, waking()),
        (4020, What::Leave(TIMER)),
        (9000, switch(0, 0, ME)),
    ];
    let (mut evidence, late) = on(1000, 9030, &late_timer);
    let kinds = |evidence: &Evidence| -> BTreeSet<&str> {
        of(&late, evidence).into_iter().map(|(kind, _)| kind).collect()
    };
    assert!(kinds(&evidence).contains("platform_gap"));
    evidence.idle_exit_hidden = Some("the idle states of CPU 1 cannot be seen".to_owned());
    evidence.idle_exit_ns = 0;
    let found = kinds(&evidence);
    assert!(found.contains("unknown") && !found.contains("platform_gap"), "{found:?}");
}

#[test]
fn a_timer_interrupt_that_the_kernel_postponed_is_not_blamed_on_the_running_task() {
    let device = Interruption::Device(24);
    // An interrupt that took 4000 wakes the thread; the next one comes at `next`.
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
    // The same time has passed again: nothing else kept the interrupt out, whether the CPU was idle
    // or not.
    for current in [0, LOAD] {
        for next in [2900, 3000, 3100] {
            let found = judged(current, next);
            assert_eq!(found[0], (timer.clone(), next - 1000 - 100 + 10), "{found:?}");
        }
    }
    // If it comes sooner or later, the kernel did not postpone it.
    for next in [2600, 4000] {
        let found = judged(LOAD, next);
        assert_eq!(found[0].0.kind(), CauseKind::KernelOrPlatform, "{found:?}");
    }
    assert_eq!(judged(0, 9000)[0].0.kind(), CauseKind::KernelOrPlatform);
}

#[test]
fn a_thread_that_goes_to_sleep_after_its_due_time_still_waits_for_its_time() {
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
    // A later expiry belongs to its work.
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
    let found = shares(1000, 4000, &events);
    assert_eq!(found, [("interrupt", 2100), ("task", 900)]);
}

/// The thread sleeps from before its due time, 1000; the timer's interrupt comes and goes, and
/// finally something untraced wakes it.
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
fn a_frozen_process_is_distinguished_from_a_stalled_platform() {
    let judged = |events: &[(i64, What)], group: &[[i64; 4]]| {
        let (mut evidence, late) = on(1000, 5010, events);
        evidence.held = group.iter().map(|[a, b, c, d]| [*a, *b, *c, *d, 1]).collect();
        of(&late, &evidence)[0]
    };
    let (counted, silent) = ([900, 5100, 3900, 0], [950, 5005, 0, 0]);
    // The freezer counts, or the whole process was stopped while its CPU served its timer.
    for group in [counted, silent] {
        assert_eq!(judged(&held_asleep(1), &[group]), ("frozen", 3980));
    }
    // Neither shows: the cause is unknown, but not the platform.
    let short = [950, 3000, 0, 0];
    assert_eq!(judged(&held_asleep(1), &[short]), ("unknown", 3980));
    // Stopped within its work, where it would otherwise seem to wait.
    let within = [(900, switch(0, 0, ME)), (1100, switch(ME, 1, 0)), (5000, switch(0, 0, ME))];
    assert_eq!(judged(&within, &[]), ("blocking", 3900));
    assert_eq!(judged(&within, &[counted]), ("frozen", 3900));
    assert_eq!(judged(&within, &[silent]), ("blocking", 3900));
    // Everything stalled, as when the host stalls: its timer is the next event.
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
fn an_early_interrupt_and_one_of_a_device_prove_nothing_about_its_timer() {
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
    let found = shares(1000, 5000, &events);
    assert_eq!(found, [("late_timer", 2000), ("platform_gap", 2000)]);
}

#[test]
fn a_cpu_quota_is_distinguished_from_the_task_that_ran_meanwhile() {
    // Preempted under a policy that shares by weight.
    let events = [
        (900, switch(LOAD, 0, ME)),
        (1500, switch(ME, 0, LOAD)),
        (3000, switch(LOAD, 1, 0)),
        (4500, switch(0, 0, ME)),
    ];
    let judged = |priority, group: &[[i64; 4]]| {
        let (mut evidence, mut late) = on(1000, 5000, &events);
        evidence.held = group.iter().map(|[a, b, c, d]| [*a, *b, *c, *d, 1]).collect();
        late.priority = priority;
        of(&late, &evidence)
    };
    let quota = [0, 5000, 0, 3000];
    assert_eq!(judged(ORDINARY, &[quota])[0], ("quota", 3000));
    let in_turn = [("task", 1500), ("throttling", 1500), ("own_work", 1000)];
    assert_eq!(judged(ORDINARY, &[]), in_turn);
    // Such a quota does not apply to a real-time thread.
    assert_eq!(judged(MINE, &[quota])[0], ("throttling", 3000));
}

#[test]
fn a_timer_that_was_set_late_is_not_a_gap() {
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
    // A timer that the scheduler sets in addition does not postpone the wake-up.
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
fn leaving_an_idle_state_takes_at_most_the_declared_time() {
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
fn a_kernel_that_holds_a_thread_back_is_distinguished_from_a_task() {
    // Preempted by an ordinary task: only the kernel's limits do that.
    let pushed =
        [(900, switch(LOAD, 0, ME)), (1500, switch(ME, 0, LOAD)), (4500, switch(LOAD, 0, ME))];
    let found = shares(1000, 5000, &pushed);
    assert_eq!(found, [("throttling", 3000), ("own_work", 1000)]);
    // Woken, while an ordinary task continues over several interrupts.
    let tick = |at| [(at, What::Enter(TIMER)), (at + 10, What::Leave(TIMER))];
    let mut woken = vec![(100, switch(ME, 1, LOAD)), (1000, What::Enter(TIMER))];
    woken.extend([(1000, waking()), (1010, What::Leave(TIMER))]);
    woken.extend([tick(2000), tick(3000)].concat());
    woken.push((4000, switch(LOAD, 0, ME)));
    let first = |priority, events: &[(i64, What)]| {
        let (evidence, late) = on(1000, 4000, events);
        judge(&Late { priority, ..late }, &evidence).shares[0].clone()
    };
    // Nothing shows that the kernel did it: the task is named.
    let (cause, time) = first(MINE, &woken);
    let words = "task `load` (other before and after, unknown between, number 8)";
    assert_eq!((cause.words().as_str(), time), (words, 1980));
    // No task is above a deadline thread.
    let mut of_deadline = woken.clone();
    of_deadline[2].1 = What::Waking { task: ME, priority: -1, by_interrupt: true };
    assert_eq!(first(-1, &of_deadline), (Cause::Throttling, 2970));
    // The kernel switched to a lesser task: it holds the thread back.
    let mut chosen = woken.clone();
    chosen.insert(4, (1500, switch(LOAD, 0, 9)));
    assert_eq!(shares(1000, 4000, &chosen)[0], ("throttling", 2970));
    // If a switch was pending when an interrupt came, the kernel did not hold the thread back.
    let mut in_kernel = woken.clone();
    in_kernel.insert(5, (2000, What::ToldToSwitch));
    assert_eq!(shares(1000, 4000, &in_kernel)[0], ("task", 2970));
    // Without an interrupt in between, the task did not yield.
    let mut stuck = woken;
    stuck.drain(4..8);
    assert_eq!(shares(1000, 4000, &stuck)[0], ("task", 2990));
}

/// Another CPU raises an ordinary task, and lowers it again; the switch is requested as it is lowered.
#[test]
fn a_task_that_another_raised_for_a_time_is_not_named_with_its_usual_policy() {
    let tick = |at| [(at, What::Enter(TIMER)), (at + 10, What::Leave(TIMER))];
    let mut events = vec![(100, switch(ME, 1, LOAD)), (1000, What::Enter(TIMER))];
    events.extend([(1000, waking()), (1010, What::Leave(TIMER))]);
    let request = Interruption::Cpu(1);
    events.extend([tick(1100), tick(3000)].concat());
    events.extend([(3900, What::Enter(request)), (3900, What::ToldToSwitch)]);
    events.extend([(3910, What::Leave(request)), (3920, switch(LOAD, 0, ME))]);
    let (evidence, late) = on(1000, 4000, &events);
    let finding = judge(&late, &evidence);
    let words: Vec<_> = finding.shares.iter().map(|(cause, _)| cause.words()).collect();
    assert_eq!(words[0], "task `load` (other before and after, unknown between, number 8)");
    assert_eq!(finding.shares[0].1, 1890 + 890);
    let at_last = "task `load` (other, number 8)".to_owned();
    assert!(words.contains(&at_last), "{words:?}");
}

/// A real-time task below the thread occupies the CPU. The fair server gives it to an ordinary task,
/// and meanwhile the thread wakes.
#[test]
fn an_ordinary_task_in_place_of_a_real_time_task_that_could_run_has_the_fair_server() {
    const BELOW: i64 = 9;
    let below = What::Switch { from: ME, state: 1, to: BELOW, priority: MINE + 10 };
    let tick = |at| [(at, What::Enter(TIMER)), (at + 10, What::Leave(TIMER))];
    let judged = |state| {
        let mut events = vec![(100, below), (900, switch(BELOW, state, LOAD))];
        events.extend([(1000, What::Enter(TIMER)), (1000, waking()), (1010, What::Leave(TIMER))]);
        events.extend([tick(2000), tick(3000)].concat());
        events.push((4000, switch(LOAD, 0, ME)));
        shares(1000, 4000, &events)[0].0
    };
    assert_eq!(judged(0), "throttling");
    // If that task went to sleep, nothing shows that the kernel preferred the other one.
    assert_eq!(judged(1), "task");
    // The thread itself preempts that task, and ordinary tasks follow as it goes to sleep.
    let mut events = vec![(80, switch(BELOW, 0, ME)), (100, switch(ME, 1, LOAD))];
    events.extend([(1000, What::Enter(TIMER)), (1000, waking()), (1010, What::Leave(TIMER))]);
    events.push((4000, switch(LOAD, 0, ME)));
    let (mut evidence, late) = on(1000, 4000, &events);
    evidence.names.policies.insert(BELOW, "fifo:70".to_owned());
    assert_eq!(of(&late, &evidence)[0].0, "throttling");
}

/// The thread waits for a page while a real-time task keeps the CPU of the thread that gathers
/// evidence.
#[test]
fn silence_does_not_turn_a_page_fault_into_a_freezer() {
    let mut events = away(2).to_vec();
    events.extend([(1600, What::Enter(TIMER)), (1610, What::Leave(TIMER))]);
    events.sort_by_key(|(at, _)| *at);
    let judged = |group: [i64; 5]| {
        let (mut evidence, mut late) = on(1000, 3600, &events);
        late.counts = Some(Counts { faults: 1, cpu_time_ns: 600, ..Counts::default() });
        evidence.held = vec![group];
        of(&late, &evidence)[0].0
    };
    assert_eq!(judged([900, 3600, 0, 0, 1]), "page_fault");
    assert_eq!(judged([900, 3600, 2500, 0, 1]), "frozen");
}

/// A task of a higher priority takes the CPU, and the process is stopped right after.
#[test]
fn each_of_two_causes_has_its_own_time() {
    let events = [
        (900, switch(LOAD, 0, ME)),
        (1500, switch(ME, 0, HOG)),
        (3000, switch(HOG, 1, ME)),
        (3010, switch(ME, 4, 0)),
        (8000, waking()),
        (8010, switch(0, 0, ME)),
    ];
    let found = shares(1000, 8100, &events);
    assert_eq!(found[..2], [("stopped", 4990), ("task", 1500)]);
}

#[test]
fn a_deadline_task_is_named_with_its_budget() {
    let mut events = hogged();
    events[1].1 = What::Switch { from: 0, state: 0, to: HOG, priority: -1 };
    let (mut evidence, late) = on(1000, 5000, &events);
    let named = |evidence: &Evidence| judge(&late, evidence).shares[0].0.words();
    assert_eq!(named(&evidence), "task `hog` (deadline, number 7)");
    evidence.names.policies.insert(HOG, "deadline:7ms/50ms".to_owned());
    assert_eq!(named(&evidence), "task `hog` (deadline:7ms/50ms, number 7)");
}

/// A task on the CPU as `other` raises its own priority, or `chrt` does and then becomes the
/// program; as it leaves, the trace shows the priority.
#[test]
fn a_task_that_raised_its_own_priority_is_named_with_it() {
    let raised = What::Priority { task: LOAD, priority: 0 };
    let tick = |at| [(at, What::Enter(TIMER)), (at + 10, What::Leave(TIMER))];
    let mut events = vec![(100, switch(ME, 1, LOAD)), (1000, What::Enter(TIMER))];
    events.extend([(1000, waking()), (1010, What::Leave(TIMER))]);
    events.extend([tick(2000), tick(3000)].concat());
    events.extend([(4000, raised), (4000, switch(LOAD, 1, ME))]);
    let (mut evidence, late) = on(1000, 4000, &events);
    let found = |evidence: &Evidence| {
        let (cause, time) = judge(&late, evidence).shares[0].clone();
        (cause.words(), time)
    };
    let words = "task `load` (real-time:99, number 8)";
    assert_eq!(found(&evidence), (words.to_owned(), 2970));
    // A policy read from the living task adds detail if it agrees with the trace, and is ignored
    // otherwise.
    evidence.names.policies.insert(LOAD, "fifo:99".to_owned());
    assert_eq!(found(&evidence).0, "task `load` (fifo:99, number 8)");
    evidence.names.policies.insert(LOAD, "other".to_owned());
    assert_eq!(found(&evidence).0, words);
}

/// What the task did, it did with the priority that it had then, not with the one that it leaves
/// with.
#[test]
fn a_task_that_lowers_its_own_priority_is_named_with_the_one_that_it_had() {
    let mut events = hogged();
    let lowered = What::Priority { task: HOG, priority: ORDINARY };
    events.insert(5, (4990, lowered));
    let (evidence, late) = on(1000, 5000, &events);
    let (cause, time) = judge(&late, &evidence).shares[0].clone();
    let words = "task `hog` (fifo:90, number 7)";
    assert_eq!((cause.words().as_str(), time), (words, 4990 - 1020));
}

/// A real-time task shares no CPU by weight, so the quota of the thread's group was not the reason
/// that it ran.
#[test]
fn a_task_that_raised_its_own_priority_above_a_peer_is_named_with_it() {
    let woken = What::Waking { task: ME, priority: ORDINARY, by_interrupt: true };
    let judged = |priority| {
        let events = [
            (100, switch(ME, 1, LOAD)),
            (1000, What::Enter(TIMER)),
            (1000, woken),
            (1010, What::Leave(TIMER)),
            (4000, What::Priority { task: LOAD, priority }),
            (4000, switch(LOAD, 1, ME)),
        ];
        let (mut evidence, late) = on(1000, 4000, &events);
        evidence.held = vec![[0, 5000, 0, 4000, 1]];
        let late = Late { priority: ORDINARY, ..late };
        judge(&late, &evidence).shares[0].0.words()
    };
    assert_eq!(judged(0), "task `load` (real-time:99, number 8)");
    let of_quota = Cause::Quota.words();
    assert_eq!([judged(ORDINARY), judged(ORDINARY - 5)], [&*of_quota; 2]);
}

#[test]
fn a_priority_that_was_not_applied_is_the_cause_if_lesser_tasks_ran() {
    let mut events = hogged();
    for (_, what) in &mut events {
        if let What::Switch { priority, .. } | What::Waking { priority, .. } = what {
            *priority = ORDINARY;
        }
    }
    assert_eq!(shares(1000, 5000, &events)[0].0, "priority_not_applied");
    // With a requested default policy, the thread shares the CPU with others.
    let (evidence, mut late) = on(1000, 5000, &events);
    late.priority = ORDINARY;
    assert_eq!(of(&late, &evidence)[0].0, "task");
}

/// Its work usually takes 12 000 of the 10 000 that it may take; the step before was as long.
#[test]
fn a_step_that_is_longer_than_its_period_is_late_by_its_own_length() {
    let wait = Wait { from: 3_000, to: 6_000, on: "lock" };
    let events =
        [(500, switch(LOAD, 0, ME)), (5_000, What::Enter(TIMER)), (5_064, What::Leave(TIMER))];
    let (evidence, late) = on(1_000, 1_000 + 14_100, &events);
    let long = Late { start: 3_000, limit_ns: 10_000, usual_ns: 12_000, waits: vec![wait], ..late };
    let finding = judge(&long, &evidence);
    // 2 000 of the step before, 2 000 of its own.
    let expected =
        [(Cause::OwnLength, 4_000), (Cause::Interrupt { name: "local_timer".to_owned() }, 64)];
    assert_eq!(finding.shares[..2], expected);
    assert_eq!(finding.main(&long), Some(&Cause::OwnLength));
    // The same by counters alone.
    let untraced = Late { counts: Some(Counts::default()), ..long };
    let shares = judge(&untraced, &Evidence::of(&[])).shares;
    assert_eq!(shares[0], (Cause::OwnLength, 4_000));
}

#[test]
fn a_cause_of_less_than_half_of_the_lateness_only_contributes() {
    let (evidence, late) = on(1000, 5000, &hogged());
    let finding = judge(&late, &evidence);
    let main = |lateness: i64| {
        let limit_ns = 4000 - lateness;
        finding.main(&Late { limit_ns, ..late.clone() }).map(Cause::kind)
    };
    assert_eq!(main(4000), Some(CauseKind::Task));
    let small = Finding { shares: vec![(Cause::PlatformGap, 1499)], ..finding.clone() };
    assert_eq!(small.main(&late), None);
}

/// Another CPU continues the thread, and the next event of its CPU is that of a tick: it ran as
/// long as its CPU time says.
#[test]
fn a_stop_lasts_until_the_thread_runs_again_even_without_an_event() {
    let events = [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, 4, 0)),
        (2000, What::Enter(TIMER)),
        (2010, What::Leave(TIMER)),
        (2010, switch(0, 0, ME)),
        (6000, What::Untold { task: ME }),
        (6000, What::Enter(TIMER)),
        (6010, What::Leave(TIMER)),
    ];
    let (evidence, late) = on(1000, 7000, &events);
    let counts = Counts { cpu_time_ns: 500 + 1500 + 990, ..Counts::default() };
    let late = Late { counts: Some(counts), ..late };
    let found = of(&late, &evidence);
    assert_eq!(found[0], ("stopped", 6000 - 1500 - 1500 - 10));
    assert_eq!(found[1], ("own_work", 2990));
    // Without counts, the end is placed at the CPU's last event.
    let uncounted = Late { counts: None, ..late };
    assert_eq!(of(&uncounted, &evidence)[1], ("stopped", 500));
}

#[test]
fn a_stop_is_found_before_the_due_time_and_within_work() {
    let before = [(100, switch(ME, 4, 0)), (3000, waking()), (3010, switch(0, 0, ME))];
    assert_eq!(shares(1000, 3020, &before)[0], ("stopped", 2000));
    assert_eq!(shares(1000, 3600, &away(4))[0], ("stopped", 2000));
}

#[test]
fn own_waiting_is_reported_with_its_reason() {
    let (evidence, mut late) = on(1000, 4000, &away(1));
    late.usual_ns = 900;
    let unnamed = judge(&late, &evidence);
    assert_eq!(unnamed.main(&late).unwrap().kind(), CauseKind::Blocking);
    late.waits = vec![Wait { from: 1400, to: 3600, on: "lock" }];
    let named = judge(&late, &evidence).shares;
    let lock = Cause::Blocking { on: "lock".to_owned() };
    // Usual work is not a cause: only the excess is.
    assert_eq!(named, [(lock, 2100)]);
}

#[test]
fn the_cause_of_longer_own_work_follows_from_other_events() {
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
    // One page fault does not explain a stall of the host.
    let stalled = Counts { cpu_time_ns: 1100, ..faults };
    assert_eq!(kind(stalled, &[]), [("platform_gap", 1900), ("page_fault", 100)]);
    let moved = Counts { moved: true, ..used(3000) };
    assert_eq!(kind(moved, &[]), [("migration", 2000)]);
    let slower = [(1500, What::Frequency { khz: 800_000 })];
    assert_eq!(kind(used(3000), &slower), [("frequency", 2000)]);
    assert_eq!(kind(used(3000), &[]), [("own_work", 2000)]);
    // A hypervisor that reports no steal may have had its CPU.
    let (evidence, guest) = on(1000, 4000, &running);
    let counts = Some(used(3000));
    let guest = Late { usual_ns: 1000, counts, steal: Steal::Uncounted, ..guest };
    assert_eq!(of(&guest, &evidence), [("unknown", 2000)]);
    // The clock advanced while its CPU time did not.
    assert_eq!(kind(used(1500), &[]), [("platform_gap", 1500), ("own_work", 500)]);
}

#[test]
fn a_gap_that_the_hypervisor_reports_is_steal() {
    let (mut evidence, mut late) = on(1000, 4000, &[(900, switch(0, 0, ME))]);
    late.counts = Some(Counts::default());
    let readings = [[500, 1, 0, 0, 0, 5], [9000, 1, 0, 0, 0, 7]];
    evidence.cpu_times = Evidence::of(&[cpu_times_track(readings.into_iter(), 1)]).cpu_times;
    assert!(evidence.stolen(1, 1000, 4000));
    assert_eq!(of(&late, &evidence), [("steal", 3000)]);
}

#[test]
fn waiting_for_a_page_is_a_page_fault() {
    let (evidence, mut late) = on(1000, 3600, &away(2));
    late.counts = Some(Counts { faults: 1, cpu_time_ns: 600, ..Counts::default() });
    assert_eq!(of(&late, &evidence), [("page_fault", 2600)]);
    late.counts = None;
    assert_eq!(of(&late, &evidence)[0], ("unknown", 2000));
}

#[test]
fn a_move_to_another_cpu_is_a_migration() {
    let events = [
        (900, switch(0, 0, ME)),
        (1500, switch(ME, 0, 0)),
        (1510, What::Migrate { task: ME, to: 0 }),
    ];
    let (mut evidence, late) = on(1000, 4000, &events);
    add(&mut evidence, 1505, 0, switch(9, 1, 0));
    add(&mut evidence, 3500, 0, switch(0, 0, ME));
    let found = of(&late, &evidence);
    assert_eq!(found[0], ("migration", 1990 + 1000));
    // A deadline thread that is moved in the meantime still waits for its budget.
    let of_deadline = Late { priority: -1, ..late };
    assert_eq!(of(&of_deadline, &evidence)[0], ("throttling", 2000));
}

#[test]
fn the_kernels_migration_task_is_part_of_the_migration() {
    let pushed =
        [(900, switch(0, 0, ME)), (1500, switch(ME, 0, MOVER)), (3900, switch(MOVER, 1, ME))];
    let moved = [(1600, What::Migrate { task: ME, to: 1 })];
    let kind = |events: &[(i64, What)]| {
        let (mut evidence, late) = on(1000, 4000, events);
        evidence.names.tasks.insert(MOVER, "migration/1".to_owned());
        // The migration task has priority over every other task.
        let woken = What::Waking { task: MOVER, priority: 0, by_interrupt: false };
        add(&mut evidence, 950, 1, woken);
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

/// The thread makes a system call; it had also made one at its due time.
fn call(number: i64) -> What {
    What::Call { task: ME, number }
}

#[test]
fn the_system_call_during_its_work_is_named() {
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
    let found: Vec<(String, i64)> = shares.iter().map(|(c, time)| (c.words(), *time)).collect();
    let expected = [
        ("its own system call `mmap`", 2000),
        ("its own work that took longer than usual", 800),
        ("its own system call `7`", 100),
    ];
    assert_eq!(found, expected.map(|(words, time)| (words.to_owned(), time)));
}

#[test]
fn the_task_that_ends_a_wait_is_named() {
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
    let (cause, time) =
        finding.shares.iter().find(|(c, _)| c.kind() == CauseKind::Blocking).unwrap();
    let words = "its own waiting (system call `futex` until task `load` (other, number 8) woke it)";
    assert_eq!((cause.words().as_str(), *time), (words, 3000 - 1110));
    let by_timer = events.map(|(at, what)| (at, if what == woken { waking() } else { what }));
    let (evidence, late) = on(1000, 4000, &by_timer);
    let shares = judge(&late, &evidence).shares;
    let waited = shares.iter().any(|(c, _)| c.words() == "its own waiting (system call `futex`)");
    assert!(waited, "{shares:?}");
}

#[test]
fn lost_events_are_an_unknown_cause() {
    let mut events = hogged();
    events.insert(5, (4000, What::Lost { count: 9 }));
    let found = shares(1000, 5000, &events);
    assert_eq!(found[0], ("unknown", 4000 - 1020));
    assert_eq!(found[1], ("task", 4990 - 4000));
}

#[test]
fn the_state_before_lost_events_does_not_continue_after_them() {
    let events = [
        (100, switch(ME, 1, 0)),
        (1000, What::Enter(TIMER)),
        (1500, What::Lost { count: 3 }),
        (4000, switch(HOG, 1, ME)),
    ];
    let found = shares(1000, 4100, &events);
    let expected = [("task", 2500), ("unknown", 500), ("own_work", 100)];
    assert_eq!(found, expected);
}

/// A stop whose switch is lost is no wait of the thread itself; one that was seen before continues.
#[test]
fn why_a_thread_sleeps_is_unknown_if_the_event_that_says_so_is_lost() {
    let lost = (1500, What::Lost { count: 3 });
    let woken = [(4000, waking()), (4010, switch(LOAD, 0, ME))];
    let ran = [vec![(900, switch(LOAD, 0, ME)), lost], woken.to_vec()].concat();
    let found = shares(1000, 4500, &ran);
    assert_eq!(found[0], ("unknown", 3000), "{found:?}");
    let waited =
        [vec![(900, switch(LOAD, 0, ME)), (1200, switch(ME, 1, LOAD)), lost], woken.to_vec()];
    let found = shares(1000, 4500, &waited.concat());
    assert_eq!(found[0], ("unknown", 2800), "{found:?}");
    let stopped =
        [vec![(900, switch(LOAD, 0, ME)), (1200, switch(ME, 4, LOAD)), lost], woken.to_vec()];
    let found = shares(1000, 4500, &stopped.concat());
    assert_eq!(found[0], ("stopped", 2500), "{found:?}");
}

#[test]
fn without_a_trace_counters_show_the_kind_and_why_there_is_no_more() {
    let untraced = Track::new(TRACE).with("unavailable", "no right to read tracefs");
    let evidence = Evidence::of(&[untraced]);
    let kind = |counts: Counts| {
        let late = Late { counts: Some(counts), ..late(1000, 4000) };
        let finding = judge(&late, &evidence);
        assert!(finding.segments.is_empty());
        assert_eq!(finding.shares[0].1, 3000);
        finding.shares[0].0.clone()
    };
    let none = Counts::default();
    let fault = Counts { faults: 1, ..none };
    let read_back = Counts { waits: 2, ..fault };
    assert_eq!(kind(read_back), Cause::PageFault);
    assert_eq!(kind(fault).kind(), CauseKind::Unknown);
    assert_eq!(kind(Counts { moved: true, ..none }), Cause::Migration);
    assert_eq!(kind(Counts { forced: 1, ..none }), Cause::UnknownTask);
    assert_eq!(
        kind(Counts { waits: 2, ..none }).kind(),
        CauseKind::Unknown,
        "it may have been stopped"
    );
    let worked = Counts { cpu_time_ns: 2900, ..none };
    assert_eq!(kind(worked), Cause::OwnWork);
    let mut grouped = evidence.clone();
    grouped.held = vec![[0, 5000, 2900, 2900, 1]];
    let kind_of = |priority| {
        let late = Late { priority, ..late(1000, 4000) };
        of(&late, &grouped)[0].0
    };
    assert_eq!(kind_of(ORDINARY), "frozen");
    grouped.held = vec![[0, 5000, 0, 2900, 1]];
    assert_eq!(of(&late(1000, 4000), &grouped)[0].0, "unknown");
    let words = kind(Counts { waits: 1, ..none }).words();
    assert!(words.contains("no right to read tracefs"), "{words}");
    let wait = |to| vec![Wait { from: 1100, to, on: "lock" }];
    let waited = |to| {
        let counts = Some(Counts { waits: 2, ..none });
        of(&Late { counts, waits: wait(to), ..late(1000, 4000) }, &evidence)[0].0
    };
    assert_eq!([waited(2700), waited(2500)], ["blocking", "unknown"]);
}
