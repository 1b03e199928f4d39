//! `steadfast run model`: our own models in every form, and what they do that they must not.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;

use crate::common::{
    Done, Folder, MODEST, all_end, awaited, children, conserves, descendants, is_root, marked_by,
    number, real_time, run, run_with, send, start_unheard, steadfast,
};
use rt::thread::start_in;
use rt::topology;
use rustix::process::Signal;
use serde_json::Value;
use testing::models::{self, Defines, Kind, Version};
use testing::{measure_alone, needs, within_tries};
use testing_schema::Schema;

const H_S: f64 = 0.001;
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/python");
/// The oscillator's default.
const SUBSTEPS: u32 = 10;

/// Returns a model's file as a word of a typed line.
pub(crate) fn word(path: impl AsRef<Path>) -> String {
    path.as_ref().to_str().expect("a path of ours is text").to_owned()
}

pub(crate) fn fmu(version: Version, kind: Kind, defines: &Defines) -> String {
    word(models::fmu(version, kind, defines))
}

pub(crate) fn co_simulation(defines: &Defines) -> String {
    format!("--fmu {}", fmu(Version::Three, Kind::CoSimulation, defines))
}

fn library(defines: &Defines) -> String {
    format!("--library {} --step plant_step", word(models::library(defines)))
}

fn program(defines: &Defines) -> String {
    format!("--program {}", word(models::program(defines)))
}

/// Returns the line of a run as fast as possible, which does not wait while other tests measure.
pub(crate) fn fast(model: &str) -> String {
    format!("run model {model} --mode real-fast --seconds 0.2 {MODEST} --beside --json")
}

fn paced(model: &str) -> String {
    format!("run model {model} --rate 1kHz --seconds 0.2 {MODEST} --beside --json")
}

pub(crate) fn one_run(line: &str) -> Value {
    one_run_in(&Folder::new(), line)
}

fn one_run_in(folder: &Folder, line: &str) -> Value {
    let run = folder.run(line).succeeded().first_run();
    Schema::named("run-2").assert(&run);
    run
}

/// Returns the times and values of an output in a CSV that `--record` wrote, where it has any.
fn cells(text: &str, name: &str) -> Vec<(f64, f64)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut head = lines.next().expect("a head").split(',');
    let place = head.position(|cell| cell.trim_matches('"') == name).expect(name);
    let number = |cell: &str| cell.parse::<f64>().ok();
    let cell = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        number(cells[0]).zip(number(cells[place]))
    };
    lines.filter_map(cell).collect()
}

fn column(text: &str, name: &str) -> Vec<f64> {
    cells(text, name).into_iter().map(|(_, value)| value).collect()
}

fn recorded(model: &str) -> String {
    let folder = Folder::new();
    folder.run(&format!("{} --record outputs.csv", fast(model))).succeeded();
    folder.read("outputs.csv")
}

/// Computes the oscillator as `oscillator.c` does: x at the start, and after each step.
fn oscillator(k: f64, u: impl Fn(u32) -> f64) -> Vec<f64> {
    let (mut x, mut v) = (1.0, 0.0);
    let part = H_S / f64::from(SUBSTEPS);
    let step = |number: u32| {
        for _ in 0..SUBSTEPS {
            let a = u(number) - v - k * x;
            x += part * v;
            v += part * a;
        }
        x
    };
    [1.0].into_iter().chain((0..201).map(step)).collect()
}

#[test]
fn outputs_are_compared_with_a_reference_and_the_first_difference_is_named() {
    for model in [co_simulation(&[]), program(&[])] {
        let folder = Folder::new();
        let line = fast(&model);
        folder.run(&format!("{line} --record equal.csv")).succeeded();
        let run = folder.run(&format!("{line} --check equal.csv --tolerance 0+0")).succeeded();
        let checked = run.first_run()["checked"].clone();
        let counts = ["rows", "reference_rows", "differing"].map(|name| number(&checked, name));
        assert_eq!((counts, &checked["not_compared"]), ([202, 202, 0], &Value::Array(vec![])));

        let text = folder.read("equal.csv");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut cells: Vec<String> = lines[101].split(',').map(str::to_owned).collect();
        cells[1] = "7.5".to_owned();
        lines[101] = cells.join(",");
        folder.write("other.csv", lines.join("\n"));
        let done = folder.run(&format!("{line} --check other.csv --junit cases.xml"));
        let run = done.ended_with(1).first_run();
        Schema::named("run-2").assert(&run);
        let first = &run["checked"]["first"];
        assert_eq!((&first["row"], &first["reference"]), (&101.into(), &"7.5".into()));
        assert_eq!((&run["valid"], &run["checked"]["differing"]), (&true.into(), &1.into()));
        let told =
            folder.run(&line.replace(" --json", " --check other.csv")).ended_with(1).stdout();
        assert!(told.starts_with("Differs from other.csv first at 0.1 s (row 101, "), "{told}");
        assert!(folder.read("cases.xml").contains("failures=\"1\""));

        let shifted = text.replace("\n0.", "\n1000.");
        folder.write("shifted.csv", shifted);
        folder.run(&format!("{line} --check shifted.csv")).ended_with(3);
    }
}

