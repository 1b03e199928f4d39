//! The views of a gate and of neighbours on the page, in a terminal and in JSON.

use analysis::Analysis;
use analysis::standards::DEFAULT_STANDARDS;
use report::Telling;
use serde_json::json;
use testing::{gates, neighbours};

/// Returns what the page and the terminal say about a gate with a margin of 5 %.
fn told(rounds: usize, ratio: f64) -> [String; 2] {
    let mut turn = 0;
    let noise = || {
        turn += 1;
        [1.0, 1.002, 0.999, 1.001, 0.998][turn % 5]
    };
    let runs = gates::rounds(rounds, ratio, noise);
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let told = json!(report::Reported::of(&analysis));
    assert_eq!(told["gates"][0]["rounds"], rounds);
    let answer = report::answer(&analysis);
    assert_eq!(answer.verdict, report::GateView.answer(&analysis).verdict);
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

#[test]
fn the_rows_of_the_sides_of_a_gate_are_distinguished() {
    let runs = gates::rounds(8, 1.0, || 1.0);
    let page = report::html(&Analysis::of(&runs, &DEFAULT_STANDARDS)).replace('\u{a0}', " ");
    for side in ["A", "A again", "B"] {
        assert!(page.contains(&format!("period 1 ms, {side}<")), "{side}");
    }
}

#[test]
fn a_rise_of_the_tail_is_given_only_where_an_effect_is_shown() {
    let runs = neighbours::matrix();
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let shown = analysis.interference[0].cells.iter();
    let shown = shown.filter(|cell| cell.tail.is_some_and(|tail| tail.is_shown)).count();
    let page = report::html(&analysis);
    assert_eq!(page.matches("no effect on the tail is shown").count(), 9 - shown);
}

#[test]
fn a_matrix_has_its_answer_a_table_and_charts_with_the_sham_among_them() {
    let runs = neighbours::matrix();
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let page = report::html(&analysis);
    let terminal = report::InterferenceView.details(&analysis);
    let terminal = terminal.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "Neighbours of wakeup fifo:80",
        "Worst neighbour: shootdown on a CPU that shares the cache",
        "sham",
        "no effect detected at",
    ] {
        assert!(page.contains(told), "page: {told}");
        assert!(terminal.contains(told), "terminal: {told}\n{terminal}");
    }
    let first = page.split_once("<figure id=\"figure-answer\">").unwrap().1;
    let first = first.split_once("</figure>").unwrap().0;
    assert!(first.contains("shootdown") && first.contains("sham"));
    assert!(page.contains("figure-beside-median-1"));
    assert!(!page.contains("figure-beside-tail-1"), "drawn at the top");
    let told = json!(report::Reported::of(&analysis));
    let cells = told["interference"][0]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 9);
    assert_eq!(cells[0]["place"], "same-cpu");
}

#[test]
fn runs_without_neighbours_have_no_matrix() {
    let runs = testing::outcomes::everything();
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    assert!(analysis.interference.is_empty());
    assert!(!report::html(&analysis).contains("Neighbours of"));
}
