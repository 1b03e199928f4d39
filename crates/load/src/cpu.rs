//! CPU load: arithmetic without end (FRA 4.1, burn-in).

use std::hint::black_box;

use crate::Load;

pub(crate) struct Cpu;

/// Multiplications and additions in one unit of work.
const OPERATIONS: u32 = 500_000;

impl Load for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn summary(&self) -> &'static str {
        "floating-point arithmetic without end, one process a CPU, default policy"
    }

    fn unit(&self) -> &'static str {
        "block of 500 000 multiply-adds"
    }

    fn work(&self) {
        let mut value = black_box(1.000_000_1_f64);
        for _ in 0..OPERATIONS {
            value = value * 0.999_999_9 + 1e-7;
        }
        black_box(value);
    }
}
