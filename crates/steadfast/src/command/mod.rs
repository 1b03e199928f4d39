//! One function a subcommand.

mod bench;
pub(crate) mod campaign;
pub(crate) mod compare;
mod doctor;
mod echo;
pub(crate) mod frontier;
mod full;
pub(crate) mod lab;
mod list;
pub(crate) mod map;
mod ready;
mod report;
mod roles;
mod run;
mod self_test;
mod store;
mod watch;

pub(crate) use bench::bench;
pub(crate) use campaign::campaign;
pub(crate) use compare::compare;
pub(crate) use doctor::doctor;
pub(crate) use echo::echo;
pub(crate) use frontier::frontier;
pub(crate) use full::full;
pub(crate) use lab::lab;
pub(crate) use list::list;
pub(crate) use map::map;
pub(crate) use ready::ready;
pub(crate) use report::report;
pub(crate) use roles::{
    Starter, role_about, role_frame, role_guest, role_hog, role_load, role_remote, role_runner,
};
pub(crate) use run::run;
pub(crate) use self_test::self_test;
pub(crate) use store::store;
pub(crate) use watch::watch;
