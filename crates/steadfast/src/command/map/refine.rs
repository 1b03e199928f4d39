//! Chooses the next cells of a map: a coarse grid first, then the middles between neighbours where
//! a row changes colour.

use std::collections::{BTreeMap, BTreeSet};

use super::sizes::{COARSE, Sizes};

/// A row ends after this many red cells.
const ENOUGH_RED: usize = 2;

/// How bad the misses of a cell are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// No deadline was missed.
    None,
    /// As few as soft real time allows.
    Soft,
    /// More than soft real time allows.
    Frequent,
    /// So many that the cell is red, and larger sizes need not be tried.
    Many,
}

/// A map in progress: rows by their number; each row is a number of threads.
#[derive(Debug, Clone)]
pub(super) struct Refinement {
    sizes: Sizes,
    is_full: bool,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Default)]
struct Row {
    /// The size up to which the coarse grid goes at once. Beyond it, one size is tried after the
    /// other until misses are many.
    reach: u64,
    /// The largest size that can be run.
    most: u64,
    tried: BTreeMap<u64, Severity>,
}

/// A place on a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) row: usize,
    pub(super) size: u64,
}

impl Refinement {
    /// Creates a map with nothing tried. `reach` is, for each row, the size up to which the coarse
    /// grid goes at once.
    pub(super) fn new(sizes: Sizes, reach: &[u64]) -> Self {
        let row = |reach: &u64| Row {
            reach: (*reach).clamp(sizes.from, sizes.to),
            most: sizes.to,
            tried: BTreeMap::new(),
        };
        Self { sizes, is_full: false, rows: reach.iter().map(row).collect() }
    }

    /// Creates a map with every size on `rows` rows.
    pub(super) fn full(sizes: Sizes, rows: usize) -> Self {
        Self { is_full: true, ..Self::new(sizes, &vec![sizes.to; rows]) }
    }

    /// Returns what to try now; nothing when the map is done.
    pub(super) fn next(&self) -> Vec<Place> {
        let of_row = |(number, row): (usize, &Row)| {
            let sizes = row.sizes(self.sizes);
            let wanted = match self.is_full {
                true => row.untried(sizes.all()),
                false => row.next(&sizes),
            };
            let place = move |size| Place { row: number, size };
            wanted.into_iter().map(place)
        };
        self.rows.iter().enumerate().flat_map(of_row).collect()
    }

    /// Records the result of a run.
    pub(super) fn observe(&mut self, place: Place, severity: Severity) {
        self.rows[place.row].tried.insert(place.size, severity);
    }

    /// Ends a row below a size that cannot be run. Returns false if it has no smaller size.
    pub(super) fn end_below(&mut self, place: Place) -> bool {
        let grain = self.sizes.grain;
        let smaller = match self.is_full {
            true => place.size - grain,
            false => place.size / COARSE / grain * grain,
        };
        self.rows[place.row].most = smaller;
        smaller >= self.sizes.from
    }

    /// Returns whether a place is on the map: its row may have ended below it.
    pub(super) fn has(&self, place: Place) -> bool {
        place.size <= self.rows[place.row].most
    }

    /// Returns about how many runs are left, including those of [`next`](Self::next); `None` while
    /// rows grow.
    pub(super) fn left(&self) -> Option<usize> {
        if self.is_full {
            return Some(self.next().len());
        }
        let of_row = |row: &Row| row.left(&row.sizes(self.sizes));
        self.rows.iter().map(of_row).sum()
    }

    /// Returns the largest size of a row that is within soft real time.
    pub(super) fn usable(&self, row: usize) -> Option<u64> {
        self.rows[row].end_of_use()
    }

    /// Returns the number of cells of a full grid with these rows and this spacing, up to the
    /// largest size that was tried.
    pub(super) fn grid(&self) -> usize {
        let tried = self.rows.iter().filter_map(|row| row.tried.keys().next_back());
        let to = tried.max().copied().unwrap_or(self.sizes.from);
        self.rows.len() * Sizes { to, ..self.sizes }.all().count()
    }
}

impl Row {
    /// Returns the sizes that the row may have.
    fn sizes(&self, sizes: Sizes) -> Sizes {
        Sizes { to: self.most.min(sizes.to), ..sizes }
    }

    fn next(&self, sizes: &Sizes) -> Vec<u64> {
        let coarse = self.untried(sizes.coarse(self.reach));
        if !coarse.is_empty() {
            return coarse;
        }
        if let Some(larger) = self.larger(sizes) {
            return vec![larger];
        }
        let middles = self.edges().into_iter().flatten();
        let middles = middles.filter_map(|edge| sizes.middle(edge));
        BTreeSet::from_iter(middles).into_iter().collect()
    }

