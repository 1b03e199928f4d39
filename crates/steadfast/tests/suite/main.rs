//! Runs the program as a user would. All of it is one test program, which is built and linked once.

mod common;

mod audit;
mod bad_input;
mod beside;
mod blame;
mod campaign;
mod compare;
mod doctor;
mod fail_if;
mod frame;
mod frontier;
mod golden;
mod interfere;
mod killed;
mod knobs;
mod lab;
mod lab_machine;
mod limits;
mod links;
mod list;
mod loads;
mod machines;
mod manual;
mod map;
mod mix;
mod model;
mod own_model;
mod peer;
mod roles;
mod run;
mod self_test;
mod slurm;
mod ssh;
mod store;
mod watch;
