//! One folder or file per command: its arguments, and what it does.

pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod campaign;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod doctor;
pub(crate) mod echo;
pub(crate) mod frontier;
pub(crate) mod full;
pub(crate) mod help;
pub(crate) mod interfere;
pub(crate) mod knobs;
pub(crate) mod lab;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod model;
pub(crate) mod ready;
pub(crate) mod report;
pub(crate) mod roles;
pub(crate) mod run;
pub(crate) mod self_test;
pub(crate) mod shell;
pub(crate) mod store;
pub(crate) mod studies;
pub(crate) mod trace;
pub(crate) mod watch;
