//! Started with tight limits, the program does what was requested, or prints one clear line and
//! ends with code 2.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::common::{
    Done, MODEST, PROGRAM, as_ordinary_user, by_other, mounting, open_folder, real_time, run_with,
    unwrapped,
};
use store::Store;
use tempfile::{TempDir, tempdir};
use testing::models;

/// Returns the program under a limit in the form of prlimit(1), as a user who cannot raise it.
fn limited(limit: &str, folder: &TempDir, line: &str) -> Done {
    Done::of(as_ordinary_user(folder, &format!("prlimit {limit}"), line))
}

/// Asserts that the program did what was requested, or reported one error and could not; returns
/// the error. On a busy host a run may be INVALID, which is code 1.
fn did_or_reported(done: &Done, limit: &str) -> String {
    let stderr = done.stderr();
    let errors: Vec<&str> = stderr.lines().filter(|line| line.contains("error")).collect();
    match (done.code(), &errors[..]) {
        (0, _) | (1, []) => String::new(),
        (2, [error]) if error.starts_with("error: ") => (*error).to_owned(),
        (code, _) => panic!("{limit}: {code}: {stderr}"),
    }
}

#[test]
fn where_no_thread_can_be_started_what_needs_none_works_and_the_rest_says_so() {
    let folder = open_folder();
    for line in ["list", "doctor"] {
        limited("--nproc=0", &folder, line).succeeded();
    }
    limited("--nproc=0", &folder, "report no.db").refuses("does not exist");
    let run = format!("run wakeup --seconds 0.05 {MODEST}");
    let limits = (0..8).map(|most| format!("--nproc={most}"));
    let reported: Vec<String> =
        limits.map(|limit| did_or_reported(&limited(&limit, &folder, &run), &limit)).collect();
    assert!(reported[0].contains("(ulimit -u)"), "{reported:?}");
    // Other processes of the user may move it to another process or thread.
    let names_the_limit = |error: &String| error.is_empty() || error.contains("(ulimit -u)");
    assert!(reported.iter().all(names_the_limit), "{reported:?}");
}

#[test]
fn with_little_memory_the_refused_amount_is_reported() {
    let folder = open_folder();
    let run = format!(
        "run tire --masses 400000 --threads 1 --mode real-fast --steps 1 {MODEST} --beside"
    );
    let reported = |mib: u64| {
        let limit = format!("--as={}", mib << 20);
        let done = limited(&limit, &folder, &run);
        // The loader of shared libraries has its own messages and exit code.
        match done.code() {
            127 => String::new(),
            _ => did_or_reported(&done, &limit),
        }
    };
    // With less memory than its file has, the kernel ends the program before it begins.
    let own = fs::metadata(PROGRAM).unwrap().len() >> 20;
    let reported: Vec<String> = (1..=10).map(|step| reported(own + step * 20)).collect();
    assert!(reported.iter().any(|line| line.contains("KiB was refused")), "{reported:?}");
}

#[test]
fn a_stack_that_is_too_small_is_grown_or_reported() {
    let folder = open_folder();
    limited("--stack=65536", &folder, "list").refuses("(ulimit -s 1024)");
    limited("--stack=65536:", &folder, "list").succeeded();
}

#[test]
fn a_file_that_may_not_grow_is_reported_and_what_is_saved_stays() {
    let folder = open_folder();
    let line = |more: &str| format!("run clock_overhead --seconds 0.05 {MODEST} --beside {more}");
    limited("--fsize=10000000", &folder, &line("--store x.db")).succeeded();
    for (limit, more) in
        [("20000", "--store x.db"), ("20000", "--store y.db"), ("100", "--csv-histograms x.csv")]
    {
        limited(&format!("--fsize={limit}"), &folder, &line(more)).refuses("(ulimit -f)");
    }
    limited("--fsize=10000000", &folder, "report x.db").succeeded();
}