#[test]
fn every_source_runs_and_all_that_was_due_is_accounted_for() {
    let of = |version, kind| format!("--fmu {}", fmu(version, kind, &[]));
    let exchange = of(Version::Three, Kind::ModelExchange);
    for (model, interface) in [
        (of(Version::Two, Kind::CoSimulation), "Co-Simulation"),
        (of(Version::Three, Kind::CoSimulation), "Co-Simulation"),
        (of(Version::Two, Kind::ModelExchange), "Model Exchange"),
        (format!("{exchange} --integrator rk4 --substeps 3"), "Model Exchange"),
        (library(&[]), "library"),
        (program(&[]), "program"),
    ] {
        let run = one_run(&paced(&model));
        assert_eq!((&run["valid"], &run["due"]), (&true.into(), &200.into()), "{model}");
        conserves(&run);
        assert_eq!(run["interface"], interface);
        let run = one_run(&fast(&model));
        assert_eq!((&run["valid"], &run["due"]), (&true.into(), &200.into()), "{model}");
        assert_eq!(run["switches_ns"].is_u64(), interface == "program", "{model}");
    }
}

#[test]
fn outputs_are_those_of_the_model_to_the_last_digit() {
    let expected = oscillator(100.0, |_| 0.0);
    for version in [Version::Two, Version::Three] {
        let model = format!("--fmu {}", fmu(version, Kind::CoSimulation, &[]));
        let table = recorded(&model);
        assert_eq!(column(&table, "y"), expected, "{version:?}");
        let numbers: Vec<f64> = (0..202).map(f64::from).collect();
        assert_eq!(column(&table, "steps"), numbers, "{version:?}");
        let times: Vec<f64> = numbers.iter().map(|number| number / 1000.0).collect();
        assert_eq!(column(&table, "time"), times, "{version:?}");
    }
    let table = recorded(&program(&[]));
    assert_eq!(column(&table, "outputs[0]")[1..], expected[1..]);
}

/// Returns the solution of the differential equation after 201 steps.
fn exact() -> f64 {
    let time = 201.0 * H_S;
    let w = 99.75_f64.sqrt();
    (-time / 2.0).exp() * ((w * time).cos() + (w * time).sin() / (2.0 * w))
}

#[test]
fn the_equations_of_a_model_exchange_are_integrated() {
    for version in [Version::Two, Version::Three] {
        let model = format!("--fmu {}", fmu(version, Kind::ModelExchange, &[]));
        let euler = recorded(&format!("{model} --substeps {SUBSTEPS}"));
        let expected = oscillator(100.0, |_| 0.0);
        let differ = column(&euler, "y").into_iter().zip(&expected);
        let largest = differ.map(|(y, x)| (y - x).abs()).fold(0.0, f64::max);
        assert!(largest < 1e-12, "{version:?}: {largest}");
        let rk4 = column(&recorded(&format!("{model} --integrator rk4")), "y");
        let error = (rk4[201] - exact()).abs();
        assert!(error < 1e-8, "{version:?}: {error}");
        assert!((expected[201] - exact()).abs() > 1e-4);
    }
}

#[test]
fn equal_inputs_have_an_equal_hash_and_others_do_not() {
    let hash = |model: &str| one_run(&fast(model))["output_hash"].clone();
    let model = co_simulation(&[]);
    let first = hash(&model);
    assert!(first.is_string());
    assert_eq!(hash(&model), first);
    // Whatever the pace, if no step is left out.
    let in_time = format!("{} --overrun catch-up", paced(&model));
    assert_eq!(one_run(&in_time)["output_hash"], first);
    assert_ne!(hash(&format!("{model} --set k=101")), first);
    assert_ne!(hash(&co_simulation(&[("DIFFERENT_FROM", "100")])), first);
}

#[test]
fn start_values_and_inputs_reach_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("inputs.csv");
    fs::write(&inputs, "time,u\n0,3\n0.1,3\n0.1,7\n9,7\n").unwrap();
    let input = word(&inputs);
    let u = |number: u32| {
        if f64::from(number) * H_S < 0.1 { 3.0 } else { 7.0 }
    };
    let model = co_simulation(&[]);
    let stiff = column(&recorded(&format!("{model} --set k=400")), "y");
    assert_eq!(stiff, oscillator(400.0, |_| 0.0));
    let pushed = column(&recorded(&format!("{model} --input {input}")), "y");
    let expected = oscillator(100.0, u);
    assert_eq!(pushed, expected);

    fs::write(&inputs, "time,x\n0,3\n0.1,3\n0.1,7\n9,7\n").unwrap();
    let pushed = recorded(&format!("{} --input {input}", program(&[])));
    assert_eq!(column(&pushed, "outputs[0]")[1..], expected[1..]);
}

/// Runs a line in a separate temporary folder, asserts that nothing of the run is left, and returns
/// what it did.
fn leaving_nothing(line: &str) -> Done {
    let temporary = tempfile::tempdir().unwrap();
    let done = run_with(line, &[("TMPDIR", temporary.path())]);
    let left = marked_by(&word(temporary.path()));
    assert!(left.is_empty(), "{line}: {left:?}");
    let folders: Vec<_> = fs::read_dir(&temporary).unwrap().flatten().collect();
    assert!(folders.is_empty(), "{line}: {folders:?}");
    done
}

