//! The answer at first glance: what a person in a hurry reads, the verdict first, in so few
//! lines that nothing scrolls away.

mod advised;
mod deadlines;
mod parts;
mod remarks;
mod results;
mod solvers;
mod subject;
mod times;
mod to_keep_off;

pub use advised::FIRST;
pub(crate) use advised::in_at_most;
pub use parts::{Answer, Line, Remark, Standing};
pub use remarks::SURE;
pub(crate) use results::{Found, of};
pub(crate) use subject::named;
pub use subject::{effort, of_machine, subject};

#[cfg(test)]
mod tests;
