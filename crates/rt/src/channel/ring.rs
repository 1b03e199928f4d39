//! A ring of messages in shared memory, with a receiver that spins.

use super::slot::Slot;
use super::{Channel, Message};
use crate::clock;
use crate::sync::Padded;
use crate::sync::atomic::{AtomicU64, Ordering, spin_loop};

const SLOTS: usize = 64;
/// How often the ring is checked between two readings of the clock.
const LOOKS: u32 = 64;
/// The longest time that a spin keeps the CPU.
const LONGEST_SPIN_NS: u64 = 10_000_000;
/// The sleep between checks after that time.
const REST_NS: u64 = 1_000_000;

/// A ring of messages.
pub type Ring = SlotRing<Slot, SLOTS>;

/// A ring of slots with one sender and one receiver, without system calls. Each side counts in its
/// own cache line: Lamport, Specifying Concurrent Program Modules, 1983.
#[derive(Debug)]
pub struct SlotRing<T, const SLOTS: usize> {
    slots: [T; SLOTS],
    sent: Padded<AtomicU64>,
    taken: Padded<AtomicU64>,
}

impl<T: Default, const SLOTS: usize> Default for SlotRing<T, SLOTS> {
    fn default() -> Self {
        Self {
            slots: std::array::from_fn(|_| T::default()),
            sent: Padded::default(),
            taken: Padded::default(),
        }
    }
}

impl<T, const SLOTS: usize> SlotRing<T, SLOTS> {
    /// Waits for an empty slot, fills it, and announces it.
    #[inline]
    pub fn put(&self, fill: impl FnOnce(&T)) {
        let sent = self.sent.load(Ordering::Relaxed);
        spin_until(|| sent - self.taken.load(Ordering::Acquire) < SLOTS as u64);
        fill(&self.slots[sent as usize % SLOTS]);
        self.sent.store(sent + 1, Ordering::Release);
    }

    /// Waits for the next full slot, reads it, and gives it back.
    #[inline]
    pub fn take<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        let taken = self.taken.load(Ordering::Relaxed);
        spin_until(|| self.sent.load(Ordering::Acquire) > taken);
        let message = read(&self.slots[taken as usize % SLOTS]);
        self.taken.store(taken + 1, Ordering::Release);
        message
    }
}

impl Channel for Ring {
    #[inline]
    fn send(&self, message: &Message) {
        self.put(|slot| slot.put(message));
    }

    #[inline]
    fn receive(&self) -> Message {
        self.take(Slot::take)
    }
}

/// Spins until `ready`. If that takes too long because the other thread was stopped, sleeps between
/// checks: a spin at real-time priority must be bounded.
#[inline]
fn spin_until(ready: impl Fn() -> bool) {
    if ready() {
        return;
    }
    let spins_until = clock::now() + LONGEST_SPIN_NS;
    loop {
        for _ in 0..LOOKS {
            if ready() {
                return;
            }
            spin_loop();
        }
        let now = clock::now();
        if now > spins_until {
            clock::sleep_until(now + REST_NS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spin_for_a_stopped_sender_uses_little_cpu_time() {
        let ring = Ring::default();
        let still_ns = 100_000_000;
        std::thread::scope(|scope| {
            let receiver = scope.spawn(|| {
                let message = ring.receive();
                (message, clock::thread_cpu_time())
            });
            clock::sleep_until(clock::now() + still_ns);
            ring.send(&[7; 16]);
            let (message, cpu_time) = receiver.join().unwrap();
            assert_eq!(message, [7; 16]);
            assert!(cpu_time < still_ns / 2, "{cpu_time}");
        });
    }

    #[test]
    fn a_ring_holds_as_many_messages_as_it_has_slots() {
        let ring = Ring::default();
        for round in 0..3 {
            (0..SLOTS).for_each(|n| ring.send(&[n as u8 ^ round; 16]));
            (0..SLOTS).for_each(|n| assert_eq!(ring.receive(), [n as u8 ^ round; 16]));
        }
    }
}
