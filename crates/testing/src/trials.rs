//! Outcomes with a known cause, as users of the program met them.

use base::{CpuSet, Policy};
use record::{Outcome, Row, Value, Warning, fact};
use serde_json::{Value as Json, json};
use stats::{Distribution, Sample};

use crate::outcomes::{number_as, outcome, tire, wakeup};

/// A stall: how late the latest sample was, when it was due, and how many deadlines were missed.
#[derive(Clone, Copy)]
struct Stall {
    late_ns: i64,
    at_ns: u64,
    missed: u64,
}

const HOG: Stall = Stall { late_ns: 1_199_900_000, at_ns: 2_000_000_000, missed: 1_200 };

/// Returns a 1 kHz thread on a CPU, due so often.
fn thread(load: Option<&str>, cpu: usize, due: u64, stall: Stall) -> Outcome {
    let mut run = wakeup(Policy::Fifo(80), load, 8_300.0, 60_000.0);
    run.header.spec.asked.cpus = CpuSet::one(cpu);
    run.found.cpus[0].cpu = cpu;
    run.rows = vec![row(&format!("CPU {cpu}"), due, 8_000.0, stall)];
    run
}

/// Returns a row whose latest sample is the stall.
fn row(label: &str, due: u64, usual_ns: f64, stall: Stall) -> Row {
    let near = |index: u64| usual_ns * (0.95 + 0.01 * (index * 37 % 11) as f64);
    let sample = |index| match index == due / 2 {
        true => Sample { value_ns: stall.late_ns, index, at_ns: stall.at_ns },
        false => Sample { value_ns: near(index) as i64, index, at_ns: index * 1_000_000 },
    };
    let mut row = Row::of(label, Distribution::of((0..due).map(sample)));
    (row.executed, row.skipped) = (due - stall.missed, stall.missed);
    row
}

/// Returns 100 Hz frames, each process due so often; the stall is the latest end of the last one,
/// whose frames themselves ran for at most `run_ns`.
fn frames(processes: u64, fill: u64, due: u64, run_ns: i64, stall: Stall) -> Outcome {
    let rate = Value::Rate("100Hz".parse().expect("a rate"));
    let fill = ("fill", Value::Percent(fill));
    let parameters = [("processes", Value::Count(processes)), ("rate", rate), fill];
    let mut run = outcome("frame", Policy::Fifo(80), &parameters);
    for process in 1..=processes {
        let missed = if process == processes { stall.missed } else { 0 };
        let latest_ns = if process == processes { stall.late_ns } else { run_ns };
        let ran = Stall { late_ns: run_ns, at_ns: stall.at_ns, missed };
        let label = format!("{process} of {processes}");
        let row = row(&label, due, run_ns as f64 * 0.95, ran);
        run.rows.push(row.with(&fact::MISSED, missed).with(&fact::RESPONSE_MAX_NS, latest_ns));
    }
    run
}

fn numbered(mut runs: Vec<Outcome>) -> Vec<Outcome> {
    runs.iter_mut().zip(0..).for_each(|(run, number)| number_as(number, run));
    runs
}

/// Makes the hypervisor take this much time from the measured CPU.
fn stolen(mut run: Outcome, steal_ns: u64) -> Outcome {
    let cpu = run.found.cpus[0].cpu;
    run.found.cpus[0].steal_ns = Some(steal_ns);
    run.warnings.push(Warning::Stolen { cpu, steal_ns });
    run
}

/// Returns a quick look with one stall under a load, one late frame, a page fault in a tire that
/// missed nothing, and a little stolen time in most runs.
pub fn quick() -> Vec<Outcome> {
    let calm = Stall { late_ns: 96_000, at_ns: 800_000_000, missed: 0 };
    let busy = Stall { late_ns: 3_570_000, at_ns: 4_000_000_000, missed: 94 };
    let stall = Stall { late_ns: 1_020_000_000, at_ns: 9_100_000_000, missed: 903 };
    let late_frame = Stall { late_ns: 10_049_000, at_ns: 700_000_000, missed: 1 };
    let whole_frame = Stall { late_ns: 8_780_000, ..calm };
    let mut faulted = tire("real-time", 57_000, 1, 200, 0);
    faulted.warnings.push(Warning::PageFaults { thread: "solver 1".into(), count: 1 });
    let threads = [(None, busy), (Some("cpu"), stall), (Some("disk"), calm)];
    let threads = threads.map(|(load, stall)| thread(load, 0, 20_000, stall));
    let frames = [(1, whole_frame), (2, late_frame)]
        .map(|(count, stall)| frames(count, 85, 200, 8_780_000, stall));
    let runs = threads.into_iter().chain(frames).map(|run| stolen(run, 4_000_000));
    numbered(runs.chain([faulted]).collect())
}

