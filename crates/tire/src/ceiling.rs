//! What the arithmetic units allow: the ceiling that vector solvers are measured by.

use std::hint::black_box;

use rt::simd::{Generic, InstructionSet, Isa, Real, Vector};

use crate::Precision;

/// Multiplications and fused multiply-adds of one step of one mass of the balanced model
/// in the vector solvers: half of those of a cell, which are three springs and the
/// rebound of two masses. Other operations have units of their own beside these.
#[must_use]
pub fn multiplications_a_mass(precision: Precision) -> f64 {
    const SQUARE_OF_LENGTH: u32 = 2;
    const FORCE: u32 = 1 + 2;
    const DAMPER: u32 = 2;
    const REBOUND: u32 = 1;
    let root = match precision {
        // A guess, a Newton step, and a series of five terms.
        Precision::F64 => 1 + 4 + 4,
        // A guess and a series of five terms.
        Precision::F32 => 2 + 4,
    };
    let of_cell = 3 * (SQUARE_OF_LENGTH + root + FORCE + DAMPER) + 2 * REBOUND;
    f64::from(of_cell) / 2.0
}

/// Keeps the multiplication units of one thread busy with nothing else: fused
/// multiply-adds on registers, which do not wait for each other. Gives their number,
/// each lane counted; the caller stamps. Their rate over [`multiplications_a_mass`] is the
/// rate of mass-updates that no solver can exceed. `None` where the processor does not
/// have the instruction set.
#[must_use]
pub fn multiply(instructions: InstructionSet, precision: Precision, rounds: u64) -> Option<u64> {
    match precision {
        Precision::F64 => instructions.with::<f64, _>(Multiply { rounds }),
        Precision::F32 => instructions.with::<f32, _>(Multiply { rounds }),
    }
}

/// Enough to hide the latency of two units: 2 x 4 cycles, and some more.
const INDEPENDENT: usize = 12;

struct Multiply {
    rounds: u64,
}

impl<T: Real> Generic<T> for Multiply {
    type Output = u64;

    fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> u64 {
        isa.run(
            #[inline(always)]
            || {
                let factor = V::splat(isa, T::from_f64(black_box(0.5)));
                let mut values = [V::splat(isa, T::from_f64(black_box(1.0))); INDEPENDENT];
                for _ in 0..self.rounds {
                    for value in &mut values {
                        *value = value.mul_add(factor, factor);
                    }
                }
                black_box(values.map(V::Lanes::from));
            },
        );
        self.rounds * (INDEPENDENT * V::LANES) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_is_counted() {
        for set in InstructionSet::available() {
            let double = multiply(set, Precision::F64, 10).unwrap();
            assert!(double >= 10 * INDEPENDENT as u64, "{set}");
            assert_eq!(multiply(set, Precision::F32, 10), Some(2 * double), "{set}");
        }
    }
}
