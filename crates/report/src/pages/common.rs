//! Splits lists of facts into the facts that most lists share and the rest.

use std::collections::BTreeMap;

/// Returns the facts that more than half of these lists share, in their order, among those whose
/// name is in every list; empty for fewer than three lists.
pub(super) fn common<T: Ord + Clone>(lists: &[Vec<T>], name: fn(&T) -> &str) -> Vec<T> {
    const FEW: usize = 3;
    if lists.len() < FEW {
        return Vec::new();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut equal: BTreeMap<&T, [usize; 2]> = BTreeMap::new();
    for (place, fact) in lists.iter().flat_map(|list| list.iter().enumerate()) {
        *counts.entry(name(fact)).or_default() += 1;
        equal.entry(fact).or_insert([place, 0])[1] += 1;
    }
    let is_common = |fact: &T, count| 2 * count > lists.len() && counts[name(fact)] == lists.len();
    let mut common: Vec<(usize, &T)> = equal
        .into_iter()
        .filter(|(fact, [_, count])| is_common(fact, *count))
        .map(|(fact, [place, _])| (place, fact))
        .collect();
    common.sort();
    common.into_iter().map(|(_, fact)| fact.clone()).collect()
}

pub(super) fn without<T: PartialEq>(mut list: Vec<T>, common: &[T]) -> Vec<T> {
    list.retain(|fact| !common.contains(fact));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_have_is_reported_once_and_the_rest_by_each() {
        let lists = [
            vec!["z 1", "b 1", "c 1"],
            vec!["z 1", "b 2", "c 1"],
            vec!["z 1", "b 3"],
            vec!["z 4", "b 4", "c 1"],
        ];
        let all = common(&lists, |fact| &fact[..1]);
        assert_eq!(all, ["z 1"], "not every list tells c");
        assert_eq!(without(lists[0].clone(), &all), ["b 1", "c 1"]);
        assert_eq!(without(lists[3].clone(), &all), lists[3]);
        assert!(common(&lists[..2], |fact| &fact[..1]).is_empty());
    }
}
