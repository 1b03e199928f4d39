//! Campaigns: plan files, and what is left after a kill.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::common::{Done, Folder, pid, refused, unwrapped};
use record::Outcome;
use rustix::process::{Signal, kill_process_group};
use store::SessionInfo;
use testing::Odd;

const LINE: &str = "campaign plan.toml --out out";
/// Keys that every run of these plans has, so that any user may make it.
const MODEST: &str = "policy = \"other\"\nmemory = \"unlocked\"\nidle-states = \"leave\"\n";

fn sessions(folder: &Folder) -> Vec<(Vec<Outcome>, SessionInfo)> {
    let store = folder.results();
    let sessions = store.sessions().unwrap().into_iter();
    sessions.map(|session| (store.outcomes(session.id).unwrap(), session)).collect()
}

fn periods_us(outcomes: &[Outcome]) -> Vec<u64> {
    outcomes.iter().map(|o| o.header.spec.parameters.period().0 / 1000).collect()
}

#[test]
fn a_bad_plan_is_reported_with_its_place_and_nothing_is_run() {
    let wakeup = "[[run]]\nmeasurement = \"wakeup\"\n";
    for (text, place, reason) in [
        // Not TOML, or other keys and types than those of a plan.
        ("[[run]\nmeasurement = 1", "1:", "this is not TOML"),
        ("repeat = = 2", "1:", "this is not TOML"),
        ("repeat = 2\nrepeat = 3", "2:1:", "duplicate key"),
        ("", "1:1:", "the plan has no run"),
        ("runs = 3", "1:1:", "`runs` is not a key here; did you mean `run`?"),
        ("name = 3", "1:8:", "expected a name in quotes"),
        ("order = \"shuffled\"", "1:9:", "expected \"random\" or \"as-written\""),
        ("seed = -1", "1:8:", "expected a whole number from 0 to 4294967295"),
        ("repeat = 0", "1:10:", "expected a whole number above 0"),
        ("repeat = \"2\"", "1:10:", "expected a whole number above 0"),
        ("[run]\nmeasurement = \"wakeup\"", "1:1:", "expected [[run]]"),
        ("run = [3]", "1:8:", "expected [[run]]"),
        // The measurements.
        ("\n  [[run]]\nseconds = 1", "2:3:", "expected `measurement`"),
        ("[[run]]\nmesurement = 3", "2:1:", "`mesurement` is not a key here; did you mean"),
        ("[[run]]\nmeasurement = \"wakup\"", "2:15:", "`wakup`; did you mean `wakeup`?"),
        ("[[run]]\nmeasurement = \"cpu\"", "2:15:", "`cpu` is a load"),
        ("[[run]]\nmeasurement = []", "2:15:", "the list is empty"),
        ("[[run]]\nmeasurement = [\"wakeup\",\n  [\"tire\"]]", "3:3:", "found a list"),
    ] {
        assert_bad(text, place, reason);
    }
    for (key, column, reason) in [
        // Keys and types.
        ("perod = \"1ms\"", 1, "`perod` is not a key of a run; did you mean `period`?"),
        ("masses = 400", 1, "`masses` is a parameter of tire, which this [[run]] does not measure"),
        ("period = []", 10, "the list is empty; expected at least one value"),
        ("period = true", 10, "expected a text or a number, found true or false"),
        ("period = 2020-01-01", 10, "found a date"),
        ("period = { from = 1 }", 10, "expected { from = N, to = N, step = N }"),
        ("period = { from = 1, to = 5, by = 1 }", 30, "expected { from = N"),
        ("period = { from = 5, to = 1, step = 1 }", 10, "`from` not above `to`"),
        ("period = { from = 1, to = 2, step = 0 }", 10, "a step of at least 1"),
        ("period = { from = 1, to = 2, step = \"1\" }", 37, "expected a whole number"),
        ("seconds = 0x10", 11, "expected a decimal number"),
        // Values.
        ("period = [\"1ms\", \"1parsec\"]", 18, "period: `parsec` is not a unit of time"),
        ("period = \"1ms,2ms\"", 10, "period: "),
        ("period = \"1ns\"", 10, "--period"),
        ("timer = \"sundial\"", 9, "timer: `sundial` is not one of"),
        ("target = \"moon\"", 10, "target: expected `local`"),
        ("load = [\"none\", \"heavy\"]", 17, "load: there is no load `heavy`"),
        ("policy = \"ffio:80\"", 10, "policy: `ffio` is not a policy"),
        ("policy = \"fifo:100\"", 10, "policy: `100` is not a priority"),
        ("cpus = \"1-0\"", 8, "cpus: "),
        ("cpus = 4095", 8, "--cpus: there is no CPU 4095"),
        ("seconds = \"nan\"", 11, "seconds: "),
        ("memory = \"loose\"", 10, "memory: `loose` is not one of locked, unlocked"),
        ("idle-states = \"lazy\"", 15, "idle-states: `lazy` is not one of hold, leave"),
    ] {
        assert_bad(&format!("{wakeup}{key}\n"), &format!("3:{column}:"), reason);
    }
    // The second of two runs, behind letters that take several bytes.
    let text = format!("name = \"größer\"\n{wakeup}{wakeup}# größer\nload = ['größer', 3]\n");
    assert_bad(&text, "7:9:", "load: there is no load `größer`");
}

