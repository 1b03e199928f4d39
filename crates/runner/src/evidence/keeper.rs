//! Selects what to keep of a trace: the events around each late sample.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use blame::trace::Mark;
use blame::{Event, What, Window};

const IDLE: i64 = 0;
/// Events per CPU to look back at; a busy CPU has about ten thousand per second.
const HISTORY: usize = 1 << 16;
const MOST_A_WINDOW: usize = 1 << 14;
/// Events kept from the beginning of a window that has no room for all.
const HEAD: usize = 16;
/// Limits of the windows and of all their events; the least late are dropped first.
const MOST_WINDOWS: usize = 2_000;
const MOST_EVENTS: usize = 300_000;

/// The recent events of each CPU, and the windows kept.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    history: BTreeMap<i64, VecDeque<Event>>,
    marked: Vec<Window>,
    windows: Vec<Window>,
    events: usize,
    not_kept: i64,
    known: BTreeSet<i64>,
}

impl Keeper {
    pub(super) fn event(&mut self, event: Event) {
        let history = self.history.entry(event.cpu).or_default();
        if history.len() == HISTORY {
            history.pop_front();
        }
        history.push_back(event);
    }

    /// Records that a task was late. Other CPUs may not have been read that far yet.
    pub(super) fn mark(&mut self, Mark { thread, due, end }: Mark, task: i64, cpu: i64) {
        self.marked.push(Window { thread, task, cpu, due, end, events: Vec::new() });
    }

    /// Call it after every CPU has been read. Returns the tasks not seen before that had a CPU.
    pub(super) fn settle(&mut self) -> Vec<i64> {
        let mut met = Vec::new();
        for mut window in std::mem::take(&mut self.marked) {
            window.events = self.around(&window);
            let tasks = window.events.iter().flat_map(|e| ran(e.what));
            met.extend(tasks.filter(|task| self.known.insert(*task)));
            self.events += window.events.len();
            self.windows.push(window);
            while self.windows.len() > MOST_WINDOWS || self.events > MOST_EVENTS {
                self.drop_least();
            }
        }
        met
    }

    fn drop_least(&mut self) {
        let lateness = |place: &usize| self.windows[*place].end - self.windows[*place].due;
        if let Some(least) = (0..self.windows.len()).min_by_key(lateness) {
            self.events -= self.windows.swap_remove(least).events.len();
            self.not_kept += 1;
        }
    }

    /// Hands over the windows kept since the last call, and how many were dropped for lack of room.
    pub(super) fn hand_over(&mut self) -> (Vec<Window>, i64) {
        let mut windows = std::mem::take(&mut self.windows);
        windows.sort_by_key(|window| (window.due, window.thread));
        self.events = 0;
        (windows, std::mem::take(&mut self.not_kept))
    }

    /// Returns all events on the CPUs on which the thread was, and other events that concern it.
    fn around(&self, window: &Window) -> Vec<Event> {
        let from = self.start(window);
        let mut events = self.woken_before(window, from);
        events.extend(self.preempted_before(window, from));
        for (cpu, history) in &self.history {
            let first = history.partition_point(|event| event.at < from);
            let after = history.partition_point(|event| event.at <= window.end);
            let within = || history.range(first..after.max(first)).copied();
            let concerns = |event: &Event| concerns(event.what, window.task);
            let is_its_cpu =
                *cpu == window.cpu || within().any(|event| switches(event.what, window.task));
            events.extend(within().filter(|event| is_its_cpu || concerns(event)));
        }
        events.sort_by_key(|event| event.at);
        shortened(events)
    }

    /// Returns the time from which it is known what had the CPU when the thread was due: the
    /// thread's last switch before, including the timer that it set right before that switch.
    fn start(&self, window: &Window) -> i64 {
        let Some(history) = self.history.get(&window.cpu) else {
            return window.due;
        };
        let due = history.partition_point(|event| event.at <= window.due);
        let before = || (0..due).rev();
        let own = before().find(|place| switches(history[*place].what, window.task));
        let any = || before().find(|place| matches!(history[*place].what, What::Switch { .. }));
        let Some(place) = own.or_else(any) else {
            return window.due;
        };
        let sets = |place: &usize| matches!(history[*place].what, What::Timer { task, .. } if task == window.task);
        let timer = (place.saturating_sub(HEAD / 2)..place).find(sets);
        history[timer.unwrap_or(place)].at
    }

