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
fn a_command_that_does_not_fit_beside_its_name_stands_whole_below_it() {
    let grant = "sudo setcap cap_sys_nice,cap_ipc_lock=ep $(which steadfast)";
    let line =
        |what: &str, figure: &str| Line { what: what.to_owned(), figures: vec![figure.to_owned()] };
    let answer = Answer {
        lines: vec![
            line("real time priority, memory lock", grant),
            line("swap", "sudo swapoff -a"),
        ],
        ..Answer::default()
    };
    let told = text(&answer);
    let expected =
        format!("  real time priority, memory lock\n    {grant}\n  swap  sudo swapoff -a\n");
    assert!(told.contains(&expected), "{told}");
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
        answers.push(frontier::glance(&analysis.systems, &analysis.frontiers, None, &[]));
        answers.push(map::glance(&analysis.systems, &analysis.maps));
        answers.push(analysis.answer);
    }
    answers.push(self_test::glance(&fixture::mistaken_self_test()));
    for answer in answers {
        println!("{}\n", text(&answer));
    }
}
