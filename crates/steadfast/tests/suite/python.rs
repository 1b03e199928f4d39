//! The Python module: the manual's page runs as it is printed, and agrees with the program's JSON.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::common::{Folder, MODEST, PROGRAM, by_other};
use testing::needs;

const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python");
const PAGE: &str = include_str!("../../../../docs/python.md");
/// A plotting library that draws nothing, and ends the program at an unknown call.
const NO_PLOTS: &str = "calls = []\n\
    for _name in ('step', 'xscale', 'yscale', 'xlabel', 'ylabel', 'legend'):\n    \
    globals()[_name] = lambda *words, **options: calls.append(words)\n";

/// Runs a Python program in that folder, with the module and the program under test.
fn python(folder: &Folder, code: &str) -> Output {
    let modules = format!("{MODULE}:{}", folder.path("modules").display());
    let mut command = by_other("python3");
    command.args(["-c", code]).current_dir(folder.path("."));
    command
        .env("STEADFAST_PROGRAM", PROGRAM)
        .env("PYTHONPATH", modules)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command.output().unwrap()
}

fn printed(folder: &Folder, code: &str) -> String {
    let done = python(folder, code);
    assert!(done.status.success(), "{code}\n{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

fn has_python() -> Option<()> {
    needs(by_other("python3").arg("--version").output().is_ok(), "python3")
}

/// Returns the Python code of the manual's page, in its order.
fn blocks() -> Vec<&'static str> {
    let parts = PAGE.split("```python\n").skip(1);
    parts.map(|part| part.split("```").next().unwrap()).collect()
}

#[test]
fn the_manuals_page_runs_as_it_is_printed() {
    let Some(()) = has_python() else { return };
    let folder = Folder::new();
    folder.run(&format!("run clock_overhead {MODEST} --beside --store rt.db")).succeeded();
    fs::create_dir_all(folder.path("modules/matplotlib")).unwrap();
    fs::write(folder.path("modules/matplotlib/__init__.py"), "").unwrap();
    fs::write(folder.path("modules/matplotlib/pyplot.py"), NO_PLOTS).unwrap();
    let [run, plot] = blocks()[..] else { panic!("the page has another number of blocks") };
    // These conditions are every user's right, and other tests may measure.
    let words = MODEST.split(' ').chain(["--beside"]).map(|word| format!("\"{word}\", "));
    let run = run.replace("store=", &format!("{}store=", words.collect::<String>()));
    let text = printed(&folder, &run);
    assert!(text.contains("valid"), "{text}");
    let text =
        printed(&folder, &format!("{plot}\nprint(len([c for c in plt.calls if len(c) == 2]))"));
    assert_eq!(text.trim(), "2", "a line per store");
}

#[test]
fn records_equal_the_json_and_the_files() {
    let Some(()) = has_python() else { return };
    let folder = Folder::new();
    let line = "run wakeup --seconds 0.05 --load cpu --keep-samples --beside --store kept.db";
    folder.run(&format!("{line} {MODEST}")).succeeded();
    let text = printed(
        &folder,
        "import json, steadfast\n\
         r = steadfast.read('kept.db')\n\
         print(json.dumps([r.runs, r.rows, r.histograms, r.samples]))",
    );
    let records: [Value; 4] = serde_json::from_str(&text).unwrap();
    let report = folder.run("report kept.db --json").document();
    let [runs, rows, histograms, samples] = &records;
    assert_eq!(runs, &report["runs"]);
    let (row, flat) = (&report["runs"][0]["rows"][0], &rows[0]);
    for figure in ["average_ns", "count", "p50_ns", "p99_ns", "max_ns", "skipped", "due"] {
        assert_eq!(flat[figure], row[figure], "{figure}");
    }
    assert_eq!(flat["p50_lower_ns"], row["claims"]["quantiles"]["p50_ns"]["lower_ns"]);
    assert_eq!((&flat["loads"], &flat["parameter_period_ns"]), (&"cpu".into(), &1_000_000.into()));
    let counts = histograms.as_array().unwrap().iter().map(|bin| bin["count"].as_u64().unwrap());
    assert_eq!(Some(counts.sum()), row["count"].as_u64());
    let executed = report["runs"][0]["rows"].as_array().unwrap().iter();
    let executed: u64 = executed.map(|row| row["executed"].as_u64().unwrap()).sum();
    let woke = samples.as_array().unwrap().iter().filter(|one| one["woke_ns"].is_i64());
    assert_eq!(woke.count() as u64, executed);
}

#[test]
fn what_the_program_refuses_is_an_error_with_its_line() {
    let Some(()) = has_python() else { return };
    let folder = Folder::new();
    let done = python(&folder, "import steadfast; steadfast.read('missing.db')");
    let text = String::from_utf8_lossy(&done.stderr);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.contains("SteadfastError") && last.contains("missing.db"), "{text}");
}