    /// The switch by which the thread last got the CPU, if it preempted a task there that could
    /// continue.
    fn preempted_before(&self, window: &Window, from: i64) -> Option<Event> {
        let history = self.history.get(&window.cpu)?;
        let start = history.partition_point(|event| event.at < from);
        let gets = |what| matches!(what, What::Switch { to, .. } if to == window.task);
        let switch = (0..start).rev().map(|place| history[place]).find(|event| gets(event.what));
        switch.filter(|event| matches!(event.what, What::Switch { from: 1.., state: 0, .. }))
    }

    /// The interrupt that last woke the thread, and later ones of its kind, which it may postpone.
    fn woken_before(&self, window: &Window, from: i64) -> Vec<Event> {
        let Some(history) = self.history.get(&window.cpu) else {
            return Vec::new();
        };
        let start = history.partition_point(|event| event.at < from);
        let before = |place: usize| (0..place).rev();
        let wakes = |place: &usize| is_woken(history[*place].what, window.task);
        let enters = |place: &usize| history[*place].what.is_interrupt();
        let found = before(start).find(wakes).and_then(|woken| before(woken).find(enters));
        let Some((place, What::Enter(by))) = found.map(|place| (place, history[place].what)) else {
            return Vec::new();
        };
        let ends = [What::Enter(by), What::Leave(by)];
        let of_its_kind = |event: &&Event| ends.contains(&event.what);
        let pairs = history.range(place..start).filter(of_its_kind);
        pairs.copied().collect()
    }
}

fn is_woken(what: What, own: i64) -> bool {
    matches!(what, What::Waking { task, by_interrupt: true, .. } if task == own)
}

fn switches(what: What, own: i64) -> bool {
    matches!(what, What::Switch { from, to, .. } if from == own || to == own)
}

fn concerns(what: What, own: i64) -> bool {
    match what {
        What::Switch { from, to, .. } => from == own || to == own,
        What::Waking { task, .. }
        | What::Migrate { task, .. }
        | What::Timer { task, .. }
        | What::Call { task, .. }
        | What::Priority { task, .. }
        | What::Untold { task }
        | What::Return { task } => task == own,
        What::Enter(_)
        | What::Leave(_)
        | What::ToldToSwitch
        | What::Idle { .. }
        | What::Frequency { .. }
        | What::Lost { .. } => false,
    }
}

/// Shortens a window that has no room for all events to its beginning and its end.
fn shortened(mut events: Vec<Event>) -> Vec<Event> {
    let Some(more @ 1..) = events.len().checked_sub(MOST_A_WINDOW) else {
        return events;
    };
    events.drain(HEAD..HEAD + more);
    let Event { at, cpu, .. } = events[HEAD];
    let what = What::Lost { count: more as i64 };
    events.insert(HEAD, Event { at, cpu, what });
    events
}

