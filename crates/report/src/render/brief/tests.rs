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
    let shown = text(&answer);
    let expected =
        format!("  real time priority, memory lock\n    {grant}\n  swap  sudo swapoff -a\n");
    assert!(shown.contains(&expected), "{shown}");
}

#[test]
fn a_cut_text_ends_with_a_sentence_or_says_that_it_was_cut() {
    for (text, kept) in [
        ("Slower under load cpu, other than under no load.", "Slower under load cpu, other ..."),
        (
            "Fewer than 1 in 334 miss (95 % confidence; if independent).",
            "Fewer than 1 in 334 miss (95 ...",
        ),
        ("The one (95 %; seen); the other is not shown.", "The one (95 %; seen)"),
        ("It waits. Nothing explains it, so far.", "It waits"),
    ] {
        assert_eq!(paragraph(text, 32, 1).collect::<Vec<_>>(), [kept]);
    }
}

#[test]
fn a_long_name_leaves_room_for_its_figures_and_a_long_label_for_a_blank() {
    let line = |load: &str| Line {
        what: format!("1 kHz model python3 /opt/models/vehicle/chassis/plant.py{load}"),
        figures: ["missed 7 of 2 000", "worst 4.26 ms", "typical 9.1 µs"].map(str::to_owned).into(),
    };
    let answer = Answer { lines: ["", ", load cpu"].map(line).into(), ..Answer::default() };
    let shown = text(&answer.with(Remark::new("Not watched", "the C library.")));
    for end in ["plant.py ", "plant.py, load cpu "] {
        let found = shown.lines().find(|line| line.contains(end)).expect(&shown);
        assert!(found.contains("missed 7 of 2 000  worst 4.26 ms"), "{shown}");
    }
    assert!(shown.contains("Not watched: the C library."), "{shown}");
}

#[test]
fn a_command_is_whole_or_left_out() {
    let command = format!("steadfast run tire{} --blame", " --solver semaphore".repeat(8));
    let crowd = |others: usize| {
        let others = std::iter::repeat_n(Remark::new("Run", "a remark."), others);
        let answer = others.fold(Answer::default(), Answer::with);
        text(&answer.with(Remark::new(Remark::FIX_FIRST, format!("`{command}`"))))
    };
    assert!(crowd(2).contains("--blame"), "{}", crowd(2));
    assert!(!crowd(11).contains("steadfast run"), "{}", crowd(11));
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
    let answer = answer.with(Remark::new(Remark::NEXT, next));
    let more = format!("{}.html, or steadfast report", "out/".repeat(15));
    let last = brief(&answer, &more).pop().unwrap().pop().unwrap().text;
    assert_eq!(Some(&last[..]), more.split(',').next());
    let shown = text(&answer);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(command), "{shown}");
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
        answers.push(crate::FrontierView::AMONG_RESULTS.answer(&analysis));
        answers.push(crate::MapView::AMONG_RESULTS.answer(&analysis));
        answers.push(crate::answer(&analysis));
    }
    answers.push(crate::self_test_answer(&fixture::mistaken_self_test()));
    for answer in answers {
        println!("{}\n", text(&answer));
    }
}

#[test]
fn a_long_last_figure_is_shortened_and_not_dropped() {
    let place =
        "plant_controller_with_a_long_name_step+0x12 in libplant_with_a_long_name.so+0x1139";
    let figures = ["every 500th, from 500 on", "x 10.1", place].map(str::to_owned);
    let line = Line { what: "clock_nanosleep".to_owned(), figures: figures.into() };
    let shown = text(&Answer { lines: vec![line], ..Answer::default() });
    let found = shown.lines().find(|line| line.contains("clock_nanosleep")).expect(&shown);
    assert!(found.contains("x 10.1  plant_contr ... ") && found.ends_with("so+0x1139"), "{shown}");
}
