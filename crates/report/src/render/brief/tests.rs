use super::*;
use crate::fixture;
use analysis::standards::Standards;
use analysis::{Analysis, frontier, map, self_test};

fn text(answer: &Answer) -> String {
    let lines = brief(answer, "steadfast report out/results.db");
    assert!(lines.len() <= LINES, "{} lines", lines.len());
    let line = |spans: Vec<Span>| spans.into_iter().map(|span| span.text).collect();
    let lines: Vec<String> = lines.into_iter().map(line).collect();
    for line in &lines {
        assert!(line.chars().count() <= WIDTH, "{line}");
    }
    lines.join("\n")
}

#[test]
fn every_answer_has_its_place_in_fifteen_lines_of_eighty_columns() {
    let standards = Standards::default();
    let measured = [
        fixture::everything(),
        fixture::two_machines(),
        fixture::lab(),
        vec![fixture::refused()],
        fixture::benchmark(),
        vec![],
    ];
    let analyses = measured.iter().map(|runs| Analysis::of(runs, &standards));
    let mut answers = Vec::new();
    for analysis in analyses {
        answers.push(frontier::glance(
            &analysis.systems,
            &analysis.frontiers,
            None,
            &[],
        ));
        answers.push(map::glance(&analysis.systems, &analysis.maps));
        answers.push(analysis.answer);
    }
    answers.push(self_test::glance(&fixture::mistaken_self_test()));
    for answer in answers {
        println!("{}\n", text(&answer));
    }
}