/// Returns the tasks that had a CPU; the trace shows neither their policies nor their processes.
fn ran(what: What) -> impl Iterator<Item = i64> {
    let tasks = match what {
        What::Switch { from, to, .. } => [from, to],
        _ => [IDLE; 2],
    };
    tasks.into_iter().filter(|task| *task != IDLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use blame::Interruption;

    const ME: i64 = 100;

    fn switch(from: i64, to: i64) -> What {
        What::Switch { from, state: 1, to, priority: 9 }
    }

    fn keeper(events: &[(i64, i64, What)]) -> Keeper {
        let mut keeper = Keeper::default();
        for (at, cpu, what) in events {
            let (at, cpu, what) = (*at, *cpu, *what);
            keeper.event(Event { at, cpu, what });
        }
        keeper
    }

    fn mark(due: i64, end: i64) -> Mark {
        Mark { thread: ME, due, end }
    }

    /// Returns the events of the one window in which the thread was late on CPU 1.
    fn kept(events: &[(i64, i64, What)], due: i64, end: i64) -> Vec<Event> {
        let mut keeper = keeper(events);
        keeper.mark(mark(due, end), ME, 1);
        keeper.settle();
        let (mut windows, not_kept) = keeper.hand_over();
        assert_eq!((windows.len(), not_kept), (1, 0));
        windows.remove(0).events
    }

    fn times(events: &[Event]) -> Vec<i64> {
        events.iter().map(|event| event.at).collect()
    }

    #[test]
    fn a_window_begins_with_the_timer_that_the_thread_set_and_ends_with_its_end() {
        let timer = What::Timer { task: ME, expires: 1000 };
        let mut keeper = keeper(&[
            (10, 1, switch(7, 8)),
            (90, 1, timer),
            (100, 1, switch(ME, 7)),
            (500, 0, switch(3, 4)),
            (600, 0, What::Waking { task: ME, priority: 19, by_interrupt: true }),
            (1500, 1, switch(7, ME)),
            (1700, 1, switch(ME, 7)),
        ]);
        keeper.mark(mark(1000, 1600), ME, 1);
        assert_eq!(keeper.settle(), [ME, 7]);
        let (windows, not_kept) = keeper.hand_over();
        assert_eq!((times(&windows[0].events), not_kept), (vec![90, 100, 600, 1500], 0));
    }

    #[test]
    fn a_window_is_preceded_by_the_switch_from_a_task_that_the_thread_preempted() {
        let gets = |from, state| What::Switch { from, state, to: ME, priority: 9 };
        let times_with = |switch| {
            let events = [(50, 1, switch), (100, 1, self::switch(ME, 8)), (1500, 1, gets(8, 0))];
            times(&kept(&events, 1000, 1600))
        };
        assert_eq!(times_with(gets(7, 0)), [50, 100, 1500]);
        assert_eq!(times_with(gets(7, 1)), [100, 1500]);
        assert_eq!(times_with(gets(0, 0)), [100, 1500]);
    }

    #[test]
    fn a_window_is_preceded_by_the_interrupt_that_woke_the_thread_and_later_ones_of_its_kind() {
        let (timer, device) = (Interruption::Cpu(0), Interruption::Device(24));
        let waking = What::Waking { task: ME, priority: 19, by_interrupt: true };
        let events = [
            (10, 1, What::Enter(timer)),
            (20, 1, What::Leave(timer)),
            (30, 1, What::Enter(timer)),
            (35, 1, waking),
            (40, 1, What::Leave(timer)),
            (50, 1, switch(7, ME)),
            (60, 1, What::Enter(device)),
            (65, 1, What::Leave(device)),
            (70, 1, What::Enter(timer)),
            (75, 1, What::Leave(timer)),
            (80, 1, switch(ME, 7)),
        ];
        assert_eq!(times(&kept(&events, 1000, 1600)), [30, 40, 70, 75, 80]);
    }

    #[test]
    fn a_thread_that_moved_has_the_events_of_both_cpus() {
        let events = [(100, 1, switch(ME, 7)), (1100, 0, switch(3, 4)), (1200, 0, switch(4, ME))];
        assert_eq!(kept(&events, 1000, 1600).len(), 3);
    }

    #[test]
    fn the_least_late_windows_are_dropped_first_and_counted() {
        let mut keeper = keeper(&[]);
        for end in 0..MOST_WINDOWS as i64 + 3 {
            keeper.mark(mark(0, end), ME, 1);
        }
        keeper.settle();
        let (windows, not_kept) = keeper.hand_over();
        assert_eq!((windows.len(), not_kept), (MOST_WINDOWS, 3));
        assert!(windows.iter().all(|window| window.end >= 3));
    }

    #[test]
    fn a_shortened_window_records_that_events_are_missing() {
        let many: Vec<_> =
            (0..MOST_A_WINDOW as i64 + 100).map(|at| (at, 1, switch(ME, 7))).collect();
        let events = kept(&many, 0, i64::MAX);
        let lost = |event: &&Event| matches!(event.what, What::Lost { count: 100 });
        assert_eq!(events.iter().filter(lost).count(), 1);
        assert_eq!(events.len(), MOST_A_WINDOW + 1);
    }
}
