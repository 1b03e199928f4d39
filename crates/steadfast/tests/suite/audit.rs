//! Tests of `steadfast audit` with our own models, each with one known fault: it finds exactly that
//! fault, in exactly those steps.

use std::fs;
use std::path::Path;

use crate::common::{Done, MODEST, marked_by, run_with, run_words};
use serde_json::{Value, json};
use testing::models::{self, Defines, Kind, Version};
use testing::{REAL_TIME, measure_alone, needs};
use testing_schema::Schema;

const STEPS: u64 = 2000;

fn audit(file: &Path, words: &str) -> Done {
    run_words(&format!("audit --steps {STEPS} {words}"), [file])
}

fn of_library(defines: &Defines) -> Value {
    parsed(audit(&models::library(defines), "--step plant_step --json"))
}

/// Awaits a library that hangs for a second, as no other, since the host can take that long from
/// any step.
fn of_hanging_library(defines: &Defines) -> Value {
    parsed(audit(&models::library(defines), "--step plant_step --json --longest 1s"))
}

fn of_fmu(version: Version, defines: &Defines, words: &str) -> Value {
    let fmu = models::fmu(version, Kind::CoSimulation, defines);
    parsed(audit(&fmu, &format!("--json {words}")))
}

/// Returns the audit's JSON, checked against its schema. The exit code must be that of its
/// findings.
fn parsed(done: Done) -> Value {
    let audit = done.document();
    Schema::named("audit-2").assert(&audit);
    done.ended_with(i32::from(!findings(&audit).is_empty()));
    audit
}

fn findings(audit: &Value) -> &[Value] {
    audit["findings"].as_array().unwrap()
}

/// Returns kind, first name, first step and count of all findings, except a page fault in the first step: where memory
/// cannot be locked and is scarce, code may be mapped only when it runs.
fn summary(audit: &Value) -> Vec<(String, u64, u64)> {
    let one = |finding: &Value| {
        let is_call = finding["kind"] == "system_call";
        let kind = if is_call { &finding["names"][0] } else { &finding["kind"] };
        let number = |name: &str| finding[name].as_u64().unwrap_or(u64::MAX);
        (kind.as_str().unwrap().to_owned(), number("first_step"), number("count"))
    };
    let may_lock = rt::memory::may_lock_all();
    let is_of_host = |finding: &&Value| {
        !may_lock && finding["kind"] == "minor_fault" && finding["first_step"] == 0
    };
    findings(audit).iter().filter(|finding| !is_of_host(finding)).map(one).collect()
}

fn is(kind: &str, first: u64, count: u64) -> (String, u64, u64) {
    (kind.to_owned(), first, count)
}

fn finding<'a>(audit: &'a Value, kind: &str) -> &'a Value {
    let mut all = findings(audit).iter();
    all.find(|finding| finding["kind"] == kind || finding["names"][0] == kind)
        .unwrap_or_else(|| panic!("no {kind} in {audit:#}"))
}

fn place(finding: &Value) -> &str {
    finding["places"][0]["symbol"].as_str().unwrap_or("no place")
}

#[test]
fn a_clean_model_is_clean() {
    let audit = of_library(&[]);
    assert_eq!(summary(&audit), []);
    assert!(audit["stack_bytes"].as_u64().unwrap() < 16_384, "{audit:#}");
    for version in [Version::Two, Version::Three] {
        let audit = of_fmu(version, &[], "");
        assert_eq!(summary(&audit), [], "{audit:#}");
        assert!(audit["outputs"].as_u64().unwrap() > 0 && audit["outputs_hash"].is_string());
    }
}

#[test]
fn allocations_are_counted_in_their_step_and_place() {
    let audit = of_library(&[("ALLOCATE_AT", "7"), ("ALLOCATIONS", "3")]);
    assert_eq!(summary(&audit), [is("allocation", 7, 3), is("release", 7, 3)]);
    let found = finding(&audit, "allocation");
    assert_eq!((&found["names"], &found["bytes"]), (&json!(["malloc"]), &json!(300)));
    assert!(["faults_step", "allocate"].iter().any(|name| place(found).starts_with(name)));
}

