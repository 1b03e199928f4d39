//! One function a subcommand.

mod bench;
mod list;
mod quick;
mod report;
mod roles;
mod run;
mod watch;

pub(crate) use bench::bench;
pub(crate) use list::list;
pub(crate) use quick::quick;
pub(crate) use report::report;
pub(crate) use roles::{role_load, role_runner};
pub(crate) use run::run;
pub(crate) use watch::watch;
