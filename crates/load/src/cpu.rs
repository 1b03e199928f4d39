//! CPU load: arithmetic without end (FRA 4.1, burn-in).

use std::hint::black_box;

use crate::{Load, Work};

pub(crate) struct Cpu;

/// Multiplications and additions in one unit of work.
const OPERATIONS: u32 = 500_000;

impl Load for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn summary(&self) -> &'static str {
        "floating-point arithmetic in registers"
    }

    fn unit(&self, _argument: &str) -> &'static str {
        "blocks of 500 000 multiply-adds"
    }

    fn prepare(&self, _argument: &str, _granted: u64) -> Result<Work, String> {
        Ok(Box::new(|| {
            let mut value = black_box(1.000_000_1_f64);
            for _ in 0..OPERATIONS {
                value = value * 0.999_999_9 + 1e-7;
            }
            black_box(value);
            Ok(1)
        }))
    }
}