    fn untried(&self, sizes: impl Iterator<Item = u64>) -> Vec<u64> {
        sizes.filter(|size| !self.tried.contains_key(size)).collect()
    }

    /// Returns the next size of the coarse grid, until the last ones missed many deadlines. A
    /// single one may have met a stall that has nothing to do with its size.
    fn larger(&self, sizes: &Sizes) -> Option<u64> {
        let (largest, _) = self.tried.last_key_value()?;
        let last = self.tried.values().rev().take(ENOUGH_RED);
        let is_red = last.filter(|severity| **severity == Severity::Many).count() == ENOUGH_RED;
        (!is_red && *largest < sizes.to).then(|| (largest * COARSE).min(sizes.to))
    }

    /// Returns the pairs of neighbours that enclose the first miss, the first cell with many
    /// misses, and the end of use.
    fn edges(&self) -> [Option<[u64; 2]>; 3] {
        let first = |least: Severity| {
            let (at, _) = self.tried.iter().find(|(_, severity)| **severity >= least)?;
            let (below, _) = self.tried.range(..*at).next_back()?;
            Some([*below, *at])
        };
        let end = || {
            let at = self.end_of_use()?;
            let (above, _) = self.tried.range(at + 1..).next()?;
            Some([at, *above])
        };
        [first(Severity::Soft), first(Severity::Many), end()]
    }

    fn end_of_use(&self) -> Option<u64> {
        let usable = self.tried.iter().rfind(|(_, severity)| **severity <= Severity::Soft);
        usable.map(|(size, _)| *size)
    }

