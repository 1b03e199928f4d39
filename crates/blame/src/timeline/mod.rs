//! What had the CPU when: converts a window of events to segments without gaps.

mod asleep;
mod before;
mod segment;
mod timers;
mod untold;

use std::collections::BTreeMap;

use crate::late::{FIRST_ORDINARY, Late};
use crate::trace::{softirq, vector};
use crate::{Cause, Event, Evidence, Interruption, SomeTask, What, Window};
use asleep::{Frozen, Sleep};
use before::{InitialState, OnCpu, ThreadState};
pub use segment::{Held, Open, Segment};

const IDLE: i64 = 0;
/// The kernel's bits of the state in which a task leaves the CPU.
const STATES: i64 = 0xff;
const UNINTERRUPTIBLE: i64 = 2;
const STOPPED_OR_TRACED: i64 = 4 | 8;
/// If a task of lesser priority keeps the CPU for longer than this, and the kernel was not
/// requested to switch, the task had another priority in the meantime: nothing delays a switch for
/// this long except an interrupt or the kernel itself.
const LONGEST_UNSWITCHED_NS: i64 = 1_000_000;
/// The system call by which threads wait for each other: for locks, semaphores, conditions.
const FUTEX: &str = "futex";

/// Splits the time from the due time to the end into segments.
pub(crate) fn segments(late: &Late, window: &Window, evidence: &Evidence) -> Vec<Segment> {
    let mut sweep = Sweep::before(late, window, evidence);
    for (place, event) in window.events.iter().enumerate() {
        sweep.pass_to(event.at, Some(event));
        match event.what {
            What::Lost { .. } => sweep.forget(event.cpu, &window.events[place + 1..]),
            _ => sweep.happen(event),
        }
    }
    sweep.pass_to(late.end, None);
    sweep.runs_at_last();
    let mut segments = sweep.segments;
    untold::placed(&mut segments, &sweep.untold, late);
    merged(segments)
}

struct Sweep<'a> {
    late: &'a Late,
    task: i64,
    evidence: &'a Evidence,
    priorities: BTreeMap<i64, i64>,
    cpus: BTreeMap<i64, OnCpu>,
    /// The CPU on which the thread is, or is about to be.
    cpu: i64,
    state: ThreadState,
    has_run: bool,
    is_moving: bool,
    /// True if the kernel moves it anywhere in the window.
    is_moved: bool,
    expires: Option<i64>,
    /// The system call in which its own work is.
    call: Option<String>,
    now: i64,
    segments: Vec<Segment>,
    sleep: Sleep,
    /// Index of the first segment in which the thread was to run and did not.
    runnable_from: usize,
    /// Index of the first segment after an interrupt has ended since then: the CPU was running, and
    /// could have switched.
    alive_from: Option<usize>,
    /// Number of interrupts that the CPU took since then.
    served: u32,
    /// Index of the first segment in which a switch to the thread was pending: since it woke, or, if
    /// interrupts came since then and none was pending, since the first one at which one was.
    pending_from: Option<usize>,
    /// When the thread last got the CPU, if it had slept until then.
    slept_until: Option<i64>,
    /// The ranges of time in which it got the CPU without an event that says when.
    untold: Vec<untold::Range>,
}

impl<'a> Sweep<'a> {
    fn before(late: &'a Late, window: &Window, evidence: &'a Evidence) -> Self {
        let before = InitialState::as_shown_by(&window.events, window.task);
        Self {
            late,
            task: window.task,
            evidence,
            priorities: before.priorities,
            cpus: before.cpus,
            cpu: before.cpu.unwrap_or(window.cpu),
            state: before.state,
            has_run: false,
            is_moving: false,
            is_moved: (window.events.iter().map(|event| event.what))
                .any(|what| matches!(what, What::Migrate { task, .. } if task == window.task)),
            expires: None,
            call: None,
            now: late.due,
            segments: Vec::new(),
            sleep: Sleep::default(),
            runnable_from: 0,
            alive_from: None,
            served: 0,
            pending_from: None,
            slept_until: None,
            untold: Vec::new(),
        }
    }

