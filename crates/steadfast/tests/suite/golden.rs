//! The first lines of every command's answer, for stores of simulated runs: 15 lines of 80 columns,
//! kept as golden texts; and the width of whole texts. `GOLDEN=write cargo test -p steadfast --test suite golden::`
//! writes them again; read what changed as a user in a hurry would.

use std::fs;
use std::path::Path;

use crate::common::{Folder, wakeups};
use analysis::Analysis;
use analysis::standards::DEFAULT_STANDARDS;
use record::{Outcome, SelfTest, fact};
use report::{Answer, FrontierView, InterferenceView, MapView, Telling};
use testing::experiment::tried_knobs;
use testing::manual::{writes, writing_command};
use testing::{mixes, neighbours, outcomes, trials};

/// Number of lines that are compared, and most columns of each.
const LINES: usize = 15;
const COLUMNS: usize = 80;

fn assert_golden(name: &str, text: &str) {
    let first: String = text.lines().take(LINES).map(|line| format!("{line}\n")).collect();
    let is_narrow = |line: &str| line.chars().count() <= COLUMNS;
    assert!(first.lines().all(is_narrow), "{name}: {first}");
    // Only what another program said is cut.
    let is_whole = |line: &str| !line.ends_with(" ...") || line.ends_with(": ...");
    assert!(first.lines().all(is_whole), "{name}: {first}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let path = folder.join(format!("{name}.txt"));
    if writes() {
        fs::create_dir_all(folder).unwrap();
        fs::write(&path, &first).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let command = writing_command();
    assert!(kept == first, "{name} was\n{kept}\nand is\n{first}\n`{command}` writes it");
}

/// Returns an answer as a terminal shows it.
fn shown(answer: &Answer) -> String {
    let lines = report::brief(answer, "out/report.html");
    let line = |spans: Vec<report::Span>| spans.into_iter().map(|span| span.text).collect();
    lines.into_iter().map(line).collect::<Vec<String>>().join("\n")
}

/// Replaces the time at which each session began.
fn without_times(text: &str) -> String {
    let digits = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    let line = |line: &str| match line.split_once(" UTC") {
        Some((begun, rest)) if begun.len() > 6 => {
            let (number, begun) = begun.split_at(6);
            format!("{number}{} UTC{rest}", begun.chars().map(digits).collect::<String>())
        }
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}

#[test]
fn stored_runs() {
    let folder = Folder::new();
    folder.store("everything", outcomes::everything());
    folder.store("benchmark", outcomes::benchmark());
    folder.store("lab", lab());
    folder.store("knobs", tried_knobs());
    folder.store("mix", many_models());
    folder.store("refused", vec![outcomes::refused()]);
    folder.store("idle", wakeups(6e4));
    folder.store("busy", wakeups(9e4));
    for (name, line) in [
        ("report", "report everything.db"),
        ("report-bench", "report benchmark.db"),
        ("report-lab", "report lab.db"),
        ("report-knobs", "report knobs.db"),
        ("report-mix", "report mix.db"),
        ("compare", "compare idle.db busy.db"),
        ("compare-lab", "compare lab.db"),
        ("compare-published", "compare idle.db --published all"),
        ("store-show", "store show idle.db"),
        ("studies", "studies --from everything.db"),
    ] {
        let done = folder.run(line);
        // One run of `everything` is INVALID.
        assert!(done.code() <= 1, "{line}: {}", done.stderr());
        assert_golden(name, &done.stdout());
    }
    let judged = folder.said("studies --from everything.db");
    assert!(judged.contains("\n  INVALID  1 of "), "{judged}");
    assert_golden("store-ls", &without_times(&folder.said("store ls idle.db")));
    let refused = folder.run("report refused.db").ended_with(1);
    assert_golden("report-invalid", &refused.stdout());
}

/// The headline, why, what to fix first and the first row are about the same run.
#[test]
fn answers_with_a_known_cause() {
    let folder = Folder::new();
    for (name, runs) in [
        ("quick", trials::quick()),
        ("hog-blamed", trials::hog_blamed()),
        ("hog", trials::hog(false)),
        ("hog-counted", trials::hog(true)),
        ("hog-frames", trials::hog_between_frames()),
        ("softirqs", trials::softirqs()),
        ("steal", trials::steal(true)),
        ("steal-elsewhere", trials::steal(false)),
    ] {
        folder.store(name, runs);
        let told = folder.said(&format!("report {name}.db"));
        assert_golden(&format!("cause-{name}"), &told);
    }
}

/// A mix with the priorities the wrong way round, and more models than there are lines.
fn many_models() -> Vec<Outcome> {
    let [fast, medium, slow] = mixes::wrong_way_round();
    let names: Vec<String> = (0..12).map(|at| format!("model-{at}")).collect();
    let more = names.iter().map(|name| mixes::Paced {
        name,
        priority: 10,
        source: Some(("slow", 0)),
        ..medium
    });
    let members: Vec<mixes::Paced> = [fast, medium, slow].into_iter().chain(more).collect();
    vec![mixes::mix(&members, Some(2_060.0))]
}

fn lab() -> Vec<Outcome> {
    let policy = "fifo:80".parse().unwrap();
    let run = |worst| outcomes::wakeup(policy, None, 8e3, worst);
    vec![
        outcomes::in_lab("debian-6.1", "voluntary", run(6e4)),
        outcomes::in_lab("debian-6.1-rt", "rt", run(3e4)),
    ]
}

#[test]
fn answers_of_what_must_measure() {
    let runs = outcomes::everything();
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let map = MapView { in_letters: true, search: Vec::new() };
    assert_golden("frontier", &shown(&FrontierView::AMONG_RESULTS.answer(&analysis)));
    assert_golden("map", &shown(&map.answer(&analysis)));
    let beside = neighbours::matrix();
    let beside = Analysis::of(&beside, &DEFAULT_STANDARDS);
    let answer = InterferenceView.answer(&beside);
    assert_eq!(answer, report::answer(&beside), "a report of such runs says the same");
    assert_golden("interfere", &shown(&answer));
    let found = outcomes::self_tested().into_iter().map(|run| {
        let fact = run.rows[0].facts[fact::DISTURBED.name].clone();
        serde_json::from_value(fact).unwrap()
    });
    let found = found.collect();
    let test = SelfTest::of("machine".into(), "1.0.0", 1_767_225_600_000_000_000, found);
    assert_golden("self-test", &shown(&report::self_test_answer(&test)));
}

#[test]
fn names_and_help() {
    let folder = Folder::new();
    for (name, line) in [
        ("list", "list"),
        ("list-verbose", "list --verbose"),
        ("list-wakeup", "list wakeup"),
        ("help", "-h"),
        ("help-quick", "quick -h"),
        ("help-check", "check -h"),
        ("help-run", "run -h"),
        ("help-report", "report -h"),
        ("help-compare", "compare -h"),
        ("help-store", "store -h"),
    ] {
        assert_golden(name, &folder.said(line));
    }
}

/// Commands that measure nothing, whose whole text is for a terminal.
const LISTS: &[&str] = &[
    "--help",
    "list",
    "list --verbose",
    "list wakeup",
    "knobs",
    "knobs --verbose",
    "doctor",
    "doctor --verbose",
    "campaign --list",
    "lab kernels",
    "knobs unit",
    "store ls runs.db",
    "store show runs.db",
    "report runs.db",
    "report idle.db --verbose",
    "compare idle.db runs.db",
    "compare idle.db runs.db --verbose",
];

/// Returns whether a line may be wider than a terminal: a URL, a path, or something to paste.
fn may_be_wide(line: &str) -> bool {
    let line = line.trim_start();
    let is_command = ["steadfast ", "sudo ", "$ "].iter().any(|start| line.starts_with(start));
    let is_boot_line = line.contains("isolcpus=");
    let has_path = line.split(' ').any(|word| word.starts_with('/'));
    is_command || is_boot_line || has_path || line.contains("://")
}

#[test]
fn whole_texts_fit_a_terminal() {
    let folder = Folder::new();
    folder.store("runs", outcomes::everything());
    folder.store("idle", wakeups(6e4));
    let plans = folder.said("campaign --list");
    let plans = plans.lines().skip(2).filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let shows = plans.filter(|name| !name.is_empty()).map(|name| format!("campaign --show {name}"));
    let mut wide = Vec::new();
    for line in LISTS.iter().map(ToString::to_string).chain(shows) {
        let done = folder.run(&line);
        assert!(!done.stdout().is_empty(), "{line}: {}", done.stderr());
        let text = done.stdout() + &done.stderr();
        let is_wide = |line: &&str| line.chars().count() > COLUMNS && !may_be_wide(line);
        wide.extend(text.lines().filter(is_wide).map(|shown| format!("{line}: {shown}")));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
