//! The lock-free parts under a model checker, which tries the orders of the threads, and for each
//! load every value that the memory model allows: `scripts/loom`.

#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use rt::channel::{Channel, Futex, SlotRing};
use rt::sync::{BarrierKind, Rounds, Stop, Stopped, TwoSlots, three_slots};

/// How often a thread is stopped where it would not stop by itself. Threads that spin allow too
/// many orders to try all of them.
const PREEMPTIONS: usize = 3;

/// A number that is not atomic. The checker fails where nothing orders two accesses to it.
struct Plain(UnsafeCell<u64>);

// SAFETY: the checker ends a test at an access that may race with another one.
unsafe impl Sync for Plain {}

impl Default for Plain {
    fn default() -> Self {
        Self(UnsafeCell::new(0))
    }
}

impl Plain {
    fn get(&self) -> u64 {
        // SAFETY: the checker has found no write at the same time.
        self.0.with(|number| unsafe { *number })
    }

    fn set(&self, new: u64) {
        // SAFETY: the checker has found no other access at the same time.
        self.0.with_mut(|number| unsafe { *number = new });
    }
}

/// Checks what threads do with what they share; `work` gets the number of its thread.
fn check<T: Send + Sync + 'static>(
    threads: usize,
    share: impl Fn() -> T + Send + Sync + 'static,
    work: impl Fn(usize, &T) + Copy + Send + Sync + 'static,
) {
    let mut builder = Builder::new();
    builder.preemption_bound.get_or_insert(PREEMPTIONS);
    builder.check(move || {
        let shared = Arc::new(share());
        let other = |thread| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || work(thread, &shared))
        };
        let others: Vec<_> = (1..threads).map(other).collect();
        work(0, &shared);
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

#[test]
fn three_slots_give_the_latest_whole_value_and_never_an_older_one() {
    const STEPS: u64 = 3;
    loom::model(|| {
        let (mut writer, mut reader) = three_slots(<[Plain; 2]>::default);
        let written = Arc::new(AtomicU64::new(0));
        let mut take = move || {
            let [first, second] = reader.take().each_ref().map(Plain::get);
            assert_eq!(first, second, "values of two steps");
            first
        };
        let announced = Arc::clone(&written);
        let writing = thread::spawn(move || {
            for step in 1..=STEPS {
                writer.put(|slot| slot.iter().for_each(|number| number.set(step)));
                announced.store(step, Ordering::Release);
            }
        });
        let mut before = 0;
        for _ in 0..2 {
            let least = written.load(Ordering::Acquire).max(before);
            before = take();
            assert!(before >= least, "{before} after {least}");
        }
        writing.join().unwrap();
        assert_eq!(take(), STEPS);
    });
}

#[test]
fn no_thread_passes_a_barrier_before_all_have_arrived() {
    for kind in [BarrierKind::Spin, BarrierKind::Futex] {
        let share = move || (kind.create(2), <[Plain; 2]>::default());
        check(2, share, |thread, (barrier, numbers)| {
            for round in 1..=2 {
                numbers[thread].set(round);
                barrier.wait().unwrap();
                assert!(numbers.iter().all(|number| number.get() == round));
                barrier.wait().unwrap();
            }
        });
    }
}

/// Several threads that spin may do so in turns without end, so these look only once.
#[test]
fn no_round_of_three_threads_ends_before_all_have_arrived() {
    let share = || (Rounds::new(3), <[[Plain; 3]; 2]>::default());
    check(3, share, |thread, (rounds, numbers)| {
        for numbers in numbers {
            numbers[thread].set(1);
            if rounds.arrive().is_some_and(|round| !rounds.has_ended(round)) {
                return;
            }
            assert!(numbers.iter().all(|number| number.get() == 1));
        }
    });
}

#[test]
fn a_thread_that_leaves_a_barrier_frees_the_other() {
    for kind in [BarrierKind::Spin, BarrierKind::Futex] {
        let share = move || (kind.create(2), Plain::default());
        check(2, share, |thread, (barrier, number)| {
            if thread == 0 {
                number.set(1);
                barrier.leave();
            } else {
                assert_eq!(barrier.wait(), Err(Stopped));
                assert_eq!(number.get(), 1, "what was written before leaving");
            }
        });
    }
}

#[test]
fn a_ring_keeps_the_order_and_loses_nothing() {
    check(2, SlotRing::<Plain, 2>::default, |thread, ring| {
        for message in 1..=3 {
            match thread {
                0 => ring.put(|slot| slot.set(message)),
                _ => assert_eq!(ring.take(Plain::get), message),
            }
        }
    });
}

#[test]
fn a_futex_announces_a_whole_message() {
    check(2, Futex::default, |thread, channel| match thread {
        0 => channel.send(&[7; 16]),
        _ => assert_eq!(channel.receive(), [7; 16]),
    });
}

#[test]
fn two_slots_are_enough_for_neighbours() {
    let share = || ([(); 2].map(|()| TwoSlots::new(<[Plain; 2]>::default())), Stop::default());
    check(2, share, |thread, (slots, stop)| {
        for pass in 0..3 {
            slots[thread].send(pass, |number| number.set(pass));
            slots[1 - thread].wait(pass, stop).unwrap();
            assert_eq!(slots[1 - thread].slot(pass).get(), pass);
        }
    });
}
