//! A stretch of the balanced ring in vectors: the data layout of the fast solvers.
//!
//! **Cells.** A cell is mass i and the mass half the ring away, to which its spoke goes. So the
//! ring is a ladder of n/2 cells, whose rungs are the spokes and whose rails cross where it closes:
//! the cell after the last is the first with its masses exchanged. All springs of a cell are within
//! it or go to the next one, so each spring is computed once, and its force carried on to the next
//! cell.
//!
//! **Lanes.** A thread owns a stretch of cells. Each lane of a vector walks through its own part of
//! that stretch: lane l of block b has cell `starts[l] + b`.
//! ```text
//!          block 0    block 1        last block
//! lane 0   cell 0     cell 1    ...  cell S-1
//! lane 1   cell S     cell S+1  ...  cell 2S-1     S cells a lane
//! ```
//! The next cell is then the same lane of the next block: there is no shuffle, memory is read as
//! one stream, and the computation is in place. Where the stretch does not divide evenly,
//! neighbouring lanes overlap by a cell, which both compute, to the same bits.
//!
//! **Halos.** Blocks before the first and after the last block have copies of the cells that
//! precede and follow each lane: cells of other lanes, or of other threads. With halos of t blocks,
//! t steps can be done without another exchange with the neighbours: each step uses up one block of
//! the halo at each end.

use std::hint::black_box;

use rt::simd::{Vector, prefetch};
use rt::sync::advise_huge_pages;

use super::sweep::{BEHIND, Block, Formulas, Rails};
use crate::physics::Raw;
use crate::problem::{Problem, share};

/// The masses of a cell.
pub type RawCell<T> = [Raw<T>; 2];

/// Blocks per tile; a tile does all its fused steps before the next. Few enough that the tile and
/// the blocks by which the steps are skewed stay in a first-level cache of 32 kB with 256-bit
/// vectors, and enough that starting a sweep costs little. At least twice the number of fused
/// steps.
const TILE: usize = 64;
/// Above this size the state may be outside the second-level cache, which is 512 kB per core on
/// some processors. Prefetching data that is already in the cache costs almost nothing.
const NEAR_BYTES: usize = 1 << 18;
/// Blocks that are touched per call: some microseconds of memory access.
const TOUCHED_AT_ONCE: usize = 64;

/// A stretch of cells in vectors.
#[derive(Debug)]
pub struct Subdomain<V: Vector> {
    formulas: Formulas<V>,
    /// Number of cells in the stretch.
    cells: usize,
    /// First cell of each lane.
    starts: Vec<usize>,
    /// Number of blocks without halos.
    length: usize,
    halo: usize,
    blocks: Vec<Block<V::Lanes>>,
    halo_sources: HaloSources,
    /// The forces of finished blocks on their next ones, one for each fused step; or those of the
    /// first block and the last but one.
    carried: Vec<Rails<V>>,
    /// The block that is touched next.
    to_touch: usize,
}

/// A lane of a block.
#[derive(Debug, Clone, Copy)]
struct Place {
    block: usize,
    lane: usize,
}

/// Where the cells of the halos are copied from, sorted so that those that fewer steps need come
/// first.
#[derive(Debug, Default)]
struct HaloSources {
    own: Vec<HaloCell<Place>>,
    /// Cells before the stretch, as the number of places before it, counted from 0.
    before: Vec<HaloCell<usize>>,
    /// Cells after the stretch, counted in the same way.
    after: Vec<HaloCell<usize>>,
}

#[derive(Debug, Clone, Copy)]
struct HaloCell<S> {
    /// The first step that does not need the cell, counted backwards from the last.
    step: usize,
    to: Place,
    from: S,
}

impl<V: Vector> Subdomain<V> {
    /// Creates a stretch of cells with room for `halo` fused steps.
    pub fn new(
        isa: V::Isa,
        problem: &Problem,
        cells: usize,
        halo: usize,
        cell: impl Fn(usize) -> RawCell<V::Element>,
    ) -> Self {
        let length = cells.div_ceil(V::LANES);
        let mut subdomain = Self {
            formulas: Formulas::new(isa, problem),
            cells,
            starts: (0..V::LANES).map(|lane| lane * cells / V::LANES).collect(),
            length,
            halo,
            blocks: Vec::with_capacity(length + 2 * halo + BEHIND),
            halo_sources: HaloSources::default(),
            carried: Vec::with_capacity(halo.max(2)),
            to_touch: 0,
        };
        let nothing = V::Lanes::from(V::splat(isa, V::Element::default()));
        advise_huge_pages(subdomain.blocks.spare_capacity_mut());
        subdomain.blocks.resize(subdomain.blocks.capacity(), Block([[nothing; 4]; 2]));
        subdomain.find_halo_sources();
        for block in 0..length {
            for lane in 0..V::LANES {
                let to = Place { block: halo + block, lane };
                subdomain.set(to, &cell(subdomain.starts[lane] + block));
            }
        }
        subdomain
    }

    /// Reads one number of each vector of the next blocks, in a circle; writes nothing.
    pub fn touch(&mut self) {
        let end = self.blocks.len().min(self.to_touch + TOUCHED_AT_ONCE);
        for Block(masses) in &self.blocks[self.to_touch..end] {
            for lanes in masses.as_flattened() {
                black_box(lanes.as_ref()[0]);
            }
        }
        self.to_touch = if end == self.blocks.len() { 0 } else { end };
    }

    /// Returns a cell of the stretch.
    pub fn cell(&self, cell: usize) -> RawCell<V::Element> {
        self.get(self.place(cell))
    }

    /// Returns the place of a cell: in the last lane that starts at it or before it.
    fn place(&self, cell: usize) -> Place {
        let lane = ((cell + 1) * V::LANES).div_ceil(self.cells) - 1;
        let block = self.halo + cell - self.starts[lane];
        Place { block, lane }
    }