fn cause(cause: &Json, words: &str, main_of: u64, missed: u64, longest_ns: i64) -> Json {
    let time_ns = longest_ns * i64::from(main_of.min(3) as u32);
    json!({
        "cause": cause, "words": words, "main_of": main_of, "missed": missed, "part_of": main_of,
        "time_ns": time_ns, "longest_ns": longest_ns,
    })
}

fn task(name: &str, pid: u64, policy: &str) -> Json {
    json!({ "kind": "task", "name": name, "pid": pid, "policy": policy })
}

/// Adds what a search for causes found.
fn blamed(mut run: Outcome, late: u64, missed: u64, causes: &Json) -> Outcome {
    run.header.spec.blame_beyond = Some(base::Nanos(100_000));
    let summary = json!({
        "threshold_ns": 100_000, "late": late, "missed": missed, "traced": late, "causes": causes,
        "not_traced": null, "lost_events": 0, "windows_not_kept": 0, "cost": null, "late_samples": [],
        "worst": [],
    });
    run.rows[0].tell(&fact::BLAME, summary);
    run
}

/// Adds what the kernel counted of the latest sample.
fn counted(mut run: Outcome, stall: Stall, kind: &str) -> Outcome {
    let Stall { late_ns, at_ns, .. } = stall;
    let sample = json!([{
        "thread": run.rows[0].label, "cpu": 1, "due_ns": at_ns, "took_ns": late_ns,
        "shares": [[{ "kind": kind }, late_ns - 100_000]],
    }]);
    run.rows[0].tell(&fact::COUNTED, sample);
    run
}

/// Returns a run that a task of higher priority stopped once for 1.2 s, while an ordinary task of the
/// same name was in the way often, and harmlessly.
pub fn hog_blamed() -> Vec<Outcome> {
    let run = thread(None, 1, 6_000, HOG);
    let causes = json!([
        cause(&task("python3", 27_253, "other"), "", 102, 0, 400_000),
        cause(&task("python3", 27_299, "other"), "", 3, 0, 300_000),
        cause(&task("python3", 27_299, "real-time:90"), "", 1, 1_200, 1_070_000_000),
        cause(&json!({ "kind": "softirq", "name": "RCU" }), "", 28, 0, 120_000),
    ]);
    vec![blamed(run, 144, 1_200, &causes)]
}

/// Returns the same run without a search for causes; with what the kernel counted, or without.
pub fn hog(is_counted: bool) -> Vec<Outcome> {
    let run = thread(None, 1, 6_000, HOG);
    vec![if is_counted { counted(run, HOG, "unknown_task") } else { run }]
}

/// Returns frames that the same task stopped between two of them.
pub fn hog_between_frames() -> Vec<Outcome> {
    let stall = Stall { late_ns: 1_202_300_000, at_ns: 2_000_000_000, missed: 119 };
    vec![counted(frames(1, 20, 500, 2_800_000, stall), stall, "unknown_task")]
}

/// Returns a run with three harmless softirqs, and one task that cost the only missed deadline.
pub fn softirqs() -> Vec<Outcome> {
    let stall = Stall { late_ns: 1_360_000, at_ns: 3_000_000_000, missed: 1 };
    let causes = json!([
        cause(&json!({ "kind": "softirq", "name": "BLOCK" }), "", 3, 0, 97_000),
        cause(&task("pip", 901, "other"), "", 1, 1, 1_310_000),
    ]);
    vec![blamed(thread(None, 1, 6_000, stall), 4, 1, &causes)]
}

/// Returns a late run and one in time, and the hypervisor's time taken in either.
pub fn steal(is_in_late_run: bool) -> Vec<Outcome> {
    let stall = Stall { late_ns: 48_000_000, at_ns: 1_000_000_000, missed: 47 };
    let calm = Stall { late_ns: 80_000, missed: 0, ..stall };
    let (late, fine) = (thread(None, 1, 6_000, stall), thread(Some("cpu"), 1, 6_000, calm));
    numbered(match is_in_late_run {
        true => vec![stolen(late, 50_000_000), fine],
        false => vec![late, stolen(fine, 300_000_000)],
    })
}
