//! The number of steps between two calls of a library's function.

use plan::NOWHERE;

/// Returns the number of steps from one call to the next for each function of a library: one,
/// unless the user gave others.
pub(super) fn every(typed: &str, steps: &[String]) -> Result<Vec<u64>, String> {
    if typed == NOWHERE {
        return Ok(vec![1; steps.len()]);
    }
    let number = |word: &str| word.trim().parse().ok().filter(|count| *count > 0);
    let counts: Option<Vec<u64>> = typed.split('+').map(number).collect();
    let counts = counts
        .ok_or_else(|| format!("--every: `{typed}` is not a list of step counts such as 1+10"))?;
    match counts.len() == steps.len() {
        true => Ok(counts),
        false => Err(format!(
            "--every: {typed} has {} counts, but the library has the step functions {}; give one \
             count for each",
            counts.len(),
            steps.join(", ")
        )),
    }
}