/// Asserts that a run is INVALID for one reason, which begins with these words.
#[track_caller]
pub(crate) fn fails(model: &str, cause: &str) {
    let run = leaving_nothing(&fast(model)).ended_with(1).first_run();
    assert_eq!(run["valid"], false, "{model}");
    let warnings = run["warnings"].as_array().unwrap().iter();
    let failed: Vec<&Value> = warnings.filter(|one| one["invalidates"] == true).collect();
    let [only] = failed[..] else { panic!("{model}: {failed:?}") };
    let found = only["cause"].as_str().unwrap();
    assert!(found.starts_with(cause) && found.lines().count() == 1, "{model}: {found:?}");
}

#[test]
fn a_step_that_crashes_or_fails_or_is_not_a_number_is_reported() {
    let crash: &Defines = &[("CRASH_AT", "100")];
    let exchange = fmu(Version::Two, Kind::ModelExchange, &[("ERROR_AT", "100")]);
    for (model, cause) in [
        (co_simulation(crash), "it used memory that is not there"),
        (library(crash), "it used memory that is not there"),
        (program(crash), "the program ended by itself (signal: 11"),
        (co_simulation(&[("ERROR_AT", "100")]), ""),
        (format!("--fmu {exchange}"), ""),
        (program(&[("ERROR_AT", "100")]), "its step returned 7"),
        (co_simulation(&[("NAN_FROM", "100")]), "its output `"),
        (program(&[("NAN_FROM", "100")]), "its output `"),
        (co_simulation(&[("TERMINATE_AT", "100")]), "it requested the end of the simulation"),
    ] {
        fails(&model, &format!("the model failed in step 100: {cause}"));
    }
    let first = "the model failed in its first step: it used memory that is not there";
    fails(&co_simulation(&[("CRASH_AT", "0")]), first);
}

#[test]
fn a_step_that_never_ends_is_ended() {
    let hang: &Defines = &[("HANG_AT", "100")];
    let cause = "the model failed in step 100: it did not return within 10 s";
    // At the same time, since each takes ten seconds.
    thread::scope(|scope| {
        for model in [library(hang), program(hang)] {
            start_in(scope, "hangs", move || fails(&model, cause)).unwrap();
        }
    });
}

fn compiled(folder: &Path, code: &str) -> String {
    format!("--library {}", word(models::of_code(folder, code)))
}

#[test]
fn ending_the_process_is_reported_and_a_broken_end_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let own = |code: &str| compiled(folder.path(), &format!("#include <stdlib.h>\n{code}\n"));
    let crashes = |kind: &str, name: &str| {
        let function = format!("__attribute__(({kind})) void {name}(void)");
        format!("{function} {{ *(volatile int *)8 = 1; }} void own_step(void) {{}}")
    };
    for (code, cause) in [
        (
            "int n; void own_step(void) { if (n++ == 50) exit(0); }",
            "step 50: it ended the program (exit status 0)",
        ),
        (
            "void own_step(void) {} void own_initialize(void) { abort(); }",
            "its initialisation: it ended the program (abort)",
        ),
        (&crashes("constructor", "load"), "its instantiation: it used memory that is not there"),
    ] {
        fails(&own(code), &format!("the model failed in {cause}"));
    }
    assert_eq!(one_run(&fast(&own(&crashes("destructor", "unload"))))["valid"], true);
}

/// Starts a thread in its initialisation, in its first step and in a later one, and prints at the
/// end with which policy and on which CPUs they may run.
const THREADED: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
static pthread_t all[3];
static int step;
static void *work(void *unused) { for (;;) pause(); return unused; }
static void begin(int at) { pthread_create(&all[at], NULL, work, NULL); }
static int count_cpus(void) {
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    return CPU_COUNT(&cpus);
}
void own_initialize(void) { printf("counts %d\n", count_cpus()); begin(0); }
void own_step(void) {
    if (step == 0) begin(1);
    if (step == 50) begin(2);
    step++;
}
void own_terminate(void) {
    for (int at = 0; at < 3; at++) {
        int policy;
        struct sched_param parameters;
        cpu_set_t cpus;
        pthread_getschedparam(all[at], &policy, &parameters);
        pthread_getaffinity_np(all[at], sizeof cpus, &cpus);
        printf("thread %d: policy %d, CPUs", at, policy);
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) if (CPU_ISSET(cpu, &cpus)) printf(" %d", cpu);
        printf("\n");
    }
}
"#;

/// Returns the policy, CPUs and number of threads in each entry of a run, and whether steps have the
/// same CPUs. Nice values are left out: if the tests have a negative one, not all threads inherit it.
pub(crate) fn threads_of_model(run: &Value) -> Vec<(String, String, u64, bool)> {
    let entry = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        let policy = text("policy").split(':').next().unwrap().to_owned();
        (policy, text("cpus"), number(one, "threads"), one["only_beside_steps"] == true)
    };
    let mut all = BTreeMap::new();
    for (policy, cpus, threads, beside) in
        run["model_threads_at"].as_array().unwrap().iter().map(entry)
    {
        *all.entry((policy, cpus, beside)).or_insert(0) += threads;
    }
    all.into_iter()
        .map(|((policy, cpus, beside), threads)| (policy, cpus, threads, beside))
        .collect()
}

