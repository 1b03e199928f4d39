//! The ceilings that solvers are measured against: what the arithmetic units and the memory allow.
//! This is work without a clock: the caller takes the time stamps.

use std::hint::black_box;

use rt::simd::{Generic, InstructionSet, Isa, Real, Vector, prefetch};
use rt::sync::advise_huge_pages;

use crate::Precision;
use crate::solvers::{Block, FETCH_AHEAD};

/// Springs per cell whose roots use the divider: one square root and one division each.
const RAILS: usize = 2;
/// Springs per cell whose roots use multiplications, starting from a guess that costs an integer
/// shift and subtraction.
const SPOKES: usize = 1;

/// The other operations of one step of one cell (two masses of the balanced model) in the vector
/// solvers: three springs, three dampers, and the motion of two masses.
struct Mix {
    /// Multiplications and fused multiply-adds.
    multiplications: usize,
    /// Additions and subtractions.
    additions: usize,
    /// Maximum of two values.
    larger: usize,
    /// Selection of one of two values by the sign of a third: a comparison and a choice.
    signs: usize,
}

impl Mix {
    const fn of<T: Real>() -> Self {
        const SPRINGS: usize = RAILS + SPOKES;
        const MASSES: usize = 2;
        const SQUARE_OF_LENGTH: usize = 2;
        const FORCE: usize = 2;
        const DAMPER: usize = 2;
        // A guess, a Newton step (`f64` only), and a series of five terms.
        let by_products = if size_of::<T>() > 4 { 1 + 4 + 5 } else { 2 + 5 };
        // Two differences of positions and two of velocities.
        const ENDS: usize = 2 + 2;
        const SUM_OF_FORCES: usize = 4;
        const MOTION: usize = 5;
        Self {
            multiplications: SPRINGS * (SQUARE_OF_LENGTH + FORCE + DAMPER)
                + SPOKES * by_products
                + MASSES,
            additions: SPRINGS * ENDS + RAILS + MASSES * (SUM_OF_FORCES + MOTION),
            larger: MASSES * 2,
            signs: MASSES,
        }
    }
}

/// Returns the multiplications and fused multiply-adds that a vector solver does per mass and step.
/// Each spring is computed once.
pub fn multiplications_a_mass(precision: Precision) -> f64 {
    let a_cell = match precision {
        Precision::F64 => Mix::of::<f64>(),
        Precision::F32 => Mix::of::<f32>(),
    };
    a_cell.multiplications as f64 / 2.0
}

/// Returns the bytes that one pass over the state moves per mass: its position and velocity, read
/// and written once.
pub fn bytes_a_mass(precision: Precision) -> u64 {
    const NUMBERS: u64 = 4;
    let number = match precision {
        Precision::F64 => size_of::<f64>(),
        Precision::F32 => size_of::<f32>(),
    };
    2 * NUMBERS * number as u64
}

/// A pass over memory, one piece per call, in a circle. It loads, adds and stores in place, in the
/// blocks, vectors and huge pages of the vector solvers. Each call returns the bytes that it read
/// plus those that it wrote; the caller takes the time stamps.
pub type Pass = Box<dyn FnMut() -> u64>;

/// Allocates at least `bytes` bytes of memory for a [`Pass`] and touches them. Call it on the
/// thread that will do the pass, on its CPU. Returns `None` if the processor lacks the instruction
/// set.
pub fn memory(instructions: InstructionSet, bytes: usize) -> Option<Pass> {
    instructions.with::<f64, _>(Stream { bytes })
}

/// Blocks per piece: enough that a time stamp after each piece costs almost nothing.
const PIECE: usize = 4096;

struct Stream {
    bytes: usize,
}

impl Generic<f64> for Stream {
    type Output = Pass;

    fn with<V: Vector<Element = f64>>(self, isa: V::Isa) -> Pass {
        let zero = Block([[V::Lanes::from(V::splat(isa, 0.0)); 4]; 2]);
        let pieces = (self.bytes / size_of_val(&zero)).div_ceil(PIECE).max(1);
        let mut blocks = Vec::with_capacity(pieces * PIECE);
        advise_huge_pages(blocks.spare_capacity_mut());
        blocks.resize(pieces * PIECE, zero);
        let mut piece = 0;
        Box::new(move || {
            add_to_all::<V>(isa, &mut blocks[piece * PIECE..]);
            piece = (piece + 1) % pieces;
            2 * (PIECE * size_of_val(&zero)) as u64
        })
    }
}

