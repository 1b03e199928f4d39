//! The runner's role alone, in a program that can load libraries: a static `steadfast` has it
//! packed in, and starts it for runs of models that it cannot load itself.

use std::io::{stdin, stdout};
use std::process::ExitCode;

#[global_allocator]
static HEAP: rt::heap::Heap = rt::heap::Heap;

const EXIT_COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    match played() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(EXIT_COULD_NOT_RUN)
        }
    }
}

fn played() -> Result<(), String> {
    if !rt::role::was_started_for_it() {
        return Err("this is a part of steadfast, which starts it itself".to_owned());
    }
    runner::serve(&mut stdin().lock(), &mut stdout().lock())
}