#[test]
fn threads_of_a_model_have_the_default_policy_and_the_named_cpus_without_steps() {
    let folder = Folder::new();
    let temporary = tempfile::tempdir().unwrap();
    let library = word(models::of_code_with(temporary.path(), THREADED, &["-pthread"]));
    let cpus: Vec<usize> = topology::usable().iter().collect();
    let Some(()) = needs(cpus.len() > 1, "two CPUs") else { return };
    let [step, other] = [cpus[0], cpus[1]];
    let policy = if real_time().is_some() { "fifo:70" } else { "other" };
    let line = |cpus: &str| {
        let rest = "--memory unlocked --idle-states leave --beside --json";
        let steps = format!("--rate 1kHz --steps 200 --policy {policy} --cpus {cpus}");
        format!("run model --library {library} {steps} {rest}")
    };
    let done = folder.run(&line(&format!("{step},{other}"))).succeeded();
    let said = |at: usize, cpu: usize| format!("model: thread {at}: policy 0, CPUs {cpu}\n");
    for text in ["model: counts 2\n", &said(0, other), &said(1, other), &said(2, step)] {
        assert!(done.stderr().contains(text), "{}", done.stderr());
    }
    let run = done.first_run();
    Schema::named("run-2").assert(&run);
    assert_eq!((&run["valid"], &run["model_threads"]), (&true.into(), &3.into()));
    let at = |cpu: usize, threads, beside| ("other".to_owned(), cpu.to_string(), threads, beside);
    let mut expected = [at(step, 1, true), at(other, 2, false)];
    expected.sort();
    assert_eq!(threads_of_model(&run), expected);

    let run = folder.run(&line(&step.to_string())).succeeded().first_run();
    assert_eq!(threads_of_model(&run), [at(step, 3, true)]);
}

#[test]
fn threads_of_a_program_have_the_named_cpus_without_steps() {
    let has_python = Path::new("/usr/bin/python3").exists();
    let cpus: Vec<usize> = topology::usable().iter().collect();
    let Some(()) = needs(has_python && cpus.len() > 1, "/usr/bin/python3 and two CPUs") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "#!/usr/bin/python3\nimport sys, threading\nsys.path.insert(0, '{EXAMPLES}')\n\
         import steadfast_model\n\
         threading.Thread(target=threading.Event().wait, daemon=True).start()\n\
         model = steadfast_model.attach(inputs=1, outputs=1)\n\
         while model.wait():\n    model.done()\n"
    );
    let line = format!("{} --cpus {},{}", script(folder.path(), &text), cpus[0], cpus[1]);
    let run = one_run(&line);
    let expected = ("other".to_owned(), cpus[1].to_string(), 1, false);
    assert_eq!((threads_of_model(&run), &run["valid"]), (vec![expected], &true.into()));
}

#[test]
fn instances_have_names_of_their_own() {
    for version in [Version::Two, Version::Three] {
        let fmu = fmu(version, Kind::CoSimulation, &[("UNIQUE_NAMES", "1")]);
        assert_eq!(one_run(&fast(&format!("--fmu {fmu} --instances 3")))["valid"], true);
    }
}

#[test]
fn what_was_recorded_is_an_input_file() {
    let folder = Folder::new();
    let model = fmu(Version::Three, Kind::CoSimulation, &[("ARRAY", "1")]);
    let line = |more: &str| fast(&format!("--fmu {model} {more}"));
    folder.write("w.csv", "time,w\n0,1 2\n0.1,3 4\n");
    folder.run(&line("--input w.csv --record a.csv")).succeeded();
    let recorded = folder.read("a.csv");
    assert_eq!(column(&recorded, "a[1]")[..2], [2.0, 2.0]);
    assert_eq!(column(&recorded, "a[2]")[150..], [6.0; 52]);
    let renamed = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [.., first, second] = cells[..] else { panic!("{line}") };
        format!("{},{first},{second}\n", cells[0]).replace("\"a[", "\"w[")
    };
    folder.write("again.csv", recorded.lines().map(renamed).collect::<String>());
    folder.run(&line("--input again.csv --record b.csv")).succeeded();
    assert_eq!(column(&folder.read("b.csv"), "a[2]")[150..], [8.0; 52]);
}

#[test]
fn local_variables_are_recorded_and_outputs_may_be_infinite_if_requested() {
    let folder = Folder::new();
    for version in [Version::Two, Version::Three] {
        let fmu = fmu(version, Kind::CoSimulation, &[("INF_FROM", "100")]);
        let line = |more: &str| fast(&format!("--fmu {fmu} {more}"));
        folder.run(&line("--output x,k,der(x) --record x.csv")).succeeded();
        let text = folder.read("x.csv");
        assert!(text.starts_with("time,\"x\",\"k\",\"der(x)\"\n"), "{text}");
        assert_eq!(column(&text, "k"), [100.0; 202]);
        fails(&format!("--fmu {fmu}"), "the model failed in step 100: its output `y` is inf");
        let infinite = one_run_in(&folder, &line("--allow-inf y --output y --record y.csv"));
        assert_eq!(infinite["valid"], true);
        assert_eq!(column(&folder.read("y.csv"), "y")[150], f64::INFINITY);
        run(&line("--output nosuch")).refuses("--output: Oscillator has no variable `nosuch`");
        run(&line("--allow-inf x")).refuses("--allow-inf: Oscillator has no output `x`");
    }
}