    fn left(&self, sizes: &Sizes) -> Option<usize> {
        let coarse = self.untried(sizes.coarse(self.reach)).len();
        if coarse > 0 || self.larger(sizes).is_some() {
            return None;
        }
        let halvings = |edge: [u64; 2]| sizes.halvings(edge);
        let edges = BTreeSet::from_iter(self.edges().into_iter().flatten());
        Some(edges.into_iter().map(halvings).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sizes::Spacing;
    use super::*;

    const SIZES: Sizes = Sizes { from: 400, to: 1 << 26, spacing: Spacing::Share(0.05), grain: 4 };

    /// A machine whose rows miss from one size on and miss many deadlines from another on; a
    /// simulated noise makes runs at nearby sizes differ.
    struct Machine {
        edges: Vec<[u64; 2]>,
        noise: f64,
        state: u64,
        runs: Vec<Place>,
    }

    impl Machine {
        fn new(edges: &[[u64; 2]], noise: f64) -> Self {
            Self { edges: edges.to_vec(), noise, state: 1, runs: Vec::new() }
        }

        /// Returns a factor between 1 - noise and 1 + noise.
        fn factor(&mut self) -> f64 {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005);
            self.state = self.state.wrapping_add(1_442_695_040_888_963_407);
            let uniform = (self.state >> 11) as f64 / (1u64 << 53) as f64;
            1.0 + self.noise * (2.0 * uniform - 1.0)
        }

        fn run(&mut self, place: Place) -> Severity {
            self.runs.push(place);
            let [first, many] = self.edges[place.row];
            let felt = place.size as f64 * self.factor();
            let soft = u64::midpoint(first, many);
            match felt {
                felt if felt < first as f64 => Severity::None,
                felt if felt < soft as f64 => Severity::Soft,
                felt if felt < many as f64 => Severity::Frequent,
                _ => Severity::Many,
            }
        }

        fn measure(&mut self, mut map: Refinement) -> Refinement {
            loop {
                let places = map.next();
                if places.is_empty() {
                    return map;
                }
                for place in places {
                    assert_eq!(place.size % SIZES.grain, 0, "{place:?}");
                    map.observe(place, self.run(place));
                }
                assert!(self.runs.len() < 1000, "it ends");
            }
        }
    }

    fn first(row: &Row, least: Severity) -> u64 {
        let found = row.tried.iter().find(|(_, severity)| **severity >= least);
        *found.unwrap().0
    }

    fn near(found: u64, truth: u64) -> bool {
        (found as f64 / truth as f64 - 1.0).abs() <= 0.06
    }

    #[test]
    fn every_edge_is_found_with_a_part_of_the_grid() {
        let edges = [[24_000, 31_000], [100_000, 200_000]];
        let mut machine = Machine::new(&edges, 0.0);
        let map = machine.measure(Refinement::new(SIZES, &[400, 200_000]));
        for (row, [miss, many]) in map.rows.iter().zip(edges) {
            assert!(near(first(row, Severity::Soft), miss), "{row:?}");
            assert!(near(first(row, Severity::Many), many), "{row:?}");
            assert!(near(row.end_of_use().unwrap(), u64::midpoint(miss, many)));
        }
        assert!(machine.runs.len() * 3 < map.grid(), "{}", machine.runs.len());
        assert_eq!(map.left(), Some(0));
    }

    #[test]
    fn noise_does_not_keep_it_from_ending_near_the_edges() {
        for noise in [0.05, 0.2, 0.5] {
            let mut machine = Machine::new(&[[24_000, 31_000]], noise);
            let map = machine.measure(Refinement::new(SIZES, &[100_000]));
            let row = &map.rows[0];
            for edge in row.edges().into_iter().flatten() {
                assert!(SIZES.is_fine(edge), "{noise}: {edge:?}");
            }
            let many = first(row, Severity::Many) as f64;
            let [low, high] = [31_000.0 / (1.0 + noise), 31_000.0 / (1.0 - noise)];
            assert!((low * 0.94..=high * 1.06).contains(&many), "{noise}: {many}");
        }
    }

    #[test]
    fn a_map_that_was_interrupted_goes_on_to_the_same_cells() {
        let edges = [[24_000, 31_000], [60_000, 70_000]];
        let mut machine = Machine::new(&edges, 0.0);
        let whole = machine.measure(Refinement::new(SIZES, &[400, 400]));
        let mut again = Refinement::new(SIZES, &[400, 400]);
        for place in &machine.runs[..machine.runs.len() / 2] {
            again.observe(*place, whole.rows[place.row].tried[&place.size]);
        }
        let mut rest = Machine::new(&edges, 0.0);
        let again = rest.measure(again);
        let cells = |map: &Refinement| map.rows.iter().map(|r| r.tried.clone()).collect::<Vec<_>>();
        assert_eq!(cells(&again), cells(&whole));
        assert_eq!(rest.runs.len(), machine.runs.len() - machine.runs.len() / 2);
    }

    #[test]
    fn a_full_grid_has_every_size_once() {
        let sizes = Sizes { from: 400, to: 1000, spacing: Spacing::Step(200), grain: 4 };
        let map = Refinement::full(sizes, 2);
        let size: Vec<u64> = map.next().iter().map(|place| place.size).collect();
        assert_eq!(size, [400, 600, 800, 1000, 400, 600, 800, 1000]);
        assert_eq!(map.left(), Some(8));
        let mut machine = Machine::new(&[[100, 200]; 2], 0.0);
        let done = machine.measure(map);
        assert_eq!((machine.runs.len(), done.grid()), (8, 8));
    }

    #[test]
    fn a_row_whose_smallest_size_misses_is_done_at_once() {
        let mut machine = Machine::new(&[[100, 200]], 0.0);
        let map = machine.measure(Refinement::new(SIZES, &[400]));
        assert_eq!(machine.runs.len(), ENOUGH_RED);
        assert_eq!(map.usable(0), None);
    }

    #[test]
    fn a_row_ends_below_a_size_that_cannot_be_made() {
        let refused = |place: &Place| place.size > 9000;
        let mut map = Refinement::new(SIZES, &[20_000]);
        while let Some(place) = map.next().into_iter().find(|place| map.has(*place)) {
            match refused(&place) {
                true => assert!(map.end_below(place)),
                false => map.observe(place, Severity::None),
            }
        }
        let largest = map.usable(0).unwrap();
        assert!((4500..=9000).contains(&largest), "{largest}");
        let smallest = Place { row: 0, size: 400 };
        assert!(!map.end_below(smallest), "there is no map without it");
    }

    #[test]
    fn one_stray_red_cell_does_not_end_a_row() {
        let mut map = Refinement::new(SIZES, &[400]);
        let severity = |size| match size {
            800 | 51_200.. => Severity::Many,
            _ => Severity::None,
        };
        let mut rounds = 0;
        while let Some(place) = map.next().first().copied() {
            map.observe(place, severity(place.size));
            rounds += 1;
            assert!(rounds < 100);
        }
        assert!(near(map.usable(0).unwrap(), 51_200), "{:?}", map.rows[0]);
    }

    #[test]
    fn a_row_that_never_misses_ends_with_the_largest_size() {
        let sizes = Sizes { to: 5000, ..SIZES };
        let mut machine = Machine::new(&[[1 << 30, 1 << 31]], 0.0);
        let map = machine.measure(Refinement::new(sizes, &[400]));
        let tried: Vec<u64> = map.rows[0].tried.keys().copied().collect();
        assert_eq!(tried, [400, 800, 1600, 3200, 5000]);
        assert_eq!(map.usable(0), Some(5000));
    }
}
