//! Splits lists of facts into the facts that most lists share and the rest.

use std::collections::BTreeMap;

/// Facts that most lists share, in their order.
pub(super) struct Common<T>(Vec<T>);

impl<T: Ord + Clone> Common<T> {
    /// Finds the facts that more than half of these lists share, among those whose name is in every
    /// list; empty for fewer than three lists.
    pub(super) fn of(lists: &[Vec<T>], name: fn(&T) -> &str) -> Self {
        const FEW: usize = 3;
        if lists.len() < FEW {
            return Self(Vec::new());
        }
        let mut told: BTreeMap<&str, usize> = BTreeMap::new();
        let mut equal: BTreeMap<&T, [usize; 2]> = BTreeMap::new();
        for (place, fact) in lists.iter().flat_map(|list| list.iter().enumerate()) {
            *told.entry(name(fact)).or_default() += 1;
            equal.entry(fact).or_insert([place, 0])[1] += 1;
        }
        let is_common =
            |fact: &T, count| 2 * count > lists.len() && told[name(fact)] == lists.len();
        let mut common: Vec<(usize, &T)> = equal
            .into_iter()
            .filter(|(fact, [_, count])| is_common(fact, *count))
            .map(|(fact, [place, _])| (place, fact))
            .collect();
        common.sort();
        Self(common.into_iter().map(|(_, fact)| fact.clone()).collect())
    }

    pub(super) fn without(&self, list: Vec<T>) -> Vec<T> {
        let own = list.into_iter().filter(|fact| !self.0.contains(fact));
        own.collect()
    }

    pub(super) fn facts(&self) -> Vec<T> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_have_is_told_once_and_the_rest_by_each() {
        let list = |facts: &[&'static str]| facts.to_vec();
        let lists = [
            list(&["z 1", "b 1", "c 1"]),
            list(&["z 1", "b 2", "c 1"]),
            list(&["z 1", "b 3"]),
            list(&["z 4", "b 4", "c 1"]),
        ];
        let common = Common::of(&lists, |fact| &fact[..1]);
        assert_eq!(common.facts(), ["z 1"], "not every list tells c");
        assert_eq!(common.without(lists[0].clone()), ["b 1", "c 1"]);
        assert_eq!(common.without(lists[3].clone()), lists[3]);
        assert!(Common::of(&lists[..2], |fact| &fact[..1]).facts().is_empty());
    }
}
