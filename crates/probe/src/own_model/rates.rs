//! Each how many steps a function of a library is called.

use plan::NOWHERE;

/// Each how many steps the functions of a library are called: all at each one, unless something
/// else was typed.
pub(super) fn every(typed: &str, steps: &[String]) -> Result<Vec<u64>, String> {
    if typed == NOWHERE {
        return Ok(vec![1; steps.len()]);
    }
    let number = |word: &str| word.trim().parse().ok().filter(|count| *count > 0);
    let counts: Option<Vec<u64>> = typed.split('+').map(number).collect();
    let counts = counts
        .ok_or_else(|| format!("--every: `{typed}` is no list of counts of steps such as 1+10"))?;
    match counts.len() == steps.len() {
        true => Ok(counts),
        false => Err(format!(
            "--every: {typed} names {} rates, and the library has the steps {}; give one count for \
             each",
            counts.len(),
            steps.join(", ")
        )),
    }
}
