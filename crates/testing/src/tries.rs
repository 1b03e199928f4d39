//! What the host or another test can spoil, but not each time.

use std::fmt::Debug;

/// Makes something again until it is as expected, at most `times` times, and returns it. Panics with
/// everything that was made if none of it is.
#[track_caller]
pub fn within_tries<T: Debug>(
    times: usize,
    mut make: impl FnMut() -> T,
    is_expected: impl Fn(&T) -> bool,
) -> T {
    let mut others = Vec::new();
    for _ in 0..times {
        let made = make();
        if is_expected(&made) {
            return made;
        }
        others.push(made);
    }
    panic!("not as expected in {times} tries: {others:?}");
}