#[test]
fn an_fmu_that_needs_its_tool_runs_without_only_if_requested() {
    let fmu = fmu(Version::Two, Kind::CoSimulation, &[("NEEDS_TOOL", "1")]);
    run(&fast(&format!("--fmu {fmu}"))).refuses("--execution-tool ignored");
    let ignored = one_run(&fast(&format!("--fmu {fmu} --execution-tool ignored")));
    assert_eq!(ignored["valid"], true);
    assert!(ignored["warnings"].to_string().contains("tool_ignored"), "{ignored}");
}

#[test]
fn variables_of_a_library_get_their_values_and_its_failed_start_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let code = "double gain = 1; float offset = 0.5f; int cells = 3;\n\
                int own_initialize(void) { return gain != 2 || offset != 1 || cells != 7; }\n\
                void own_step(void) {}\n";
    let of = |options| word(models::of_code_with(folder.path(), code, options));
    let run_of = |library: &str, set: &str| fast(&format!("--library {library} {set}"));
    let library = of(&["-g"]);
    let typed = run_of(&library, "--set gain=2 --set offset=1 --set cells=7");
    assert_eq!(one_run(&typed)["valid"], true);
    let cause = "the model failed in its initialisation: its `own_initialize` returned 1";
    fails(&format!("--library {library} --set gain=2"), cause);
    let library = of(&[]);
    run(&run_of(&library, "--set gain=2")).refuses("such as gain:double=2");
    let stated = "--set gain:double=2 --set offset:float=1 --set cells:int32=7";
    assert_eq!(one_run(&run_of(&library, stated))["valid"], true);
}

#[test]
fn a_number_of_steps_excludes_other_lengths() {
    let of_steps = |words: &str| run(&format!("run model {} --steps 20 {words}", program(&[])));
    of_steps("--seconds 1").refuses("leave one of them out");
    of_steps("--mode real-fast").refuses("as many steps as it can");
}

#[test]
fn a_program_that_would_outlive_its_run_ends_with_a_killed_runner() {
    let path = models::program(&[("OUTLIVES", "1")]);
    let line = format!("run model --program {} --seconds 60 {MODEST} --beside", word(&path));
    let mut program = start_unheard(steadfast(&line));
    let runs_it =
        |process: &u32| fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|exe| exe == path);
    let model =
        awaited("the start of the program", || descendants(program.id()).into_iter().find(runs_it));
    send(Signal::KILL, children(program.id())[0]);
    all_end(&[model]);
    program.wait().unwrap();
}

#[test]
fn a_program_that_does_not_attach_is_reported() {
    fails("--program true", "the model failed in its instantiation: the program ended by itself");
    run(&format!("run model --program /nowhere/at-all --rate 100Hz --steps 20 {MODEST}"))
        .refuses("`/nowhere/at-all` is not an executable file");
}

/// Returns the cause of an INVALID run, and the lines that its model has printed, from a command.
pub(crate) fn cause_and_printed(line: &str) -> (String, Vec<String>) {
    let done = leaving_nothing(line).ended_with(1);
    let warnings = done.first_run()["warnings"].clone();
    let failed = warnings.as_array().unwrap().iter().find(|one| one["invalidates"] == true);
    let cause = failed.unwrap()["cause"].as_str().unwrap().to_owned();
    let stderr = done.stderr();
    let printed = stderr.lines().filter_map(|line| line.strip_prefix("model: "));
    (cause, printed.map(str::to_owned).collect())
}

/// Returns the line of a run of a program that is a script with this text.
fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("model");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    fast(&format!("--program {}", word(&path)))
}

