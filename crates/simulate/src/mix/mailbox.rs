//! Passes values from one thread to another with a different rate; neither side waits.

use std::sync::atomic::{AtomicU64, Ordering};

use rt::sync::{SlotReader, SlotWriter, three_slots};

/// The values of a step, and the stamp of the step's end.
struct Slot {
    made: AtomicU64,
    values: Box<[AtomicU64]>,
}

pub(super) struct Writer(SlotWriter<Slot>);

pub(super) struct Reader(SlotReader<Slot>);

pub(super) fn mailbox(values: usize) -> (Writer, Reader) {
    let (writer, reader) = three_slots(|| Slot {
        made: AtomicU64::new(0),
        values: (0..values).map(|_| AtomicU64::new(0)).collect(),
    });
    (Writer(writer), Reader(reader))
}

impl Writer {
    /// Publishes the values of a step that ended at the stamp `made`; neither waits nor allocates.
    #[inline]
    pub(super) fn put(&mut self, made: u64, values: impl Iterator<Item = f64>) {
        self.0.put(|slot| {
            slot.made.store(made, Ordering::Relaxed);
            for (place, value) in slot.values.iter().zip(values) {
                place.store(value.to_bits(), Ordering::Relaxed);
            }
        });
    }
}

impl Reader {
    /// Takes the latest values and the stamp of the end of their step, 0 if none has ended yet.
    #[inline]
    pub(super) fn take(&mut self) -> (u64, impl Iterator<Item = f64>) {
        let slot = self.0.take();
        let values = slot.values.iter().map(|place| f64::from_bits(place.load(Ordering::Relaxed)));
        (slot.made.load(Ordering::Relaxed), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_values_are_read_and_stay_until_newer_ones_arrive() {
        let (mut writer, mut reader) = mailbox(2);
        let mut taken = || {
            let (made, values) = reader.take();
            (made, values.collect::<Vec<_>>())
        };
        assert_eq!(taken(), (0, vec![0.0, 0.0]));
        for step in 1..=5 {
            writer.put(step, [step as f64, -1.0].into_iter());
        }
        assert_eq!(taken(), (5, vec![5.0, -1.0]));
        assert_eq!(taken(), (5, vec![5.0, -1.0]));
        writer.put(6, [6.0, 0.5].into_iter());
        assert_eq!(taken(), (6, vec![6.0, 0.5]));
    }

    #[test]
    fn values_of_two_steps_never_mix_whatever_the_rates() {
        const STEPS: u64 = 20_000;
        let (mut writer, mut reader) = mailbox(8);
        let write = move || {
            for step in 1..=STEPS {
                writer.put(step, std::iter::repeat_n(step as f64, 8));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(write);
            let mut before = 0;
            while before < STEPS {
                let (made, mut values) = reader.take();
                assert!(made >= before, "{made} after {before}");
                assert!(values.all(|value| value as u64 == made), "step {made}");
                before = made;
            }
        });
    }
}
