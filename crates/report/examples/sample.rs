//! Writes the report of made-up runs, to look at its layout:
//! `cargo run -p report --example sample > sample.html`.
//!
//! The first argument selects the runs: `all` (the default), `compared` or `loads` (several
//! machines), `blamed` (causes), `model` (a user's own model), `knobs` (an experiment),
//! `self-test`, `lab` (several kernels in the lab), `clocks` (a lab and a machine), `sides` (two
//! sides compared run by run), `neighbours`, `gate` and `mixes` (their views). The second argument selects
//! the format: `html` (the default), `terminal`, `frontier` or `map` as their commands print them,
//! `csv`, `json`, or `run-json` (the first run).

use analysis::Analysis;
use analysis::comparison::{Comparison, Question, Side};
use analysis::json::run;
use analysis::standards::DEFAULT_STANDARDS;
use record::Outcome;
use report::Telling;
use report::{FrontierView, MapView};
use serde_json::json;
use testing::outcomes;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut sides: Vec<Vec<Outcome>> = Vec::new();
    let outcomes: Vec<Outcome> = match arguments.next().as_deref() {
        Some("sides") => {
            sides = [(1.0, 1), (0.8, 2)]
                .map(|(times, first)| outcomes::side(None, times, 4, first))
                .into();
            sides.concat()
        }
        Some("neighbours") => testing::neighbours::matrix(),
        Some("gate") => {
            let mut turn = 0;
            testing::gates::rounds(8, 1.2, || {
                turn += 1;
                [1.0, 1.002, 0.999, 1.001, 0.998][turn % 5]
            })
        }
        Some("mixes") => testing::mixes::choices(),
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
    let analysis = match sides.is_empty() {
        true => Analysis::of(&outcomes, &DEFAULT_STANDARDS),
        false => compared(&sides),
    };
    match arguments.next().as_deref() {
        Some("terminal") => println!("{}", report::terminal(&analysis)),
        Some("frontier") => println!("{}", FrontierView::AMONG_RESULTS.details(&analysis)),
        Some("map") => {
            println!("{}", MapView { in_letters: true, search: Vec::new() }.details(&analysis));
        }
        Some("csv") => print!("{}", report::comparison_csv(&analysis)),
        Some("json") => println!("{}", json!(report::Reported::of(&analysis))),
        Some("run-json") => println!("{}", run(&outcomes[0], &DEFAULT_STANDARDS).json()),
        _ => println!("{}", report::html(&analysis)),
    }
}

fn compared(sides: &[Vec<Outcome>]) -> Analysis<'_> {
    let sides = ["before", "after"]
        .iter()
        .zip(sides)
        .map(|(name, runs)| Side { name: (*name).to_owned(), outcomes: runs.iter().collect() });
    let compared = Comparison::of(sides.collect(), &Question::default(), &DEFAULT_STANDARDS);
    Analysis::comparing(compared.expect("the sides can be compared"))
}