#[test]
fn what_a_model_prints_before_it_fails_is_shown_and_quoted_in_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let unattached =
        "#!/bin/sh\necho Traceback >&2; printf '\\033[2JImportError: numpy\\n' >&2; exit 1";
    let (cause, printed) = cause_and_printed(&script(folder.path(), unattached));
    let expected = ["Traceback", "\\u001b[2JImportError: numpy"];
    assert_eq!(printed, expected);
    assert!(cause.contains("before it attached"), "{cause}");
    let quoted = format!("; it printed last: {}; before that: {}", expected[1], expected[0]);
    assert!(cause.ends_with(&quoted), "{cause}");
    let prints = |end: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nint n; void own_step(void) {{\n\
             if (n++ == 50) {{ fprintf(stderr, \"state %d is bad\\n\", n); {end}; }} }}\n"
        )
    };
    for end in ["abort()", "exit(3)"] {
        let line = fast(&compiled(folder.path(), &prints(end)));
        let (cause, printed) = cause_and_printed(&line);
        assert!(cause.starts_with("the model failed in step 50: it ended the program"), "{cause}");
        assert!(cause.ends_with("; it printed last: state 51 is bad"), "{cause}");
        assert_eq!(printed, ["state 51 is bad"]);
    }
}

#[test]
fn what_a_program_prints_before_it_ends_in_a_step_is_quoted_in_the_cause() {
    let has_python = Path::new("/usr/bin/python3").exists();
    let Some(()) = needs(has_python, "/usr/bin/python3") else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "#!/usr/bin/python3\nimport sys\nsys.path.insert(0, '{EXAMPLES}')\nimport steadfast_model\n\
         model = steadfast_model.attach(inputs=1, outputs=1)\n\
         while model.wait():\n    if model.step == 100:\n        raise RuntimeError('boom')\n    model.done()\n"
    );
    let (cause, printed) = cause_and_printed(&script(folder.path(), &text));
    assert!(cause.contains("step 100: the program ended by itself (exit status: 1)"), "{cause}");
    assert!(cause.contains("; it printed last: RuntimeError: boom; "), "{cause}");
    assert_eq!(printed.last().unwrap(), "RuntimeError: boom");
}

#[test]
fn what_an_fmu_logs_is_in_the_cause_of_its_failure() {
    for version in [Version::Two, Version::Three] {
        let fmu = fmu(version, Kind::CoSimulation, &[("ERROR_AT", "100")]);
        let (cause, printed) = cause_and_printed(&fast(&format!("--fmu {fmu} --log on")));
        assert!(
            cause.contains("in step 100") && cause.contains("; it printed last: log (Error): "),
            "{cause}"
        );
        let said = match version {
            Version::Two => "log (Error): it broke in step 100",
            Version::Three => "log (Error): ",
        };
        assert!(printed.last().unwrap().starts_with(said), "{printed:?}");
    }
}

#[test]
fn a_stack_within_the_limit_is_enough_and_one_that_overflows_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let deep = |mib: u32| {
        let code = format!(
            "#include <string.h>\nvoid own_step(void) {{ volatile char a[{mib} << 20]; \
             for (unsigned at = sizeof a; at > 4096; at -= 4096) a[at - 1] = 1; }}\n"
        );
        compiled(folder.path(), &code)
    };
    // More than the 2 MiB that threads of this program get.
    assert_eq!(one_run(&fast(&deep(6)))["valid"], true);
    let cause = "the model failed in its first step: its stack overflowed: the limit gives ";
    fails(&deep(40), cause);
    let audited = |model: String| {
        let file = model.trim_start_matches("--library ").to_owned();
        run(&format!("audit {file} --steps 20 --json"))
    };
    // Touching that much for the first time is a finding, too.
    for (mib, overflows) in [(6, false), (40, true)] {
        let found = audited(deep(mib)).ended_with(1).stdout();
        assert_eq!(found.contains("its stack overflowed"), overflows, "{found}");
    }
}

#[test]
fn what_an_fmu_logs_before_it_crashes_or_exits_is_quoted() {
    for (version, text) in [(Version::Two, "step 100"), (Version::Three, "a step")] {
        let fmu = fmu(version, Kind::CoSimulation, &[("LOG_EVERY", "50"), ("CRASH_AT", "100")]);
        let (cause, printed) = cause_and_printed(&fast(&format!("--fmu {fmu} --log on")));
        assert!(cause.contains("step 100: it used memory that is not there; "), "{cause}");
        assert_eq!(printed.last().unwrap(), &format!("log (OK): {text}"));
    }
}

#[test]
fn what_a_model_prints_does_not_damage_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let code = "#include <stdio.h>\nvoid own_step(void) { puts(\"{}\"); fflush(stdout); }\n\
                void own_terminate(void) { puts(\"unwritten\"); }\n";
    let chatty = compiled(folder.path(), code);
    let done = leaving_nothing(&fast(&chatty)).succeeded();
    let runs = done.json();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["executed"], 200);
    assert!(done.stderr().contains("model: {}\n"), "{}", done.stderr());
}

#[test]
fn a_step_that_was_not_made_is_missed() {
    for version in [Version::Two, Version::Three] {
        // The first step is not measured.
        for (at, steps) in [("20", 1), ("0", 0)] {
            let model =
                format!("--fmu {}", fmu(version, Kind::CoSimulation, &[("DISCARD_AT", at)]));
            let run = one_run(&paced(&model));
            assert_eq!((&run["not_made"], &run["discarded"]), (&steps.into(), &steps.into()));
            assert!(number(&run, "missed") >= steps, "{run}");
            conserves(&run);
            assert_eq!(one_run(&fast(&model))["not_made"], steps);
        }
    }
}

#[test]
fn sixty_hertz_are_exactly_sixty_and_a_step_that_does_not_fit_is_noted_before() {
    let folder = Folder::new();
    let model = co_simulation(&[]);
    let line = format!("run model {model} --mode real-fast --seconds 2 --rate 60Hz");
    let done = folder.run(&format!("{line} --record out.csv {MODEST} --beside --json")).succeeded();
    let said = done.stderr();
    assert!(said.contains("note: Oscillator takes steps of one size") && said.contains("1kHz"));
    assert_eq!(done.first_run()["due"], 120);
    // The rows of the start, of the first step, which is not measured, and of the others.
    let times = column(&folder.read("out.csv"), "time");
    let expected: Vec<f64> = (0..122).map(|number| f64::from(number) / 60.0).collect();
    assert_eq!(times, expected);
}

#[test]
fn functions_of_several_rates_are_all_called() {
    // The fast step crashes: if it is called at every second step, it crashes later.
    for (step, every) in [("100", ""), ("100", "--every 1+10"), ("50", "--every 2+1")] {
        let library = word(models::library(&[("RATES", "2"), ("CRASH_AT", step)]));
        let cause = "the model failed in step 100: it used memory that is not there";
        fails(&format!("--library {library} {every}"), cause);
    }
}

