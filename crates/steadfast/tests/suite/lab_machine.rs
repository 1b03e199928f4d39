//! Real kernels in virtual machines: the same figures every time, and one clear line for whatever
//! goes wrong.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::common::{
    Done, MODEST, all_end, awaited, children, in_own_turn, kill, run, run_with, send,
    start_unheard, steadfast,
};
use base::counted;
use rustix::process::Signal;
use serde_json::Value;
use tempfile::{TempDir, tempdir};
use testing::models::{self, Kind, Version};
use testing::{boot_alone, skip, write_script};

pub const KERNEL: &str = "debian-6.1-rt";

/// Returns a lab with a kernel, fetched once for all tests; `None` if QEMU is missing, or if apt
/// does not offer the kernel.
pub fn lab() -> Option<&'static Path> {
    boot_alone();
    static LAB: OnceLock<Result<TempDir, String>> = OnceLock::new();
    let lab = LAB.get_or_init(|| {
        let folder = tempdir().unwrap();
        let qemu = Command::new("qemu-system-x86_64").arg("--version").output();
        qemu.map_err(|_| "there is no qemu-system-x86_64".to_owned())?;
        let fetched = run_in(
            folder.path(),
            "lab fetch debian:6.1-rt --suite bookworm --suite bookworm-security",
        );
        match fetched.code() {
            0 => Ok(folder),
            _ => Err(fetched.stderr()),
        }
    });
    lab.as_ref().map_err(|why| skip(why.trim())).ok().map(TempDir::path)
}

fn command(lab: &Path, line: &str) -> Command {
    let mut command = steadfast(line);
    command.env("STEADFAST_LAB", lab);
    command
}

fn run_in(lab: &Path, line: &str) -> Done {
    run_with(line, &[("STEADFAST_LAB", lab)])
}

fn install_qemu(folder: &Path, script: &str) {
    write_script(&folder.join("qemu-system-x86_64"), script);
}

#[test]
fn a_gate_passes_equal_runs_and_names_the_parameter_that_changes_one() {
    let Some(lab) = lab() else { return };
    let folder = tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    let text = "order = \"as-written\"\nrun = [{ measurement = \"wakeup\", period = \"1ms\", seconds = 0.2 }]\n";
    fs::write(&plan, text).unwrap();
    let (plan, baselines) = (plan.display(), folder.path().display());
    let gate = |command: &str, parameters: &str| {
        let line = format!(
            "gate {command} --name main {plan} --baselines {baselines} --target vm:{KERNEL}{parameters}"
        );
        run_in(lab, &line)
    };
    gate("check", "").refuses("there is no baseline `main`");
    gate("record", "").succeeded();
    gate("check", "").succeeded();
    let told = gate("check", "+nohz=off --json").ended_with(1).document();
    let run = &told["gate"]["runs"][0];
    assert_eq!(run["answer"]["kind"], "differs", "{told}");
    assert!(told["gate"]["setup"].to_string().contains("nohz=off"), "{told}");
}

/// On a busy host QEMU's main loop may run at any moment; here a monitor wakes it all the time, except
/// in the first machine, which boots. The others are one that is saved, and one that is restored.
const RESTLESS: &str = r#"PATH=${PATH#*:}
case $* in *-kernel*) ;; *) exec qemu-system-x86_64 "$@" ;; esac
mkdir "$0.first" 2> /dev/null && exec qemu-system-x86_64 "$@"
mkfifo "$0.$$.in" "$0.$$.out"
while sleep 0.0001; do echo; done > "$0.$$.in" &
cat "$0.$$.out" > /dev/null &
exec qemu-system-x86_64 "$@" -chardev pipe,id=restless,path="$0.$$" -mon chardev=restless"#;

#[test]
fn a_kernel_gives_the_same_samples_twice_although_the_main_loop_never_rests() {
    let Some(lab) = lab() else { return };
    let folder = tempdir().unwrap();
    install_qemu(folder.path(), RESTLESS);
    let mut command = command(lab, &format!("lab verify {KERNEL}"));
    command.env("PATH", format!("{}:{}", folder.path().display(), env::var("PATH").unwrap()));
    let printed = Done::of(command).succeeded().stdout();
    assert!(printed.matches("the same").count() >= 4, "{printed}");
    assert!(!printed.contains("DIFFERENT"), "{printed}");
}

