//! Writes the report of made-up runs, to look at its layout:
//! `cargo run -p report --example sample > sample.html`.
//!
//! With `terminal`, `json` or `run-json` as argument it writes those instead.

mod fixture;

fn main() {
    let outcomes = fixture::everything();
    match std::env::args().nth(1).as_deref() {
        Some("terminal") => println!("{}", report::terminal(&outcomes)),
        Some("json") => println!("{}", report::json(&outcomes)),
        Some("run-json") => println!("{}", report::run_json(&outcomes[0])),
        Some("compared") => println!("{}", report::html(&fixture::two_machines())),
        _ => println!("{}", report::html(&outcomes)),
    }
}