#[test]
fn a_store_that_cannot_be_opened_for_want_of_descriptors_is_not_blamed_on_its_directory() {
    let folder = open_folder();
    let line = format!("run clock_overhead --seconds 0.05 {MODEST} --store x.db");
    // What starts the tests may leave them a descriptor, as GNU time does with the file of its -o.
    fs::write(folder.path().join("unshared"), r#"exec "$@" 3>&- 4>&-"#).unwrap();
    for most in [4, 5] {
        let by = format!("sh unshared prlimit --nofile={most}");
        Done::of(as_ordinary_user(&folder, &by, &line)).refuses("(ulimit -n)");
    }
}

fn shell(script: &str) -> Command {
    let mut shell = by_other("sh");
    shell.args(["-c", script, PROGRAM]);
    shell
}

#[test]
fn a_run_that_a_limit_on_cpu_time_ends_names_it_and_how_to_lift_it() {
    let folder = open_folder();
    let run = format!(
        "run tire --beside --masses 400000 --threads 1 --mode real-fast --steps 1000000 {MODEST}"
    );
    let reported = limited("--cpu=1", &folder, &run).ended_with(2).stderr();
    let reported = unwrapped(&reported);
    assert!(reported.contains("used 1 s of CPU time (RLIMIT_CPU"), "{reported}");
    assert!(reported.contains("prlimit --pid $$ --cpu=unlimited"), "{reported}");
}

#[test]
fn a_run_that_a_limit_on_real_time_ends_names_it_and_how_to_lift_it() {
    let Some(()) = real_time() else { return };
    let mut command = by_other("prlimit");
    let run = "run frame --beside --rate 2Hz --fill 80% --seconds 3 --idle-states leave";
    command.args(["--rttime=200000:200000", PROGRAM]).args(run.split(' '));
    let reported = Done::of(command).ended_with(2).stderr();
    let reported = unwrapped(&reported);
    assert!(reported.contains("200000 us without waiting (RLIMIT_RTTIME"), "{reported}");
    assert!(reported.contains("prlimit --pid $$ --rttime=unlimited"), "{reported}");
}

#[test]
fn standard_output_that_was_closed_from_the_start_is_not_success() {
    for words in ["list", "--help", "--version", "run clock_overhead"] {
        let done = Done::of(shell(&format!("exec \"$0\" {words} >&-")));
        assert_eq!(done.code(), 141, "{words}");
        assert!(done.stderr().starts_with("error: standard output is closed"));
    }
    Done::of(shell("exec \"$0\" list 1<>/dev/null")).succeeded();
}

#[test]
fn nothing_it_writes_can_be_written_by_everyone() {
    let directory = tempdir().unwrap();
    let mut command = shell(&format!(
        "umask 0; \"$0\" run clock_overhead --seconds 0.05 {MODEST} --store x.db --junit x.xml \
         && exec \"$0\" report x.db --out reports"
    ));
    command.current_dir(directory.path());
    Done::of(command).succeeded();
    for name in ["x.db", "x.xml", "reports", "reports/report.json"] {
        let mode = directory.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o002, 0, "{name} has mode {mode:o}");
    }
}

#[test]
fn a_machine_that_hides_what_is_needed_is_named() {
    let Some(()) = mounting() else { return };
    let apart = |prepare: &str, line: &str| {
        let script = format!("{prepare} && exec {PROGRAM} {line}");
        let mut command = by_other("unshare");
        command.args(["-m", "-n", "sh", "-c", &script]);
        Done::of(command)
    };
    // A measurement of another program makes a run INVALID that does not permit it.
    let run = format!("run clock_overhead --beside --seconds 0.05 {MODEST}");
    apart("mount -t tmpfs none /proc", &run).refuses("mount -t proc proc /proc");
    apart("umount -l /proc && mount -t proc -o subset=pid proc /proc", &run).succeeded();
    let frame = format!("run frame --beside --seconds 0.1 {MODEST}");
    apart("true", &frame).refuses("ip link set lo up");
}