#[test]
fn each_clock_of_a_scheduled_execution_is_paced_at_its_own_period() {
    let line = |defines, seconds: &str, policy: &str| {
        let model = fmu(Version::Three, Kind::ScheduledExecution, defines);
        format!("run model --fmu {model} --seconds {seconds} {policy} --beside --json")
    };
    let run = one_run(&line(&[], "0.5", MODEST));
    assert_eq!((&run["valid"], &run["interface"]), (&true.into(), &"Scheduled Execution".into()));
    let rows = run["rows"].as_array().unwrap();
    for (row, (label, due)) in rows.iter().zip([("fast every 10ms", 50), ("slow every 100ms", 5)]) {
        assert!(row["label"].as_str().unwrap().ends_with(label), "{row}");
        assert_eq!(row["due"], due);
        conserves(row);
    }
    assert_eq!(rows.len(), 2);
    // Skipped ticks do not count as steps.
    let line_of_crash = line(&[("CRASH_AT", "15")], "4", MODEST);
    let crashed = leaving_nothing(&line_of_crash).ended_with(1).first_run();
    let reported = crashed["warnings"].to_string();
    assert!(reported.contains("the model failed in step 15: it used memory"), "{reported}");
    if real_time().is_some() {
        let run = one_run(&line(&[], "0.5", "--policy fifo:80"));
        let threads = run["conditions"]["found"]["threads"].as_array().unwrap();
        let policies: Vec<&str> = threads.iter().filter_map(|one| one["policy"].as_str()).collect();
        assert_eq!(policies, ["fifo:80", "fifo:79"]);
    }
}

#[test]
fn threads_of_a_scheduled_execution_have_the_named_cpus_without_steps() {
    let cpus: Vec<usize> = topology::usable().iter().collect();
    let Some(()) = needs(cpus.len() > 1, "two CPUs") else { return };
    let policy = if real_time().is_some() { "fifo:70" } else { "other" };
    let model = fmu(Version::Three, Kind::ScheduledExecution, &[("THREAD", "1")]);
    let line = format!("run model --fmu {model} --seconds 0.5 --cpus {},{}", cpus[0], cpus[1]);
    let rest = "--memory unlocked --idle-states leave --beside --json";
    let run = one_run(&format!("{line} --policy {policy} {rest}"));
    let expected = ("other".to_owned(), cpus[1].to_string(), 1, false);
    for clock in run["rows"].as_array().unwrap() {
        assert_eq!(threads_of_model(clock), std::slice::from_ref(&expected), "{clock}");
    }
    assert_eq!((&run["valid"], run["rows"].as_array().unwrap().len()), (&true.into(), 2));
}

#[test]
fn clocks_that_are_triggered_and_that_the_model_starts_tick_and_record_their_own_outputs() {
    let folder = Folder::new();
    folder.write("input.csv", "time,u\n0,1000\n");
    let model = fmu(Version::Three, Kind::ScheduledExecution, &[("MORE_CLOCKS", "1")]);
    let line = format!(
        "run model --fmu {model} --tick push=20ms --tick later=5ms --input input.csv \
         --record record.csv --seconds 4 {MODEST} --beside --json"
    );
    let run = one_run_in(&folder, &line);
    assert_eq!((&run["valid"], &run["events"]), (&true.into(), &1.into()));
    assert_eq!(run["rows"].as_array().unwrap().len(), 4);
    let text = folder.read("record.csv");
    let later = cells(&text, "later_ticks");
    assert!(matches!(later[..], [(time, 1.0)] if time >= 0.12 - 1e-9), "{later:?}");
    for (output, period) in [("push_ticks", 0.02), ("fast_ticks", 0.01)] {
        let reported = cells(&text, output);
        assert!(reported.len() > 1);
        for (number, (time, ticks)) in (0_u32..).zip(reported) {
            assert_eq!(ticks.to_bits(), f64::from(number + 1).to_bits());
            assert!((time - f64::from(number) * period).abs() < 1e-9);
        }
    }
    let pushed = cells(&text, "y");
    assert!(pushed.iter().any(|(_, y)| *y > 1.5), "no input arrived: {pushed:?}");
}

#[test]
fn a_clock_whose_interval_changes_ticks_when_the_model_says_so() {
    let folder = Folder::new();
    let defines = [("CHANGING_CLOCK", "1")];
    let model = fmu(Version::Three, Kind::ScheduledExecution, &defines);
    let line = format!("run model --fmu {model} --tick uneven=5ms --record record.csv");
    let run = one_run_in(&folder, &format!("{line} --seconds 4 {MODEST} --beside --json"));
    let reported = cells(&folder.read("record.csv"), "uneven_ticks");
    assert!(reported.len() > 1, "{reported:?}");
    // The first tick comes before the measurement.
    assert_eq!(run["events"], reported.len() - 1);
    let mut due = 0.0;
    for (number, (time, ticks)) in (0_u32..).zip(reported) {
        // After the first tick 20 and 30 ms alternately, however late one was.
        due += if number == 0 {
            0.0
        } else if number % 2 == 1 {
            0.02
        } else {
            0.03
        };
        assert_eq!(ticks.to_bits(), f64::from(number + 1).to_bits());
        assert!(time > due - 1e-9, "{number}: {time}, due {due}");
    }
}