#[test]
fn a_sleep_is_a_system_call_by_name_and_a_switch_in_each_of_its_steps() {
    let audit = of_library(&[("SLEEP_EVERY", "500")]);
    assert_eq!(summary(&audit), [is("clock_nanosleep", 500, 3), is("switch", 500, 3)]);
    let runs = json!([500, 1000, 1500].map(|step| json!({"first": step, "last": step, "each": 1})));
    assert_eq!(finding(&audit, "switch")["steps"], runs);
    assert!(finding(&audit, "switch")["times_as_long"].as_f64().unwrap() > 10.0);
}

#[test]
fn a_program_is_audited_from_outside() {
    let program = |words: &str, defines: &Defines| {
        let line = format!("audit --json {words} --steps {STEPS} --program");
        parsed(run_words(&line, [models::program(defines)]))
    };
    let of_program = |defines: &Defines| program("", defines);
    let clean = of_program(&[]);
    assert_eq!(summary(&clean), [], "{clean:#}");
    assert_eq!(clean["outputs"], 2);
    let not_seen = clean["not_seen"][0].as_str().unwrap();
    assert!(not_seen.contains("a separate process"), "{not_seen}");
    let verdict = clean["answer"]["verdict"].as_str().unwrap();
    let says = ["Nothing found from outside; not watched: ", "allocation, locks", "page faults"];
    assert!(says.iter().all(|words| verdict.contains(words)), "{verdict}");
    let sleeping = of_program(&[("SLEEP_EVERY", "500")]);
    assert_eq!(summary(&sleeping), [is("clock_nanosleep", 500, 3)]);
    assert!(place(finding(&sleeping, "clock_nanosleep")).starts_with("faults_step"));
    assert_eq!(summary(&of_program(&[("OPEN_AT", "7")])), [is("openat", 7, 1)]);
    for fault in ["CRASH_AT", "ERROR_AT"] {
        let failing = of_program(&[(fault, "1000")]);
        let failed = finding(&failing, "status");
        assert_eq!((&failed["first_step"], &failed["count"]), (&json!(1000), &json!(1)));
    }
    let hanging = program("--longest 1s", &[("HANG_AT", "12")]).to_string();
    assert!(hanging.contains("it did not return within 1 s"), "{hanging}");
}

