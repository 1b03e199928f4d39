//! A stretch of the balanced ring in vectors: the layout behind the fast solvers.
//!
//! **Cells.** Mass i and the mass half the ring away, to which its spoke goes, make one
//! cell. So the ring is a ladder of n/2 cells whose rungs are the spokes and whose rails
//! cross where it closes: the cell after the last is the first with its masses
//! exchanged. All springs of a cell lie within it or go to the next one, so each spring
//! is computed once, and its force carried on to the next cell.
//!
//! **Lanes.** A thread owns a stretch of cells. Each lane of a vector walks through its
//! own part of that stretch: lane l of block b holds cell `starts[l] + b`.
//! ```text
//!          block 0    block 1        last block
//! lane 0   cell 0     cell 1    ...  cell S-1
//! lane 1   cell S     cell S+1  ...  cell 2S-1     S cells a lane
//! ```
//! The next cell is then the same lane of the next block: no shuffle, one stream in
//! memory, computed in place. Where the stretch does not divide evenly, lanes overlap by
//! a cell, which both compute, to the same bits.
//!
//! **Halo.** Before the first and after the last block lie `halo` blocks for copies of the
//! cells that precede and follow each lane: cells of other lanes, or of other threads.
//! With halos of t blocks, t steps can be done without another look at the neighbours:
//! each step leaves one block of the halo at each end behind.

use std::ops::Range;

use rt::simd::{Isa, Real, Vector};

use crate::physics::{Force, Masses, Physics, Reach};
use crate::problem::{Problem, Raw};

/// The masses of a cell.
pub type RawCell<T> = [Raw<T>; 2];

/// Blocks that are done at once, all fused steps of them, so that they stay in the
/// cache: 32 steps of 256 blocks.
const TILE: usize = 256;

/// How many blocks earlier than the last stage of a block its first two stages are done.
const REACH_AHEAD: usize = 3;
const SPRINGS_AHEAD: usize = 1;
/// Blocks that all stages of a turn look at.
const WINDOW: usize = REACH_AHEAD + 2;
/// Places for blocks between stages.
const RING: usize = 4;

/// One cell a lane in memory: x, y, u, v of the one mass, then of the other.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Block<L>([[L; 4]; 2]);

/// Cells in registers, one a lane.
type Cells<V> = [Masses<V>; 2];

/// Forces of the springs from a cell to the next, one a lane.
type Rails<V> = [Force<V>; 2];

/// A stretch of cells in vectors.
#[derive(Debug)]
pub struct Strand<V: Vector> {
    isa: V::Isa,
    formulas: Formulas<V>,
    /// Cells of the stretch.
    cells: usize,
    /// First cell of each lane.
    starts: Vec<usize>,
    /// Blocks, halos aside.
    length: usize,
    halo: usize,
    blocks: Vec<Block<V::Lanes>>,
    /// Of each fused step, what the last block done so far does to the next one.
    carried: Vec<Rails<V>>,
}

/// The physics of a cell.
#[derive(Debug, Clone, Copy)]
struct Formulas<V> {
    physics: Physics<V>,
    rail_pull: V,
    spoke_pull: V,
}

impl<V: Vector> Strand<V> {
    /// A stretch of cells with room for so many fused steps.
    pub fn new(
        isa: V::Isa,
        problem: &Problem,
        cells: usize,
        halo: usize,
        cell: impl Fn(usize) -> RawCell<V::Element>,
    ) -> Self {
        let pull = |pull| V::splat(isa, V::Element::from_f64(pull));
        let zero = V::Lanes::from(pull(0.0));
        let length = cells.div_ceil(V::LANES);
        let mut strand = Self {
            isa,
            formulas: Formulas {
                physics: Physics::new(isa, &problem.coefficients),
                rail_pull: pull(problem.rail_pull(0)),
                spoke_pull: pull(problem.spoke_pull()),
            },
            cells,
            starts: (0..V::LANES).map(|lane| lane * cells / V::LANES).collect(),
            length,
            halo,
            blocks: vec![Block([[zero; 4]; 2]); length + 2 * halo + REACH_AHEAD],
            carried: Vec::with_capacity(halo),
        };
        for block in 0..length {
            for lane in 0..V::LANES {
                strand.set(halo + block, lane, &cell(strand.starts[lane] + block));
            }
        }
        strand
    }

