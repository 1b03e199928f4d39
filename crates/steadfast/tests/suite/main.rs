//! Runs the program as a user would. All of it is one test program, which is built and linked once.

mod common;

mod audit;
mod bad_input;
mod beside;
mod blame;
mod campaign;
mod certificate;
mod compare;
mod examples;
mod fmi_calls;
mod frame;
mod golden;
mod killed;
mod knobs;
mod lab;
mod lab_machine;
mod limits;
mod list;
mod loads;
mod machines;
mod manual;
mod mix;
mod model;
mod own_model;
mod peer;
mod rights;
mod run;
mod searches;
mod self_test;
mod slurm;
mod soak;
mod ssh;
mod store;
mod trace;
mod watch;
