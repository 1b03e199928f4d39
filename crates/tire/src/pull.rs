//! The force of a spring along its line.
//!
//! Springs of one kind use the processor's divider and others its multiplication units, so that
//! both are busy: neither alone is as fast. Both ways consist of IEEE 754 operations, which give
//! the same bits on every processor.

use rt::simd::Vector;

use crate::root::FactorOverRoot;

/// k (1 - l / |d|) for a spring of stiffness k and rest length l, whose ends are a vector d apart.
pub trait Pull<V>: Copy {
    /// Returns the value for the stiffness k and the square of |d|.
    fn along(&self, stiffness: V, square: V) -> V;
}

/// For springs between neighbours of the ring: by square root and division.
#[derive(Debug, Clone, Copy)]
pub struct RailPull<V> {
    stiffness_times_length: V,
}

/// For springs across the ring: by multiplications. A third division would keep the divider busy
/// for longer than all other units.
///
/// There is a second reason not to divide. In the air spokes keep their length, and an exact pull
/// would then be exactly 0: velocities would decay until they are subnormal, which changes the cost
/// of a step. Rounding errors of the products keep them alive.
#[derive(Debug, Clone, Copy)]
pub struct SpokePull<V>(FactorOverRoot<V>);

impl<V: Vector> RailPull<V> {
    /// Takes the stiffness times the rest length of the springs.
    #[inline(always)]
    pub fn new(stiffness_times_length: V) -> Self {
        Self { stiffness_times_length }
    }
}

impl<V: Vector> SpokePull<V> {
    /// Takes the stiffness times the rest length of the springs.
    #[inline(always)]
    pub fn new(isa: V::Isa, stiffness_times_length: V) -> Self {
        let zero = V::splat(isa, V::Element::default());
        Self(FactorOverRoot::new(isa, zero - stiffness_times_length))
    }
}

impl<V: Vector> Pull<V> for RailPull<V> {
    #[inline(always)]
    fn along(&self, stiffness: V, square: V) -> V {
        stiffness - self.stiffness_times_length.divided_by(square.square_root())
    }
}

impl<V: Vector> Pull<V> for SpokePull<V> {
    #[inline(always)]
    fn along(&self, stiffness: V, square: V) -> V {
        self.0.plus(square, stiffness)
    }
}