    /// A cell of the stretch.
    pub fn cell(&self, cell: usize) -> RawCell<V::Element> {
        // The last lane that starts at this cell or before.
        let lane = ((cell + 1) * V::LANES).div_ceil(self.cells) - 1;
        let Block(masses) = &self.blocks[self.halo + cell - self.starts[lane]];
        masses.map(|mass| mass.map(|lanes| lanes.as_ref()[lane]))
    }

    fn set(&mut self, block: usize, lane: usize, cell: &RawCell<V::Element>) {
        let Block(masses) = &mut self.blocks[block];
        for (lanes, number) in masses
            .as_flattened_mut()
            .iter_mut()
            .zip(cell.as_flattened())
        {
            lanes.as_mut()[lane] = *number;
        }
    }

    /// Fills the halos for so many steps. `before(i)` is the cell i places before the
    /// stretch, counted from 1; `after(i)` the one i places after it.
    pub fn fill_halos(
        &mut self,
        steps: usize,
        before: impl Fn(usize) -> RawCell<V::Element>,
        after: impl Fn(usize) -> RawCell<V::Element>,
    ) {
        for lane in 0..V::LANES {
            let (start, end) = (self.starts[lane], self.starts[lane] + self.length);
            for i in 1..=steps {
                let previous = start.checked_sub(i);
                let previous = previous.map_or_else(|| before(i - start), |cell| self.cell(cell));
                self.set(self.halo - i, lane, &previous);
                let next = end + i - 1;
                let next = if next < self.cells {
                    self.cell(next)
                } else {
                    after(next + 1 - self.cells)
                };
                self.set(self.halo + self.length + i - 1, lane, &next);
            }
        }
    }

    /// Does so many steps of all blocks, for which the halos are filled.
    ///
    /// In skewed tiles: step s of a tile covers the blocks of its first step moved s
    /// places to the left, so that what it needs from the right has just been done, and
    /// what it needs from the left is one carried force.
    /// ```text
    /// step 2   1 1 1 1 2 2 2 2 ...      a digit is a block of that tile,
    /// step 1   . 1 1 1 1 1 2 2 ...      done from left to right and upwards
    /// step 0   . . 1 1 1 1 1 1 2 ...
    /// ```
    pub fn advance(&mut self, steps: usize) {
        let first = self.halo - steps + 1;
        let end = self.halo + self.length + steps - 1;
        let (isa, formulas) = (self.isa, self.formulas);
        let (blocks, carried) = (&mut self.blocks, &mut self.carried);
        isa.run(
            #[inline(always)]
            || {
                carried.clear();
                let mut tile_end = end.min(first + TILE);
                for step in 0..steps {
                    let own = first + step..tile_end - step;
                    let rails = formulas.rails(isa, &blocks[own.start - 1], &blocks[own.start]);
                    carried.push(formulas.sweep(isa, blocks, own, rails));
                }
                while tile_end < end {
                    let tile = tile_end..end.min(tile_end + TILE);
                    for (step, rails) in carried.iter_mut().enumerate() {
                        let own = tile.start - step..tile.end - step;
                        *rails = formulas.sweep(isa, blocks, own, *rails);
                    }
                    tile_end = tile.end;
                }
            },
        );
    }
}

impl<V: Vector> Formulas<V> {
    /// Does one step of some blocks in place, given what the block before does to the
    /// first; gives what the last one does to the block after.
    ///
    /// Each block goes through three stages, and the stages of different blocks take
    /// turns: a chain of dependent operations as long as a whole step would fill the
    /// processor's queues with work that waits. What passes from stage to stage lies in
    /// two small rings.
    #[inline(always)]
    fn sweep(
        &self,
        isa: V::Isa,
        blocks: &mut [Block<V::Lanes>],
        own: Range<usize>,
        mut previous: Rails<V>,
    ) -> Rails<V> {
        let ahead = &blocks[own.start..own.start + WINDOW];
        let first = self.reach(isa, &ahead[0], &ahead[1]);
        let mut reaches = [first; RING];
        for (i, pair) in ahead.windows(2).enumerate().take(REACH_AHEAD) {
            reaches[(own.start + i) % RING] = self.reach(isa, &pair[0], &pair[1]);
        }
        let mut springs = [self.springs(isa, &ahead[0], &ahead[1], &first); RING];
        for block in own {
            let Some(window) = blocks[block..].first_chunk_mut::<WINDOW>() else {
                break;
            };
            let [this, next, after, .., far, farther] = window;
            reaches[(block + REACH_AHEAD) % RING] = self.reach(isa, far, farther);
            let ahead = (block + SPRINGS_AHEAD) % RING;
            springs[ahead] = self.springs(isa, next, after, &reaches[ahead]);
            (*this, previous) = self.advance(isa, this, next, &springs[block % RING], &previous);
        }
        previous
    }

