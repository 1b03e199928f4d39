//! Where a result goes that its store can no longer take.

use std::fs;
use std::path::PathBuf;

use anyhow::Error;
use store::{Problem, Store, StoreError};

/// Saves a result with `save` in the first new file that takes it; returns the error of its store,
/// with the name of that file.
pub(crate) fn elsewhere(
    store: &Store,
    error: StoreError,
    save: &dyn Fn(Store) -> Result<(), StoreError>,
) -> Error {
    // What was in a replaced file is saved already.
    let is_lost = !matches!(error.problem, Problem::Replaced { .. });
    match is_lost.then(|| rescued(store, save)).flatten() {
        Some(place) => {
            let place = place.display();
            Error::new(error).context(format!("the last result was saved in `{place}` instead"))
        }
        None => error.into(),
    }
}

fn rescued(store: &Store, save: &dyn Fn(Store) -> Result<(), StoreError>) -> Option<PathBuf> {
    // A process of the same number may have rescued something there before.
    let places = store.rescue_places().into_iter();
    let mut free = places.filter(|place| place.symlink_metadata().is_err());
    free.find(|place| {
        let is_saved = Store::open(place).and_then(save).is_ok();
        if !is_saved {
            let _ = fs::remove_file(place);
        }
        is_saved
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rescue_touches_no_file_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("occupied.db")).unwrap();
        let [beside, temporary] = store.rescue_places();
        fs::write(&beside, "notes").unwrap();
        let place = rescued(&store, &|_| Ok(())).unwrap();
        assert_eq!(fs::read_to_string(&beside).unwrap(), "notes");
        assert_eq!(place, temporary);
        fs::remove_file(place).unwrap();
    }
}