/// Adds 1 to every number of the first piece.
fn add_to_all<V: Vector>(isa: V::Isa, blocks: &mut [Block<V::Lanes>]) {
    isa.run(
        #[inline(always)]
        || {
            let step = V::splat(isa, V::Element::from_f64(1.0));
            for block in 0..PIECE {
                if let Some(later) = blocks.get(block + FETCH_AHEAD) {
                    prefetch(later);
                }
                let Block(masses) = &mut blocks[block];
                for lanes in masses.as_flattened_mut() {
                    *lanes = V::Lanes::from(V::load(isa, lanes) + step);
                }
            }
        },
    );
}

/// Keeps the arithmetic units of one thread busy with exactly the solvers' mix of operations: in
/// registers, with no operation waiting for another. Returns the number of mass steps that this
/// many operations amount to; the caller takes the time stamps. No solver can do more per second.
/// Returns `None` if the processor lacks the instruction set.
pub fn arithmetic(instructions: InstructionSet, precision: Precision, turns: u64) -> Option<u64> {
    match precision {
        Precision::F64 => instructions.with::<f64, _>(Busy { turns }),
        Precision::F32 => instructions.with::<f32, _>(Busy { turns }),
    }
}

/// Number of independent values, used in rotation so that no operation waits for the one before it:
/// enough to hide four cycles in two units of each kind, and few enough for the registers.
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
                let mut roots = [all(1.0); RAILS];
                let mut guess = all(1.0);
                for _ in 0..self.turns {
                    turn::<V>(&mut products, &mut sums, &mut roots, &mut guess, half, small);
                }
                black_box((products.map(V::Lanes::from), sums.map(V::Lanes::from)));
                black_box((roots.map(V::Lanes::from), V::Lanes::from(guess)));
            },
        );
        self.turns * (2 * V::LANES) as u64
    }
}

/// One step of a cell in each lane, as the arithmetic units see it.
#[inline(always)]
fn turn<V: Vector>(
    products: &mut [V; VALUES],
    sums: &mut [V; VALUES],
    roots: &mut [V; RAILS],
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
    // Roots take their input from the sums: a chain from turn to turn would be too long.
    for (root, sum) in roots.iter_mut().zip(&*sums) {
        *root = root.max(half.divided_by(sum.square_root()));
    }
    for sum in &mut sums[RAILS..mix.larger] {
        *sum = sum.max(half);
    }
    for sum in &mut sums[mix.larger..mix.larger + mix.signs] {
        *sum = sum.where_negative(half, *sum);
    }
    *guess = guess.reciprocal_root_guess();
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
            assert_eq!(arithmetic(set, Precision::F32, 10), Some(2 * double), "{set}");
        }
    }
    /// Checks that a pass changes all of its own piece and nothing beyond.
    struct Reach;

    impl Generic<f64> for Reach {
        type Output = bool;

        fn with<V: Vector<Element = f64>>(self, isa: V::Isa) -> bool {
            let zero = Block([[V::Lanes::from(V::splat(isa, 0.0)); 4]; 2]);
            let mut blocks = vec![zero; PIECE + 1];
            add_to_all::<V>(isa, &mut blocks);
            let all_are = |blocks: &[Block<V::Lanes>], value: f64| {
                let masses = blocks.iter().flat_map(|Block(masses)| masses);
                let mut numbers = masses.flatten().flat_map(AsRef::as_ref);
                numbers.all(|number| *number == value)
            };
            all_are(&blocks[..PIECE], 1.0) && all_are(&blocks[PIECE..], 0.0)
        }
    }

    #[test]
    fn a_pass_changes_all_of_its_piece() {
        for set in InstructionSet::available() {
            assert_eq!(set.with(Reach), Some(true), "{set}");
            let mut pass = memory(set, 10 << 20).unwrap();
            let bytes = pass();
            assert!(bytes > 0 && (0..9).all(|_| pass() == bytes), "{set}");
        }
    }

    #[test]
    fn half_the_bytes_are_half_the_memory() {
        assert_eq!(bytes_a_mass(Precision::F64), 64);
        assert_eq!(bytes_a_mass(Precision::F32), 32);
        let [double, single] = [Precision::F64, Precision::F32].map(multiplications_a_mass);
        assert!(single < double);
    }
}