    /// First stage: how long the springs of a cell are, those to the next cell and the
    /// spoke.
    #[inline(always)]
    fn reach(&self, isa: V::Isa, this: &Block<V::Lanes>, next: &Block<V::Lanes>) -> [Reach<V>; 3] {
        let ([a, b], next) = (load::<V>(isa, this), load::<V>(isa, next));
        [
            self.physics.reach(&a, &next[0], self.rail_pull),
            self.physics.reach(&b, &next[1], self.rail_pull),
            self.physics.reach(&a, &b, self.spoke_pull),
        ]
    }

    /// Second stage: what the springs do.
    #[inline(always)]
    fn springs(
        &self,
        isa: V::Isa,
        this: &Block<V::Lanes>,
        next: &Block<V::Lanes>,
        reach: &[Reach<V>; 3],
    ) -> [Force<V>; 3] {
        let ([a, b], next) = (load::<V>(isa, this), load::<V>(isa, next));
        [
            self.physics.spring(&a, &next[0], &reach[0]),
            self.physics.spring(&b, &next[1], &reach[1]),
            self.physics.spring(&a, &b, &reach[2]),
        ]
    }

    /// Third stage: dampers and integration; also gives the forces on the next cell.
    #[inline(always)]
    fn advance(
        &self,
        isa: V::Isa,
        this: &Block<V::Lanes>,
        next: &Block<V::Lanes>,
        springs: &[Force<V>; 3],
        previous: &Rails<V>,
    ) -> (Block<V::Lanes>, Rails<V>) {
        let ([a, b], next) = (load::<V>(isa, this), load::<V>(isa, next));
        let rails = [
            self.physics.damper(&a, &next[0], &springs[0]),
            self.physics.damper(&b, &next[1], &springs[1]),
        ];
        let spoke = self.physics.damper(&a, &b, &springs[2]);
        let on_a = Force::sum(&rails[0], &previous[0], &spoke);
        let on_b = Force::difference(&rails[1], &previous[1], &spoke);
        let moved = [
            self.physics.advance(&a, &on_a),
            self.physics.advance(&b, &on_b),
        ];
        (store(moved), rails)
    }

    /// The whole forces of the springs from one block to the next.
    #[inline(always)]
    fn rails(&self, isa: V::Isa, this: &Block<V::Lanes>, next: &Block<V::Lanes>) -> Rails<V> {
        let ([a, b], next) = (load::<V>(isa, this), load::<V>(isa, next));
        [
            self.physics.spring_damper(&a, &next[0], self.rail_pull),
            self.physics.spring_damper(&b, &next[1], self.rail_pull),
        ]
    }
}

#[inline(always)]
fn load<V: Vector>(isa: V::Isa, Block([a, b]): &Block<V::Lanes>) -> Cells<V> {
    [load_masses(isa, a), load_masses(isa, b)]
}

#[inline(always)]
fn load_masses<V: Vector>(isa: V::Isa, [x, y, u, v]: &[V::Lanes; 4]) -> Masses<V> {
    Masses {
        x: V::load(isa, x),
        y: V::load(isa, y),
        u: V::load(isa, u),
        v: V::load(isa, v),
    }
}

#[inline(always)]
fn store<V: Vector>([a, b]: Cells<V>) -> Block<V::Lanes> {
    Block([store_masses(a), store_masses(b)])
}

#[inline(always)]
fn store_masses<V: Vector>(Masses { x, y, u, v }: Masses<V>) -> [V::Lanes; 4] {
    [
        V::Lanes::from(x),
        V::Lanes::from(y),
        V::Lanes::from(u),
        V::Lanes::from(v),
    ]
}