#[test]
fn a_run_has_the_shape_of_a_local_one_and_names_its_machine() {
    let line = |target: &str| format!("run wakeup --seconds 0.2 {MODEST} --json --target {target}");
    let here = in_own_turn(move || run(&line("local")).succeeded().document());
    let Some(lab) = lab() else { return };
    let there = run_in(lab, &line(&format!("vm:{KERNEL}+nohz=off"))).succeeded().document();
    // The kernel's counters are not read where the clock counts instructions.
    let is_read_here = |name: &str| ["counted", "stolen"].contains(&name);
    let names = |value: &Value| {
        let names = value.as_object().unwrap().keys().filter(|name| !is_read_here(name));
        names.cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&there), names(&here));
    assert!(there["counted"].is_null() && there["stolen"].is_null());
    assert_eq!([&there["due"], &here["due"]], [200; 2]);
    let found = &there["conditions"]["found"]["lab"];
    assert_eq!(found["samples_sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn a_parameter_that_the_kernel_did_not_take_makes_the_run_invalid() {
    let Some(lab) = lab() else { return };
    // This kernel has one preemption model, and threads interrupts without a parameter.
    let refused = ["preempt=lazy", "threadirqs"];
    let line = format!(
        "run wakeup --seconds 0.2 {MODEST} --json --target vm:{KERNEL}+nohz=off+{}+steadfast.x=1",
        refused.join("+")
    );
    let run = run_in(lab, &line).ended_with(1).first_run();
    assert_eq!(run["valid"], false);
    let warnings = run["warnings"].as_array().unwrap().iter();
    let refusals = warnings.filter(|warning| warning["code"] == "parameter_refused");
    let causes: Vec<&str> = refusals.map(|refusal| refusal["cause"].as_str().unwrap()).collect();
    assert_eq!(causes, refused.map(|word| format!("the kernel did not take the parameter {word}")));
}

/// Returns three rates on the one CPU; the slowest has this priority.
fn mix_of_three(policy: &str) -> String {
    let rates = [("fast", "1kHz", "100us"), ("medium", "100Hz", "500us"), ("slow", "10Hz", "5ms")];
    let member = |(name, rate, spin)| {
        format!(
            "[[member]]\nname = \"{name}\"\nmodel = \"wait\"\nrate = \"{rate}\"\nspin = \"{spin}\"\n"
        )
    };
    rates.map(member).concat() + &format!("policy = \"{policy}\"\n")
}

#[test]
fn rates_the_wrong_way_round_miss_where_paper_says_so_and_the_right_way_do_not() {
    let Some(lab) = lab() else { return };
    let folder = tempdir().unwrap();
    let plan = folder.path().join("mix.toml");
    for (policy, missing) in [("fifo:10", &[][..]), ("fifo:90", &["fast"])] {
        fs::write(&plan, mix_of_three(policy)).unwrap();
        let store = folder.path().join(format!("{policy}.db"));
        let (plan, store) = (plan.display(), store.display());
        let line = format!("run mix {plan} --seconds 0.5 --store {store} --target vm:{KERNEL}");
        run_in(lab, &line).succeeded();
        let report = run_in(lab, &format!("report {store} --json")).document();
        let members = report["mixes"][0]["members"].as_array().unwrap();
        for member in members {
            let name = member["name"].as_str().unwrap();
            let misses = missing.contains(&name);
            assert_eq!(member["missed"].as_u64() > Some(0), misses, "{member}");
            let response = member["on_paper"]["response_ns"].as_u64();
            assert_eq!(response.is_none(), misses, "{member}");
            let longest = member["longest_ns"].as_u64();
            // Theory does not include the way into the kernel and out of it.
            let is_near = |response: u64| longest <= Some(2 * response);
            assert!(response.is_none_or(is_near), "{member}");
        }
    }
}

#[test]
fn the_knobs_of_a_kernel_are_listed() {
    let Some(lab) = lab() else { return };
    let printed = run_in(lab, &format!("knobs --json --target vm:{KERNEL}")).succeeded().document();
    let knobs = printed["knobs"].as_array().unwrap();
    let swappiness = knobs.iter().find(|one| one["name"] == "swappiness").unwrap();
    assert_eq!(swappiness["now"], "60");
    assert_eq!(swappiness["out_of_reach"], Value::Null);
}

#[test]
fn a_guest_that_panics_or_refuses_a_run_is_reported_in_one_line() {
    let Some(lab) = lab() else { return };
    for (more, reason) in [("+rdinit=/none", "Kernel panic"), (" --load disk", "disk")] {
        let line = format!("run wakeup --seconds 0.2 --target vm:{KERNEL}{more}");
        run_in(lab, &line).refuses(reason);
    }
}

#[test]
fn the_port_that_brings_recordings_is_not_a_source_of_interrupts() {
    let Some(lab) = lab() else { return };
    let line = format!("run interrupt --source serial:/dev/ttyS1 --target vm:{KERNEL} --json");
    let printed = run_in(lab, &line).succeeded().stdout();
    assert!(printed.contains("another program has it"), "{printed}");
}

#[test]
fn a_qemu_that_is_missing_or_too_old_is_reported() {
    let Some(lab) = lab() else { return };
    let line = format!("run wakeup --target vm:{KERNEL}");
    let with_path = |path| run_with(&line, &[("STEADFAST_LAB", lab), ("PATH", path)]);
    let folder = tempdir().unwrap();
    with_path(folder.path()).refuses("apt install");
    install_qemu(folder.path(), "echo QEMU emulator version 4.2.1");
    with_path(folder.path()).refuses("too old");
}

#[test]
fn an_interrupted_comparison_is_resumed() {
    let Some(lab) = lab() else { return };
    let out = tempdir().unwrap();
    let place = out.path().display();
    let line = format!("lab compare {KERNEL} --quick --draws 1 --jobs 1 --out {place}");
    let until = |word: &str| {
        let printed = interrupted_at(word, command(lab, &line));
        let report = fs::read(out.path().join("report.json")).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        (printed, report["runs"].as_array().unwrap().clone())
    };
    let (printed, runs) = until("[1/8]");
    assert!(printed.contains("load none") && !runs.is_empty(), "{printed}");
    let (printed, same_runs) = until("Resuming");
    let resumed = format!("Resuming the last session: {} done", counted(runs.len(), "run"));
    assert!(printed.contains(&resumed), "{printed}");
    assert_eq!(same_runs, runs);
}

/// Returns what a comparison prints up to the line with that word, when it is interrupted. A line
/// with a number says that a machine is done.
fn interrupted_at(word: &str, mut comparison: Command) -> String {
    let mut program = comparison.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut printed = String::new();
    let mut reader = BufReader::new(program.stderr.take().unwrap());
    while !printed.contains(word) && reader.read_line(&mut printed).unwrap() > 0 {}
    send(Signal::INT, program.id());
    // Its other output must not block it.
    io::copy(&mut reader, &mut io::sink()).unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(130), "{printed}");
    printed
}

