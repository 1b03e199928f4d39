//! The effect of neighbours on the page, in a terminal and in JSON.

use analysis::Analysis;
use analysis::standards::Standards;
use report::Telling;
use serde_json::json;
use testing::neighbours;

#[test]
fn a_matrix_has_its_answer_a_table_and_charts_with_the_sham_among_them() {
    let (runs, standards) = (neighbours::matrix(), Standards::default());
    let analysis = Analysis::of(&runs, &standards);
    let (page, terminal) =
        (report::html(&analysis), report::views::Interference.details(&analysis));
    for told in [
        "Neighbours of wakeup fifo:80",
        "Worst neighbour: shootdown on a CPU that shares the cache",
        "sham",
        "no effect detected at",
    ] {
        assert!(page.contains(told), "page: {told}");
        let terminal = terminal.split_whitespace().collect::<Vec<_>>().join(" ");
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
    let (runs, standards) = (testing::outcomes::everything(), Standards::default());
    let analysis = Analysis::of(&runs, &standards);
    assert!(analysis.interference.is_empty());
    assert!(!report::html(&analysis).contains("Neighbours of"));
}
