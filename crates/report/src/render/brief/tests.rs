use super::*;
use crate::Telling;
use crate::fixture;
use analysis::Analysis;
use analysis::standards::DEFAULT_STANDARDS;

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
fn a_command_that_does_not_fit_next_to_its_name_is_whole_below_it() {
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
fn what_to_type_next_is_whole_beside_other_remarks() {
    let long = "a remark that is long enough to fill every line that the others leave. ".repeat(6);
    let command = "steadfast compare /tmp/a/folder/with/a/long/name/results.db --across period";
    let next = format!("To find which is better: `{command}`; other fields to compare: load");
    let mut answer = Answer { verdict: long.clone(), ..Answer::default() };
    for name in ["Cut off", "Why", "Confidence"] {
        answer = answer.with(Remark::new(name, long.clone()));
    }
    let told = text(&answer.with(Remark::new(Remark::NEXT, next)));
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(command), "{told}");
}

#[test]
fn every_answer_has_its_place_in_fifteen_lines_of_eighty_columns() {
    let measured = [
        fixture::everything(),
        fixture::two_machines(),
        fixture::lab(),
        vec![fixture::refused()],
        fixture::benchmark(),
        vec![],
    ];
    let analyses = measured.iter().map(|runs| Analysis::of(runs, &DEFAULT_STANDARDS));
    let mut answers = Vec::new();
    for analysis in analyses {
        answers.push(crate::views::Frontier::AMONG_RESULTS.answer(&analysis));
        answers.push(crate::views::Map::AMONG_RESULTS.answer(&analysis));
        answers.push(crate::answer(&analysis));
    }
    answers.push(crate::self_test_answer(&fixture::mistaken_self_test()));
    for answer in answers {
        println!("{}\n", text(&answer));
    }
}
