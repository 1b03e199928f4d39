//! What the arithmetic units allow: the ceiling that vector solvers are measured by.

use std::hint::black_box;

use rt::simd::{Generic, InstructionSet, Isa, Real, Vector};

use crate::Precision;

/// Operations of one step of one cell, two masses of the balanced model, in the vector
/// solvers: three springs, three dampers, and the motion of two masses.
struct Mix {
    /// Multiplications and fused multiply-adds.
    multiplications: usize,
    /// Additions and subtractions.
    additions: usize,
    /// Square roots, each followed by a division.
    roots: usize,
    /// Guesses of a reciprocal root: a shift and a subtraction of integers.
    guesses: usize,
    /// The larger of two.
    larger: usize,
    /// One of two, by the sign of a third: a comparison and a choice.
    signs: usize,
}

impl Mix {
    const fn of<T: Real>() -> Self {
        const SPRINGS: usize = 3;
        const MASSES: usize = 2;
        const SQUARE_OF_LENGTH: usize = 2;
        const FORCE: usize = 2;
        const DAMPER: usize = 2;
        // A guess, a Newton step, and a series of five terms.
        const ROOT_BY_PRODUCTS: usize = 1 + 4 + 5;
        // Two differences, each of positions and of velocities.
        const ENDS: usize = 2 + 2;
        const SUM_OF_FORCES: usize = 4;
        const MOTION: usize = 5;
        // Where the spoke's root goes by products.
        let guesses = if size_of::<T>() > 4 { 1 } else { 0 };
        let roots = SPRINGS - guesses;
        Self {
            multiplications: SPRINGS * (SQUARE_OF_LENGTH + FORCE + DAMPER)
                + guesses * ROOT_BY_PRODUCTS
                + MASSES,
            additions: SPRINGS * ENDS + roots + MASSES * (SUM_OF_FORCES + MOTION),
            roots,
            guesses,
            larger: MASSES * 2,
            signs: MASSES,
        }
    }
}

/// Keeps the arithmetic units of one thread busy with the solvers' own mix of operations
/// and nothing else: on registers, and without waits for each other. Gives the masses
/// whose steps hold so many operations; the caller stamps. No solver can do more a second.
/// `None` where the processor does not have the instruction set.
#[must_use]
pub fn arithmetic(instructions: InstructionSet, precision: Precision, turns: u64) -> Option<u64> {
    match precision {
        Precision::F64 => instructions.with::<f64, _>(Busy { turns }),
        Precision::F32 => instructions.with::<f32, _>(Busy { turns }),
    }
}

/// Values that take turns, so that no operation waits for the one before it: enough to
/// hide four cycles in two units of each kind, and few enough for registers.
const VALUES: usize = 8;

struct Busy {
    turns: u64,
}

impl<T: Real> Generic<T> for Busy {
    type Output = u64;

    fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> u64 {
        isa.run(
            #[inline(always)]
            || {
                let all = |value| V::splat(isa, T::from_f64(black_box(value)));
                let (half, small) = (all(0.5), all(1e-3));
                let mut products = [all(1.0); VALUES];
                let mut sums = [all(1.0); VALUES];
                let mut roots = [all(1.0); 3];
                let mut guess = all(1.0);
                for _ in 0..self.turns {
                    turn::<V>(
                        &mut products,
                        &mut sums,
                        &mut roots,
                        &mut guess,
                        half,
                        small,
                    );
                }
                black_box((products.map(V::Lanes::from), sums.map(V::Lanes::from)));
                black_box((roots.map(V::Lanes::from), V::Lanes::from(guess)));
            },
        );
        self.turns * (2 * V::LANES) as u64
    }
}

/// One step of a cell in each lane, as far as the arithmetic units are concerned.
#[inline(always)]
fn turn<V: Vector>(
    products: &mut [V; VALUES],
    sums: &mut [V; VALUES],
    roots: &mut [V; 3],
    guess: &mut V,
    half: V,
    small: V,
) {
    let mix = const { Mix::of::<V::Element>() };
    const ROUNDS: usize = 4;
    for _ in 0..ROUNDS {
        multiply(&mut products[..mix.multiplications / ROUNDS], half);
        add(&mut sums[..mix.additions / ROUNDS], small);
    }
    multiply(&mut products[..mix.multiplications % ROUNDS], half);
    add(&mut sums[..mix.additions % ROUNDS], small);
    // They feed on sums: from turn to turn their own chain would be too long.
    for (root, sum) in roots[..mix.roots].iter_mut().zip(&*sums) {
        *root = root.max(half.divided_by(sum.square_root()));
    }
    for sum in &mut sums[mix.roots..mix.larger] {
        *sum = sum.max(half);
    }
    for sum in &mut sums[mix.larger..mix.larger + mix.signs] {
        *sum = sum.where_negative(half, *sum);
    }
    if mix.guesses > 0 {
        *guess = guess.reciprocal_root_guess();
    }
}

#[inline(always)]
fn multiply<V: Vector>(products: &mut [V], half: V) {
    for product in products {
        *product = product.mul_add(half, half);
    }
}

#[inline(always)]
fn add<V: Vector>(sums: &mut [V], small: V) {
    for sum in sums {
        *sum = *sum + small;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_is_counted() {
        for set in InstructionSet::available() {
            let double = arithmetic(set, Precision::F64, 10).unwrap();
            assert!(double >= 20, "{set}");
            assert_eq!(
                arithmetic(set, Precision::F32, 10),
                Some(2 * double),
                "{set}"
            );
        }
    }
}