#[test]
fn studies_tell_which_system_a_machine_is() {
    let Some(lab) = lab() else { return };
    let out = tempdir().unwrap();
    let place = out.path().display();
    let line = format!("studies sae --budget 10min --system linux=vm:{KERNEL} --out {place}");
    run_in(lab, &line).refuses(&format!("vm:{KERNEL} is PREEMPT_RT, not Linux"));
    assert!(out.path().join("linux.db").exists(), "the next start knows it without a run");
}

#[test]
fn no_machine_outlives_the_program() {
    let Some(lab) = lab() else { return };
    let line = format!("run wakeup --target vm:{KERNEL}");
    let mut program = start_unheard(command(lab, &line));
    let machines = awaited("the start of a machine", || {
        Some(children(program.id())).filter(|machines| !machines.is_empty())
    });
    kill(&mut program);
    all_end(&machines);
}

fn stepped(lab: &Path, fmu: &Path) -> Value {
    let fmu = fmu.display();
    let line = format!(
        "run model --fmu {fmu} --rate 1kHz --seconds 0.2 --policy fifo:80 --json \
         --target vm:{KERNEL}"
    );
    let run = run_in(lab, &line).succeeded().first_run();
    assert_eq!(run["valid"], true, "{run}");
    run
}

#[test]
fn a_step_of_a_model_is_counted_in_instructions() {
    const NANOSECONDS: f64 = 4.0;
    let Some(lab) = lab() else { return };
    let fmu = |defines: &models::Defines| models::fmu(Version::Two, Kind::CoSimulation, defines);
    let plain = stepped(lab, &fmu(&[]));
    let longer = stepped(lab, &fmu(&[("MULTIPLY", "1")]));
    let found = |run: &Value| run["conditions"]["found"]["lab"].clone();
    assert_ne!(found(&plain), found(&longer));
    // The shortest one, because the timer interrupts only some steps.
    let more = |phase: &str| {
        let shortest = |run: &Value| {
            let spans = run["rows"][0]["timeline"].as_array().unwrap().iter();
            let spans = spans.filter(|span| span["phase"] == phase);
            let time = |span: &Value| Some(span["to_ns"].as_f64()? - span["from_ns"].as_f64()?);
            spans.filter_map(time).fold(f64::INFINITY, f64::min)
        };
        ((shortest(&longer) - shortest(&plain)) / NANOSECONDS).round()
    };
    assert_eq!(["inputs", "outputs"].map(more), [0.0; 2]);
    // One load, one multiplication and one store.
    let instructions = more("call");
    assert!((1.0..20.0).contains(&instructions), "{instructions}");
}
