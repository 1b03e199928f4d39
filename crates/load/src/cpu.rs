//! CPU load: endless arithmetic (FRA 4.1, burn-in).

use std::hint::black_box;

use crate::Load;

/// Multiplications and additions per unit of work.
const OPERATIONS: u32 = 500_000;

pub(crate) const LOAD: Load = Load {
    name: "cpu",
    summary: "floating-point arithmetic in registers",
    unit: |_| "blocks of 500 000 multiply-adds",
    prepare: |_, _| {
        Ok(Box::new(|| {
            let mut value = black_box(1.000_000_1_f64);
            for _ in 0..OPERATIONS {
                value = value * 0.999_999_9 + 1e-7;
            }
            black_box(value);
            Ok(1)
        }))
    },
    ..Load::PLAIN
};