#[test]
fn each_fault_is_found_in_its_step_and_named() {
    for (fault, value, found, words) in [
        ("PAGE_FAULT_AT", "9", is("minor_fault", 9, 1), ""),
        ("MAP_AT", "9", is("mmap", 9, 1), "minor_fault"),
        ("DENORMAL_FROM", "1100", is("denormal", 1100, STEPS - 1100), r#""when":"from 1 100 on""#),
        ("ROUND_AT", "5", is("float_mode", 5, 1), r#""names":["rounding"]"#),
        ("OPEN_AT", "3", is("openat", 3, 1), "leaves 1 file open"),
        ("BLOCK_AT", "9", is("rt_sigprocmask", 9, 1), "whether the thread blocks signal 10"),
        ("EXIT_AT", "9", is("crash", 9, 1), "it ended the program"),
        ("STOP_PARENT_AT", "9", is("crash", 9, 1), "it stopped the program"),
    ] {
        let audit = of_library(&[(fault, value)]);
        assert_eq!(summary(&audit)[0], found, "{fault}: {audit:#}");
        assert!(audit.to_string().contains(words), "{fault}: {audit:#}");
        let is_alone = ["minor_fault", "denormal", "float_mode"].contains(&&*found.0);
        assert!(!is_alone || findings(&audit).len() == 1, "{fault}: {audit:#}");
        assert!(fault != "OPEN_AT" || place(&findings(&audit)[0]).starts_with("faults_step"));
    }
}

#[test]
fn a_lock_that_is_waited_for_is_a_lock_a_call_and_a_switch() {
    let audit = of_library(&[("LOCK_AT", "42")]);
    let lock = finding(&audit, "lock");
    assert_eq!((&lock["first_step"], &lock["steps_affected"]), (&json!(42), &json!(1)));
    assert_eq!(lock["names"], json!(["pthread_mutex_lock", "sem_wait"]));
    assert_eq!(finding(&audit, "futex")["first_step"], 42);
    assert!(!audit["concurrent"].as_array().unwrap().is_empty(), "the holder's own calls");
}

#[test]
fn a_thread_that_inherits_the_policy_is_reported_before_the_first_step() {
    let audit = of_library(&[("THREAD", "1")]);
    let found = finding(&audit, "thread");
    assert_eq!((&found["before_steps"], &found["count"]), (&json!(1), &json!(1)));
    assert!(found["told"].as_str().unwrap().contains("it inherits the policy"), "{found}");
    assert_eq!(findings(&audit).len(), 1, "{audit:#}");
}

#[test]
fn a_deep_stack_is_found() {
    let audit = of_library(&[("STACK_AT", "4"), ("STACK_BYTES", "300000")]);
    assert!(finding(&audit, "stack")["told"].as_str().unwrap().contains("128 KiB"));
}

#[test]
fn log_lines_nan_and_outputs_that_differ_are_found_in_fmus() {
    for version in [Version::Two, Version::Three] {
        let audit = of_fmu(version, &[("NAN_FROM", "100")], "");
        assert_eq!(finding(&audit, "not_finite")["first_step"], 100);
        let infinite = of_fmu(version, &[("INF_FROM", "100")], "");
        assert_eq!(finding(&infinite, "not_finite")["first_step"], 100);
        let names = if version == Version::Two { "y" } else { "y,y32" };
        let allowed = format!("--allow-inf {names}");
        let allowed = of_fmu(version, &[("INF_FROM", "100")], &allowed);
        assert!(!allowed.to_string().contains("not_finite"), "{allowed:#}");
        let audit = of_fmu(version, &[("DIFFERENT_FROM", "100")], "");
        assert_eq!(findings(&audit)[0]["kind"], "outputs_differ");
        let audit = of_fmu(version, &[("LOG_EVERY", "10")], "--log");
        assert_eq!(finding(&audit, "log_line")["count"], STEPS / 10, "{audit:#}");
    }
}

#[test]
fn a_crash_and_a_hang_are_reported_with_phase_step_and_place() {
    for (audit, found) in [
        (of_library(&[("CRASH_AT", "1000")]), is("crash", 1000, 1)),
        (of_hanging_library(&[("HANG_AT", "20")]), is("hang", 20, 1)),
    ] {
        assert_eq!(summary(&audit), [found]);
        assert!(place(&findings(&audit)[0]).starts_with("faults_step"), "{audit:#}");
    }
}

#[test]
fn a_failure_quotes_what_the_model_printed_and_names_the_place_in_its_code() {
    let folder = tempfile::tempdir().unwrap();
    let code = "#include <stdio.h>\n#include <stdlib.h>\nint n; void own_step(void) {\n\
                if (n++ == 50) { fputs(\"state 51 is bad\\n\", stderr); abort(); } }\n";
    let library = models::of_code(folder.path(), code);
    let audit = parsed(audit(&library, "--json"));
    assert_eq!(summary(&audit)[0], is("crash", 50, 1));
    assert_eq!(audit["printed"], json!(["state 51 is bad"]));
    assert!(place(&findings(&audit)[0]).starts_with("own_step"), "{audit:#}");
    let remarks = audit["answer"]["remarks"].to_string();
    assert!(remarks.contains("It printed") && remarks.contains("state 51 is bad"), "{remarks}");
    let failing = of_fmu(Version::Three, &[("ERROR_AT", "100")], "--log");
    assert!(failing["printed"].to_string().contains("log (Error): "), "{failing:#}");
}

#[test]
fn a_model_that_forks_in_a_step_is_named_and_what_it_starts_ends_with_the_audit() {
    let forks = of_library(&[("FORK_AT", "9")]);
    assert!(!findings(&forks).is_empty(), "{forks:#}");
    let folder = tempfile::tempdir().unwrap();
    let library = models::library(&[("START_AT", "9")]);
    let line = format!("audit {} --step plant_step --json", library.display());
    let starts = parsed(run_with(&line, &[("TMPDIR", folder.path())]));
    assert!(starts.to_string().contains("leaves 1 process running"), "{starts:#}");
    let left = marked_by(folder.path().to_str().unwrap());
    assert!(left.is_empty(), "processes of the model are left: {left:?}");
}

#[test]
fn a_pass_that_takes_too_long_ends_with_the_steps_that_it_has_made() {
    let library = models::library(&[("SPIN_US", "20000")]);
    let audit = parsed(audit(&library, "--step plant_step --json --for 0.2s"));
    let made = audit["steps"].as_u64().unwrap();
    assert!((1..=11).contains(&made), "{made} steps of 20 ms in 0.2 s");
    let not_seen = audit["not_seen"].to_string();
    assert!(not_seen.contains(&format!("from number {made} on")), "{not_seen}");
}

/// The kernel ends what gives itself a real-time priority and never waits.
#[test]
fn a_constructor_that_spins_at_real_time_priority_is_bounded() {
    let Some(()) = needs(rt::sched::may_be_real_time(), REAL_TIME) else { return };
    measure_alone();
    let audit = of_hanging_library(&[("SPIN_LOADED", "1")]);
    let what = findings(&audit)[0]["told"].as_str().unwrap();
    assert!(what.contains("real-time priority"), "{what}");
}

#[test]
fn a_destructor_that_raises_its_priority_or_spins_is_found() {
    let Some(()) = needs(rt::sched::may_be_real_time(), REAL_TIME) else { return };
    measure_alone();
    let raises = of_library(&[("RAISE_UNLOADED", "1")]);
    let told: Vec<&str> =
        findings(&raises).iter().map(|one| one["told"].as_str().unwrap()).collect();
    assert!(told[0].contains("the policy fifo:99, in its destructors"), "{told:?}");
    assert_eq!(told.len(), 2, "it is raised, and lowered again: {told:?}");
    let spins = of_hanging_library(&[("SPIN_UNLOADED", "1")]);
    let what = findings(&spins)[0]["told"].as_str().unwrap();
    assert!(
        what.contains("failed in its unloading") && what.contains("real-time priority"),
        "{what}"
    );
}

#[test]
fn the_clocks_of_a_scheduled_execution_tick_one_after_the_other() {
    let scheduled =
        |defines: &Defines| models::fmu(Version::Three, Kind::ScheduledExecution, defines);
    let clean = parsed(audit(&scheduled(&[]), "--json"));
    assert_eq!(summary(&clean), [], "{clean:#}");
    let defines = [("MORE_CLOCKS", "1"), ("ALLOCATE_AT", "7")];
    let found = parsed(audit(&scheduled(&defines), "--tick push=20ms --tick later=10ms --json"));
    // A step is a tick of the fastest clock, which steps the model.
    assert_eq!(summary(&found), [is("allocation", 7, 1), is("release", 7, 1)]);
}

#[test]
fn what_an_audit_found_is_in_the_report_of_later_runs() {
    let folder = tempfile::tempdir().unwrap();
    let library = models::library(&[("ALLOCATE_AT", "7")]);
    let of_file = |line: &str| run_with(line, &[("XDG_DATA_HOME", folder.path())]);
    let library = library.display();
    of_file(&format!("audit {library} --step plant_step")).ended_with(1);
    let (store, out) = (folder.path().join("models.db"), folder.path().join("out"));
    let (store, out) = (store.display(), out.display());
    let line = format!("run model --library {library} --step plant_step --seconds 0.2");
    let line = format!("{line} {MODEST} --beside --store {store} --json");
    let run = of_file(&line).succeeded().first_run();
    Schema::named("run-2").assert(&run);
    assert_eq!(run["conditions"]["found"]["audit"]["steps"], 5000);
    of_file(&format!("report {store} --out {out}")).succeeded();
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    for words in ["What the audit of", "allocates (step 7)"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn what_cannot_be_audited_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("plant.so");
    fs::write(&text, "no library").unwrap();
    for file in [text.as_path(), &folder.path().join("none.fmu")] {
        let done = audit(file, "").ended_with(2);
        assert_eq!(done.stderr().lines().count(), 1, "{}", done.stderr());
        assert!(done.stderr().contains(file.to_str().unwrap()), "{}", done.stderr());
    }
    let code = "void nowhere(void); void plant_step(void) { nowhere(); }";
    let library = models::of_code(folder.path(), code);
    audit(&library, "--step plant_step").refuses("nowhere");
}

#[test]
fn the_answer_is_words_first_and_verbose_shows_places_and_remedies() {
    let library = models::library(&[("ALLOCATE_AT", "7"), ("ALLOCATIONS", "3")]);
    let text = audit(&library, "--step plant_step").ended_with(1).stdout();
    assert!(text.contains("allocates (step 7): 3 times in all"), "{text}");
    assert!(text.lines().count() <= 15, "{text}");
    let long = audit(&library, "--step plant_step --verbose").stdout();
    for part in ["What to change", "Allocate all memory", "no time here is a figure", "plant.so+0x"]
    {
        assert!(long.replace("\n", " ").contains(part), "{part}: {long}");
    }
    let sleeping = models::library(&[("SLEEP_EVERY", "500")]);
    let long = audit(&sleeping, "--step plant_step --verbose").stdout();
    assert!(long.contains("`clock_nanosleep`: "), "{long}");
}
