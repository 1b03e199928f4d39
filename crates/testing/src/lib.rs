//! What tests of several crates share.

pub mod archive;
pub mod experiment;
mod kernel;
pub mod manual;
pub mod mixes;
pub mod models;
pub mod neighbours;
mod odd;
pub mod outcomes;
mod schema;

use std::io::{Write, stderr};
use std::thread;

pub use kernel::{boot_image, deb, kernel_module, tar};
pub use odd::{Odd, TEXTS, try_odd};
pub use schema::Schema;

/// Says that the calling test is skipped, and why, also where the harness keeps
/// back what a passing test prints.
pub fn skip(why: &str) {
    let this = thread::current();
    let name = this.name().unwrap_or("a test");
    say(&format!("skipped: {name}: {why}"));
}

fn say(line: &str) {
    // Nobody reads it where standard error is closed.
    let _ = writeln!(stderr(), "{line}");
}
