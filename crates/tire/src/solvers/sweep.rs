//! The inner loop of the fast solvers: one step of neighbouring blocks of cells.

use std::ops::Range;

use rt::simd::{Isa, Real, Vector, prefetch};

use crate::physics::{Force, Masses, Physics};
use crate::problem::Problem;
use crate::pull::{RailPull, SpokePull};

/// One cell per lane in memory: x, y, u, v of the first mass, then of the second.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Block<L>(pub [[L; 4]; 2]);

/// Cells in registers, one per lane.
type Cells<V> = [Masses<V>; 2];

/// The forces of the rails from a cell on its masses, one cell per lane; the masses of the next
/// cell get the opposite.
pub type Rails<V> = [Force<V>; 2];

/// The forces of the springs of a cell: the two rails to the next cell, and the spoke.
type Springs<V> = [Force<V>; 3];

/// Distance in blocks between the block that gets its springs and the block that gets its dampers:
/// square root and division take that long.
const AHEAD: usize = 3;
/// Blocks that one iteration of both stages reads.
const NEAR: usize = AHEAD + 2;
/// Blocks that must exist after the last one that is computed.
pub const BEHIND: usize = NEAR - 1;
/// Places for springs between the stages: a power of two above [`AHEAD`].
const RING: usize = 4;
/// Distance in blocks from the computed block to the prefetched one.
pub const FETCH_AHEAD: usize = 16;

/// The springs that pass from the first stage to the second.
type SpringRing<V> = [Springs<V>; RING];

/// The formulas and constants of a cell.
#[derive(Debug, Clone, Copy)]
pub struct Formulas<V: Vector> {
    isa: V::Isa,
    physics: Physics<V>,
    rail_pull: RailPull<V>,
    spoke_pull: SpokePull<V>,
}

impl<V: Vector> Formulas<V> {
    pub fn new(isa: V::Isa, problem: &Problem) -> Self {
        let physics = Physics::<V>::new(isa, &problem.coefficients);
        let all = |pull| V::splat(isa, V::Element::from_f64(pull));
        Self {
            isa,
            physics,
            rail_pull: RailPull::new(all(problem.rail_pull(0))),
            spoke_pull: SpokePull::new(isa, all(problem.spoke_pull())),
        }
    }

    /// Does one step of the blocks `own` in place, given the forces of the rails of the block
    /// before. Returns the forces of the rails of the last block.
    ///
    /// Each block goes through two stages: its springs, then its dampers and integration. The
    /// stages of different blocks alternate, because one chain of dependent operations as long as a
    /// whole step would fill the processor's queues with waiting operations. The results of the
    /// first stage are in a small ring until the second needs them.
    pub fn sweep(
        &self,
        blocks: &mut [Block<V::Lanes>],
        own: Range<usize>,
        previous: &Rails<V>,
        fetches: bool,
    ) -> Rails<V> {
        self.isa.run(
            #[inline(always)]
            || {
                // Local copies, so the compiler knows that nothing else changes them.
                let (formulas, mut previous) = (*self, *previous);
                let mut ring = formulas.ring(blocks, own.start);
                for block in own {
                    if fetches && let Some(later) = blocks.get(block + FETCH_AHEAD) {
                        prefetch(later);
                    }
                    let Some(near) = blocks[block..].first_chunk_mut::<NEAR>() else {
                        break;
                    };
                    let ahead = formulas.springs(&near[AHEAD], &near[AHEAD + 1]);
                    ring[(block + AHEAD) % RING] = ahead;
                    let springs = &ring[block % RING];
                    let (moved, rails) = formulas.advance(&near[0], &near[1], springs, &previous);
                    (near[0], previous) = (moved, rails);
                }
                previous
            },
        )
    }

    /// Computes the springs of the blocks from `start` that the second stage needs first.
    #[inline(always)]
    fn ring(&self, blocks: &[Block<V::Lanes>], start: usize) -> SpringRing<V> {
        let mut ring = [self.springs(&blocks[start], &blocks[start + 1]); RING];
        for block in start + 1..start + AHEAD {
            ring[block % RING] = self.springs(&blocks[block], &blocks[block + 1]);
        }
        ring
    }

    /// First stage: the forces of the springs.
    #[inline(always)]
    fn springs(&self, this: &Block<V::Lanes>, next: &Block<V::Lanes>) -> Springs<V> {
        let ([a, b], next) = (self.load(this), self.load(next));
        [
            self.physics.spring(&a, &next[0], &self.rail_pull),
            self.physics.spring(&b, &next[1], &self.rail_pull),
            self.physics.spring(&a, &b, &self.spoke_pull),
        ]
    }

    /// Second stage: dampers and integration.
    #[inline(always)]
    fn advance(
        &self,
        this: &Block<V::Lanes>,
        next: &Block<V::Lanes>,
        springs: &Springs<V>,
        previous: &Rails<V>,
    ) -> (Block<V::Lanes>, Rails<V>) {
        let ([a, b], next) = (self.load(this), self.load(next));
        let rails = [
            self.physics.damper(&a, &next[0], &springs[0]),
            self.physics.damper(&b, &next[1], &springs[1]),
        ];
        let spoke = self.physics.damper(&a, &b, &springs[2]);
        (self.integrate(&[a, b], &rails, previous, &spoke), rails)
    }

    #[inline(always)]
    fn integrate(
        &self,
        [a, b]: &Cells<V>,
        next: &Rails<V>,
        previous: &Rails<V>,
        spoke: &Force<V>,
    ) -> Block<V::Lanes> {
        let on_a = Force::sum(&next[0], &previous[0], spoke);
        let on_b = Force::difference(&next[1], &previous[1], spoke);
        store([self.physics.advance(a, &on_a), self.physics.advance(b, &on_b)])
    }

    /// Returns the forces of the rails from one block to the next.
    pub fn rails(&self, this: &Block<V::Lanes>, next: &Block<V::Lanes>) -> Rails<V> {
        self.isa.run(
            #[inline(always)]
            || {
                let ([a, b], next) = (self.load(this), self.load(next));
                [
                    self.physics.spring_damper(&a, &next[0], &self.rail_pull),
                    self.physics.spring_damper(&b, &next[1], &self.rail_pull),
                ]
            },
        )
    }

    /// Does one step of a block whose rails on both sides are known.
    pub fn step(&self, this: &mut Block<V::Lanes>, next: &Rails<V>, previous: &Rails<V>) {
        self.isa.run(
            #[inline(always)]
            || {
                let [a, b] = self.load(this);
                let spoke = self.physics.spring_damper(&a, &b, &self.spoke_pull);
                *this = self.integrate(&[a, b], next, previous, &spoke);
            },
        );
    }

    #[inline(always)]
    fn load(&self, Block([a, b]): &Block<V::Lanes>) -> Cells<V> {
        [self.load_masses(a), self.load_masses(b)]
    }

    #[inline(always)]
    fn load_masses(&self, [x, y, u, v]: &[V::Lanes; 4]) -> Masses<V> {
        Masses {
            x: V::load(self.isa, x),
            y: V::load(self.isa, y),
            u: V::load(self.isa, u),
            v: V::load(self.isa, v),
        }
    }
}

#[inline(always)]
fn store<V: Vector>([a, b]: Cells<V>) -> Block<V::Lanes> {
    Block([store_masses(a), store_masses(b)])
}

#[inline(always)]
fn store_masses<V: Vector>(Masses { x, y, u, v }: Masses<V>) -> [V::Lanes; 4] {
    [V::Lanes::from(x), V::Lanes::from(y), V::Lanes::from(u), V::Lanes::from(v)]
}
