//! Findings of published studies, measured within a budget.

use serde_json::Value;
use testing::measure_alone;
use units::counted;

use crate::common::Folder;

fn count(document: &Value, verdict: &str) -> usize {
    let findings = document["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["verdict"] == verdict).count()
}

#[test]
fn a_budget_ends_with_verdicts_and_the_same_command_continues() {
    measure_alone();
    let folder = Folder::new();
    let typed = "studies tel --budget 12s --seconds 1 --out out";
    let first = folder.run(typed);
    assert!(first.code() <= 1, "{}", first.stderr());
    let stdout = first.stdout();
    assert!(stdout.starts_with("Of 15 findings: "), "{stdout}");
    assert!(stdout.contains("the same command continues."), "{stdout}");
    let page = folder.read("out/report.html");
    assert!(page.contains("id=\"study-tel\"") && !page.contains("id=\"study-sae\""));
    let open = folder.read("out/report.json");
    assert!(open.contains("a side has no valid run yet; the same command continues"), "{open}");
    let before = folder.saved("out/results.db");
    let second = folder.run(&format!("{typed} --json"));
    let resumed = format!("Resuming the last session: {} done.", counted(before, "run"));
    assert!(second.stderr().contains(&resumed), "{}", second.stderr());
    let document = second.document();
    testing::Schema::named("studies-1").assert(&document);
    assert!(count(&document, "not testable here") < 15, "{document}");
    assert!(folder.saved("out/results.db") > before);
}
