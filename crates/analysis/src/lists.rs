//! Values each once, and in groups.

use std::collections::BTreeSet;

/// Returns each of these values once, sorted.
pub(crate) fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    values.into_iter().collect::<BTreeSet<T>>().into_iter().collect()
}

/// Returns these values; `None` instead of an empty list.
pub(crate) fn filled<T>(values: impl IntoIterator<Item = T>) -> Option<Vec<T>> {
    let values: Vec<T> = values.into_iter().collect();
    (!values.is_empty()).then_some(values)
}

/// Returns each of these values once, in the order of their first appearance.
pub fn each_once<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

/// Puts values that are alike into one group, in the order of their first appearance.
pub fn groups<T>(
    values: impl IntoIterator<Item = T>,
    are_alike: impl Fn(&T, &T) -> bool,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for value in values {
        match groups.iter_mut().find(|group| are_alike(&group[0], &value)) {
            Some(group) => group.push(value),
            None => groups.push(vec![value]),
        }
    }
    groups
}

/// Returns the wanted value, which is added if the list lacks it.
pub(crate) fn found_or_new<T>(
    all: &mut Vec<T>,
    is_it: impl FnMut(&T) -> bool,
    new: impl FnOnce() -> T,
) -> &mut T {
    let place = all.iter().position(is_it).unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    });
    &mut all[place]
}
