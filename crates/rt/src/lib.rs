//! The kernel services that real-time code uses, one small file per service.
//!
//! Functions act on the calling thread unless they say otherwise, and return the kernel's own
//! errors. All `unsafe` code of the workspace is here.

#![warn(missing_docs)]
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "a test may fail if no thread can be started")
)]

pub mod activity;
pub mod attached;
mod attributes;
pub mod boot;
pub mod captured_output;
pub mod channel;
pub mod claim;
pub mod clock;
pub mod control_group;
pub mod counters;
mod cpu_mask;
pub mod crash;
mod driver;
pub mod emulated;
pub mod ending;
pub mod energy;
pub mod exceptions;
pub mod family;
pub mod fatal;
pub mod file_lock;
pub mod float;
pub mod fmi;
pub mod folder;
pub mod foreign_threads;
pub mod gpio;
pub mod heap;
pub mod held_counters;
pub mod hooks;
pub mod hpet;
pub mod idle;
pub mod in_memory;
pub mod inherited_policy;
pub mod interrupt_call;
pub mod isolation;
pub mod kernel_config;
pub mod library;
pub mod limits;
pub mod link;
pub mod lock;
pub mod mapping;
pub mod memory;
pub mod namespace;
pub mod neighbours;
mod objects;
pub mod occupant;
pub mod owned;
pub mod pci;
pub mod posix;
pub mod preemption;
pub mod printed;
pub mod process;
pub mod programs;
pub mod progress;
pub mod ptrace;
pub mod read;
mod registers;
pub mod remote;
pub mod return_address;
pub mod rights;
pub mod role;
pub mod sched;
pub mod serial;
pub mod shared;
pub mod simd;
pub mod stack;
pub mod stamped;
pub mod starvation;
mod stat;
pub mod streams;
pub mod surroundings;
pub mod sync;
pub mod system;
pub mod task_counts;
pub mod tasks;
pub mod thread;
pub mod timer;
pub mod timer_slack;
mod timespec;
pub mod topology;
pub mod tracefs;
pub mod uio;
pub mod warmth;
pub mod watchdog;