fn assert_bad(text: &str, place: &str, reason: &str) {
    let folder = Folder::new();
    folder.write("plan.toml", text);
    let done = folder.run_unmeasured(LINE).refuses(reason);
    let begins = format!("error: plan.toml:{place}");
    assert!(done.stderr().starts_with(&begins), "{text}\n{begins}\n{}", done.stderr());
    assert!(done.stdout().is_empty(), "{text}");
    assert!(!folder.path("out").exists(), "nothing is begun: {text}");
}

#[test]
fn what_is_not_a_plan_is_named() {
    for (words, reason) in [
        ("", "PLAN.toml|NAME"),
        ("nothing", "there is no ready plan `nothing`; `steadfast campaign --list`"),
        ("nothing.toml", "cannot read nothing.toml"),
        ("--show nothing", "there is no ready plan `nothing`"),
        ("sae-micro --only 0", "--only"),
        ("sae-micro --only 1000", "--only: the campaign has"),
    ] {
        refused(&format!("campaign {words}"), reason);
    }
}

#[test]
fn every_target_is_there_before_the_first_run_is_made() {
    let folder = Folder::new();
    let text = "[[run]]\nmeasurement = \"wakeup\"\ntarget = [\"local\", \"vm:nothing\"]\n";
    folder.write("plan.toml", text);
    let mut command = folder.command(LINE);
    command.env("XDG_DATA_HOME", folder.path(""));
    Done::of(command).ended_with(2);
    assert!(!folder.path("out").exists(), "nothing is begun");
}

#[test]
fn what_is_listed_can_be_shown_and_is_a_plan() {
    let folder = Folder::new();
    let listed = folder.run_unmeasured("campaign --list").stdout();
    let names = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"sae-grid") && names.contains(&"tel-messages"), "{listed}");
    for name in names {
        let shown = folder.run_unmeasured(&format!("campaign --show {name}")).succeeded();
        folder.write("shown.toml", shown.stdout());
        let place = if name.starts_with("lab-") { "vm:any" } else { "local" };
        let line = format!("campaign shown.toml --target {place} --only 100000");
        let read = folder.run_unmeasured(&line);
        // A plan of your own has to leave out the instruction sets that this processor lacks.
        let lacks_them = read.stderr().contains("--instructions");
        let lacking = "this processor does not have it";
        read.refuses(if lacks_them { lacking } else { "--only: the campaign has" });
    }
}

fn write_fifty(folder: &Folder) {
    let periods: Vec<String> = (0..50).map(|n| format!("\"{}us\"", 1000 + n)).collect();
    let periods = periods.join(", ");
    let wakeups = "[[run]]\nmeasurement = \"wakeup\"\nseconds = 0.02\n";
    folder.write("plan.toml", format!("{wakeups}{MODEST}period = [{periods}]\n"));
}

/// Starts the plan, and kills the program and all that it has started, `delay` after the given
/// number of runs has begun. Returns whether it was still working then.
fn killed_after(folder: &Folder, runs: usize, delay: Duration) -> bool {
    let mut command = folder.command(LINE);
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut program = command.process_group(0).spawn().unwrap();
    let reported = BufReader::new(program.stderr.take().unwrap()).lines();
    let begun = reported.filter(|line| line.as_ref().is_ok_and(|line| line.starts_with('[')));
    let begun = begun.take(runs).count();
    thread::sleep(delay);
    let was_at_work = program.try_wait().unwrap().is_none();
    let _ = kill_process_group(pid(program.id()), Signal::KILL);
    program.wait().unwrap();
    was_at_work && begun == runs
}

#[test]
fn ten_kills_lose_no_run_and_repeat_none() {
    let folder = Folder::new();
    write_fifty(&folder);
    let mut random = Odd::of(7, 0);
    for kill in 0..10 {
        let runs = 1 + random.below(4);
        let delay = Duration::from_millis(random.below(60) as u64);
        assert!(killed_after(&folder, runs, delay), "kill {kill}");
    }
    let done = folder.run(LINE);
    assert!(done.stderr().contains("Resuming the last session"));
    done.succeeded();

    let sessions = sessions(&folder);
    let [(outcomes, session)] = sessions.as_slice() else {
        panic!("one session, not {}", sessions.len())
    };
    assert_eq!((session.planned, session.done), (50, 50));
    assert!(session.finished_unix_ns.is_some());
    assert!(session.title.contains("random order with seed"), "{}", session.title);
    let ids: BTreeSet<&str> = outcomes.iter().map(|o| o.header.run_id.as_str()).collect();
    let periods = periods_us(outcomes);
    let distinct: BTreeSet<u64> = periods.iter().copied().collect();
    assert_eq!(ids.len(), 50, "none twice");
    assert_eq!(distinct, (1000..1050).collect(), "none lost, and each is itself");
    assert!(!periods.is_sorted(), "the order is random");
}

#[test]
fn an_order_as_written_is_kept_in_rounds() {
    let folder = Folder::new();
    let text = format!(
        "order = \"as-written\"\nrepeat = 2\n[[run]]\nmeasurement = \"wakeup\"\n\
         seconds = 0.02\n{MODEST}period = [\"2ms\", \"1ms\"]\n"
    );
    folder.write("plan.toml", text);
    let reported = folder.said(LINE);
    let (outcomes, _) = sessions(&folder).remove(0);
    assert_eq!(periods_us(&outcomes), [2000, 1000, 2000, 1000]);
    assert!(folder.path("out/report.html").exists());
    let named = "steadfast compare out/results.db --across period";
    assert!(unwrapped(&reported).contains(named), "{reported}");
}
