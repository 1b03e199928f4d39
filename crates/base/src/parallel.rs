//! Work on all CPUs that this process may use.

use std::num::NonZero;
use std::thread::{self, Builder};

/// How many of very many items are best given to [`in_parallel`] at a time: enough for all CPUs, and few in memory.
pub const AT_ONCE: usize = 256;

/// Returns what `each` makes of every item, in the order of the items. A CPU for which no thread can be started leaves
/// its part to the calling thread.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cpus = thread::available_parallelism().map_or(1, NonZero::get);
    let part = items.len().div_ceil(cpus).max(1);
    let all = &|part: &[T]| part.iter().map(&each).collect::<Vec<R>>();
    thread::scope(|scope| {
        let (own, others) = items.split_at(part.min(items.len()));
        let start = |part| (part, Builder::new().spawn_scoped(scope, move || all(part)).ok());
        let others: Vec<_> = others.chunks(part).map(start).collect();
        let mut made = all(own);
        for (part, thread) in others {
            made.extend(match thread.map(thread::ScopedJoinHandle::join) {
                Some(Ok(made)) => made,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => all(part),
            });
        }
        made
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
            assert_eq!(in_parallel(&items, |item| 2 * item), doubled);
        }
    }
}
