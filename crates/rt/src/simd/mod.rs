//! Vectors of reals for arithmetic that must run at the speed of the machine and give the same bits
//! on every machine.
//!
//! A kernel is written over [`Vector`] and compiled once for each instruction set. All operations
//! are exact IEEE 754 operations on each lane separately, so a kernel without exchange between
//! lanes gives equal bits for any number of lanes. The processors' reciprocal estimates are left
//! out on purpose: they differ between manufacturers. The module uses `std::arch` directly because
//! ten small operations per type are less to read, and to trust, than a library with all
//! operations.

mod isa;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod real;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod register;
mod set;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use isa::{Baseline, Isa};
pub use portable::Portable;
pub use set::{Generic, InstructionSet};
pub use vector::{Real, Vector};

/// Requests that a value is brought near the processor, for use a little later; never waits.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "aarch64")]
    neon::prefetch(value);
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(value);
    #[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
    let _ = value;
}
