//! Situations from public reports of people who run FMUs and libraries.

use std::fs;
use std::process::Command;

use crate::common::{Folder, MODEST, run_words};
use crate::own_model::{cause_and_printed, co_simulation, fails, fast, fmu, one_run, word};
use serde_json::Value;
use testing::models::{self, Kind, Version};
use testing::{measure_alone, needs};

#[test]
fn a_pending_step_is_refused_by_its_name() {
    let fmu = fmu(Version::Two, Kind::CoSimulation, &[("PENDING_AT", "100")]);
    fails(&format!("--fmu {fmu}"), "the model failed in step 100: its step returned Pending");
}

#[test]
fn a_model_that_needs_event_mode_says_so() {
    let model = co_simulation(&[("NEEDS_EVENT_MODE", "1")]);
    let (cause, _) = cause_and_printed(&fast(&model));
    let expected = "the model failed in its instantiation: the model refused to be instantiated: it \
                    needs Event Mode";
    assert!(cause.starts_with(expected), "{cause}");
}

/// A step may take ten seconds, and what comes before the first step longer.
#[test]
fn a_slow_start_is_waited_for_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let code = "#include <unistd.h>\n\
                void own_initialize(void) { sleep(11); }\nvoid own_step(void) {}\n";
    let library = word(models::of_code(folder.path(), code));
    let run = one_run(&fast(&format!("--library {library}")));
    assert_eq!(run["valid"], true);
    assert!(run["initialise_ns"].as_u64() >= Some(11_000_000_000), "{run}");
}

/// A library that has denormals flushed to zero as soon as it is loaded, as `-Ofast` does.
const FLUSHING: &str = "
__attribute__((constructor)) static void flush(void) {
#if defined __x86_64__
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined __aarch64__
    unsigned long mode;
    __asm__ volatile(\"mrs %0, fpcr\" : \"=r\"(mode));
    __asm__ volatile(\"msr fpcr, %0\" : : \"r\"(mode | 1ul << 24));
#endif
}
void own_step(void) {}
";

#[test]
fn a_library_that_flushes_denormals_is_named_and_changes_no_other_member() {
    let is_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    let Some(()) = needs(is_known, "a processor whose mode is known here") else { return };
    let folder = Folder::new();
    let library = models::of_code(folder.path("").as_path(), FLUSHING);
    let audit = run_words("audit --steps 20 --json", [&library]).ended_with(1).document();
    let kinds: Vec<&Value> =
        audit["findings"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert!(kinds.iter().any(|kind| **kind == "float_mode"), "{kinds:?}");

    measure_alone();
    // It stays at a denormal.
    let still = "k=0;c=0;x=1e-310";
    let model = fmu(Version::Two, Kind::CoSimulation, &[]);
    let alone = format!("--fmu {model} --set {still} --seconds 0.1 --rate 100Hz --mode real-fast");
    let alone = folder.run(&format!("run model {alone} {MODEST} --beside --json"));
    let hash = alone.succeeded().first_run()["output_hash"].clone();
    let flushing = format!(
        "[[member]]\nname = \"flushing\"\nmodel = \"library\"\nlibrary = \"{}\"\nstep = \"own_step\"\n\
         rate = \"100Hz\"\n\n",
        library.display()
    );
    let still = format!(
        "[[member]]\nname = \"still\"\nmodel = \"fmu\"\nfmu = \"{model}\"\nset = \"{still}\"\n\
         rate = \"100Hz\"\noverrun = \"catch-up\"\n\n"
    );
    for members in [[&*flushing, &*still], [&*still, &*flushing]] {
        folder.write("mix.toml", members.concat());
        let line = format!("run mix mix.toml --seconds 0.1 {MODEST} --beside --json");
        let run = folder.run(&line).succeeded().first_run();
        let rows = run["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["member"] == "still").unwrap();
        assert_eq!(row["output_hash"], hash);
    }
    fs::remove_file(library).unwrap();
}

#[test]
fn an_exception_that_nothing_catches_is_quoted_with_its_step() {
    let has_compiler = Command::new("c++").arg("--version").output().is_ok();
    let Some(()) = needs(has_compiler, "a C++ compiler") else { return };
    let folder = tempfile::tempdir().unwrap();
    let throwing = |initialised: u32, stepped: u32| {
        let code = format!(
            "#include <stdexcept>\nstatic int n;\n\
             static void work(int at) {{ if (n == at) throw std::runtime_error(\"bad residual\"); }}\n\
             extern \"C\" void own_initialize() {{ work({initialised} - 1); }}\n\
             extern \"C\" void own_step() {{ work({stepped}); n++; }}\n"
        );
        let options = ["-xc++", "-Wl,--no-as-needed", "-lstdc++"];
        models::of_code_with(folder.path(), &code, &options)
    };
    for (place, initialised, stepped) in [("step 50", 0, 50), ("its initialisation", 1, 50)] {
        let library = throwing(initialised, stepped);
        let (cause, _) = cause_and_printed(&fast(&format!("--library {}", word(&library))));
        let expected = format!("the model failed in {place}: it ended the program (abort); ");
        assert!(cause.starts_with(&expected) && cause.contains("bad residual"), "{cause}");
    }
    let audit = run_words("audit --steps 100 --json", [&throwing(0, 50)]).ended_with(1).document();
    let told = audit["findings"][0]["told"].as_str().unwrap();
    assert!(told.starts_with("the model failed in its step, step 50: "), "{told}");
    assert!(audit["printed"].to_string().contains("bad residual"), "{audit}");
}

/// Uses memory that is not there in each tenth step, and recovers, as some languages' runtimes do.
const RECOVERING: &str = "
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
static sigjmp_buf before;
static int n;
static void on_fault(int signal) { (void)signal; siglongjmp(before, 1); }
void own_initialize(void) {
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGSEGV, &action, NULL);
}
void own_step(void) {
    if (++n % 10 == 0 && sigsetjmp(before, 1) == 0) *(volatile int *)8 = 1;
}
";

#[test]
fn a_model_that_recovers_from_a_fault_has_not_crashed() {
    let folder = tempfile::tempdir().unwrap();
    let library = models::of_code(folder.path(), RECOVERING);
    let run = one_run(&fast(&format!("--library {}", word(&library))));
    assert_eq!((&run["valid"], &run["due"]), (&true.into(), &200.into()));
    let audit = run_words("audit --steps 100 --json", [&library]).ended_with(1).document();
    let findings = audit["findings"].as_array().unwrap();
    let is_failure =
        |one: &&Value| ["crash", "hang", "status"].contains(&one["kind"].as_str().unwrap());
    assert_eq!(findings.iter().find(is_failure), None);
}
