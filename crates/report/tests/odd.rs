//! Odd results, as a store from an unknown source may contain them: every output format accepts
//! them, and all their texts are escaped.

use analysis::Analysis;
use analysis::standards::DEFAULT_STANDARDS;
use quick_junit::Report;
use record::Outcome;
use report::{FORMATS, csv, csv_histograms, html, suites, terminal};
use serde_json::json;
use testing::outcomes::{blamed, everything};
use testing::{Odd, try_odd};

fn change(odd: &mut Odd, outcome: &mut Outcome) {
    let rows = outcome.rows.len();
    match odd.below(8) {
        0 => odd.part(&mut outcome.header),
        1 => odd.part(&mut outcome.found),
        2 => odd.part(&mut outcome.warnings),
        3 => odd.part(&mut outcome.header.spec.parameters),
        _ if rows == 0 => {}
        _ => {
            let row = &mut outcome.rows[odd.below(rows)];
            match odd.below(8) {
                0 => row.label = odd.text(&row.label),
                1 => row.unavailable = Some(odd.text("needs")),
                2 => row.due = odd.number(row.due as i64) as u64,
                3 => row.executed = odd.number(row.executed as i64) as u64,
                4 => row.skipped = odd.number(row.skipped as i64) as u64,
                5 => row.latency = None,
                _ => {
                    let at = odd.below(row.facts.len().max(1));
                    if let Some(fact) = row.facts.values_mut().nth(at) {
                        odd.value(fact);
                    }
                }
            }
        }
    }
}

#[test]
fn odd_results_have_a_report_in_every_form() {
    let sample = everything();
    try_odd(60, |odd| {
        let mut outcomes: Vec<Outcome> =
            (0..=odd.below(5)).map(|_| odd.one_of(&sample).clone()).collect();
        for _ in 0..=odd.below(3) {
            let at = odd.below(outcomes.len());
            change(odd, &mut outcomes[at]);
        }
        let all: Vec<&Outcome> = outcomes.iter().collect();
        match odd.below(8) {
            0 => drop(html(&Analysis::of(&outcomes, &DEFAULT_STANDARDS))),
            1 | 2 => drop(csv(&all) + &csv_histograms(&all)),
            3 | 4 => drop(formats(&Analysis::of(&outcomes, &DEFAULT_STANDARDS))),
            5 | 6 => {
                drop(json!(report::Reported::of(&Analysis::of(&outcomes, &DEFAULT_STANDARDS))));
            }
            _ => drop(terminal(&Analysis::of(&outcomes, &DEFAULT_STANDARDS))),
        }
    });
}

/// Ends a script, an element, an attribute and a document; is a terminal command and a formula.
const TEXT: &str = "=x</script></title><img src=x onerror=alert(1)>\"'&\u{1b}[2J{{7*7}}<!--";

#[test]
fn no_text_gets_out_of_its_place() {
    let mut outcomes = everything();
    outcomes.push(blamed("<i>task"));
    for outcome in &mut outcomes {
        outcome.header.tool_version = TEXT.to_owned();
        outcome.header.machine.cpu_model = TEXT.to_owned();
        outcome.header.machine.kernel_release = TEXT.to_owned();
        for row in &mut outcome.rows {
            row.label = format!("{} {TEXT}", row.label);
            row.unavailable = row.unavailable.as_ref().map(|_| TEXT.to_owned());
        }
    }
    let page = html(&Analysis::of(&outcomes, &DEFAULT_STANDARDS));
    assert!(page.contains("onerror") && page.contains("&lt;i&gt;task"), "the text is shown");
    assert!(!["<script", "</script", "<img", "<i>"].iter().any(|tag| page.contains(tag)));
    assert_eq!(page.matches("<title>").count(), page.matches("</title>").count());
    let text =
        json!(report::Reported::of(&Analysis::of(&outcomes, &DEFAULT_STANDARDS))).to_string();
    assert!(!text.contains('\u{1b}'));
    let texts = formats(&Analysis::of(&outcomes, &DEFAULT_STANDARDS));
    assert!(texts.iter().all(|text| !text.contains('\u{1b}')));
    assert!(!texts[0].contains("<img") && Report::deserialize_from_str(&texts[0]).is_ok());
}

/// Returns the outcomes in every format of build servers, JUnit XML first.
fn formats(analysis: &Analysis) -> Vec<String> {
    let suites = suites(analysis, Vec::new());
    FORMATS.iter().map(|format| (format.write)(&suites)).collect()
}
