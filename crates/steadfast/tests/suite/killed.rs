//! Kills at any moment: finished runs are kept, and nothing else is left.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::common::{
    Done, Folder, MODEST, all_end, children, children_of_runner, eventually, kill, pid, piped,
    run_with, send, start_unheard, unmeasured,
};
use base::CpuSet;
use rt::tasks::Task;
use rustix::process::{Signal, kill_process_group};
use tempfile::tempdir;
use testing::needs;

fn start(folder: &Folder) -> Child {
    let line = "run wakeup --period 1ms,2ms,4ms,5ms --seconds 1 --load cpu --store r.db";
    let mut command = folder.command(&format!("{line} {MODEST}"));
    command.process_group(0);
    start_unheard(command)
}

#[test]
fn a_kill_of_the_group_or_of_the_program_leaves_the_finished_runs_and_no_process() {
    for whole_group in [true, false] {
        let folder = Folder::new();
        let mut program = start(&folder);
        eventually("the first finished run", || folder.saved("r.db") >= 1);
        let loads = children_of_runner(&program, 1);
        let family = [children(program.id()), loads].concat();
        if whole_group {
            kill_process_group(pid(program.id()), Signal::KILL).unwrap();
        }
        kill(&mut program);
        all_end(&family);
        assert!(folder.saved("r.db") >= 1);
    }
}

/// Whether a process has its own handler for Ctrl-C (proc_pid_status(5)).
fn handles_ctrl_c(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask >> (Signal::INT.as_raw() - 1) & 1 == 1)
}

#[test]
fn ctrl_c_ends_the_reading_of_a_large_plan() {
    let folder = Folder::new();
    // Two seconds of work in a debug build.
    let masses = "masses = { from = 4, to = 399992, step = 4 }";
    folder.write("large.toml", format!("[[run]]\nmeasurement = \"tire\"\n{masses}\n"));
    let mut command = unmeasured("campaign large.toml --out out");
    command.current_dir(folder.path(""));
    let program = piped(command);
    eventually("a handler for Ctrl-C", || handles_ctrl_c(program.id()));
    send(Signal::INT, program.id());
    Done::at_end(program).refuses("interrupted while the runs of this table were made");
    assert!(!folder.path("out").exists());
}

/// Writes the journal that a run leaves if it is killed after it has moved this task.
fn leave_journal(directory: &Path, moved: &Task, given: &CpuSet) -> PathBuf {
    let numbering = fs::metadata("/proc/self/ns/pid").unwrap().ino();
    let name = format!("steadfast-moved-{}-{numbering}", rt::process::user());
    let journal = directory.join(name);
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let (started, before) = (moved.started, &moved.cpus);
    let task = moved.id.as_raw_nonzero();
    let text = format!("{} {started}\n{task} {started} {before} {given}\n", boot.trim());
    fs::write(&journal, text).unwrap();
    journal
}

#[test]
fn any_command_gives_back_what_a_killed_run_had_moved() {
    let usable = rt::topology::usable();
    let Some(()) = needs(usable.len() > 1, "two CPUs") else { return };
    let given = CpuSet::one(usable.iter().next().unwrap());
    for line in ["list", "report nowhere.db", "echo --listen 203.0.113.1:9"] {
        let directory = tempdir().unwrap();
        let mut victim = Command::new("sleep").arg("1000").spawn().unwrap();
        let task = || {
            let id = pid(victim.id());
            rt::tasks::all().into_iter().find(|task| task.id == id).unwrap()
        };
        let before = task();
        let journal = leave_journal(directory.path(), &before, &given);
        rt::sched::set_affinity_of(before.id, &given).unwrap();
        let done = run_with(line, &[("XDG_RUNTIME_DIR", directory.path())]);
        let (after, restored) = (task().cpus, done.restored());
        kill(&mut victim);
        assert_eq!(after, before.cpus, "{line}: {restored}");
        assert!(restored.contains("the CPUs of 1 task "), "{line}: {restored}");
        assert!(!journal.exists(), "{line}");
    }
}

#[test]
fn ctrl_c_keeps_what_is_done() {
    let folder = Folder::new();
    let mut program = start(&folder);
    eventually("the first finished run", || folder.saved("r.db") >= 1);
    kill_process_group(pid(program.id()), Signal::INT).unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(130));
    assert!((1..4).contains(&folder.saved("r.db")));
}
