use super::*;
use crate::fixture;
use analysis::comparison::{Comparison, glance};
use analysis::standards::Standards;
use analysis::survey::systems;
use analysis::{answer, frontier, map, self_test, verdict};
use plan::Outcome;

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

fn measured(runs: &[Outcome]) -> Answer {
    let (systems, standards) = (systems(runs), Standards::default());
    answer::of(
        &systems,
        &verdict::of(&systems, &standards.limits),
        &standards,
    )
}

#[test]
fn every_answer_has_its_place_in_fifteen_lines_of_eighty_columns() {
    let standards = Standards::default();
    let everything = fixture::everything();
    let machines = systems(&everything);
    let lab = fixture::lab();
    let mut answers: Vec<Answer> = [
        everything.clone(),
        fixture::two_machines(),
        lab.clone(),
        vec![fixture::refused()],
        fixture::benchmark(),
        vec![],
    ]
    .iter()
    .map(|runs| measured(runs))
    .collect();
    answers.push(frontier::glance(&frontier::of(&machines, &standards), &[]));
    answers.push(map::glance(&machines, &standards));
    answers.push(self_test::glance(&fixture::mistaken_self_test()));
    answers.extend(Comparison::if_of_kernels(&lab, &standards).map(|lab| glance(&lab)));
    for answer in answers {
        println!("{}\n", text(&answer));
    }
}
