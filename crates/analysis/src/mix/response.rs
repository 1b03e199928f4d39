//! Response times on paper, for fixed priorities on one CPU: the recurrence of Joseph and Pandya
//! (Finding response times in a real-time system, The Computer Journal 29, 1986), with blocking.

/// Due once a period, with its deadline at the period's end. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task {
    /// Time between releases; more than 0.
    pub period: u64,
    /// The longest computing time of one step.
    pub cost: u64,
    /// Larger values are more urgent.
    pub priority: u8,
}

/// Returns the longest response time by R = C + B + the sum of ceil(R / T) C over all other tasks
/// of equal or higher priority; `None` if it exceeds the period. Counting others of equal priority
/// as more urgent never underestimates.
pub(super) fn response(of: usize, tasks: &[Task], blocking: u64) -> Option<u64> {
    let task = tasks.get(of)?;
    let others = tasks.iter().enumerate();
    let before = others.filter(|(at, other)| *at != of && other.priority >= task.priority);
    let before: Vec<&Task> = before.map(|(_, other)| other).collect();
    let alone = task.cost.saturating_add(blocking);
    let mut response = alone;
    while response <= task.period {
        let taken = before
            .iter()
            .map(|other| response.div_ceil(other.period.max(1)).saturating_mul(other.cost));
        let next = taken.fold(alone, u64::saturating_add);
        if next == response {
            return Some(response);
        }
        response = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tasks of these periods and costs, the first the most urgent.
    fn ordered(tasks: &[(u64, u64)]) -> Vec<Task> {
        let tasks = tasks.iter().zip((1..=99).rev());
        let task = |((period, cost), priority): (&(u64, u64), u8)| Task {
            period: *period,
            cost: *cost,
            priority,
        };
        tasks.map(task).collect()
    }

    fn responses(tasks: &[Task], blocking: u64) -> Vec<Option<u64>> {
        (0..tasks.len()).map(|at| response(at, tasks, blocking)).collect()
    }

    #[test]
    fn the_examples_of_the_textbook_come_out() {
        // Burns and Wellings, Real-Time Systems and Programming Languages: process sets B, C and D of
        // the chapter on scheduling.
        let worked = ordered(&[(7, 3), (12, 3), (20, 5)]);
        assert_eq!(responses(&worked, 0), [Some(3), Some(6), Some(20)]);
        let full = ordered(&[(20, 5), (40, 10), (80, 40)]);
        assert_eq!(responses(&full, 0), [Some(5), Some(15), Some(80)]);
        let overfull = ordered(&[(30, 10), (40, 10), (50, 12)]);
        assert_eq!(responses(&overfull, 0), [Some(10), Some(20), None]);
    }

    #[test]
    fn blocking_delays_all_and_may_cost_the_last() {
        let worked = ordered(&[(7, 3), (12, 3), (20, 5)]);
        assert_eq!(responses(&worked, 1), [Some(4), Some(7), None]);
        assert_eq!(responses(&worked, 5), [None, None, None]);
    }

    #[test]
    fn equals_count_as_more_urgent() {
        let mut tasks = ordered(&[(10, 2), (10, 3)]);
        tasks[1].priority = tasks[0].priority;
        assert_eq!(responses(&tasks, 0), [Some(5), Some(5)]);
    }

    /// The longest response of each task, all first due at once, as a CPU with priorities works.
    fn simulated(tasks: &[Task], until: u64) -> Vec<u64> {
        let mut left: Vec<Vec<(u64, u64)>> = vec![Vec::new(); tasks.len()];
        let mut longest = vec![0; tasks.len()];
        for now in 0..until {
            for (task, due) in tasks.iter().zip(&mut left) {
                if now % task.period == 0 {
                    due.push((now, task.cost));
                }
            }
            let waiting = (0..tasks.len()).filter(|at| !left[*at].is_empty());
            let Some(at) = waiting.max_by_key(|at| tasks[*at].priority) else { continue };
            left[at][0].1 -= 1;
            if left[at][0].1 == 0 {
                let (due, _) = left[at].remove(0);
                longest[at] = longest[at].max(now + 1 - due);
            }
        }
        longest
    }

    #[test]
    fn priorities_the_wrong_way_round_miss_exactly_when_paper_says_so() {
        // 1 kHz, 100 Hz and 10 Hz in units of 10 us, the slow one with longer and longer steps.
        for slow in [20, 60, 89, 90, 91, 95, 120, 400, 1_500] {
            for wrong in [false, true] {
                let mut tasks = ordered(&[(100, 10), (1_000, 50), (10_000, slow)]);
                if wrong {
                    let reversed: Vec<u8> = tasks.iter().rev().map(|task| task.priority).collect();
                    tasks
                        .iter_mut()
                        .zip(reversed)
                        .for_each(|(task, priority)| task.priority = priority);
                }
                let seen = simulated(&tasks, 20_000);
                for (at, task) in tasks.iter().enumerate() {
                    let on_paper = response(at, &tasks, 0);
                    let met = seen[at] <= task.period;
                    assert_eq!(on_paper.is_some(), met, "{slow} {wrong} {at}: {seen:?}");
                    assert!(on_paper.is_none_or(|longest| longest == seen[at]));
                }
            }
        }
    }
}