    /// Handles lost events of a CPU: its current state is derived from the remaining events. If the
    /// thread sleeps after them, it is in the same sleep only if it still waits for its time or was
    /// stopped; else nothing says why it sleeps.
    fn forget(&mut self, cpu: i64, rest: &[Event]) {
        let mut before = InitialState::as_shown_by(rest, self.task);
        let on_cpu = before.cpus.remove(&cpu).unwrap_or_default();
        self.cpus.insert(cpu, on_cpu);
        if cpu == self.cpu {
            let is_stopped =
                matches!(self.state, ThreadState::Asleep(state) if state & STOPPED_OR_TRACED != 0);
            self.state = match before.state {
                ThreadState::Asleep(_) if is_stopped || self.waits_for_its_time() => self.state,
                ThreadState::Asleep(_) => ThreadState::Unseen,
                seen => seen,
            };
            self.cpu = before.cpu.unwrap_or(cpu);
        }
    }

    fn pass_to(&mut self, at: i64, next: Option<&Event>) {
        let to = at.min(self.late.end);
        if to <= self.now {
            return;
        }
        self.has_run |= self.state == ThreadState::Running;
        // A timer that was set late splits the time in which nothing else happened.
        let late_timer = self.expires.filter(|_| self.waits_for_its_time());
        if let Some(expires) = late_timer.filter(|expires| *expires > self.now) {
            self.push(expires.min(to), Held::By(Cause::LateTimer));
        }
        if to > self.now {
            let held = self.held(next);
            self.push(to, held);
        }
    }

    fn push(&mut self, to: i64, what: Held) {
        self.segments.push(Segment { from: self.now, to, what });
        self.now = to;
    }

    /// Returns true if the thread sleeps until it is due. It may have run since the start of the
    /// window if it was still in the period before; then its timer was set to a time that had
    /// already passed.
    fn waits_for_its_time(&self) -> bool {
        let is_special = UNINTERRUPTIBLE | STOPPED_OR_TRACED;
        let has_passed = |expires| expires <= self.late.due;
        matches!(self.state, ThreadState::Asleep(state) if state & is_special == 0)
            && (!self.has_run || self.expires.is_some_and(has_passed))
    }

    fn held(&self, next: Option<&Event>) -> Held {
        let here = next.filter(|event| event.cpu == self.cpu);
        if here.is_some_and(|event| matches!(event.what, What::Lost { .. })) {
            return no_room();
        }
        let on_cpu = self.cpus.get(&self.cpu);
        if let Some(by) = on_cpu.and_then(|on_cpu| on_cpu.interrupted_by.last()) {
            return Held::By(self.interruption(*by));
        }
        match self.state {
            ThreadState::Running => self.call.clone().map_or(Held::Own, Held::Called),
            _ if self.is_taken_along() => Held::By(Cause::Migration),
            ThreadState::Asleep(state) if state & STOPPED_OR_TRACED != 0 => {
                Held::By(Cause::Stopped)
            }
            ThreadState::Asleep(_) if self.waits_for_its_time() => Held::Open(Open::NotWoken {
                on_cpu: (self.current().filter(|task| *task != IDLE)).map(|t| self.some_task(t)),
                switches: here.is_some_and(|event| matches!(event.what, What::Switch { .. })),
            }),
            ThreadState::Asleep(state) if state & UNINTERRUPTIBLE != 0 => self.in_the_kernel(),
            ThreadState::Asleep(_) => {
                let what_for = || "reason unknown".to_owned();
                Held::Waited(self.called().unwrap_or_else(what_for))
            }
            ThreadState::Unseen => no_room(),
            ThreadState::Woken | ThreadState::Pushed => self.kept_from_running(),
        }
    }

    fn in_the_kernel(&self) -> Held {
        match self.late.counts {
            Some(counts) if counts.faults > 0 => Held::By(Cause::PageFault),
            _ => self.called().map_or(Held::Open(Open::InTheKernel), Held::Waited),
        }
    }

    fn called(&self) -> Option<String> {
        let call = self.call.as_ref()?;
        Some(format!("system call `{call}`"))
    }

