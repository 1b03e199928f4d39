//! The program that plays the roles in which models are loaded, and that can load libraries. A
//! static `steadfast` has it packed in, and starts it for models that it cannot load itself.

use std::env;
use std::io::stdin;
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
        return Err("this program is a part of steadfast; only steadfast can start it".to_owned());
    }
    let (role, number) = (env::args().nth(1), env::args().nth(2));
    let intervals = number.and_then(|number| number.parse().ok());
    let from = &mut stdin().lock();
    match (role.as_deref(), intervals) {
        (Some(audit::ROLE), _) => audit::serve(from),
        (Some(runner::INTERVALS), Some(intervals)) => runner::serve_intervals(intervals, from),
        (Some(runner::INTERVALS), None) => Err("the number of intervals is missing".to_owned()),
        _ => runner::serve(from),
    }
}
