//! Writes the report of made-up runs, to look at its layout:
//! `cargo run -p report --example sample > sample.html`.
//!
//! The first argument names the runs: `all` (the default), `compared` or `loads` of several
//! machines, `blamed` of causes, `self-test`, `lab` of several kernels in the lab, `clocks` of
//! a lab and a machine. The second one names the form: `html` (the default), `interactive`, `terminal`,
//! `json`, or `run-json` of the first run.

use plan::Outcome;
use testing::outcomes;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let outcomes: Vec<Outcome> = match arguments.next().as_deref() {
        Some("blamed") => vec![outcomes::blamed("hog")],
        Some("self-test") => outcomes::self_tested(),
        Some("loads") => outcomes::many_loads(),
        Some("lab") => outcomes::lab(),
        Some("clocks") => outcomes::lab_and_machine(),
        Some("compared") => outcomes::two_machines(),
        _ => outcomes::everything(),
    };
    let standards = &analysis::standards::Standards::default();
    match arguments.next().as_deref() {
        Some("terminal") => println!("{}", report::terminal(&outcomes, standards)),
        Some("json") => println!("{}", analysis::json::json(&outcomes, standards)),
        Some("run-json") => println!("{}", analysis::json::run_json(&outcomes[0], standards)),
        Some("interactive") => println!("{}", report::interactive_html(&outcomes, standards)),
        _ => println!("{}", report::html(&outcomes, standards)),
    }
}
