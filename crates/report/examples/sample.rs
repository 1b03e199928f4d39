//! Writes the report of made-up runs, to look at its layout:
//! `cargo run -p report --example sample > sample.html`.
//!
//! The first argument names the runs: `all` (the default), `compared` or `loads` of several
//! machines, `blamed` of causes, `model` of a person's own, `knobs` of an experiment, `self-test`, `lab` of several kernels in the lab, `clocks` of
//! a lab and a machine. The second one names the form: `html` (the default), `interactive`, `terminal`,
//! `frontier` or `map` as their commands print them, `json`, or `run-json` of the first run.

use analysis::Analysis;
use analysis::json::run_json;
use plan::Outcome;
use serde_json::json;
use testing::outcomes;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let outcomes: Vec<Outcome> = match arguments.next().as_deref() {
        Some("blamed") => vec![outcomes::blamed("hog")],
        Some("model") => ["real-time", "real-fast"].map(|mode| outcomes::own_model(mode, 0)).into(),
        Some("knobs") => testing::experiment::tried_knobs(),
        Some("self-test") => outcomes::self_tested(),
        Some("loads") => outcomes::many_loads(),
        Some("lab") => outcomes::lab(),
        Some("clocks") => outcomes::lab_and_machine(),
        Some("compared") => outcomes::two_machines(),
        _ => outcomes::everything(),
    };
    let standards = analysis::standards::Standards::default();
    let analysis = Analysis::of(&outcomes, &standards);
    match arguments.next().as_deref() {
        Some("terminal") => println!("{}", report::terminal(&analysis)),
        Some("frontier") => println!("{}", report::frontier(&analysis, None, &[])),
        Some("map") => println!("{}", report::map(&analysis)),
        Some("json") => println!("{}", json!(analysis)),
        Some("run-json") => println!("{}", run_json(&outcomes[0], &standards)),
        Some("interactive") => println!("{}", report::interactive_html(&analysis)),
        _ => println!("{}", report::html(&analysis)),
    }
}
