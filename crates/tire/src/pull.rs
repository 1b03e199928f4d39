//! What a spring does along itself.
//!
//! Springs of one kind go through the processor's divider, others through its
//! multiplication units, so that both are busy: neither alone is as fast. Both ways
//! consist of IEEE 754 operations, which give the same bits on every processor.

use rt::simd::Vector;

use crate::root::FactorOverRoot;

/// k (1 - l / |d|) of a spring of stiffness k and rest length l, whose ends are d apart.
pub trait Pull<V>: Copy {
    /// The pull for the stiffness k and the square of |d|.
    fn along(&self, stiffness: V, square: V) -> V;
}

/// Of springs between neighbours of the ring: by square root and division.
#[derive(Debug, Clone, Copy)]
pub struct RailPull<V> {
    stiffness_times_length: V,
}

/// Of springs across the ring: a third division would keep the divider busy for longer
/// than all other units.
///
/// These must not be divisions for another reason too. In the air spokes keep their
/// length, and an exact pull would then be exactly 0: velocities would die away until
/// they are subnormal, which changes the cost of a step. Roundings of the products keep
/// them alive.
#[derive(Debug, Clone, Copy)]
pub struct SpokePull<V>(FactorOverRoot<V>);

impl<V: Vector> RailPull<V> {
    /// For springs of which stiffness times rest length is this.
    #[inline(always)]
    pub fn new(stiffness_times_length: V) -> Self {
        Self { stiffness_times_length }
    }
}

impl<V: Vector> SpokePull<V> {
    /// For springs of which stiffness times rest length is this.
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