    fn get(&self, Place { block, lane }: Place) -> RawCell<V::Element> {
        let Block(masses) = &self.blocks[block];
        let number = |lanes: &V::Lanes| lanes.as_ref()[lane];
        masses.each_ref().map(|mass| mass.each_ref().map(number))
    }

    fn set(&mut self, Place { block, lane }: Place, cell: &RawCell<V::Element>) {
        let Block(masses) = &mut self.blocks[block];
        for (lanes, number) in masses.as_flattened_mut().iter_mut().zip(cell.as_flattened()) {
            lanes.as_mut()[lane] = *number;
        }
    }

    fn find_halo_sources(&mut self) {
        for step in 0..self.halo {
            for lane in 0..V::LANES {
                let (start, end) = (self.starts[lane], self.starts[lane] + self.length);
                let to = Place { block: self.halo - 1 - step, lane };
                if step < start {
                    let from = self.place(start - 1 - step);
                    self.halo_sources.own.push(HaloCell { step, to, from });
                } else {
                    let from = step - start;
                    self.halo_sources.before.push(HaloCell { step, to, from });
                }
                let to = Place { block: self.halo + self.length + step, lane };
                if end + step < self.cells {
                    let from = self.place(end + step);
                    self.halo_sources.own.push(HaloCell { step, to, from });
                } else {
                    let from = end + step - self.cells;
                    self.halo_sources.after.push(HaloCell { step, to, from });
                }
            }
        }
    }

    /// Fills the halos for `steps` steps with cells of this stretch.
    pub fn fill_from_own(&mut self, steps: usize) {
        for i in 0..self.halo_sources.own.len() {
            let HaloCell { step, to, from } = self.halo_sources.own[i];
            if step >= steps {
                break;
            }
            self.set(to, &self.get(from));
        }
    }

    /// Fills the rest of the halos. `before(i)` is the cell i places before the stretch, counted
    /// from 0; `after(i)` is the cell i places after it.
    pub fn fill_from_others(
        &mut self,
        steps: usize,
        before: impl Fn(usize) -> RawCell<V::Element>,
        after: impl Fn(usize) -> RawCell<V::Element>,
    ) {
        for i in 0..self.halo_sources.before.len() {
            let HaloCell { step, to, from } = self.halo_sources.before[i];
            if step < steps {
                self.set(to, &before(from));
            }
        }
        for i in 0..self.halo_sources.after.len() {
            let HaloCell { step, to, from } = self.halo_sources.after[i];
            if step < steps {
                self.set(to, &after(from));
            }
        }
    }

    /// Does one step of all blocks except the first and the last: the blocks that need no cells of
    /// other threads. The halo must already have this thread's cells.
    pub fn advance_inside(&mut self) {
        let (first, last) = (self.halo, self.halo + self.length - 1);
        let fetches = size_of_val(self.blocks.as_slice()) > NEAR_BYTES;
        self.carried.clear();
        if first < last {
            let rails = self.formulas.rails(&self.blocks[first], &self.blocks[first + 1]);
            let own = first + 1..last;
            let carried = self.formulas.sweep(&mut self.blocks, own, &rails, fetches);
            self.carried.extend([rails, carried]);
        }
    }

    /// Does the same step of the first and the last block. The whole halo must be filled.
    pub fn advance_ends(&mut self) {
        let (first, last) = (self.halo, self.halo + self.length - 1);
        let Self { formulas, blocks, carried, .. } = self;
        let before = formulas.rails(&blocks[first - 1], &blocks[first]);
        let after = formulas.rails(&blocks[last], &blocks[last + 1]);
        if let [next, previous] = carried.as_slice() {
            formulas.step(&mut blocks[last], &after, previous);
            formulas.step(&mut blocks[first], next, &before);
        } else {
            formulas.step(&mut blocks[first], &after, &before);
        }
    }

    /// Does `steps` steps of all blocks. All halos must be filled.
    ///
    /// The steps are done in skewed tiles: step s of a tile covers the blocks of its first step,
    /// moved s places to the left. So what it needs from the right has just been done, and what it
    /// needs from the left is one carried force.
    /// ```text
    /// step 2   . . 1 1 2 2 2 2 2 2 3 3 ...      a digit is a block of that tile; tiles
    /// step 1   . 1 1 1 1 2 2 2 2 2 2 3 ...      are done one after the other, each from
    /// step 0   1 1 1 1 1 1 2 2 2 2 2 2 ...      its first step to its last
    /// ```
    pub fn advance_fused(&mut self, steps: usize) {
        let first = self.halo + 1 - steps;
        let end = self.halo + self.length + steps - 1;
        let Self { formulas, blocks, carried, .. } = self;
        carried.clear();
        let mut done = end.min(first + TILE);
        for step in 0..steps {
            let own = first + step..done - step;
            let rails = formulas.rails(&blocks[own.start - 1], &blocks[own.start]);
            carried.push(formulas.sweep(blocks, own, &rails, false));
        }
        while done < end {
            let tile = done..end.min(done + TILE);
            for (step, rails) in carried.iter_mut().enumerate() {
                fetch_share(blocks, tile.end, steps, step);
                let own = tile.start - step..tile.end - step;
                *rails = formulas.sweep(blocks, own, rails, false);
            }
            done = tile.end;
        }
    }
}

/// Prefetches a part of the next tile, so that all of it is in the cache when its turn comes.
fn fetch_share<L>(blocks: &[Block<L>], next_tile: usize, parts: usize, part: usize) {
    for block in share(TILE, parts, part) {
        if let Some(later) = blocks.get(next_tile + block) {
            prefetch(later);
        }
    }
}