/// Fills the file system of a command's store while it measures; returns the file that has what the
/// store could not take.
fn saved_elsewhere(store: &str, line: &str) -> (TempDir, PathBuf) {
    let (full, temporary) = (tempdir().unwrap(), tempdir().unwrap());
    let script = format!(
        "mount -t tmpfs -o size=600k none {0}\n{{ while ! [ -s {0}/{store} ]; do sleep 0.05; done; sleep 0.5; \
         dd if=/dev/zero of={0}/fill bs=4k; }} 2>/dev/null & \
         cd {0}; exec {PROGRAM} {line}",
        full.path().display(),
    );
    let mut command = by_other("unshare");
    command.args(["-m", "sh", "-c", &script]).env("TMPDIR", temporary.path());
    let error = Done::of(command).ended_with(2).stderr();
    assert!(error.contains("disk is full"), "{error}");
    let mut saved = fs::read_dir(temporary.path()).unwrap().flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| path.to_string_lossy().contains(&format!("{store}.rescued"));
    let saved = saved.find(is_it).expect("the result was saved");
    assert!(error.contains(&format!("saved in `{}`", saved.display())), "{error}");
    (temporary, saved)
}

#[test]
fn what_a_store_that_is_full_at_the_end_cannot_take_is_saved_elsewhere_and_the_error_says_where() {
    let Some(()) = mounting() else { return };
    for (store, line) in [
        ("x.db", format!("run wakeup --beside {MODEST} --seconds 4 --store x.db")),
        ("results.db", format!("soak --of 'wakeup {MODEST}' --interval 2s --for 20s --out .")),
    ] {
        let (_folder, saved) = saved_elsewhere(store, &line);
        assert_eq!(Store::open_existing(&saved).unwrap().all_run_ids().unwrap().len(), 1, "{line}");
    }
}

#[test]
fn a_search_without_rights_names_what_was_refused_and_what_permits_it() {
    let folder = open_folder();
    for line in [
        "frontier --rate 200Hz --threads 1 --budget 20s --out f",
        "map --rate 1kHz --threads 1 --from 400 --steps 30 --out m",
    ] {
        let reported = limited("--rtprio=0", &folder, line).ended_with(1).stdout();
        assert!(reported.lines().all(|line| !line.trim().is_empty()), "{reported}");
        let reported = unwrapped(&reported);
        assert!(reported.contains("Cause: the kernel refused"), "{reported}");
        let ways = [
            "Remedy: run with sudo, or grant",
            "Remedy: run as root, or let root grant",
            "Remedy: start the container with",
        ];
        assert!(ways.iter().any(|way| reported.contains(way)), "{reported}");
    }
}

/// Returns a run of the program whose C library has this function instead of its own.
fn with_function(code: &str) -> Done {
    let folder = tempdir().unwrap();
    let library = models::of_code(folder.path(), code);
    let line = format!("run clock_overhead --beside --seconds 0.05 {MODEST}");
    run_with(&line, &[("LD_PRELOAD", &library)])
}

#[test]
fn a_wall_clock_before_1970_is_no_reason_to_fail() {
    with_function(
        "#define _GNU_SOURCE\n#include <time.h>\n#include <unistd.h>\n#include <sys/syscall.h>\n\
         int clock_gettime(clockid_t clock, struct timespec *time) {\n\
         int code = syscall(SYS_clock_gettime, clock, time);\n\
         if (clock == CLOCK_REALTIME) time->tv_sec = -1000;\n\
         return code; }\n",
    )
    .succeeded();
}

#[test]
fn a_sandbox_in_which_nothing_may_sleep_is_named() {
    let code = "#include <errno.h>\n#include <time.h>\n\
                int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,\n\
                struct timespec *left) { return EPERM; }\n";
    with_function(code).refuses("allow clock_nanosleep(2)");
}

#[test]
fn help_that_cannot_be_written_is_not_success() {
    for words in ["--help", "run --help", "--version", "list"] {
        let full = shell(&format!("exec \"$0\" {words} > /dev/full"));
        Done::of_unmeasured(full).refuses("cannot write to standard output");
    }
}
