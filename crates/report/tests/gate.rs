//! The answer of a gate on the page, in a terminal and in JSON.

use analysis::Analysis;
use analysis::standards::Standards;
use report::Telling;
use serde_json::json;
use testing::gates;

/// Returns what the page and the terminal say about a gate with a margin of 5 %.
fn told(rounds: usize, ratio: f64) -> [String; 2] {
    let mut turn = 0;
    let noise = || {
        turn += 1;
        [1.0, 1.002, 0.999, 1.001, 0.998][turn % 5]
    };
    let (runs, standards) = (gates::rounds(rounds, ratio, noise), Standards::default());
    let analysis = Analysis::of(&runs, &standards);
    let told = json!(report::Reported::of(&analysis));
    assert_eq!(told["gates"][0]["rounds"], rounds);
    let answer = report::answer(&analysis);
    assert_eq!(answer.verdict, report::views::Gate.answer(&analysis).verdict);
    [report::html(&analysis), answer.verdict]
}

#[test]
fn a_gate_passes_fails_or_is_not_measured() {
    for (rounds, ratio, expected) in [
        (8, 1.0, "PASSES: median of all CPUs in B is 1.00"),
        (8, 1.2, "FAILS: median of all CPUs in B is 1.20"),
        (8, 1.05, "UNDECIDED: median of all CPUs in B is 1.05"),
        (1, 1.0, "NOT MEASURED: all CPUs: 1 complete round is too few; increase --budget."),
    ] {
        let [page, verdict] = told(rounds, ratio);
        assert!(verdict.starts_with(expected), "{verdict}");
        assert!(page.contains("Is B worse than A by more than the margin?"));
    }
}