    /// Records the waker: a task that wakes the thread from its wait for other threads is the one
    /// it waited for, since a thread that releases a lock wakes those that wait for it.
    fn is_woken_by(&mut self, task: i64) {
        if self.call.as_deref() != Some(FUTEX) {
            return;
        }
        let who = self.some_task(task).words(1);
        let from = self.sleep.from.min(self.segments.len());
        for segment in &mut self.segments[from..] {
            if let Held::Waited(on) = &mut segment.what {
                *on = format!("system call `{FUTEX}` until {who} woke it");
            }
        }
    }

    fn kept_from_running(&self) -> Held {
        let Some(task) = self.current() else {
            return Held::By(Cause::Unknown { why: "the trace does not show what ran".to_owned() });
        };
        let was_pushed = self.state == ThreadState::Pushed;
        // A deadline thread waits for its next budget, wherever it is moved in the meantime.
        let waits_for_budget = was_pushed && self.late.priority < 0;
        if task == IDLE || task == self.task {
            return match () {
                () if waits_for_budget => Held::By(Cause::Throttling),
                () if self.is_moving => Held::By(Cause::Migration),
                () if was_pushed => Held::By(Cause::Throttling),
                () => Held::Open(Open::Idle),
            };
        }
        let priority_of = |task| self.priorities.get(&task).copied();
        let asked = self.late.priority;
        let is_lesser = asked < FIRST_ORDINARY && priority_of(task).is_some_and(|its| its > asked);
        if is_lesser && self.is_moving && !waits_for_budget {
            return Held::By(Cause::Migration);
        }
        let differs = priority_of(self.task).is_some_and(|its| its > asked);
        let is_peer = self.late.shares_by_weight()
            && priority_of(task).is_none_or(|its| its >= FIRST_ORDINARY);
        match (is_lesser, differs, was_pushed) {
            (false, ..) if is_peer => Held::Open(Open::Peer(self.some_task(task))),
            (false, ..) => Held::By(Cause::Task(self.some_task(task))),
            (true, true, _) => Held::By(Cause::PriorityNotApplied),
            (true, false, _) if was_pushed || self.is_boosted() => Held::By(Cause::Throttling),
            (true, false, _) => Held::Open(Open::Lesser {
                task: self.some_task(task),
                is_chosen: self.cpus.get(&self.cpu).is_some_and(|on| on.is_chosen),
            }),
        }
    }

    /// Returns true if the kernel's own task is running that moves the thread to another CPU.
    fn is_taken_along(&self) -> bool {
        let name = |task| self.evidence.names.tasks.get(&task);
        let name = self.current().and_then(name);
        self.is_moved && name.is_some_and(|name| name.starts_with("migration/"))
    }

    /// Records which real-time task loses a CPU although it could continue.
    fn preempts(&mut self, cpu: i64, [from, to]: [i64; 2], state: i64) {
        let could_continue = state & STATES == 0 && from != self.task && self.is_real_time(from);
        let on_cpu = self.cpus.entry(cpu).or_default();
        if could_continue {
            on_cpu.preempted = Some(from);
        }
        on_cpu.preempted = on_cpu.preempted.filter(|task| ![*task, IDLE].contains(&to));
    }

    fn is_real_time(&self, task: i64) -> bool {
        let read = self.evidence.names.policies.get(&task).and_then(|read| read.parse().ok());
        let known = self.priorities.get(&task).copied().or(read.map(Late::priority_of));
        known.is_some_and(|priority| priority < FIRST_ORDINARY)
    }

    /// Returns true if the kernel runs an ordinary task in place of a real-time one that could run:
    /// the fair server, or real-time throttling.
    fn is_boosted(&self) -> bool {
        let on_cpu = self.cpus.get(&self.cpu);
        on_cpu.is_some_and(|on| {
            on.preempted.is_some() && !on.task.is_some_and(|t| self.is_real_time(t))
        })
    }

    fn current(&self) -> Option<i64> {
        self.cpus.get(&self.cpu)?.task
    }

    fn some_task(&self, task: i64) -> SomeTask {
        let names = &self.evidence.names;
        let priority = self.priorities.get(&task).copied();
        // The policy that was read from the living task may be older or newer than the trace.
        let agrees = |policy| priority.is_none_or(|its| its == Late::priority_of(policy));
        let read = names.policies.get(&task).filter(|read| read.parse().is_ok_and(agrees));
        SomeTask {
            name: names.tasks.get(&task).cloned().unwrap_or_default(),
            pid: task,
            policy: match read {
                Some(read) => read.clone(),
                None => priority.map_or_else(|| "policy unknown".to_owned(), policy),
            },
        }
    }