#[test]
fn texts_are_recorded_up_to_a_bound() {
    let folder = Folder::new();
    let models = [Kind::CoSimulation, Kind::ScheduledExecution]
        .map(|kind| fmu(Version::Three, kind, &[("TEXTS", "1")]));
    let recorded = |model: &str, label: &str| {
        let line = format!("run model --fmu {model} --set label={label} --set blob=00ff7f");
        let more = format!("--record record.csv --seconds 0.2 {MODEST} --beside --json");
        let run = one_run_in(&folder, &format!("{line} {more}"));
        (folder.read("record.csv"), run)
    };
    for model in &models {
        let (text, run) = recorded(model, "=a\"b");
        let mut lines = text.lines();
        let (head, row) = (lines.next().unwrap(), lines.next().unwrap());
        assert!(head.contains(",\"word\",\"blob\""), "{text}");
        assert!(row.contains(",\"'=a\"\"b ") && row.contains("\",00ff7f"), "{text}");
        assert_eq!(run["texts_cut"], 0);
    }
    let (text, run) = recorded(&models[0], &"x".repeat(70));
    let kept = format!(",\"{}\",00ff7f", "x".repeat(64));
    assert!(text.lines().skip(1).all(|line| line.ends_with(&kept)), "{text}");
    // After initialisation, after the first step, and after each measured one.
    assert_eq!(run["texts_cut"], run["executed"].as_u64().unwrap() + 2);
}

#[test]
fn what_cannot_be_run_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let no_archive = folder.path().join("text.fmu");
    fs::write(&no_archive, "no archive").unwrap();
    let no_step = compiled(folder.path(), "void own_work(void) {}\n");
    let exchange = fmu(Version::Two, Kind::ModelExchange, &[]);
    for (model, reason) in [
        (String::new(), "--fmu FILE.fmu"),
        ("--fmu /nowhere.fmu".to_owned(), "/nowhere.fmu"),
        (format!("--fmu {}", word(&no_archive)), "text.fmu"),
        (no_step, "it has no step function"),
        (format!("--fmu {exchange} --interface co-simulation"), "--interface: "),
        (format!("--fmu {exchange} --set k=soft"), "--set: "),
        (format!("--fmu {exchange} --input /nowhere.csv"), "/nowhere.csv"),
        (format!("{} --record /tmp/never.csv", library(&[])), "--record: "),
    ] {
        run(&fast(&model)).refuses(reason);
    }
}

#[test]
fn several_models_are_run_one_after_the_other_and_kept() {
    let folder = Folder::new();
    let [two, three] =
        [Version::Two, Version::Three].map(|version| fmu(version, Kind::CoSimulation, &[]));
    let line = fast(&format!("--fmu {two},{three}"));
    let line = format!("{line} --repeat 2 --store models.db");
    let runs = folder.run(&line).succeeded().json();
    assert_eq!(runs.len(), 4);
    for file in [&two, &three] {
        let own = runs.iter().filter(|run| run["parameters"]["fmu"] == **file);
        let hashes: Vec<&Value> = own.map(|run| &run["output_hash"]).collect();
        assert!(matches!(hashes[..], [first, second] if first == second), "{hashes:?}");
    }
    let report = folder.run("report models.db --json").succeeded().document();
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(4));
}

/// Returns the causes of what was late by most of a period, in a run of a model with this fault.
fn causes_of(defines: &Defines) -> Vec<Value> {
    let model = co_simulation(defines);
    let line = format!(
        "run model {model} --rate 1kHz --seconds 0.5 --policy fifo:80 --beside --blame \
         --threshold 900us --json"
    );
    one_run(&line)["blame"]["causes"].as_array().unwrap().clone()
}

#[test]
fn what_a_step_does_is_named_as_the_cause() {
    measure_alone();
    let can_be_traced = Path::new("/sys/kernel/tracing").exists();
    let may = real_time().is_some() && is_root() && can_be_traced;
    let Some(()) = needs(may, "the right to trace (root, and tracefs)") else { return };
    // The model's thread has the nice value of this process.
    let holder = match rustix::process::getpriority_process(None).unwrap() {
        0 => "(other, number".to_owned(),
        nice => format!("(other:{nice}, number"),
    };
    // In each case other causes may occur too, because of other tests.
    for (defines, kind, named, times) in [
        // Steps 50, 100, ... 450 sleep.
        (&[("SLEEP_EVERY", "50")][..], "blocking", "nanosleep`", 5),
        (&[("LOCK_AT", "200")], "blocking", &holder, 1),
        (&[("PAGE_FAULT_AT", "200"), ("PAGES", "8192")], "page_fault", "page faults", 1),
        (&[("MAP_AT", "200"), ("PAGES", "8192")], "system_call", "`mmap`", 1),
        (&[("ALLOCATE_AT", "200"), ("ALLOCATION_BYTES", "100000000")], "system_call", "map`", 1),
        (&[("LONG_AT", "200")], "own_work", "its own work", 1),
    ] {
        let is_it = |one: &&Value| {
            let words = one["words"].as_str().unwrap();
            one["cause"]["kind"] == kind && words.contains(named)
        };
        let is_named = |(_, causes): &(&Defines, Vec<Value>)| {
            causes.iter().filter(is_it).map(|one| number(one, "main_of")).sum::<u64>() >= times
        };
        // The host can take the CPU for longer than the only event lasts.
        within_tries(3, || (defines, causes_of(defines)), is_named);
    }
}
