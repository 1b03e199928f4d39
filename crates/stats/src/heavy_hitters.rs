//! The heaviest of many items, in bounded memory: Space-Saving (Metwally, Agrawal and El Abbadi,
//! Efficient computation of frequent and top-k elements in data streams, 2005).

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Weights by item, of at most `ROOM` items. An item that weighs more than the total divided by
/// `ROOM` is among them, whenever it appeared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeavyHitters<T, const ROOM: usize> {
    total: u64,
    weights: BTreeMap<T, Weight>,
}

/// The bounds of an item's weight. They differ if other items were dropped before it was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight {
    /// The item weighs this or more.
    pub at_least: u64,
    /// The item weighs this or less.
    pub at_most: u64,
}

impl<T, const ROOM: usize> Default for HeavyHitters<T, ROOM> {
    fn default() -> Self {
        const { assert!(ROOM > 0, "a sketch has room for an item") };
        Self { total: 0, weights: BTreeMap::new() }
    }
}

impl<T: Ord + Clone, const ROOM: usize> HeavyHitters<T, ROOM> {
    /// Adds weight to an item. If there is no room for it, the lightest item is dropped.
    pub fn add(&mut self, item: &T, weight: u64) {
        if weight == 0 {
            return;
        }
        self.total += weight;
        if !self.weights.contains_key(item) {
            let dropped = if self.is_full() { self.drop_lightest() } else { 0 };
            self.weights.insert(item.clone(), Weight { at_least: 0, at_most: dropped });
        }
        if let Some(bounds) = self.weights.get_mut(item) {
            bounds.at_least += weight;
            bounds.at_most += weight;
        }
    }

    /// Adds all that another sketch has counted.
    pub fn merge(&mut self, other: &Self) {
        let unseen = [self.heaviest_unseen(), other.heaviest_unseen()];
        let unseen = unseen.map(|at_most| Weight { at_least: 0, at_most });
        let items: Vec<T> = self.weights.keys().chain(other.weights.keys()).cloned().collect();
        let merged = items.into_iter().map(|item| {
            let own = self.weights.get(&item).unwrap_or(&unseen[0]);
            let added = other.weights.get(&item).unwrap_or(&unseen[1]);
            let at_least = own.at_least + added.at_least;
            (item, Weight { at_least, at_most: own.at_most + added.at_most })
        });
        self.weights = merged.collect();
        self.total += other.total;
        while self.weights.len() > ROOM {
            self.drop_lightest();
        }
    }

    /// Returns the weight of all items, also of those that were dropped.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the bounds of an item's weight, if it is one of those in the sketch.
    pub fn get(&self, item: &T) -> Option<Weight> {
        self.weights.get(item).copied()
    }

    /// Returns the items by the weight that they have at least, the heaviest first.
    pub fn heaviest(&self) -> Vec<(&T, Weight)> {
        let mut items: Vec<_> = self.weights.iter().map(|(item, bounds)| (item, *bounds)).collect();
        items.sort_by_key(|(_, bounds)| Reverse((bounds.at_least, bounds.at_most)));
        items
    }

    fn is_full(&self) -> bool {
        self.weights.len() >= ROOM
    }

    /// Returns the most that an item outside the sketch may weigh.
    fn heaviest_unseen(&self) -> u64 {
        let lightest = self.weights.values().map(|bounds| bounds.at_most).min();
        lightest.filter(|_| self.is_full()).unwrap_or(0)
    }

    /// Drops the item with the smallest upper bound, and returns that bound.
    fn drop_lightest(&mut self) -> u64 {
        let lightest = self.weights.iter().min_by_key(|(_, bounds)| bounds.at_most);
        let Some(item) = lightest.map(|(item, _)| item.clone()) else { return 0 };
        self.weights.remove(&item).map_or(0, |bounds| bounds.at_most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROOM: usize = 8;

    type Stream = Vec<(u8, u64)>;

    fn sketch(stream: &Stream) -> HeavyHitters<u8, ROOM> {
        let mut sketch = HeavyHitters::default();
        stream.iter().for_each(|(item, weight)| sketch.add(item, *weight));
        sketch
    }

    fn exact(stream: &Stream) -> BTreeMap<u8, u64> {
        let mut exact = BTreeMap::new();
        stream.iter().for_each(|(item, weight)| *exact.entry(*item).or_default() += weight);
        exact
    }

    /// Compares a sketch with exact weights.
    fn check(sketch: &HeavyHitters<u8, ROOM>, stream: &Stream) -> Result<(), TestCaseError> {
        let exact = exact(stream);
        prop_assert_eq!(sketch.total(), exact.values().sum::<u64>());
        prop_assert!(sketch.heaviest().len() <= ROOM);
        for (item, bounds) in sketch.heaviest() {
            prop_assert!((bounds.at_least..=bounds.at_most).contains(&exact[item]));
            prop_assert!(bounds.at_most - bounds.at_least <= sketch.total() / ROOM as u64);
        }
        let sum: u64 = sketch.heaviest().iter().map(|(_, bounds)| bounds.at_least).sum();
        prop_assert!(sum <= sketch.total());
        for (item, weight) in exact {
            if weight > sketch.total() / ROOM as u64 {
                prop_assert!(sketch.get(&item).is_some(), "{} is missing", item);
            }
        }
        Ok(())
    }

    fn stream() -> impl Strategy<Value = Stream> {
        prop::collection::vec((0_u8..40, 0_u64..50), 0..300)
    }

    proptest! {
        #[test]
        fn bounds_hold_and_no_heavy_item_is_missing(stream in stream()) {
            check(&sketch(&stream), &stream)?;
        }

        #[test]
        fn a_merged_sketch_holds_for_both_streams(first in stream(), second in stream()) {
            let mut merged = sketch(&first);
            merged.merge(&sketch(&second));
            check(&merged, &[first, second].concat())?;
        }

        #[test]
        fn few_items_are_counted_exactly(stream in prop::collection::vec((0_u8..8, 1_u64..50), 0..99)) {
            let sketch = sketch(&stream);
            for (item, weight) in exact(&stream) {
                let counted = sketch.get(&item).unwrap();
                prop_assert_eq!((counted.at_least, counted.at_most), (weight, weight));
            }
        }
    }

    #[test]
    fn the_heaviest_item_is_first_even_if_it_appears_last() {
        let mut sketch = HeavyHitters::<u32, ROOM>::default();
        (0..1_000_u32).for_each(|item| sketch.add(&item, 1));
        sketch.add(&7_777, 200);
        let (item, bounds) = sketch.heaviest()[0];
        assert_eq!((*item, bounds.at_least), (7_777, 200));
        assert!(bounds.at_most <= 200 + 1_000 / ROOM as u64);
    }
}