    /// Records a task's priority that differs from the last known one. A higher priority is applied
    /// to the time in which the task kept the thread from running: the task had it already then. A
    /// lower one is new, so what the task did before, it did with the higher one.
    fn has_priority(&mut self, task: i64, priority: i64) {
        let known = self.priorities.insert(task, priority);
        if known.is_some_and(|known| known <= priority) {
            return;
        }
        let named = self.some_task(task);
        let is_above = priority <= self.late.priority;
        let is_real_time = priority < FIRST_ORDINARY;
        let from = self.runnable_from.min(self.sleep.from);
        for segment in self.segments.iter_mut().skip(from) {
            let (is_no_longer_open, its) = match &mut segment.what {
                Held::Open(Open::Lesser { task, .. }) => (is_above, task),
                Held::Open(Open::Peer(task)) => (is_real_time, task),
                Held::By(Cause::Task(task)) => (false, task),
                _ => continue,
            };
            if its.pid != task {
                continue;
            }
            its.clone_from(&named);
            if is_no_longer_open {
                segment.what = Held::By(Cause::Task(named.clone()));
            }
        }
    }

    fn interruption(&self, by: Interruption) -> Cause {
        match by {
            Interruption::Device(number) => Cause::Interrupt {
                name: match self.evidence.names.interrupts.get(&number) {
                    Some(name) => format!("{number} {name}"),
                    None => number.to_string(),
                },
            },
            Interruption::Soft(number) => Cause::Softirq { name: softirq(number).to_owned() },
            Interruption::Cpu(number) => Cause::Interrupt { name: vector(number).to_owned() },
        }
    }

    /// Returns true if timers interrupt in this way; on architectures other than x86 this is a
    /// device interrupt.
    fn is_timer(&self, by: Interruption) -> bool {
        match by {
            Interruption::Cpu(number) => vector(number) == "local_timer",
            Interruption::Device(number) => {
                let name = self.evidence.names.interrupts.get(&number);
                name.is_some_and(|name| name.contains("timer"))
            }
            Interruption::Soft(_) => false,
        }
    }

    fn happen(&mut self, event: &Event) {
        let on_cpu = self.cpus.entry(event.cpu).or_default();
        match event.what {
            What::Switch { from, state, to, priority } => {
                on_cpu.task = Some(to);
                self.preempts(event.cpu, [from, to], state);
                self.priorities.insert(to, priority);
                if from == self.task {
                    self.leave(state);
                }
                let is_runnable = matches!(self.state, ThreadState::Woken | ThreadState::Pushed);
                self.cpus.entry(event.cpu).or_default().is_chosen =
                    is_runnable && event.cpu == self.cpu;
                if to == self.task {
                    let slept = matches!(self.state, ThreadState::Asleep(_));
                    self.slept_until = slept.then_some(event.at);
                    self.runs_at_last();
                    self.state = ThreadState::Running;
                    self.expires = None;
                    self.cpu = event.cpu;
                    self.is_moving = false;
                }
            }
            What::Waking { task, priority, by_interrupt } => {
                self.priorities.insert(task, priority);
                if task == self.task
                    && matches!(self.state, ThreadState::Asleep(_) | ThreadState::Unseen)
                {
                    // A softirq may run in a separate task.
                    let by_interrupt = by_interrupt || !on_cpu.interrupted_by.is_empty();
                    if let Some(waker) = on_cpu.task.filter(|_| !by_interrupt) {
                        self.is_woken_by(waker);
                    }
                    self.wake(by_interrupt && event.cpu == self.cpu);
                }
            }
            What::Priority { task, priority } => self.has_priority(task, priority),
            What::Untold { task } if task == self.task => {
                let range = self.slept_until.take().map(|from| [from, event.at]);
                self.untold.extend(range);
            }
            What::ToldToSwitch if event.cpu == self.cpu && self.served > 0 => {
                let place = if self.served > 1 { self.segments.len() } else { self.runnable_from };
                self.pending_from.get_or_insert(place);
            }
            What::Migrate { task, .. } if on_cpu.preempted == Some(task) => on_cpu.preempted = None,
            What::Migrate { task, to } if task == self.task => {
                self.is_moving |= to != self.cpu;
                self.cpu = to;
            }
            What::Call { task, number } if task == self.task => {
                let is_its_work = event.at >= self.late.start;
                let name = self.evidence.names.calls.get(&number);
                self.call =
                    is_its_work.then(|| name.map_or_else(|| number.to_string(), String::clone));
            }
            What::Return { task } if task == self.task => self.call = None,
            What::Enter(by) => self.is_interrupted(event, by),
            What::Leave(by) => self.is_served(event, by),
            // The scheduler sets timers, too, in the name of a task that goes to sleep; the first
            // timer that expires wakes it.
            What::Timer { task, expires } if task == self.task => {
                let known = self.expires.unwrap_or(expires);
                self.expires = Some(known.min(expires));
            }
            _ => {}
        }
    }

