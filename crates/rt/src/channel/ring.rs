//! A ring of messages in shared memory, with a receiver that spins.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};

use super::slot::Slot;
use super::{Channel, Message};
use crate::clock;
use crate::sync::Padded;

const SLOTS: usize = 64;
/// How often the ring is checked between two readings of the clock.
const LOOKS: u32 = 64;
/// The longest time that a spin keeps the CPU.
const LONGEST_SPIN_NS: u64 = 10_000_000;
/// The sleep between checks after that time.
const REST_NS: u64 = 1_000_000;

/// A ring with one sender and one receiver, without system calls. Each side counts in its own cache
/// line: Lamport, Specifying Concurrent Program Modules, 1983.
#[derive(Debug)]
pub struct Ring {
    slots: [Slot; SLOTS],
    sent: Padded<AtomicU64>,
    taken: Padded<AtomicU64>,
}

impl Default for Ring {
    fn default() -> Self {
        Self {
            slots: std::array::from_fn(|_| Slot::default()),
            sent: Padded::default(),
            taken: Padded::default(),
        }
    }
}

impl Channel for Ring {
    #[inline]
    fn send(&self, message: &Message) {
        let sent = self.sent.load(Ordering::Relaxed);
        spin_until(|| sent - self.taken.load(Ordering::Acquire) < SLOTS as u64);
        self.slots[sent as usize % SLOTS].put(message);
        self.sent.store(sent + 1, Ordering::Release);
    }

    #[inline]
    fn receive(&self) -> Message {
        let taken = self.taken.load(Ordering::Relaxed);
        spin_until(|| self.sent.load(Ordering::Acquire) > taken);
        let message = self.slots[taken as usize % SLOTS].take();
        self.taken.store(taken + 1, Ordering::Release);
        message
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
