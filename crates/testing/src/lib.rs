//! What tests of several crates share.

mod kernel;
mod schema;

use std::io::{Write, stderr};
use std::thread;

pub use kernel::{boot_image, deb, tar};
pub use schema::Schema;

/// Says that the calling test is skipped, and why, also where the harness keeps
/// back what a passing test prints.
pub fn skip(why: &str) {
    let this = thread::current();
    let name = this.name().unwrap_or("a test");
    // Nobody reads it where standard error is closed.
    let _ = writeln!(stderr(), "skipped: {name}: {why}");
}