    fn is_interrupted(&mut self, event: &Event, by: Interruption) {
        let is_timer = self.is_timer(by);
        let on_cpu = self.cpus.entry(event.cpu).or_default();
        on_cpu.interrupted_by.push(by);
        let is_put_off = is_timer && on_cpu.timers.enter(event.at);
        let counts = event.cpu == self.cpu && event.what.is_interrupt();
        self.served += u32::from(counts);
        if counts && is_timer {
            let its_time = self.late.due.max(self.expires.unwrap_or(self.late.due));
            self.sleep.is_its_time = event.at >= its_time;
            self.sleep.put_off_by = is_put_off.then(|| self.interruption(by));
        }
    }

    fn is_served(&mut self, event: &Event, by: Interruption) {
        let is_timer = self.is_timer(by);
        let on_cpu = self.cpus.entry(event.cpu).or_default();
        if on_cpu.interrupted_by.last() == Some(&by) {
            on_cpu.interrupted_by.pop();
        }
        if is_timer {
            on_cpu.timers.leave(event.at);
        }
        if event.cpu == self.cpu && self.served > 0 {
            self.alive_from.get_or_insert(self.segments.len());
        }
        if event.cpu == self.cpu && is_timer {
            self.sleep.timer_has_passed(self.segments.len());
        }
    }

    fn leave(&mut self, state: i64) {
        self.state = match state & STATES {
            0 => ThreadState::Pushed,
            state => ThreadState::Asleep(state),
        };
        self.runnable_from = self.segments.len();
        self.sleep = Sleep::from(self.segments.len());
    }

    fn wake(&mut self, by_interrupt: bool) {
        self.sleeps_no_more(by_interrupt);
        self.state = ThreadState::Woken;
        self.runnable_from = self.segments.len();
        self.alive_from = None;
        self.served = 0;
        self.pending_from = None;
    }

    /// Ends the sleep: what kept the thread asleep is now known.
    fn sleeps_no_more(&mut self, by_interrupt: bool) {
        let ThreadState::Asleep(state) = self.state else { return };
        let (from, to) = self.span(self.sleep.from);
        let may_be_silent = self.waits_for_its_time() || state & UNINTERRUPTIBLE != 0;
        let is_silent =
            || may_be_silent && self.sleep.is_passed_over() && self.evidence.stood_still(from, to);
        let frozen = match self.evidence.frozen(from, to) {
            true => Some(Frozen::Counted),
            false => is_silent().then_some(Frozen::Silent),
        };
        let gap = self.gap_of_idle();
        self.sleep.ends(&mut self.segments, frozen, by_interrupt, &gap);
    }

    /// Returns what kept a CPU that was idle and did not run.
    fn gap_of_idle(&self) -> Cause {
        match &self.evidence.idle_exit_hidden {
            None => Cause::PlatformGap,
            Some(why) => Cause::Unknown {
                why: format!("the CPU left an idle state, or the platform had it; {why}"),
            },
        }
    }

    /// Returns the start and end of the segments from this index on.
    fn span(&self, place: usize) -> (i64, i64) {
        let first = self.segments.get(place);
        (first.map_or(self.now, |segment| segment.from), self.now)
    }

