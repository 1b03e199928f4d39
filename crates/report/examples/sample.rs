//! Writes the report of made-up runs, to look at its layout:
//! `cargo run -p report --example sample > sample.html`.
//!
//! With `terminal`, `json` or `run-json` as argument it writes those instead; with
//! `compared` or `loads` the report of several machines, with `blamed` that of causes, with
//! `self-test` that of a self-test, with `lab` that of several kernels in the lab, and with
//! `clocks` that of a lab and a machine.

use testing::outcomes as fixture;

fn main() {
    let outcomes = fixture::everything();
    let standards = &report::Standards::default();
    match std::env::args().nth(1).as_deref() {
        Some("terminal") => println!("{}", report::terminal(&outcomes, standards)),
        Some("json") => println!("{}", report::json(&outcomes, standards)),
        Some("run-json") => println!("{}", report::run_json(&outcomes[0], standards)),
        Some("blamed") => {
            println!("{}", report::html(&[fixture::blamed("hog")], standards));
        }
        Some("self-test") => println!("{}", report::html(&fixture::self_tested(), standards)),
        Some("loads") => {
            println!("{}", report::html(&fixture::many_loads(), standards));
        }
        Some("lab") => println!("{}", report::html(&fixture::lab(), standards)),
        Some("clocks") => println!("{}", report::html(&fixture::lab_and_machine(), standards)),
        Some("compared") => println!("{}", report::html(&fixture::two_machines(), standards)),
        _ => println!("{}", report::html(&outcomes, standards)),
    }
}
