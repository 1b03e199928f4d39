//! User-space stress: what programs do apart from calling the kernel (FRA 4.1).

use std::hint::black_box;

use crate::Load;

/// Operations of each kind per round.
const OPERATIONS: usize = 20_000;
/// Jumps through the table per round.
const JUMPS: usize = 2_000;
/// Entries of the table: 16 MiB, more than a core's own caches can store.
const TABLE: usize = 1 << 21;

pub(crate) const LOAD: Load = Load {
    name: "user",
    summary: "integer and floating-point arithmetic, branches that cannot be predicted and cache misses in turn",
    unit: |_| "rounds of arithmetic, branches and cache misses",
    prepare: |_, _| {
        let mut mix = Mix { random: 1, table: vec![1; TABLE] };
        Ok(Box::new(move || {
            mix.integers();
            mix.floats();
            mix.branches();
            mix.cache_misses();
            Ok(1)
        }))
    },
    ..Load::PLAIN
};

struct Mix {
    random: u64,
    table: Vec<u64>,
}

impl Mix {
    /// Returns the next random number: Marsaglia, Xorshift RNGs, 2003.
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn integers(&mut self) {
        let mut value = black_box(1_u64);
        for divisor in 0..OPERATIONS as u64 {
            value = value.wrapping_mul(31) / (divisor | 1) + 1_000_003;
        }
        black_box(value);
    }

    fn floats(&mut self) {
        let mut value = black_box(2.0_f64);
        for _ in 0..OPERATIONS {
            value = (value * 1.5 + 1.0).sqrt();
        }
        black_box(value);
    }

    fn branches(&mut self) {
        let mut count = 0_u64;
        for _ in 0..OPERATIONS {
            if self.next() & 1 == 0 {
                count = black_box(count + 1);
            }
        }
        black_box(count);
    }

    /// Each position depends on the value at the previous one.
    fn cache_misses(&mut self) {
        for _ in 0..JUMPS {
            let place = self.next() as usize % TABLE;
            self.random ^= self.table[place];
            self.table[place] = self.random | 1;
        }
    }
}