    /// Records that the thread runs at last: what kept it since it woke is now known.
    ///
    /// - Under a policy that shares by weight, only the quota's own count shows whether others had
    ///   the CPU as their fair share.
    /// - A CPU that serves one interrupt and still has not switched when the next one comes was
    ///   prevented from switching, unless a switch was pending when that interrupt came: then a
    ///   task in a kernel that is not preemptible did not yield.
    /// - After a single interrupt, like the one that wakes an idle CPU, the CPU may just have
    ///   stalled.
    /// - A task that ran the whole time may have had another priority than at its last switch. So
    ///   the thread was held back only if the kernel switched to a lesser task or to idle in that
    ///   time, or if nothing but a budget is above the thread.
    fn runs_at_last(&mut self) {
        // No event showed its waking: another, untraced CPU did it.
        self.sleeps_no_more(false);
        let (mut leaving_idle, gap) = (self.evidence.idle_exit_ns, self.gap_of_idle());
        let from = self.runnable_from.min(self.segments.len());
        let (since, now) = self.span(from);
        let has_no_quota = self.late.shares_by_weight()
            && !matches!(self.state, ThreadState::Asleep(_))
            && self.evidence.throttled(since, now);
        let held_back = self.alive_from.filter(|_| self.served > 1);
        let is_chosen = |segment: &Segment| {
            matches!(segment.what, Held::Open(Open::Lesser { is_chosen: true, .. }))
        };
        let are_chosen = self.segments[from..].iter().any(is_chosen) || self.late.priority < 0;
        for (index, mut segment) in (from..).zip(self.segments.split_off(from)) {
            let is_pending = self.pending_from.is_some_and(|since| index >= since);
            let is_held_back = !is_pending && held_back.is_some_and(|since| index >= since);
            segment.what = match segment.what {
                Held::Open(Open::Idle | Open::Peer(_)) | Held::By(Cause::Throttling)
                    if has_no_quota =>
                {
                    Held::By(Cause::Quota)
                }
                Held::Open(Open::Idle) if is_held_back => Held::By(Cause::Throttling),
                Held::Open(Open::Lesser { .. })
                    if held_back.is_some() && are_chosen && !is_pending =>
                {
                    Held::By(Cause::Throttling)
                }
                Held::Open(Open::Lesser { task, .. })
                    if !is_pending
                        && (is_held_back || segment.to - segment.from > LONGEST_UNSWITCHED_NS) =>
                {
                    Held::By(Cause::Task(SomeTask {
                        policy: format!("{} before and after, unknown between", task.policy),
                        ..task
                    }))
                }
                Held::Open(Open::Lesser { task, .. } | Open::Peer(task)) => {
                    Held::By(Cause::Task(task))
                }
                Held::Open(Open::Idle) => {
                    let exit = leaving_idle.min(segment.time());
                    leaving_idle -= exit;
                    let (from, left) = (segment.from, segment.from + exit);
                    if exit > 0 {
                        let what = Held::By(Cause::IdleExit);
                        self.segments.push(Segment { from, to: left, what });
                    }
                    segment.from = left;
                    Held::By(gap.clone())
                }
                known => known,
            };
            if segment.to > segment.from {
                self.segments.push(segment);
            }
        }
        self.runnable_from = self.segments.len();
    }
}

fn no_room() -> Held {
    let why = "the kernel had no room for some events".to_owned();
    Held::By(Cause::Unknown { why })
}

/// Returns a priority as typed; the trace does not distinguish FIFO from RR.
fn policy(priority: i64) -> String {
    match priority {
        ..0 => "deadline".to_owned(),
        0..FIRST_ORDINARY => format!("real-time:{}", FIRST_ORDINARY - 1 - priority),
        120 => "other".to_owned(),
        _ => format!("other:{}", priority - 120),
    }
}

fn merged(segments: Vec<Segment>) -> Vec<Segment> {
    let mut all: Vec<Segment> = Vec::new();
    for segment in segments {
        match all.last_mut() {
            Some(last) if last.what == segment.what && last.to == segment.from => {
                last.to = segment.to;
            }
            _ => all.push(segment),
        }
    }
    all
}
