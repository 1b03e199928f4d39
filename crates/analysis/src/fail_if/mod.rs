//! The user's limits on figures, for scripts: `wakeup.max > 150us` fails a run.

mod check;
mod limit;
mod read;
#[cfg(test)]
mod tests;
mod unmatched;

pub use check::{Checked, Found, broken};
pub use check::{of_run, sentences};
pub use limit::FailIf;
pub use unmatched::{Unmatched, check_request};
