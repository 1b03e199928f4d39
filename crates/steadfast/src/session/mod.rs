//! What commands that measure have in common: from the plan of their runs to the conclusion.

pub(crate) mod budget;
pub(crate) mod conclusion;
pub(crate) mod driver;
pub(crate) mod live;
pub(crate) mod order;
pub(crate) mod plan_length;
pub(crate) mod progress;
pub(crate) mod rescue;
pub(crate) mod results_dir;
pub(crate) mod rounds;
pub(crate) mod search;
pub(crate) mod search_args;
